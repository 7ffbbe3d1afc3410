import type { Database, Statement } from '../../schema/db/interface.ts';

/** The instants at which a release came, word for word: the first, and the last. */
export interface Instants {
  first: string;
  last: string;
}

/** What tells a release's version from every other, and when it came. */
interface Version {
  ocid: string;
  releaseId: string;
  digest: string;
  /** Instant of fetch, ISO 8601 UTC. */
  fetchedAt: string;
}

/** What of a page is new, and what the instants of its fetch change. */
export interface Sorted<T> {
  /** The releases that are not held yet, each once. */
  fresh: T[];
  /** Of every release of the page that came more than once, as of now. Keys are those of `releaseKey`. */
  instants: Map<string, Instants>;
  /** Writes the instants that changed. */
  statements: Statement[];
  /** Ocids that may now have another current version or another order of merge. */
  ocids: string[];
}

const HELD = 'SELECT ocid, release_id, digest, fetched_at FROM release WHERE ocid IN (SELECT value FROM json_each(?))';
const AGAIN =
  'SELECT ocid, release_id, digest, fetched_at FROM fetched_again WHERE ocid IN (SELECT value FROM json_each(?))';
const KEEP = `INSERT INTO fetched_again (ocid, release_id, digest, fetched_at)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true
ON CONFLICT (ocid, release_id, digest) DO UPDATE SET fetched_at = excluded.fetched_at`;
const MOVE_BACK = 'UPDATE release SET fetched_at = ? WHERE ocid = ? AND release_id = ? AND digest = ?';

interface VersionRow {
  ocid: string;
  release_id: string;
  digest: string;
  fetched_at: string;
}

export function releaseKey({ ocid, releaseId, digest }: Omit<Version, 'fetchedAt'>): string {
  return `${ocid}\n${releaseId}\n${digest}`;
}

/**
 * Tells what of a page is held already. A service may put an earlier body back (A, B, then A again), so of a held one the
 * last instant of fetch is kept, and where they are processed out of their order the first one too: what is compiled
 * follows from the instants alone.
 */
export async function sortReleases<T extends Version>(catalogue: Database, releases: readonly T[]): Promise<Sorted<T>> {
  const { held, lasts, versions } = await readHeld(catalogue, releases);
  const came = new Map<string, T[]>();
  for (const release of releases) came.set(releaseKey(release), [...(came.get(releaseKey(release)) ?? []), release]);
  for (const [first] of came.values()) if (first) addVersion(versions, first);
  const sorted: Sorted<T> = { fresh: [], instants: new Map(), statements: [], ocids: [] };
  const again: string[][] = [];
  for (const [key, [release, ...more]] of came) {
    if (!release) continue;
    const { ocid, releaseId, digest } = release;
    const before = held.get(key);
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
  if (again.length > 0) sorted.statements.push({ sql: KEEP, args: [JSON.stringify(again)] });
  return sorted;
}

async function readHeld(catalogue: Database, releases: readonly Version[]) {
  const args = [JSON.stringify([...new Set(releases.map(({ ocid }) => ocid))])];
  const read = async (sql: string): Promise<Version[]> => {
    const rows = releases.length === 0 ? [] : await catalogue.read<VersionRow>({ sql, args });
    return rows.map(({ release_id: releaseId, fetched_at: fetchedAt, ...row }) => ({ ...row, releaseId, fetchedAt }));
  };
  const instantsOf = (rows: readonly Version[]) => new Map(rows.map((row) => [releaseKey(row), row.fetchedAt]));
  const held = await read(HELD);
  const versions = new Map<string, Set<string>>();
  for (const version of held) addVersion(versions, version);
  return { held: instantsOf(held), lasts: instantsOf(await read(AGAIN)), versions };
}

function addVersion(versions: Map<string, Set<string>>, { ocid, releaseId, digest }: Version): void {
  const key = `${ocid}\n${releaseId}`;
  versions.set(key, (versions.get(key) ?? new Set()).add(digest));
}

function endsOf(instants: readonly string[]): Instants {
  const ordered = instants.toSorted();
  return { first: ordered[0] ?? '', last: ordered.at(-1) ?? '' };
}
