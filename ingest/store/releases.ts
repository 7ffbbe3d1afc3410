import { isoInstant, londonDate } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { type JsonObject, packText, unpackText, unpackTexts } from '../../schema/text/json-values.ts';
import { chunksOf, groupBy } from '../../schema/text/memoise.ts';
import { parseInstant } from '../fields/dates.ts';
import type { StoredRelease } from '../merge/uk.ts';
import type { ReadRelease } from '../parse/page.ts';
import { IDS_AT_ONCE } from '../rows/versioned.ts';

/** The instants of a release's first and last fetch, word for word. */
export interface Instants {
  first: string;
  last: string;
}

/** The identity of a release's version, and when it came. */
interface Version {
  ocid: string;
  releaseId: string;
  digest: string;
  /** Instant of fetch, ISO 8601 UTC. */
  fetchedAt: string;
}

/** The new releases of a page, and the changed instants of fetch. */
interface Sorted<T> {
  /** The releases that are not stored yet, each once. */
  fresh: T[];
  /** For every release of the page that was fetched more than once, as of now. Keys are those of `releaseKey`. */
  instants: Map<string, Instants>;
  /** Writes the instants that changed. */
  statements: Statement[];
  /** Ocids that may now have another current version or another order of merge. */
  ocids: string[];
}

const versionsIn = (table: string) =>
  `SELECT ocid, release_id, digest, fetched_at FROM ${table} WHERE ocid IN (SELECT value FROM json_each(?))`;
const KEEP_LAST = `INSERT INTO fetched_again (ocid, release_id, digest, fetched_at)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true
ON CONFLICT (ocid, release_id, digest) DO UPDATE SET fetched_at = excluded.fetched_at`;
const MOVE_BACK = 'UPDATE release SET fetched_at = ? WHERE ocid = ? AND release_id = ? AND digest = ?';

type VersionRow = Pick<ReleaseRow, 'ocid' | 'release_id' | 'digest' | 'fetched_at'>;

/** A release's version as one text. */
export function releaseKey({ ocid, releaseId, digest }: Omit<Version, 'fetchedAt'>): string {
  return `${ocid}\n${releaseId}\n${digest}`;
}

/**
 * Separates stored releases of a page from new ones. A service may restore an earlier body (A, B, then A again). So for a
 * stored one the last instant of fetch is recorded, and also the first if releases are processed out of order. The compiled
 * result depends on the instants only.
 * @param now the wall clock (ISO 8601 UTC), where the releases have just come: they follow their versions of a clock that was ahead
 */
export async function sortReleases<T extends Version>(
  catalogue: Database,
  fetched: readonly T[],
  now?: string,
): Promise<Sorted<T>> {
  const { stored, lasts, versions } = await readVersions(catalogue, fetched);
  const releases = now === undefined ? fetched : followAhead(fetched, [...stored, ...lasts], now);
  const came = groupBy(releases, releaseKey);
  for (const [first] of came.values()) if (first) addVersion(versions, first);
  const sorted: Sorted<T> = { fresh: [], instants: new Map(), statements: [], ocids: [] };
  const again: string[][] = [];
  for (const [key, [release, ...more]] of came) {
    if (!release) continue;
    const { ocid, releaseId, digest } = release;
    const before = stored.get(key);
    const lastBefore = lasts.get(key) ?? before;
    const all = [before, lastBefore, release.fetchedAt, ...more.map(({ fetchedAt }) => fetchedAt)];
    const { first, last } = endsOf(all.flatMap((instant) => instant ?? []));
    if (!before) sorted.fresh.push({ ...release, fetchedAt: first });
    if (last > first) sorted.instants.set(key, { first, last });
    const isEarlier = before !== undefined && first < before;
    const isLater = last > (lastBefore ?? first);
    if (isLater || isEarlier) again.push([ocid, releaseId, digest, last]);
    if (isEarlier) sorted.statements.push({ sql: MOVE_BACK, args: [first, ocid, releaseId, digest] });
    const isOneOfSeveral = (versions.get(`${ocid}\n${releaseId}`)?.size ?? 0) > 1;
    if (isEarlier || (before && isLater && isOneOfSeveral)) sorted.ocids.push(ocid);
  }
  if (again.length > 0) sorted.statements.push({ sql: KEEP_LAST, args: [JSON.stringify(again)] });
  return sorted;
}

