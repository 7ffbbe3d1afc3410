import type { Database } from '../../schema/db/interface.ts';

/** How and when a process came here. */
export interface Fetched {
  /** Different releases held of it. */
  releases: number;
  /** Instant of the last fetch, ISO 8601 UTC. */
  last: string;
}

/** A few processes have thousands of releases: so many are looked at, at most. */
const RELEASES_MOST = 500;

const SQL = `
  SELECT count(DISTINCT r.release_id) AS releases, max(coalesce(again.fetched_at, r.fetched_at)) AS last
  FROM (SELECT ocid, release_id, digest, fetched_at FROM release WHERE ocid = ? LIMIT ${RELEASES_MOST}) r
  LEFT JOIN fetched_again again ON again.ocid = r.ocid AND again.release_id = r.release_id AND again.digest = r.digest`;

/** When the releases of an ocid were fetched; null where none is held under it. */
export async function readFetched(catalogue: Database, ocid: string): Promise<Fetched | null> {
  const [row] = await catalogue.read<Fetched>({ sql: SQL, args: [ocid] });
  return row && row.releases > 0 ? row : null;
}
