import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { BoundStatement, Database, Statement } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { IS_REGISTER_FACT } from '../identity/registered.ts';
import { blockOf } from '../party/match/names.ts';
import { storePage } from '../store/page.ts';
import { RELEASE_COLUMNS, type ReleaseRow, readStored } from '../store/releases.ts';
import { readColumns } from './tables.ts';

interface Company {
  number: string;
  name: string;
  postcode: string | null;
  name_key: string;
  block: string | null;
}

type Former = Pick<Company, 'number' | 'name' | 'name_key'>;

const RENAME = `UPDATE main.registered_company SET name_key = renamed.value ->> 1, block = renamed.value ->> 2
FROM json_each(?) AS renamed WHERE company_number = renamed.value ->> 0`;
const RENAME_FORMER = `UPDATE OR REPLACE main.previous_name SET name_key = renamed.value ->> 2
FROM json_each(?) AS renamed WHERE company_number = renamed.value ->> 0 AND name_key = renamed.value ->> 1`;

/** The position of the register copy: everything up to this `seq` and company number. */
export interface RegisterMark {
  seq: number;
  number: string;
}

export const REGISTER_START: RegisterMark = { seq: -1, number: '' };

const CHUNK_ROWS = 10_000;
const AFTER = '(seq, company_number) > (?, ?)';
const END_OF_CHUNK = `SELECT seq, company_number AS number FROM (
  SELECT seq, company_number FROM live.registered_company WHERE ${AFTER} ORDER BY seq, company_number LIMIT ${CHUNK_ROWS})
  ORDER BY seq DESC, company_number DESC LIMIT 1`;
const RANGE = `${AFTER} AND (seq, company_number) <= (?, ?)`;
const NUMBERS = `SELECT company_number FROM live.registered_company WHERE ${RANGE}`;

/**
 * The statement that copies the facts about suppliers that came from the register. A match stays even if later editions would not give it, and only
 * the last edition is stored.
 */
export function copyRegisterFacts(): Statement {
  return { sql: `INSERT OR IGNORE INTO main.identity_fact SELECT * FROM live.identity_fact WHERE ${IS_REGISTER_FACT}` };
}

/**
 * Copies the register's changes after a mark, in chunks; returns the new mark. @param options.clean whether another edition of
 * the rule cleaned the live generation's names
 */
export async function copyRegister(
  target: Database,
  from: RegisterMark,
  options: { clean: boolean; signal?: AbortSignal | undefined; onRows?: (rows: number) => void },
): Promise<RegisterMark> {
  const companies = (await readColumns(target, 'registered_company')).join(', ');
  const names = (await readColumns(target, 'previous_name')).join(', ');
  for (let mark = from; ; ) {
    options.signal?.throwIfAborted();
    const [end] = await target.read<RegisterMark>({ sql: END_OF_CHUNK, args: [mark.seq, mark.number] });
    if (!end) return mark;
    const args = [mark.seq, mark.number, end.seq, end.number];
    const [, copied] = await target.write([
      { sql: `DELETE FROM main.previous_name WHERE company_number IN (${NUMBERS})`, args },
      {
        sql: `INSERT OR REPLACE INTO main.registered_company (${companies})
          SELECT ${companies} FROM live.registered_company WHERE ${RANGE}`,
        args,
      },
      {
        sql: `INSERT INTO main.previous_name (${names})
          SELECT ${names} FROM live.previous_name WHERE company_number IN (${NUMBERS})`,
        args,
      },
    ]);
    if (options.clean) await cleanAgain(target, { sql: NUMBERS, args });
    options.onRows?.(copied?.changes ?? 0);
    mark = end;
    await yieldToEventLoop();
  }
}

/**
 * Cleans the names of some companies of a new generation again; unchanged keys are not written. @param chosen SQL that lists
 * their numbers, and its arguments
 */
