import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { storePage } from '../store/page.ts';
import { RELEASE_COLUMNS, type ReleaseRow, readStored } from '../store/releases.ts';

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

const AGAIN = `FROM live.fetched_again a WHERE a.fetched_at >= coalesce((SELECT max(fetched_at) FROM main.fetched_again), '')
  AND NOT EXISTS (SELECT 1 FROM main.fetched_again b WHERE b.ocid = a.ocid AND b.release_id = a.release_id
    AND b.digest = a.digest AND b.fetched_at = a.fetched_at)`;
/** Whether the live generation fetched a release again that the new one lacks. */
export const CAME_AGAIN = `EXISTS (SELECT 1 ${AGAIN})`;
const NEXT_AGAIN = `SELECT r.id, r.source, r.ocid, r.release_id, r.digest, r.page_sha256, r.date, a.fetched_at, r.body
  FROM (SELECT a.* ${AGAIN}) a
  CROSS JOIN main.release r ON r.ocid = a.ocid AND r.release_id = a.release_id AND r.digest = a.digest
  ORDER BY a.fetched_at LIMIT ${PAGE_ROWS}`;

/** Copies to the new generation what the attached live one fetched again meanwhile: another version may be current. */
export async function catchUpAgain(target: Database, built: Database): Promise<void> {
  for (;;) {
    const rows = await target.read<ReleaseRow>({ sql: NEXT_AGAIN });
    const [first] = rows;
    if (!first) return;
    const page = { source: first.source, fetchedAt: first.fetched_at, quarantined: [], before: [], after: [] };
    await storePage(built, { ...page, releases: rows.map(readStored) });
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
