import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { notice, process } from '../../schema/catalogue/tables/procurement.ts';
import type { Database } from '../../schema/db/interface.ts';
import { compileQuery, readRow, readRows, select } from '../../schema/db/query.ts';

export type NoticeRow = typeof notice.$inferSelect;
export type ProcessRow = typeof process.$inferSelect;

const noticesById = compileQuery(
  select
    .select()
    .from(notice)
    .where(and(eq(notice.notice_id, sql.placeholder('noticeId')), eq(notice.gone, 0)))
    .orderBy(asc(notice.notice_id), asc(notice.process_id)),
);
const noticesNumbered = compileQuery(
  select
    .select({ notice_id: notice.notice_id, title: notice.title })
    .from(notice)
    .where(
      and(
        gte(notice.notice_id, sql.placeholder('from')),
        lt(notice.notice_id, sql.placeholder('to')),
        eq(notice.gone, 0),
      ),
    )
    .orderBy(asc(notice.notice_id))
    .limit(sql.placeholder('most')),
);
const newestNotice = compileQuery(
  select
    .select()
    .from(notice)
    .where(and(eq(notice.process_id, sql.placeholder('processId')), eq(notice.gone, 0)))
    .orderBy(desc(notice.published_at))
    .limit(1),
);
const processById = compileQuery(
  select
    .select()
    .from(process)
    .where(and(eq(process.id, sql.placeholder('id')), eq(process.gone, 0))),
);
const processesByOcid = compileQuery(
  select
    .select()
    .from(process)
    .where(and(eq(process.ocid, sql.placeholder('ocid')), eq(process.gone, 0)))
    .orderBy(asc(process.ocid)),
);

/** Every notice under an id; more than one where a service gave one id to two processes. */
export function readNoticesById(catalogue: Database, noticeId: string): Promise<NoticeRow[]> {
  return readRows(catalogue, noticesById, { noticeId });
}

/** Notices of Find a Tender under a number of six digits, of whatever year. */
export function readNoticesNumbered(
  catalogue: Database,
  number: string,
  most: number,
): Promise<Pick<NoticeRow, 'notice_id' | 'title'>[]> {
  return readRows(catalogue, noticesNumbered, { from: `${number}-`, to: `${number}.`, most });
}

/** The newest notice of a process. */
export function readNewestNotice(catalogue: Database, processId: string): Promise<NoticeRow | undefined> {
  return readRow(catalogue, newestNotice, { processId });
}

/** The process with this id. */
export function readProcess(catalogue: Database, id: string): Promise<ProcessRow | undefined> {
  return readRow(catalogue, processById, { id });
}

/** Processes of an ocid (lower case); more than one where buyers reuse one ocid, that of the first buyer first. */
export async function readProcessesByOcid(catalogue: Database, ocid: string): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = await readRows(catalogue, processesByOcid, { ocid });
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
