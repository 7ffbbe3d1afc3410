import type { RegisterRecord } from '../../schema/catalogue/details.ts';
import type { Database, SqlValue, Statement } from '../../schema/db/interface.ts';
import { cleanName } from '../../schema/names/spelling.ts';
import { canonicalJson, sha256 } from '../../schema/text/json-values.ts';
import { blockOf } from '../party/match/names.ts';
import { pickFullest, readFuller } from './repeats.ts';
import type { Listed } from './row.ts';

interface Applied {
  /** New, changed, or listed again after having been gone. */
  changed: number;
  same: number;
  /** Dates among those that are invalid. */
  badDates: number;
}

/** The next `seq`. `SEAL` writes it back, in the same batch, only if a row used it. */
export const NEXT_SEQ = "(SELECT value + 1 FROM counter WHERE name = 'seq')";
export const SEAL = `UPDATE counter SET value = value + 1 WHERE name = 'seq'
  AND EXISTS (SELECT 1 FROM registered_company WHERE seq = counter.value + 1)`;
/** For given digests by number: the numbers stored with that digest in one row, and every other stored company in a row of its own. */
const STORED_DIGESTS = `WITH known AS MATERIALIZED (
  SELECT company_number, digest, gone, edition, gone = 0 AND digest = listed.value AS is_same
  FROM json_each(?) AS listed CROSS JOIN registered_company ON company_number = listed.key)
  SELECT json_group_array(company_number) AS same, '' AS company_number, '' AS digest, 0 AS gone, NULL AS edition
  FROM known WHERE is_same
  UNION ALL SELECT NULL, company_number, digest, gone, edition FROM known WHERE NOT is_same`;
/** Most of what changes in an edition (accounts filed, statements due) changes nothing for any supplier. */
const TELLS_THE_SAME = [
  'name',
  'locality',
  'postcode',
  'incorporated',
  "record ->> '$.accounts.category'",
  "record ->> 'dissolved'",
  "record ->> 'previous_names'",
]
  .map((column) => `registered_company.${column} IS excluded.${column}`)
  .join(' AND ');
const UPSERT = `INSERT INTO registered_company (company_number, name, name_key, block, status, category, locality, postcode,
  incorporated, record, edition, digest, seq, match_seq, gone)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ${NEXT_SEQ}, ${NEXT_SEQ}, 0)
  ON CONFLICT (company_number) DO UPDATE SET name = excluded.name, name_key = excluded.name_key, block = excluded.block,
  status = excluded.status, category = excluded.category, locality = excluded.locality, postcode = excluded.postcode,
  incorporated = excluded.incorporated, record = excluded.record, edition = excluded.edition,
  digest = excluded.digest, seq = excluded.seq, gone = 0, match_seq = CASE WHEN gone = 0 AND ${TELLS_THE_SAME}
  THEN match_seq ELSE excluded.match_seq END`;
const RELIST = `UPDATE registered_company SET edition = ?1
  WHERE company_number IN (SELECT value FROM json_each(?2)) AND edition IS NOT ?1`;
/** Without a digest it is read again whenever a complete row arrives. */
const RELIST_UNREAD = `UPDATE registered_company SET edition = ?1, digest = '', gone = 0,
  seq = CASE WHEN gone = 0 THEN seq ELSE ${NEXT_SEQ} END, match_seq = CASE WHEN gone = 0 THEN match_seq ELSE ${NEXT_SEQ} END
  WHERE company_number IN (SELECT value FROM json_each(?2)) AND edition < ?1`;
const FORGET_NAMES = 'DELETE FROM previous_name WHERE company_number IN (SELECT value FROM json_each(?))';
const KEEP_NAME = 'INSERT OR IGNORE INTO previous_name (name_key, company_number, name) VALUES (?, ?, ?)';

/** A record from a source other than a row of the bulk file. */
export function listRecord(record: RegisterRecord): Listed {
  const digest = sha256(canonicalJson(record));
  return { number: record.company_number, digest, read: () => ({ record, badDates: 0 }) };
}

