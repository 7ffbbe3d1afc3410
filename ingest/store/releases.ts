import { gunzipSync, gzipSync } from 'node:zlib';
import { londonDate } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import type { JsonObject } from '../../schema/text/json-values.ts';
import { parseInstant } from '../fields/dates.ts';
import type { StoredRelease } from '../merge/uk.ts';
import type { ReadRelease } from '../parse/page.ts';
import { type Instants, releaseKey } from './fetched-again.ts';

/** The body of a release that was taken down is empty. */
const BODIES = `SELECT r.source, r.ocid, r.release_id, r.digest, r.date, r.fetched_at, a.fetched_at AS last_fetched_at, r.body
FROM release r LEFT JOIN fetched_again a ON a.ocid = r.ocid AND a.release_id = r.release_id AND a.digest = r.digest
WHERE r.ocid IN (SELECT value FROM json_each(?)) AND length(r.body) > 0`;
const KEEP = `INSERT INTO release (source, ocid, release_id, digest, page_sha256, date, fetched_at, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ocid, release_id, digest) DO NOTHING`;
const COUNT = 'UPDATE source SET releases = releases + ? WHERE id = ?';
const COVER = `INSERT INTO coverage_day (source, day, releases) VALUES (?, ?, ?)
ON CONFLICT (source, day) DO UPDATE SET releases = releases + excluded.releases`;

/** Each packed body keeps a whole buffer of this size until it is written; zlib's own are 16 kB, and most bodies come to 1 or 2. */
const PACK = { level: 1, chunkSize: 4_096 };

/** A release's JSON as it is stored; nothing is no bytes. */
export function packBody(body: string): Uint8Array {
  return body === '' ? new Uint8Array(0) : gzipSync(body, PACK);
}

function unpackBody(bytes: Uint8Array): string {
  return bytes.length === 0 ? '' : gunzipSync(bytes).toString('utf8');
}

/** A release and where it came from. */
export type FetchedRelease = ReadRelease & { fetchedAt: string; pageSha256: string };

/** Columns of a stored release, for `readStored`. */
export const RELEASE_COLUMNS = 'id, source, ocid, release_id, digest, page_sha256, date, fetched_at, body';

/** A row of those columns. */
export interface ReleaseRow {
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
 * A stored release as it was read when it came; one that was taken down says nothing. Values that nobody knows were
 * counted then.
 */
export function readStored(row: ReleaseRow): FetchedRelease {
  const { source, ocid, release_id: releaseId, digest, date, fetched_at: fetchedAt, page_sha256: pageSha256 } = row;
  const body = unpackBody(row.body);
  const json = body === '' ? {} : (JSON.parse(body) as JsonObject);
  return { source, ocid, releaseId, date, digest, body, json, unknown: [], fetchedAt, pageSha256 };
}

/** Every release of these ocids: the stored ones and the new ones, by ocid; `instants` are those that are not stored yet. */
export async function readProcessReleases(
  catalogue: Database,
  ocids: readonly string[],
  fresh: readonly FetchedRelease[],
  instants: ReadonlyMap<string, Instants> = new Map(),
): Promise<Map<string, StoredRelease[]>> {
  const rows = await catalogue.read<{
    source: string;
    ocid: string;
    release_id: string;
    digest: string;
    date: string;
    fetched_at: string;
    last_fetched_at: string | null;
    body: Uint8Array;
  }>({ sql: BODIES, args: [JSON.stringify(ocids)] });
  const wanted = new Set(ocids);
  const found = new Map<string, StoredRelease[]>(ocids.map((ocid) => [ocid, []]));
  const add = (release: StoredRelease) => {
    const { first, last } = instants.get(releaseKey(release)) ?? {};
    found.get(release.ocid)?.push(first && last ? { ...release, fetchedAt: first, lastFetchedAt: last } : release);
  };
  for (const { release_id: releaseId, fetched_at: fetchedAt, last_fetched_at: last, body, ...row } of rows) {
    const json = JSON.parse(unpackBody(body)) as JsonObject;
    add({ ...row, releaseId, fetchedAt, ...(last ? { lastFetchedAt: last } : {}), json });
  }
  for (const { source, ocid, releaseId, digest, date, fetchedAt, json } of fresh)
    if (wanted.has(ocid)) add({ source, ocid, releaseId, digest, date, fetchedAt, json });
  return found;
}

/** Keeps new releases, counts them, and counts the London days they were published on. */
export function releaseStatements(releases: readonly FetchedRelease[]): Statement[] {
  const bySource = new Map<string, number>();
  const byDay = new Map<string, number>();
  const kept = releases.map((release): Statement => {
    const { source, ocid, releaseId, digest, pageSha256, date, fetchedAt, body } = release;
    const instant = parseInstant(date);
    const day = `${source}\n${instant ? londonDate(instant) : ''}`;
    bySource.set(source, (bySource.get(source) ?? 0) + 1);
    if (instant) byDay.set(day, (byDay.get(day) ?? 0) + 1);
    return { sql: KEEP, args: [source, ocid, releaseId, digest, pageSha256, date, fetchedAt, packBody(body)] };
  });
  return [
    ...kept,
    ...[...bySource].map(([source, count]) => ({ sql: COUNT, args: [count, source] })),
    ...[...byDay].map(([key, count]) => ({ sql: COVER, args: [...key.split('\n'), count] })),
  ];
}

const UNKNOWN = `INSERT INTO unknown_value (source, field, value, sightings, last_seen_at) VALUES (?, ?, ?, 1, ?)
ON CONFLICT (source, field, value) DO UPDATE SET sightings = sightings + 1, last_seen_at = excluded.last_seen_at`;

/** Counts the categories of new releases (or of a register's rows) that nobody has mapped. */
export function unknownStatements(
  releases: readonly Pick<FetchedRelease, 'source' | 'unknown' | 'fetchedAt'>[],
): Statement[] {
  return releases.flatMap(({ source, unknown, fetchedAt }) =>
    unknown.map(({ field, value }) => ({ sql: UNKNOWN, args: [source, field, value.slice(0, 200), fetchedAt] })),
  );
}
