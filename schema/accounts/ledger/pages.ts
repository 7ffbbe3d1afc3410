import type { Database, SqlValue } from '../../db/interface.ts';
import { type LedgerLine, pageOf, readLedger } from './lines.ts';
import { receivedLines } from './transfers.ts';

/** Calls made and credits spent; refunds are deducted on the day of their charge. */
export interface Usage {
  /** Charges. */
  calls: number;
  credits: number;
}

/** What usage is grouped by: a day (`YYYY-MM-DD`, UTC), an operation's name, or a key's id, blank where no key was used. */
export type UsagePart = 'day' | 'action' | 'key_id';

const sumBy = (part: UsagePart) => `
  SELECT ${part} AS part, sum(calls) AS calls, sum(credits) AS credits FROM usage_day
  WHERE account_id = ? AND day BETWEEN ? AND ? GROUP BY ${part} ORDER BY ${part === 'day' ? 'day' : 'credits DESC, part'}`;
const SUMS: Record<UsagePart, string> = { day: sumBy('day'), action: sumBy('action'), key_id: sumBy('key_id') };

/** What an account spent between two days (UTC), both included. Days are in order; operations and keys are listed by cost, highest first. */
export function readUsage(
  accounts: Database,
  { accountId, from, to, by }: { accountId: string; from: string; to: string; by: UsagePart },
): Promise<(Usage & { part: string })[]> {
  return accounts.read({ sql: SUMS[by], args: [accountId, from, to] });
}

/** Which lines of a ledger are wanted. */
export interface LedgerFilter {
  kind?: LedgerLine['kind'] | undefined;
  /** An operation's name. */
  action?: string | undefined;
  keyId?: string | undefined;
  /** `YYYY-MM`, UTC. */
  month?: string | undefined;
}

/** A line and the account's balance after it. */
export type BalancedLine = LedgerLine & { balance: number };

interface LedgerPage {
  limit: number;
  /** Only lines with a smaller id. */
  before?: number | undefined;
}

const columnsOf = (line: string) =>
  ['id', 'key', 'kind', 'action', 'request_id', 'key_id', 'corrects', 'note', 'created_at']
    .map((name) => `${line}.${name} AS ${name}`)
    .join(', ');
const wanted = (of = '') => `(?2 IS NULL OR ${of}kind = ?2) AND (?3 IS NULL OR ${of}action = ?3)
  AND (?4 IS NULL OR ${of}key_id = ?4) AND (?5 IS NULL OR substr(${of}created_at, 1, 7) = ?5)`;

/** Days with a wanted charge below a line, newest first, and the lines between which their charges lie. Each has at least one. */
const SPANS = `
  SELECT min(first_line) AS first, max(last_line) AS last FROM usage_day
  WHERE account_id = ?1 AND (?2 IS NULL OR action = ?2) AND (?3 IS NULL OR key_id = ?3) AND day BETWEEN ?4 AND ?5
    AND first_line < ?6 GROUP BY day ORDER BY last DESC LIMIT ?7`;
const CHARGES = pageOf(`from_account = ?1 AND id >= ?6 AND kind = 'charge' AND ${wanted()}`, {
  order: 'below',
  than: '?7',
  limit: '?8',
  sign: '-',
});
const GIVEN = `
  SELECT ${columnsOf('t')}, t.credits AS credits FROM transfer t
  WHERE ${receivedLines('t.')} AND t.id < ?6 AND ${wanted('t.')} ORDER BY t.id DESC LIMIT ?7`;
/** Reversals: found through the top-up or grant that they correct, as they lie among the charges. Forces SQLite to begin the join there. */
const TAKEN_BACK = `
  SELECT ${columnsOf('c')}, -c.credits AS credits FROM transfer t CROSS JOIN transfer c ON c.corrects = t.id
  WHERE ${receivedLines('t.')} AND t.kind IN ('top_up', 'grant') AND c.from_account = ?1 AND c.id < ?6 AND ${wanted('c.')} ORDER BY c.id DESC LIMIT ?7`;

/**
 * A page of the wanted lines of an account's ledger, newest first. Cost does not grow with the ledger: charges are searched only
 * on days that have wanted ones, according to the usage by day.
 */
export async function readLedgerWhere(
  accounts: Database,
  accountId: string,
  filter: LedgerFilter,
  { limit, before = Number.MAX_SAFE_INTEGER }: LedgerPage,
): Promise<LedgerLine[]> {
  const { kind = null, action = null, keyId = null, month = null } = filter;
  const asked: SqlValue[] = [accountId, kind, action, keyId, month];
  if (asked.every((value) => value === accountId || value === null))
    return readLedger(accounts, accountId, { limit, before });
  const others = [GIVEN, TAKEN_BACK].map((sql) => accounts.read<LedgerLine>({ sql, args: [...asked, before, limit] }));
  const charges = kind === null || kind === 'charge' ? readCharges(accounts, asked, { limit, before }) : [];
  // Awaited together: a promise that fails while another is awaited ends the process.
  const lines = (await Promise.all([charges, ...others])).flat();
  return lines.sort((a, b) => b.id - a.id).slice(0, limit);
}

async function readCharges(
  accounts: Database,
  asked: SqlValue[],
  { limit, before }: { limit: number; before: number },
): Promise<LedgerLine[]> {
  const [accountId = null, , action = null, keyId = null, month = null] = asked;
  const days = [`${month ?? '0000'}-00`, `${month ?? '9999'}-99`];
  const spans = await accounts.read<{ first: number; last: number }>({
    sql: SPANS,
    args: [accountId, action, keyId, ...days, before, limit],
  });
  const lines: LedgerLine[] = [];
  let below = before;
  for (const { first, last } of spans) {
    if (lines.length >= limit) break;
    const args = [...asked, first, Math.min(last + 1, below), limit - lines.length];
    lines.push(...(await accounts.read<LedgerLine>({ sql: CHARGES, args })));
    below = Math.min(below, first);
  }
  return lines;
}

const STEP = { order: 'above', than: '?2', limit: '?3' } as const;
const FORWARD = `
  SELECT * FROM (${pageOf('from_account = ?1', { ...STEP, sign: '-' })})
  UNION ALL SELECT * FROM (${pageOf(receivedLines(), { ...STEP, sign: '' })}) ORDER BY id LIMIT ?3`;

/** Lines read in one step of a whole ledger: a millisecond or two, during which nothing else is answered. */
const STEP_LINES = 500;

/** A whole ledger from its first line on, in steps, each line with the balance after it. */
export async function* readWholeLedger(accounts: Database, accountId: string): AsyncGenerator<BalancedLine[]> {
  let balance = 0;
  for (let after = 0; ; ) {
    const lines = await accounts.read<LedgerLine>({ sql: FORWARD, args: [accountId, after, STEP_LINES] });
    yield lines.map((line) => {
      balance += line.credits;
      return { ...line, balance };
    });
    const last = lines.at(-1);
    if (!last || lines.length < STEP_LINES) return;
    after = last.id;
  }
}

/** Whether a line is wanted. */
export function isWanted({ kind, action, key_id, created_at }: LedgerLine, filter: LedgerFilter): boolean {
  return (
    (filter.kind ?? kind) === kind &&
    (filter.action ?? action) === action &&
    (filter.keyId ?? key_id) === key_id &&
    created_at.startsWith(filter.month ?? '')
  );
}
