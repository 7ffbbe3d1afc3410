import type { framework } from '../../schema/catalogue/tables/procurement.ts';
import { type Database, readFirst } from '../../schema/db/interface.ts';

export type FrameworkRow = typeof framework.$inferSelect;

const BY_ID = 'SELECT * FROM framework WHERE id = ? AND gone = 0';
/** Two are enough to know that a reference is not one framework's alone. */
const BY_REFERENCE = 'SELECT framework_id FROM framework_reference WHERE reference = ? ORDER BY framework_id LIMIT 6';
const AMONG = 'SELECT * FROM framework WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0';

/** The framework with this id. */
export function readFramework(catalogue: Database, id: string): Promise<FrameworkRow | undefined> {
  return readFirst(catalogue, { sql: BY_ID, args: [id] });
}

/** Ids of the frameworks that a reference (`RM3764`) names. */
export async function readFrameworksByReference(catalogue: Database, reference: string): Promise<string[]> {
  const rows = await catalogue.read<{ framework_id: string }>({ sql: BY_REFERENCE, args: [reference] });
  return rows.map((row) => row.framework_id);
}

/** The frameworks of a page of hits, by id. */
export async function readFrameworksAmong(
  catalogue: Database,
  ids: readonly string[],
): Promise<Map<string, FrameworkRow>> {
  const rows = await catalogue.read<FrameworkRow>({ sql: AMONG, args: [JSON.stringify(ids)] });
  return new Map(rows.map((row) => [row.id, row]));
}