interface StoredCompany {
  company_number: string;
  digest: string;
  gone: number;
  edition: string | null;
}

/**
 * The changes of a batch of listed companies: whole rows for new or changed ones, one statement for the rest. Of two rows of
 * one number in one edition the fuller is kept, whichever came first. Statements of one number must not be split over
 * concurrent batches: ingest has one writer. @param isRepeat whether a number that this edition listed before is a repeated
 * row, rather than the same row read again
 */
export async function listedStatements(
  catalogue: Database,
  listed: readonly Listed[],
  edition: string | null,
  isRepeat: (number: string) => boolean = () => true,
): Promise<{ statements: Statement[]; applied: Applied }> {
  const byNumber = pickFullest(listed);
  const { same, stored } = await readStored(catalogue, byNumber);
  for (const number of same) byNumber.delete(number);
  const rivals = stored.filter((one) => one.gone === 0 && edition !== null && one.edition === edition);
  const fuller = await readFuller(
    catalogue,
    byNumber,
    rivals.filter((one) => isRepeat(one.company_number)),
  );
  const stale: string[] = [];
  for (const { company_number: number } of stored) {
    (fuller.has(number) ? same : stale).push(number);
    if (fuller.has(number)) byNumber.delete(number);
  }
  const applied = { changed: byNumber.size, same: same.length, badDates: 0 };
  const statements: Statement[] = stale.length > 0 ? [{ sql: FORGET_NAMES, args: [JSON.stringify(stale)] }] : [];
  for (const company of byNumber.values()) {
    const { record, badDates } = company.read();
    applied.badDates += badDates;
    pushCompany(statements, record, edition, company.digest);
  }
  if (byNumber.size > 0) statements.push({ sql: SEAL });
  if (same.length > 0 && edition) statements.push({ sql: RELIST, args: [edition, JSON.stringify(same)] });
  return { statements, applied };
}

/** The numbers of these companies whose stored row is current, and those whose stored row differs. */
async function readStored(
  catalogue: Database,
  byNumber: ReadonlyMap<string, Listed>,
): Promise<{ same: string[]; stored: StoredCompany[] }> {
  // Neither a number nor a digest has characters that JSON escapes.
  const listed = [...byNumber.values()].map(({ number, digest }) => `"${number}":"${digest}"`);
  const [first, ...stored] = await catalogue.read<StoredCompany & { same: string | null }>({
    sql: STORED_DIGESTS,
    args: [`{${listed.join()}}`],
  });
  return { same: JSON.parse(first?.same ?? '[]') as string[], stored };
}

/** An edition lists these companies in unreadable rows: their stored rows stay, and they are not gone. */
export function listedUnreadStatements(numbers: readonly string[], edition: string): Statement[] {
  return [{ sql: RELIST_UNREAD, args: [edition, JSON.stringify(numbers)] }, { sql: SEAL }];
}

function pushCompany(into: Statement[], record: RegisterRecord, edition: string | null, digest: string): void {
  const number = record.company_number;
  const key = cleanName(record.company_name);
  const args: SqlValue[] = [
    number,
    record.company_name,
    key,
    blockOf(key, record.postal_code),
    record.status ?? '',
    record.category ?? '',
    record.locality ?? null,
    record.postal_code ?? null,
    record.incorporated ?? null,
    JSON.stringify(record),
    edition,
    digest,
  ];
  into.push({ sql: UPSERT, args });
  for (const { name } of record.previous_names) into.push({ sql: KEEP_NAME, args: [cleanName(name), number, name] });
}

/** Stores an API profile with the row of the register; `seq` changes only with the profile. */
export function profileStatements(companyNumber: string, profile: string, at: string): Statement[] {
  return [
    {
      sql: `UPDATE registered_company SET seq = CASE WHEN profile IS ?1 THEN seq ELSE ${NEXT_SEQ} END,
        profile = ?1, profile_fetched_at = ?2 WHERE company_number = ?3`,
      args: [profile, at, companyNumber],
    },
    { sql: SEAL },
  ];
}
