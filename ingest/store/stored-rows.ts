import type { Database } from '../../schema/db/interface.ts';
import type { CompiledProcess } from '../compile/types.ts';
import type { IdentityKind } from '../party/sighting.ts';
import type { StoredRow, VersionedTable } from '../rows/versioned.ts';

/** What is stored of the processes that a batch compiles. Keys are `table id`. */
export interface StoredRows {
  processIds: string[];
  rows: Map<string, StoredRow>;
}

type Held = { id: string; digest: string; gone: number };

const PROCESSES = 'SELECT id FROM process WHERE ocid IN (SELECT value FROM json_each(?))';
const OF_PROCESS: readonly [VersionedTable, string][] = [
  ['process', 'SELECT id, digest, gone FROM process WHERE id IN (SELECT value FROM json_each(?))'],
  ['notice', 'SELECT id, digest, gone FROM notice WHERE process_id IN (SELECT value FROM json_each(?))'],
  ['contract', 'SELECT id, digest, gone FROM contract WHERE process_id IN (SELECT value FROM json_each(?))'],
  ['framework', 'SELECT id, digest, gone FROM framework WHERE id IN (SELECT value FROM json_each(?))'],
];
const ORGANISATIONS: Readonly<Record<IdentityKind, string>> = {
  buyer: 'SELECT id, digest, gone FROM buyer WHERE id IN (SELECT value FROM json_each(?))',
  company: 'SELECT id, digest, gone FROM company WHERE id IN (SELECT value FROM json_each(?))',
};
/** The stored rows of these ocids, gone processes included. */
export async function readStoredRows(
  catalogue: Database,
  ocids: readonly string[],
  compiled: readonly CompiledProcess[],
): Promise<StoredRows> {
  const stored = await catalogue.read<{ id: string }>({ sql: PROCESSES, args: [JSON.stringify(ocids)] });
  const processIds = [...new Set([...stored.map(({ id }) => id), ...compiled.map(({ id }) => id)])];
  const rows = new Map<string, StoredRow>();
  for (const [table, sql] of OF_PROCESS) {
    const held = await catalogue.read<Held>({ sql, args: [JSON.stringify(processIds)] });
    for (const { id, digest, gone } of held) rows.set(`${table} ${id}`, { digest, gone });
  }
  return { processIds, rows };
}

export async function readStoredOrganisations(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
): Promise<Map<string, StoredRow>> {
  const rows = await catalogue.read<Held>({ sql: ORGANISATIONS[kind], args: [JSON.stringify(ids)] });
  return new Map(rows.map(({ id, digest, gone }) => [id, { digest, gone }]));
}
