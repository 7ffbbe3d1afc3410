import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { NEXT_SEQ, SEAL } from './store.ts';

/** Rows looked at in one statement: a few milliseconds, so that neither writers nor the lease's heartbeat ever wait long. */
const CHUNK_ROWS = 10_000;
/** Companies that an earlier edition listed and this one does not: they left the live register, and are kept. */
const UNLISTED = 'edition IS NOT NULL AND edition < ?3 AND gone = 0';
const COUNT = `SELECT count(*) FILTER (WHERE ${UNLISTED}) AS unlisted, count(*) AS live FROM registered_company
  WHERE rowid > ?1 AND rowid <= ?2 AND gone = 0 AND edition IS NOT NULL`;
const MARK = `UPDATE registered_company SET gone = 1, seq = ${NEXT_SEQ}, match_seq = ${NEXT_SEQ} WHERE rowid > ?1 AND rowid <= ?2 AND ${UNLISTED}`;
const LAST = 'SELECT coalesce(max(rowid), 0) AS last FROM registered_company';

export interface Unlisted {
  /** Companies that the edition no longer lists. */
  unlisted: number;
  /** Companies that were live before, those included. */
  live: number;
  /** The stretches of rows, by their first rowid, in which such companies are. */
  from: number[];
}

/** What an edition that was applied whole no longer lists. Reads every row once, a stretch at a time. */
export async function countUnlisted(catalogue: Database, edition: string, signal?: AbortSignal): Promise<Unlisted> {
  const found: Unlisted = { unlisted: 0, live: 0, from: [] };
  const [{ last } = { last: 0 }] = await catalogue.read<{ last: number }>({ sql: LAST });
  for (let from = 0; from < last; from += CHUNK_ROWS) {
    signal?.throwIfAborted();
    const args = [from, from + CHUNK_ROWS, edition];
    const [counted] = await catalogue.read<{ unlisted: number; live: number }>({ sql: COUNT, args });
    found.live += counted?.live ?? 0;
    found.unlisted += counted?.unlisted ?? 0;
    if (counted?.unlisted) found.from.push(from);
    // Local reads resolve without a turn of the event loop, on which the heartbeat waits.
    await nextTurn();
  }
  return found;
}

/** Marks what an edition no longer lists as gone, a stretch of rows to a batch; done again it finds what is left. */
export async function markGone(
  catalogue: Database,
  edition: string,
  { from, before, signal }: { from: readonly number[]; before: readonly Statement[]; signal?: AbortSignal | undefined },
): Promise<void> {
  for (const start of from) {
    signal?.throwIfAborted();
    await catalogue.write([...before, { sql: MARK, args: [start, start + CHUNK_ROWS, edition] }, { sql: SEAL }]);
    await nextTurn();
  }
}
