import type { notice, process } from '../../schema/catalogue/tables/procurement.ts';
import { readFirst } from '../../schema/db/first-row.ts';
import type { Database } from '../../schema/db/interface.ts';

export type NoticeRow = typeof notice.$inferSelect;
export type ProcessRow = typeof process.$inferSelect;

const BY_ID = 'SELECT * FROM notice WHERE notice_id = ? AND gone = 0 ORDER BY notice_id, process_id';
const NUMBERED = `SELECT notice_id, title FROM notice WHERE notice_id >= ? AND notice_id < ? AND gone = 0
  ORDER BY notice_id LIMIT ?`;
const NEWEST = 'SELECT * FROM notice WHERE process_id = ? AND gone = 0 ORDER BY published_at DESC LIMIT 1';
const PROCESS = 'SELECT * FROM process WHERE id = ? AND gone = 0';
const OF_OCID = 'SELECT * FROM process WHERE ocid = ? AND gone = 0 ORDER BY ocid';

/** Every notice under an id; more than one where a service gave one id to two processes. */
export function readNoticesById(catalogue: Database, noticeId: string): Promise<NoticeRow[]> {
  return catalogue.read({ sql: BY_ID, args: [noticeId] });
}

/** Notices of Find a Tender under a number of six digits, of whatever year. */
export function readNoticesNumbered(
  catalogue: Database,
  number: string,
  most: number,
): Promise<Pick<NoticeRow, 'notice_id' | 'title'>[]> {
  return catalogue.read({ sql: NUMBERED, args: [`${number}-`, `${number}.`, most] });
}

/** The newest notice of a process. */
export function readNewestNotice(catalogue: Database, processId: string): Promise<NoticeRow | undefined> {
  return readFirst(catalogue, { sql: NEWEST, args: [processId] });
}

/** The process with this id. */
export function readProcess(catalogue: Database, id: string): Promise<ProcessRow | undefined> {
  return readFirst(catalogue, { sql: PROCESS, args: [id] });
}

/** Processes of an ocid (lower case); more than one where buyers reuse one ocid, that of the first buyer first. */
export async function readProcessesByOcid(catalogue: Database, ocid: string): Promise<ProcessRow[]> {
  const rows = await catalogue.read<ProcessRow>({ sql: OF_OCID, args: [ocid] });
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The releases of a process that we fetched. */
export interface Fetched {
  /** Different releases stored. */
  releases: number;
  /** Instant of the last fetch, ISO 8601 UTC. */
  last: string;
}

/** Releases to read: a few processes have thousands. */
const RELEASES_MOST = 500;

const FETCHED = `
  SELECT count(DISTINCT r.release_id) AS releases, max(coalesce(again.fetched_at, r.fetched_at)) AS last
  FROM (SELECT ocid, release_id, digest, fetched_at FROM release WHERE ocid = ? LIMIT ${RELEASES_MOST}) r
  LEFT JOIN fetched_again again ON again.ocid = r.ocid AND again.release_id = r.release_id AND again.digest = r.digest`;

/** When the releases of an ocid were fetched; null where we have none. */
export async function readFetched(catalogue: Database, ocid: string): Promise<Fetched | null> {
  const [row] = await catalogue.read<Fetched>({ sql: FETCHED, args: [ocid] });
  return row && row.releases > 0 ? row : null;
}
