import type { framework } from '../../schema/catalogue/tables/procurement.ts';
import { type Database, readFirst } from '../../schema/db/interface.ts';
import { compareText } from '../../schema/text/ids.ts';
import { OWN_FRAMEWORK } from '../../search/collections/notices.ts';

export type FrameworkRow = typeof framework.$inferSelect;

/** A copy on another service leads to its original. */
const BY_ID = `SELECT o.* FROM framework f JOIN framework o ON o.id = coalesce(f.copy_of, f.id)
  WHERE f.id = ? AND f.gone = 0 AND o.gone = 0`;
/** Enough to show that several frameworks share a reference, even if each has a copy. */
const BY_REFERENCE = `SELECT coalesce(f.copy_of, r.framework_id) AS framework_id FROM framework_reference r
  LEFT JOIN framework f ON f.id = r.framework_id WHERE r.reference = ? ORDER BY r.framework_id LIMIT 6`;
const AMONG = 'SELECT * FROM framework WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0';

/** Copies are found through their originals. */
const OF_BUYER = 'SELECT id AS framework_id, title FROM framework WHERE buyer_id = ? AND gone = 0 AND copy_of IS NULL';

const OF_NOTICES = `SELECT f.id FROM json_each(?) wanted CROSS JOIN notice n ON n.id = wanted.value
  JOIN ${OWN_FRAMEWORK} ORDER BY wanted.key`;

/** The framework with this id. */
export function readFramework(catalogue: Database, id: string): Promise<FrameworkRow | undefined> {
  return readFirst(catalogue, { sql: BY_ID, args: [id] });
}

/** Ids of the frameworks with a reference (`RM3764`), in any case and with any blanks. */
export async function readFrameworksByReference(catalogue: Database, given: string): Promise<string[]> {
  const reference = given.toUpperCase().replace(/\s+/g, '');
  const rows = await catalogue.read<{ framework_id: string }>({ sql: BY_REFERENCE, args: [reference] });
  return [...new Set(rows.map((row) => row.framework_id))];
}

/** The frameworks of a page of hits, by id. */
export async function readFrameworksAmong(
  catalogue: Database,
  ids: readonly string[],
): Promise<Map<string, FrameworkRow>> {
  const rows = await catalogue.read<FrameworkRow>({ sql: AMONG, args: [JSON.stringify(ids)] });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The frameworks for which some notices are the main ones. Takes the ids of the notices' rows, and keeps their order. */
export async function readFrameworksOfNotices(catalogue: Database, noticeIds: readonly string[]): Promise<string[]> {
  const rows = await catalogue.read<{ id: string }>({ sql: OF_NOTICES, args: [JSON.stringify(noticeIds)] });
  return rows.map(({ id }) => id);
}

/** The frameworks that a buyer set up, by id, whether or not anybody has a place on them yet. */
export async function readFrameworksOfBuyer(
  catalogue: Database,
  buyerId: string,
): Promise<{ framework_id: string; title: string }[]> {
  const found = await catalogue.read<{ framework_id: string; title: string }>({ sql: OF_BUYER, args: [buyerId] });
  return found.sort((one, other) => compareText(one.framework_id, other.framework_id));
}
