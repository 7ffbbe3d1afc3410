import type { Database } from '../../schema/db/interface.ts';
import { COLLECTIONS } from '../collections/index.ts';
import type { Collection } from '../collections/shape.ts';
import type { AnyHit, CollectionName, IndexCursor, SearchEngine, Searches } from '../engine.ts';

/** Lag is counted up to here. */
const LAG_MAX = 100_000;

/** `ancestors`, as JSON: earlier generations whose row numbers this one continues, so that their cursors stay valid. */
const READ_STATE = `SELECT (SELECT value FROM meta WHERE name = 'generation') AS generation,
  (SELECT value FROM meta WHERE name = 'ancestors') AS ancestors,
  c.value AS seq, (SELECT at FROM change_instant WHERE seq = c.value) AS at,
  (SELECT at FROM change_instant WHERE seq >= ? ORDER BY seq LIMIT 1) AS known_at
  FROM counter c WHERE c.name = 'seq'`;
const countSql = (table: string) => `SELECT count(*) AS count FROM
  (SELECT 1 FROM ${table} WHERE (seq, id) > (?, ?) AND seq <= ? LIMIT ?)`;

/** The end of the catalogue as a cursor, and the generations whose cursors are valid in it. */
export interface CatalogueState {
  target: Omit<IndexCursor, 'id'>;
  ancestors: readonly string[];
  /** When the head batch of the given cursor was committed; null where it names none, or nothing is known. */
  headAt: number | null;
}

/** An engine of any collection. */
export type AnyEngine = SearchEngine<AnyHit>;

/** Why an index is rebuilt. */
export type RebuildReason = 'new' | 'generation' | 'version' | 'asked';

/** How far one engine's index is behind the catalogue. */
interface IndexLag {
  engine: SearchEngine['name'];
  collection: CollectionName;
  /** Changed rows that the index lacks, 100,000 at most; null when the engine does not answer. */
  lag_rows: number | null;
}

/** Whether searches are answered, and any faults in words. */
interface SearchReadiness {
  answers: boolean;
  /** Empty when all is well. */
  said: string;
}

interface StateRow {
  generation: string;
  ancestors: string | null;
  seq: number;
  at: number | null;
  known_at: number | null;
}

/** Reads the current end of the catalogue, and what `rebuildReason` needs to judge this cursor. */
export async function readCatalogueState(
  catalogue: Database,
  { version }: Pick<AnyEngine, 'version'>,
  cursor: IndexCursor | null = null,
): Promise<CatalogueState> {
  const known = cursor?.head;
  const [row] = await catalogue.read<StateRow>({ sql: READ_STATE, args: [known?.seq ?? null] });
  const { generation = '', ancestors = null, seq = 0, at = null, known_at: headAt = null } = row ?? {};
  const target = { generation, version, seq, head: { seq, at } };
  return { target, ancestors: JSON.parse(ancestors ?? '[]') as string[], headAt };
}

/** Why an index with this cursor must be rebuilt; null when it can be brought up to date. */
export function rebuildReason(
  cursor: IndexCursor | null,
  { target, ancestors, headAt }: CatalogueState,
): Exclude<RebuildReason, 'asked'> | null {
  if (!cursor) return 'new';
  if (cursor.generation !== target.generation && !ancestors.includes(cursor.generation)) return 'generation';
  if (cursor.version !== target.version) return 'version';
  // A restored older catalogue is behind its index, or has moved past it with different batches.
  const known = cursor.head?.at ?? null;
  const isOther = known !== null && headAt !== null && known !== headAt;
  return cursor.seq > target.seq || isOther ? 'generation' : null;
}

/** How lag is counted: up to `most`. `rebuilt`: what an index that must be rebuilt lacks (by default, all rows). */
interface Counting {
  most?: number;
  rebuilt?: number;
}

/** How many rows of the catalogue an engine's index lacks. */
export async function readLag(catalogue: Database, engine: AnyEngine, counting?: Counting): Promise<number> {
  return countLag(catalogue, engine, await engine.readCursor(), counting);
}

/** How many rows of the catalogue an index at `cursor` lacks. */
export async function countLag(
  catalogue: Database,
  engine: AnyEngine,
  cursor: IndexCursor | null,
  { most, rebuilt }: Counting = {},
): Promise<number> {
  const state = await readCatalogueState(catalogue, engine, cursor);
  if (cursor && catalogue.copyAge && isAhead(cursor, state)) return 0;
  const from = cursor && rebuildReason(cursor, state) === null ? cursor : null;
  if (!from && rebuilt !== undefined) return rebuilt;
  const range = { from: from ?? { seq: 0, id: '' }, seq: state.target.seq };
  return countChanged(catalogue, COLLECTIONS[engine.collection], range, most);
}

/** Whether an index that jobs fill from the server contains rows that this machine's copy of the server lacks. */
function isAhead(cursor: IndexCursor, { target }: CatalogueState): boolean {
  return cursor.generation === target.generation && cursor.version === target.version && cursor.seq > target.seq;
}

/** How many rows of a collection changed after `from`, up to `seq`; counted up to `most`. */
export async function countChanged(
  catalogue: Database,
  { drained }: Collection,
  { from, seq }: { from: { seq: number; id: string }; seq: number },
  most = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const args = [from.seq, from.id, seq, most];
  const [row] = await catalogue.read<{ count: number }>({ sql: countSql(drained.table), args });
  return row?.count ?? 0;
}

/** The lag of each engine, then of its fallback. `onFault` receives the error when an engine cannot be asked. */
export async function readIndexLag(
  catalogue: Database,
  searches: Searches,
  onFault: (error: unknown) => void = () => undefined,
): Promise<IndexLag[]> {
  const engines = [searches, searches.contracts].flatMap((one) => (one.fallback ? [one, one.fallback] : [one]));
  return Promise.all(
    engines.map(async (one) => ({
      engine: one.name,
      collection: one.collection,
      lag_rows: await askLag(catalogue, one, onFault),
    })),
  );
}

async function askLag(
  catalogue: Database,
  engine: AnyEngine,
  onFault: (error: unknown) => void,
): Promise<number | null> {
  try {
    return await readLag(catalogue, engine, { most: LAG_MAX });
  } catch (error) {
    onFault(error);
    return null;
  }
}

/** Asks the engine of each collection, and then its fallback, whether it has an index. One that was never filled answers nothing. */
export async function checkSearch(searches: Searches): Promise<SearchReadiness> {
  const [notices, contracts] = await Promise.all([searches, searches.contracts].map(checkEngine));
  const said = new Set([notices, contracts].flatMap((one) => one?.said || []));
  return { answers: [notices, contracts].every((one) => one?.answers), said: [...said].join('; ') };
}

async function checkEngine(engine: AnyEngine): Promise<SearchReadiness> {
  const fault = await findFault(engine);
  if (fault === null) return { answers: true, said: '' };
  if (!engine.fallback) return { answers: false, said: `search: ${fault}` };
  const fallbackFault = await findFault(engine.fallback);
  return fallbackFault === null
    ? { answers: true, said: `search: failing over to ${engine.fallback.name} (${fault})` }
    : { answers: false, said: `search: ${fault}; behind it: ${fallbackFault}` };
}

async function findFault(engine: AnyEngine): Promise<string | null> {
  try {
    return (await engine.readCursor())
      ? null
      : `${engine.name} has no index of ${engine.collection} of this version yet`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
