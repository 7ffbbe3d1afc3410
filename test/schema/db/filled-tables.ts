import type { Database, SqlValue, Statement } from '../../../schema/db/interface.ts';

const AT = '2026-03-01T12:00:00Z';

interface Column {
  name: string;
  type: string;
}

/** Tables that keep rows, without the record of migrations. */
async function readTables(database: Database): Promise<string[]> {
  const rows = await database.read<{ name: string }>({
    sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('migration', 'fence') ORDER BY name",
  });
  return rows.map(({ name }) => name);
}

/** How many rows each table has. */
export async function readSizes(database: Database): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const table of await readTables(database)) {
    const [row] = await database.read<{ rows: number }>({ sql: `SELECT count(*) AS rows FROM "${table}"` });
    sizes[table] = row?.rows ?? 0;
  }
  return sizes;
}

/** Every table, index and trigger of a database with its SQL. */
export function readShape(database: Database): Promise<object[]> {
  return database.read({ sql: 'SELECT type, name, sql FROM sqlite_master ORDER BY type, name' });
}

/** Adds two rows to every table. */
export async function fillEveryTable(database: Database): Promise<void> {
  for (const table of await readTables(database)) {
    const columns = await database.read<Column>({ sql: `SELECT name, type FROM pragma_table_info('${table}')` });
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const sql = `INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
    await database.write([1, 2].map((row) => ({ sql, args: columns.map((column) => makeValue(column, row)) })));
  }
}

/** A trigger reads the JSON of this column. */
const RECORD = JSON.stringify({ sic_codes: [{ code: '62012', description: 'Software' }] });

function makeValue({ name, type }: Column, row: number): SqlValue {
  if (name === 'record') return RECORD;
  if (/INT/i.test(type)) return row;
  if (/REAL/i.test(type)) return row + 0.5;
  if (/BLOB/i.test(type)) return new Uint8Array([row]);
  return `text ${row}`;
}

/** Adds a person with a key, credits granted, spent and refunded, a stored call and an export. */
export async function fillAccounts(database: Database): Promise<void> {
  await database.write([...PEOPLE, ...MONEY, ...CALLS]);
}

const transfer = (
  key: string,
  kind: string,
  [from, to]: [string, string],
  credits: number,
  more: SqlValue[] = [null, null, null, null],
): Statement => ({
  sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, corrects, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '${AT}')`,
  args: [key, kind, from, to, credits, ...more],
});

const PEOPLE: Statement[] = [
  {
    sql: `INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES ('u', 'U', 'u@example.org', 1, 1, 1)`,
  },
  {
    sql: `INSERT INTO auth_session (id, expires_at, token, created_at, updated_at, user_id) VALUES ('s', 1, 't', 1, 1, 'u')`,
  },
  {
    sql: `INSERT INTO auth_account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES ('a', 'u', 'credential', 'u', 1, 1)`,
  },
  {
    sql: `INSERT INTO account (id, name, user_id, created_at) VALUES ('acc_1', 'U', 'u', '${AT}'), ('acc_2', 'V', NULL, '${AT}')`,
  },
  {
    sql: `INSERT INTO api_key (id, account_id, name, hash, hint, created_at, monthly_cap) VALUES ('key_1', 'acc_1', 'k', 'h', 'x', '${AT}', 100)`,
  },
];

const MONEY: Statement[] = [
  transfer('grant:acc_1:signup', 'grant', ['@mint', 'acc_1'], 250),
  transfer('top_up:invoice', 'top_up', ['@mint', 'acc_2'], 1_000),
  transfer('charge:ch_1', 'charge', ['acc_1', '@revenue'], 20, ['buyer_profile', 'r1', 'key_1', null]),
  transfer('charge:ch_2', 'charge', ['acc_1', '@revenue'], 100, ['bulk_export', 'r2', 'key_1', null]),
  transfer('refund:ch_2:rows', 'refund', ['@revenue', 'acc_1'], 60, ['bulk_export', 'r2', 'key_1', 4]),
];

const CALLS: Statement[] = [
  {
    sql: `INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, body, charge_id, credits_charged, credits_remaining, created_at, expires_at)
          VALUES ('acc_1', 'k', 'f', 'done', 't', 0, x'7b7d', 'ch_1', 20, 230, '${AT}', 1)`,
  },
  {
    sql: `INSERT INTO export (id, account_id, dataset, format, filters, status, rows, matched, credits_charged, charge_id, created_at)
          VALUES ('exp_1', 'acc_1', 'notices', 'csv', '{}', 'completed', 10, 10, 100, 'ch_2', '${AT}')`,
  },
  { sql: `INSERT INTO export_row VALUES ('exp_1', 0, 'n1')` },
  { sql: `INSERT INTO lease VALUES ('upkeep', 't', 'a process', 1)` },
];
