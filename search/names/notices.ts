import { type Database, readFirst } from '../../schema/db/interface.ts';
import { parseNoticeId, parseOcid } from '../../schema/text/ids.ts';

const BY_NAME = 'SELECT min(notice_id) AS first, max(notice_id) AS last FROM notice_name WHERE name = ?';

/** The id of the only notice with another name; undefined where there is none, or several. */
export async function readNoticeNamed(catalogue: Database, name: string): Promise<string | undefined> {
  const args = [name.trim().toLowerCase()];
  const [named] = await catalogue.read<{ first: string | null; last: string | null }>({ sql: BY_NAME, args });
  return named?.first && named.first === named.last ? named.first : undefined;
}

const ORIGINAL = 'SELECT copy_of FROM notice WHERE notice_id = ? AND gone = 0 AND copy_of IS NOT NULL LIMIT 1';
const ORIGINAL_OCID = `SELECT o.ocid FROM process p JOIN notice c ON c.process_id = p.id AND c.gone = 0
  JOIN notice o ON o.notice_id = c.copy_of AND o.gone = 0 WHERE p.ocid = ? AND p.gone = 0 LIMIT 1`;

/** The id of the original where this notice is its copy on another service; otherwise undefined. */
async function readOriginalNotice(catalogue: Database, noticeId: string): Promise<string | undefined> {
  return (await readFirst<{ copy_of: string }>(catalogue, { sql: ORIGINAL, args: [noticeId] }))?.copy_of;
}

/** The same for an ocid (lower case) with copies. */
async function readOriginalOcid(catalogue: Database, ocid: string): Promise<string | undefined> {
  return (await readFirst<{ ocid: string }>(catalogue, { sql: ORIGINAL_OCID, args: [ocid] }))?.ocid;
}

/** May be another name of a notice: the id of its page, or its own number. */
const NAME = /^[a-z\d][a-z\d-]*\d$/i;

/**
 * The text of a search as the engines are asked for it. They know a notice by its id alone, and have no document of a copy on
 * another service. So another name of a notice, or the id of a copy, also finds the original, as a look-up does. Other text is
 * unchanged.
 */
export async function withOriginal(catalogue: Database, text: string): Promise<string> {
  const original = await findOriginal(catalogue, text.trim());
  return original ? `${text} OR ${original}` : text;
}

async function findOriginal(catalogue: Database, text: string): Promise<string | undefined> {
  const noticeId = parseNoticeId(text);
  if (noticeId) return readOriginalNotice(catalogue, noticeId);
  const ocid = parseOcid(text);
  if (ocid) return readOriginalOcid(catalogue, ocid);
  const named = NAME.test(text) ? await readNoticeNamed(catalogue, text) : undefined;
  return named && ((await readOriginalNotice(catalogue, named)) ?? named);
}
