import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from '../schema/database.ts';
import { storePage } from './store.ts';
import { RELEASE_COLUMNS, type ReleaseRow, readStored } from './store-releases.ts';

/** Releases held in memory, and stored in one batch. */
const PAGE_ROWS = 200;
const NEXT = `SELECT ${RELEASE_COLUMNS} FROM release
  WHERE id > ? ORDER BY id LIMIT ${PAGE_ROWS}`;

/**
 * Compiles the releases that one generation holds beyond an id into another, in the order in which they came and under
 * the same ids, by the path that ingest takes; answers the last id.
 */
export async function compileReleases(
  live: Database,
  built: Database,
  after: number,
  options: {
    /** Leaves the rows of buyers and companies to `storeOrganisations`. */
    organisationsLater?: boolean;
    signal?: AbortSignal | undefined;
    onReleases?: (releases: number) => void;
  } = {},
): Promise<number> {
  for (let last = after; ; ) {
    options.signal?.throwIfAborted();
    const rows = await live.read<ReleaseRow>({ sql: NEXT, args: [last] });
    const [first] = rows;
    if (!first) return last;
    await storePage(built, {
      source: first.source,
      fetchedAt: first.fetched_at,
      pageSha256: first.page_sha256,
      releases: rows.map(readStored),
      quarantined: [],
      organisationsLater: options.organisationsLater ?? false,
      before: [],
      after: numberStatements(rows, last),
    });
    last = rows.at(-1)?.id ?? last;
    options.onReleases?.(rows.length);
    // Local reads and writes are synchronous: the lease's heartbeat gets its turn between pages.
    await nextTurn();
  }
}

/** Rows are numbered one after the other, as they were; from a gap on they get the number they had, the last one first. */
function numberStatements(rows: readonly ReleaseRow[], last: number): Statement[] {
  const moved = rows.filter(({ id }, index) => id !== last + 1 + index);
  return moved.toReversed().map(({ id, ocid, release_id, digest }) => ({
    sql: 'UPDATE release SET id = ? WHERE ocid = ? AND release_id = ? AND digest = ?',
    args: [id, ocid, release_id, digest],
  }));
}