/** Dates releases a second after versions of them that are from the future. @param instants by the keys of `releaseKey` */
function followAhead<T extends Version>(
  fetched: readonly T[],
  instants: [string, string][],
  now: string,
): readonly T[] {
  const ahead = instants.filter(([, instant]) => instant > now);
  return fetched.map((release) => {
    const own = ahead.filter(([key]) => key.startsWith(`${release.ocid}\n${release.releaseId}\n`));
    const { last } = endsOf(own.map(([, instant]) => instant));
    return last === '' ? release : { ...release, fetchedAt: isoInstant(new Date(Date.parse(last) + 1_000)) };
  });
}

async function readVersions(catalogue: Database, releases: readonly Version[]) {
  const args = [JSON.stringify([...new Set(releases.map(({ ocid }) => ocid))])];
  const read = async (sql: string): Promise<Version[]> => {
    const rows = releases.length === 0 ? [] : await catalogue.read<VersionRow>({ sql, args });
    return rows.map(({ release_id: releaseId, fetched_at: fetchedAt, ...row }) => ({ releaseId, fetchedAt, ...row }));
  };
  const instantsOf = (rows: readonly Version[]) => new Map(rows.map((row) => [releaseKey(row), row.fetchedAt]));
  const stored = await read(versionsIn('release'));
  const versions = new Map<string, Set<string>>();
  for (const version of stored) addVersion(versions, version);
  return { stored: instantsOf(stored), lasts: instantsOf(await read(versionsIn('fetched_again'))), versions };
}

function addVersion(versions: Map<string, Set<string>>, { ocid, releaseId, digest }: Version): void {
  const key = `${ocid}\n${releaseId}`;
  versions.set(key, (versions.get(key) ?? new Set()).add(digest));
}

function endsOf(instants: readonly string[]): Instants {
  const ordered = instants.toSorted();
  return { first: ordered[0] ?? '', last: ordered.at(-1) ?? '' };
}

/** Heads of the stored releases of some ocids, with their last fetches; an emptied body was taken down. */
export const HEADS =
  'r.source, r.ocid, r.release_id AS releaseId, r.digest, r.date, r.fetched_at AS fetchedAt, a.fetched_at AS lastFetchedAt';
export const OF_OCIDS = `FROM release r
LEFT JOIN fetched_again a ON a.ocid = r.ocid AND a.release_id = r.release_id AND a.digest = r.digest
WHERE r.ocid IN (SELECT value FROM json_each(?)) AND length(r.body) > 0`;
const PACKED = `SELECT ${HEADS}, r.body ${OF_OCIDS}`;
const RELEASE = '(?, ?, ?, ?, ?, ?, ?, ?)';
const KEEP = `INSERT INTO release (source, ocid, release_id, digest, page_sha256, date, fetched_at, body)
VALUES ${RELEASE} ON CONFLICT (ocid, release_id, digest) DO NOTHING`;
const COUNT = 'UPDATE source SET releases = releases + ? WHERE id = ?';
const COVERED = '(?, ?, ?)';
const COVER = `INSERT INTO coverage_day (source, day, releases) VALUES ${COVERED}
ON CONFLICT (source, day) DO UPDATE SET releases = releases + excluded.releases`;

/** A release and its page. */
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

/** A stored release as it was first read; one that was taken down is empty. Unknown values were counted then. */
export function readStored(row: ReleaseRow): FetchedRelease {
  const { source, ocid, release_id: releaseId, digest, date, fetched_at: fetchedAt, page_sha256: pageSha256 } = row;
  const body = unpackText(row.body);
  const json = body === '' ? {} : (JSON.parse(body) as JsonObject);
  return { source, ocid, releaseId, date, digest, body, json, unknown: [], fetchedAt, pageSha256 };
}

/** A release without its JSON; if it was fetched only once, a stored one has null as the last instant. */
export type ReleaseHead = Omit<StoredRelease, 'json' | 'lastFetchedAt'> & { lastFetchedAt?: string | null };
/** A stored release with its body as it is stored. */
type PackedRelease = ReleaseHead & { body: Uint8Array };

