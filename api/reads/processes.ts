import type { notice, process } from '../../schema/catalogue/tables/procurement.ts';
import { type Database, readFirst } from '../../schema/db/interface.ts';
import { compareText } from '../../schema/text/ids.ts';

export type NoticeRow = typeof notice.$inferSelect;
export type ProcessRow = typeof process.$inferSelect;

const BY_ID = 'SELECT * FROM notice WHERE notice_id = ? AND gone = 0 ORDER BY notice_id, process_id';
const BY_ROW_ID = 'SELECT * FROM notice WHERE id = ? AND gone = 0';
const NUMBERED = `SELECT notice_id, title FROM notice WHERE notice_id >= ? AND notice_id < ? AND gone = 0
  ORDER BY notice_id LIMIT ?`;
/** The last that the process lists: several may be of one instant, as services that publish days alone have it. */
const NEWEST = `SELECT n.* FROM process p CROSS JOIN notice n ON n.process_id = p.id
  AND n.notice_id = p.notices ->> '$[#-1].notice_id' WHERE p.id = ? AND n.gone = 0`;
const PROCESS = 'SELECT * FROM process WHERE id = ? AND gone = 0';
const OF_OCID = 'SELECT * FROM process WHERE ocid = ? AND gone = 0 ORDER BY ocid';

/** Every notice with an id; more than one where a service gave the same id to two processes. */
export function readNoticesById(catalogue: Database, noticeId: string): Promise<NoticeRow[]> {
  return catalogue.read({ sql: BY_ID, args: [noticeId] });
}

/** The notice of a row, by the id under which changes list it. */
export function readNoticeOfRow(catalogue: Database, rowId: string): Promise<NoticeRow | undefined> {
  return readFirst(catalogue, { sql: BY_ROW_ID, args: [rowId] });
}

/** Notices of Find a Tender with a number of six digits, in any year. */
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

/** Processes of an ocid (lower case); more than one where buyers reuse it, that of the first buyer first. */
export async function readProcessesByOcid(catalogue: Database, ocid: string): Promise<ProcessRow[]> {
  const rows = await catalogue.read<ProcessRow>({ sql: OF_OCID, args: [ocid] });
  return rows.sort((one, other) => compareText(one.id, other.id));
}

/** The releases of a process that we fetched. */
export interface Fetched {
  /** Different releases stored. */
  releases: number;
  /** Instant of the last fetch, ISO 8601 UTC. */
  last: string;
}

/** Releases to read: a few processes have thousands. */
const RELEASES_MAX = 500;

const FETCHED = `
  SELECT count(DISTINCT r.release_id) AS releases, max(coalesce(again.fetched_at, r.fetched_at)) AS last
  FROM (SELECT ocid, release_id, digest, fetched_at FROM release WHERE ocid = ? LIMIT ${RELEASES_MAX}) r
  LEFT JOIN fetched_again again ON again.ocid = r.ocid AND again.release_id = r.release_id AND again.digest = r.digest`;

/** When the releases of an ocid were fetched; null where there are none. */
export async function readFetched(catalogue: Database, ocid: string): Promise<Fetched | null> {
  const [row] = await catalogue.read<Fetched>({ sql: FETCHED, args: [ocid] });
  return row && row.releases > 0 ? row : null;
}

/** Notices of a code are counted up to here; beyond it the answer says "at least". */
export const COUNTED_MAX = 10_000;

// Each is read from an index of current notices; a copy counts with its original.
const COUNT_OF_CODES = `SELECT count(*) AS count FROM
  (SELECT 1 FROM notice WHERE cpv >= ?1 AND cpv < ?2 AND gone = 0 AND copy_of IS NULL LIMIT ${COUNTED_MAX})`;
const COUNT_OF_REGIONS = `SELECT count(*) AS count FROM
  (SELECT 1 FROM notice WHERE region >= ?1 AND region < ?2 AND gone = 0 AND copy_of IS NULL LIMIT ${COUNTED_MAX})`;
/** Some sources give codes without words: the oldest notices and then the newest are asked, as there may be thousands. */
const wordsOfCode = (
  order: 'ASC' | 'DESC',
) => `SELECT json_extract(detail, '$.cpv_descriptions."' || ?1 || '"') AS words
  FROM notice WHERE cpv = ?1 AND gone = 0 AND copy_of IS NULL ORDER BY rowid ${order} LIMIT 50`;
const WORDS_OF_CODE = [wordsOfCode('ASC'), wordsOfCode('DESC')];

/** How many notices have a main code from `from` on and before `before`. */
export async function countNoticesOfCodes(catalogue: Database, from: string, before: string): Promise<number> {
  const [row] = await catalogue.read<{ count: number }>({ sql: COUNT_OF_CODES, args: [from, before] });
  return row?.count ?? 0;
}

/** How many notices name first a region whose code begins so, in the form in which codes are kept. */
export async function countNoticesOfRegion(catalogue: Database, code: string): Promise<number> {
  const [row] = await catalogue.read<{ count: number }>({ sql: COUNT_OF_REGIONS, args: [code, `${code}~`] });
  return row?.count ?? 0;
}

/** The description that a notice gives for its main code of 8 digits; null where none of those asked does. */
export async function readWordsOfCode(catalogue: Database, code: string): Promise<string | null> {
  for (const sql of WORDS_OF_CODE) {
    const rows = await catalogue.read<{ words: string | null }>({ sql, args: [code] });
    const named = rows.find(({ words }) => words !== null);
    if (named) return named.words;
  }
  return null;
}

/** Things that may be removed: each keeps its row, as `gone`. */
const MAY_GO = {
  notice: 'notice WHERE notice_id',
  contract: 'contract WHERE id',
  company: 'company WHERE id',
  buyer: 'buyer WHERE id',
  framework: 'framework WHERE id',
} as const;

/** Whether a thing with this id, in either case, existed and has been removed. */
export async function readIsGone(catalogue: Database, what: keyof typeof MAY_GO, id: string): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM ${MAY_GO[what]} IN (?1, lower(?1), upper(?1)) AND gone = 1 LIMIT 1`;
  return (await catalogue.read<{ found: 1 }>({ sql, args: [id] })).length > 0;
}
