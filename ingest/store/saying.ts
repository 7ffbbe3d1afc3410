import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../schema/db/interface.ts';
import { ocidOf } from '../../schema/text/ids.ts';
import { chunksOf } from '../../schema/text/memoise.ts';
import type { DatedSighting, Fact } from '../identity/facts.ts';
import { latestSightings, sightingsIn } from '../identity/resolve.ts';
import { tryCompile } from '../rows/versioned.ts';
import { readProcessesSaying, statingAny } from './organisations/forget-facts.ts';
import { type FetchedRelease, RELEASE_COLUMNS, type ReleaseRow, readStored } from './releases.ts';

/** A release and the number of its row. */
export type StoredRelease = FetchedRelease & { rowId: number };

/** The next stored releases after a row; those of some ocids. */
export const NEXT_RELEASES = `SELECT ${RELEASE_COLUMNS} FROM release WHERE id > ? AND length(body) > 0 ORDER BY id LIMIT 100`;
export const RELEASES_OF = `SELECT ${RELEASE_COLUMNS} FROM release WHERE ocid IN (SELECT value FROM json_each(?)) AND length(body) > 0`;

/** The facts that an emptied notice, or what was removed of a person, was the last to state, and who else states them. */
export interface Saying {
  said: readonly Fact[];
  others: DatedSighting[];
  /** The last release that was read. */
  lastId: number;
}

const LAST_ID = 'SELECT coalesce(max(id), 0) AS id FROM release';
const READ_OCIDS = 50;

/** @param fresh releases whose stored bodies are about to be replaced by these */
export async function readSaying(
  catalogue: Database,
  said: readonly Fact[],
  fresh: readonly StoredRelease[] = [],
): Promise<Saying> {
  const [last] = await catalogue.read<{ id: number }>({ sql: LAST_ID });
  const ocids = [...new Set((await readProcessesSaying(catalogue, said)).map(ocidOf))];
  const replaced = new Set(fresh.map(({ rowId }) => rowId));
  let others = latestSightings(fresh.flatMap(statedIn));
  for (const some of chunksOf(ocids, READ_OCIDS)) {
    const stored = await catalogue.read<ReleaseRow>({ sql: RELEASES_OF, args: [JSON.stringify(some)] });
    const rows = stored.filter(({ id }) => !replaced.has(id)).map(readRow);
    others = latestSightings([...others, ...statingAny(rows.flatMap(statedIn), said)]);
    await yieldToEventLoop();
  }
  return { said, others, lastId: last?.id ?? 0 };
}

/** Reads what arrived since. */
export async function readArrived(catalogue: Database, saying: Saying): Promise<void> {
  for (;;) {
    const rows = await catalogue.read<ReleaseRow>({ sql: NEXT_RELEASES, args: [saying.lastId] });
    const last = rows.at(-1);
    if (!last) return;
    saying.lastId = last.id;
    saying.others.push(...statingAny(rows.map(readRow).flatMap(statedIn), saying.said));
  }
}

export const readRow = (row: ReleaseRow): StoredRelease => ({ rowId: row.id, ...readStored(row) });

/** The parties that a release names; none where it can no longer be read. */
export function statedIn(release: FetchedRelease): DatedSighting[] {
  return tryCompile(() => sightingsIn(release)) ?? [];
}