/** The stored releases of some ocids, without emptied ones. */
export function readPacked(catalogue: Database, ocids: readonly string[]): Promise<PackedRelease[]> {
  return catalogue.read<PackedRelease>({ sql: PACKED, args: [JSON.stringify(ocids)] });
}

/** A release with its instants of fetch, including those that are not stored yet. */
export function withInstants(
  head: ReleaseHead,
  instants: ReadonlyMap<string, Instants> = new Map(),
): Omit<StoredRelease, 'json'> {
  const { source, ocid, releaseId, digest, date } = head;
  const { first = head.fetchedAt, last = head.lastFetchedAt } = instants.get(releaseKey(head)) ?? {};
  return { source, ocid, releaseId, digest, date, fetchedAt: first, ...(last ? { lastFetchedAt: last } : {}) };
}

/** Every release of these ocids: the stored ones and the new ones, by ocid; `instants` are those that are not stored yet. */
export async function readProcessReleases(
  catalogue: Database,
  ocids: readonly string[],
  fresh: readonly FetchedRelease[],
  instants: ReadonlyMap<string, Instants> = new Map(),
): Promise<Map<string, StoredRelease[]>> {
  const found = new Map<string, StoredRelease[]>(ocids.map((ocid) => [ocid, []]));
  const known = new Map<string, StoredRelease>();
  // A takedown changes the bodies of stored releases, and nothing about when they came.
  const add = (head: ReleaseHead, json: JsonObject) =>
    known.set(releaseKey(head), { ...withInstants(head, instants), ...known.get(releaseKey(head)), json });
  for (const some of chunksOf(ocids, IDS_AT_ONCE)) {
    const stored = await readPacked(catalogue, some);
    const texts = unpackTexts(stored.map(({ body }) => body));
    for (const { body, ...head } of stored) add(head, JSON.parse(texts.next().value ?? '') as JsonObject);
  }
  for (const release of fresh) add(release, release.json);
  for (const release of known.values()) found.get(release.ocid)?.push(release);
  return found;
}

/** Stores new releases, counts them, and counts their London days of publication. */
export function releaseStatements(
  releases: readonly FetchedRelease[],
  packedOf: (release: FetchedRelease) => Uint8Array | undefined = () => undefined,
): Statement[] {
  const bySource = new Map<string, number>();
  const kept = releases.map((release): Statement => {
    const { source, ocid, releaseId, digest, pageSha256, date, fetchedAt, body } = release;
    bySource.set(source, (bySource.get(source) ?? 0) + 1);
    const packed = packedOf(release) ?? packText(body);
    return { sql: KEEP, row: RELEASE, args: [source, ocid, releaseId, digest, pageSha256, date, fetchedAt, packed] };
  });
  return [
    ...kept,
    ...[...bySource].map(([source, count]) => ({ sql: COUNT, args: [count, source] })),
    ...coverStatements(releases),
  ];
}

/** Counts the London days that releases were published on. */
export function coverStatements(releases: readonly Pick<FetchedRelease, 'source' | 'date'>[]): Statement[] {
  const byDay = new Map<string, number>();
  for (const { source, date } of releases) {
    const instant = parseInstant(date);
    if (!instant) continue;
    const day = `${source}\n${londonDate(instant)}`;
    byDay.set(day, (byDay.get(day) ?? 0) + 1);
  }
  return [...byDay].map(([key, count]) => ({ sql: COVER, row: COVERED, args: [...key.split('\n'), count] }));
}

const UNKNOWN = `INSERT INTO unknown_value (source, field, value, sightings, last_seen_at) VALUES (?, ?, ?, 1, ?)
ON CONFLICT (source, field, value) DO UPDATE SET sightings = sightings + 1, last_seen_at = excluded.last_seen_at`;

/** Counts the categories of new releases (or of a register's rows) that have no mapping. */
export function unknownStatements(
  releases: readonly Pick<FetchedRelease, 'source' | 'unknown' | 'fetchedAt'>[],
): Statement[] {
  return releases.flatMap(({ source, unknown, fetchedAt }) =>
    unknown.map(({ field, value }) => ({ sql: UNKNOWN, args: [source, field, value.slice(0, 200), fetchedAt] })),
  );
}