async function cleanAgain(target: Database, chosen: BoundStatement): Promise<void> {
  const { sql, args } = chosen;
  const companies = await target.read<Company>({
    sql: `SELECT company_number AS number, name, postcode, name_key, block FROM main.registered_company
      WHERE company_number IN (${sql})`,
    args,
  });
  const former = await target.read<Former>({
    sql: `SELECT company_number AS number, name, name_key FROM main.previous_name WHERE company_number IN (${sql})`,
    args,
  });
  const renamed = companies.flatMap(({ number, name, postcode, ...stored }) => {
    const key = nameKey(name);
    const block = blockOf(key, postcode);
    return key === stored.name_key && block === stored.block ? [] : [[number, key, block]];
  });
  const renamedFormer = former.flatMap(({ number, name, name_key: before }) => {
    const key = nameKey(name);
    return key === before ? [] : [[number, before, key]];
  });
  const statements = [
    ...(renamed.length > 0 ? [{ sql: RENAME, args: [JSON.stringify(renamed)] }] : []),
    ...(renamedFormer.length > 0 ? [{ sql: RENAME_FORMER, args: [JSON.stringify(renamedFormer)] }] : []),
  ];
  if (statements.length > 0) await target.write(statements);
}

/** Releases kept in memory, and stored in one batch. */
const PAGE_ROWS = 200;
const NEXT = `SELECT ${RELEASE_COLUMNS} FROM release
  WHERE id > ? ORDER BY id LIMIT ${PAGE_ROWS}`;

/**
 * Compiles the releases of one generation after an id into another, in order of arrival and under the same ids. It takes
 * the same path as ingest. Returns the last id.
 */
export async function compileReleases(
  live: Database,
  built: Database,
  after: number,
  signal?: AbortSignal,
): Promise<number> {
  for (let last = after; ; ) {
    signal?.throwIfAborted();
    const rows = await live.read<ReleaseRow>({ sql: NEXT, args: [last] });
    const [first] = rows;
    if (!first) return last;
    await storePage(built, {
      source: first.source,
      fetchedAt: first.fetched_at,
      pageSha256: first.page_sha256,
      releases: rows.map(readStored),
      quarantined: [],
      before: [],
      after: numberStatements(rows, last),
      signal,
    });
    last = rows.at(-1)?.id ?? last;
    // Local reads and writes are synchronous: the lease's heartbeat runs between pages.
    await yieldToEventLoop();
  }
}

const AGAIN = `FROM live.fetched_again a WHERE a.fetched_at >= coalesce((SELECT max(fetched_at) FROM main.fetched_again), '')
  AND NOT EXISTS (SELECT 1 FROM main.fetched_again b WHERE b.ocid = a.ocid AND b.release_id = a.release_id
    AND b.digest = a.digest AND b.fetched_at = a.fetched_at)`;
/** Whether the live generation fetched a release again that the new one does not have. */
export const CAME_AGAIN = `EXISTS (SELECT 1 ${AGAIN})`;
const NEXT_AGAIN = `SELECT r.id, r.source, r.ocid, r.release_id, r.digest, r.page_sha256, r.date, a.fetched_at, r.body
  FROM (SELECT a.* ${AGAIN}) a
  CROSS JOIN main.release r ON r.ocid = a.ocid AND r.release_id = a.release_id AND r.digest = a.digest
  ORDER BY a.fetched_at LIMIT ${PAGE_ROWS}`;

/** Copies to the new generation what the attached live one fetched again meanwhile: another version may be current. */
export async function catchUpAgain(built: Database): Promise<void> {
  for (;;) {
    const rows = await built.read<ReleaseRow>({ sql: NEXT_AGAIN });
    const [first] = rows;
    if (!first) return;
    const page = { source: first.source, fetchedAt: first.fetched_at, quarantined: [], before: [], after: [] };
    await storePage(built, { ...page, releases: rows.map(readStored) });
    await yieldToEventLoop();
  }
}

/** Rows are numbered consecutively, as before; after a gap they get their old numbers, the last one first. */
function numberStatements(rows: readonly ReleaseRow[], last: number): Statement[] {
  const moved = rows.filter(({ id }, index) => id !== last + 1 + index);
  return moved.toReversed().map(({ id, ocid, release_id, digest }) => ({
    sql: 'UPDATE release SET id = ? WHERE ocid = ? AND release_id = ? AND digest = ?',
    args: [id, ocid, release_id, digest],
  }));
}
