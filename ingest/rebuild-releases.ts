import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from '../schema/database.ts';
import type { JsonObject } from '../schema/tolerant.ts';
import { type ReleaseToStore, storePage } from './store.ts';
import { unpackBody } from './store-releases.ts';
import { EMPTY_BODY } from './takedown.ts';

/** Releases held in memory, and stored in one batch. */
const PAGE_ROWS = 200;
const NEXT = `SELECT id, source, ocid, release_id, digest, page_sha256, date, fetched_at, body FROM release
  WHERE id > ? ORDER BY id LIMIT ${PAGE_ROWS}`;

interface ReleaseRow {
  id: number;
  source: string;
  ocid: string;
  release_id: string;
  digest: string;
  page_sha256: string;
  date: string;
  fetched_at: string;
  body: Uint8Array;
}

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

/**
 * A stored release as it was read when it came; one that was taken down has no body. Values that nobody knows were counted
 * then, and contacts kept: those rows are copied.
 */
function readStored(row: ReleaseRow): ReleaseToStore {
  const { source, ocid, release_id: releaseId, digest, date, fetched_at: fetchedAt, page_sha256: pageSha256 } = row;
  const body = unpackBody(row.body);
  const json = body === EMPTY_BODY ? {} : (JSON.parse(body) as JsonObject);
  return { source, ocid, releaseId, date, digest, body, json, unknown: [], fetchedAt, pageSha256 };
}
