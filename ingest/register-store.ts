import type { Database, Statement } from '../schema/database.ts';
import type { RegisterRecord } from '../schema/details.ts';
import { nameKey } from '../schema/names.ts';
import { canonicalJson, sha256 } from './canonical.ts';

/** A company as the register lists it, ready to be stored. */
export interface Listed {
  record: RegisterRecord;
  /** Canonical JSON of the record. */
  text: string;
  digest: string;
}

export interface Applied {
  /** New, changed, or back after having been gone. */
  changed: number;
  same: number;
}

/** The next `seq`. It is written back by `SEAL`, in the same batch, only when a row took it. */
const NEXT_SEQ = "(SELECT value + 1 FROM counter WHERE name = 'seq')";
const SEAL = `UPDATE counter SET value = value + 1 WHERE name = 'seq'
  AND EXISTS (SELECT 1 FROM registered_company WHERE seq = counter.value + 1)`;
const HELD = `SELECT company_number, digest, gone FROM registered_company
  WHERE company_number IN (SELECT value FROM json_each(?))`;
const UPSERT = `INSERT INTO registered_company (company_number, name, name_key, status, category, locality, postcode,
  incorporated, record, edition, digest, seq, gone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${NEXT_SEQ}, 0)
  ON CONFLICT (company_number) DO UPDATE SET name = excluded.name, name_key = excluded.name_key,
  status = excluded.status, category = excluded.category, locality = excluded.locality, postcode = excluded.postcode,
  incorporated = excluded.incorporated, record = excluded.record, edition = excluded.edition,
  digest = excluded.digest, seq = excluded.seq, gone = 0`;
const RELIST = `UPDATE registered_company SET edition = ? WHERE company_number IN (SELECT value FROM json_each(?))`;
const FORGET_NAMES = 'DELETE FROM previous_name WHERE company_number = ?';
const KEEP_NAME = 'INSERT OR IGNORE INTO previous_name (name_key, company_number, name) VALUES (?, ?, ?)';

/** A record with the digest by which a change is seen. */
export function makeListed(record: RegisterRecord): Listed {
  const text = canonicalJson(record);
  return { record, text, digest: sha256(text) };
}

/**
 * What a batch of listed companies changes: whole rows for those that are new or differ, one statement for the rest.
 * Statements of one number must not be split over batches that run at once: ingest has one writer.
 */
export async function listedStatements(
  catalogue: Database,
  listed: readonly Listed[],
  edition: string | null,
): Promise<{ statements: Statement[]; applied: Applied }> {
  const byNumber = new Map(listed.map((company) => [company.record.company_number, company]));
  const held = await catalogue.read<{ company_number: string; digest: string; gone: number }>({
    sql: HELD,
    args: [JSON.stringify([...byNumber.keys()])],
  });
  const same = held
    .filter((row) => row.gone === 0 && row.digest === byNumber.get(row.company_number)?.digest)
    .map((row) => row.company_number);
  for (const number of same) byNumber.delete(number);
  const statements = [...byNumber.values()].flatMap((company) => companyStatements(company, edition));
  if (statements.length > 0) statements.push({ sql: SEAL });
  if (same.length > 0 && edition) statements.push({ sql: RELIST, args: [edition, JSON.stringify(same)] });
  return { statements, applied: { changed: byNumber.size, same: same.length } };
}

function companyStatements({ record, text, digest }: Listed, edition: string | null): Statement[] {
  const number = record.company_number;
  const row = {
    sql: UPSERT,
    args: [
      number,
      record.company_name,
      nameKey(record.company_name),
      record.status ?? '',
      record.category ?? '',
      record.locality ?? null,
      record.postal_code ?? null,
      record.incorporated ?? null,
      text,
      edition,
      digest,
    ],
  };
  const names = record.previous_names.map(({ name }) => ({ sql: KEEP_NAME, args: [nameKey(name), number, name] }));
  return [row, { sql: FORGET_NAMES, args: [number] }, ...names];
}

/** Companies that an earlier edition listed and this one does not: they left the live register, and are kept. */
const UNLISTED = 'edition IS NOT NULL AND edition < ? AND gone = 0';

export async function countUnlisted(catalogue: Database, edition: string): Promise<{ unlisted: number; live: number }> {
  const [row] = await catalogue.read<{ unlisted: number; live: number }>({
    sql: `SELECT count(*) FILTER (WHERE ${UNLISTED}) AS unlisted, count(*) AS live
      FROM registered_company WHERE gone = 0 AND edition IS NOT NULL`,
    args: [edition],
  });
  return row ?? { unlisted: 0, live: 0 };
}

export function markGoneStatements(edition: string): Statement[] {
  return [
    { sql: `UPDATE registered_company SET gone = 1, seq = ${NEXT_SEQ} WHERE ${UNLISTED}`, args: [edition] },
    { sql: SEAL },
  ];
}

/** The cursor of an edition; it may go back from `done/of` to a plain date, which is the later of the two. */
export function editionCursorStatement(source: string, value: string, at: string): Statement {
  return {
    sql: `INSERT INTO cursor (source, value, updated_at) VALUES (?, ?, ?)
      ON CONFLICT (source) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    args: [source, value, at],
  };
}

/** Keeps an API profile beside the register's row; `seq` moves only where the profile is another one. */
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
