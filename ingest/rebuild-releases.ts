import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../schema/database.ts';
import type { JsonObject } from '../schema/tolerant.ts';
import { type ReleaseToStore, storePage } from './store.ts';
import { unpackBody } from './store-releases.ts';

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
 * Compiles the releases that one generation holds beyond an id into another, in the order in which they came, by the
 * path that ingest takes; answers the last id.
 */
export async function compileReleases(
  live: Database,
  built: Database,
  after: number,
  options: { signal?: AbortSignal | undefined; onReleases?: (releases: number) => void } = {},
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
      before: [],
      after: [],
    });
    last = rows.at(-1)?.id ?? last;
    options.onReleases?.(rows.length);
    // Local reads and writes are synchronous: the lease's heartbeat gets its turn between pages.
    await nextTurn();
  }
}

/** A stored release as it was read when it came. What it held that nobody knows was counted then: those rows are copied. */
function readStored(row: ReleaseRow): ReleaseToStore {
  const body = unpackBody(row.body);
  const { source, ocid, digest, date } = row;
  // The body of a release that was taken down is empty, and stays so.
  const json = JSON.parse(body || '{}') as JsonObject;
  const fetched = { fetchedAt: row.fetched_at, pageSha256: row.page_sha256 };
  return { source, ocid, releaseId: row.release_id, date, digest, body, json, unknown: [], ...fetched };
}
