import type { Database, Statement } from '../../db/interface.ts';

/** Where granted and bought credits come from, and where charges go. */
export const MINT = '@mint';
export const REVENUE = '@revenue';

/**
 * The lines that the account `?1` received, as an SQL condition in the words of the index `transfer_by_to`, which has no lines to
 * `@revenue`. @param of - the alias of `transfer` with its dot, where it has one
 */
export const receivedLines = (of = ''): string => `${of}to_account = ?1 AND ${of}to_account <> '${REVENUE}'`;

/** Most lines of one row, as the trigger `transfer_lines_fit` says. */
export const LINES_MAX = 256;

/** A field of the charge `c`, of `json_each`; null where somebody put something else in the place of a charge. */
const ofCharge = (place: number) => `iif(c.type = 'array', c.value ->> ${place}, NULL)`;

/** The lines of rows of `transfer`, with its columns, as a query. @param rows - a table or a query in parentheses */
export const linesOf = (rows: string) => `
  SELECT t.id - t.lines + 1 + coalesce(c.key, 0) AS id, coalesce('charge:' || ${ofCharge(0)}, t.key) AS key, t.kind, t.from_account,
    t.to_account, t.credits / t.lines AS credits, t.action, coalesce(${ofCharge(1)}, t.request_id) AS request_id, t.key_id, t.corrects,
    t.note, t.created_at
  FROM ${rows} t LEFT JOIN json_each(iif(json_valid(t.charges), t.charges, NULL)) c`;

/** Most credits in one grant. It limits typing mistakes, and keeps every sum exact. */
export const GRANTED_MAX = 100_000_000;

interface Grant {
  /** The key that makes it happen once, without the prefix of its kind. */
  key: string;
  accountId: string;
  /** Whole, above zero. */
  credits: number;
  note?: string;
  /** ISO 8601 instant, UTC. */
  at: string;
}

/**
 * Grants credits, unless the account is closed. `INSERT … WHERE NOT EXISTS` makes a repeat do nothing rather than fail.
 * @throws RangeError for credits that are not whole, or more than one grant may hold
 */
export function grantStatement(grant: Grant): Statement {
  if (!Number.isInteger(grant.credits) || grant.credits < 1 || grant.credits > GRANTED_MAX)
    throw new RangeError(`a grant is 1 to ${GRANTED_MAX} whole credits, not ${grant.credits}`);
  return fromMint('grant', grant);
}

/** Credits that were paid for, also by an account that was closed meanwhile. `key` names the payment. */
export function topUpStatement(topUp: Grant): Statement {
  return fromMint('top_up', topUp);
}

/** Key of the sign-up grant, which an account receives once, however often it is requested. */
export const signupGrantKey = (accountId: string) => `${accountId}:signup`;

function fromMint(kind: 'grant' | 'top_up', { key, accountId, credits, note, at }: Grant): Statement {
  const whole = `${kind}:${key}`;
  return {
    sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, note, created_at)
          SELECT ?, ?, '${MINT}', id, ?, ?, ? FROM account
          WHERE id = ? AND (state <> 'closed' OR ? = 'top_up') AND NOT EXISTS (SELECT 1 FROM transfer WHERE key = ?) RETURNING id`,
    args: [whole, kind, credits, note ?? null, at, accountId, kind, whole],
  };
}

/** Credits granted under a key, and when (ISO 8601, UTC); null where there was no such grant. */
export async function readGranted(accounts: Database, key: string): Promise<{ credits: number; at: string } | null> {
  const sql = 'SELECT credits, created_at AS at FROM transfer WHERE key = ?';
  const [row] = await accounts.read<{ credits: number; at: string }>({ sql, args: [`grant:${key}`] });
  return row ?? null;
}

/** A grant and how much of it can still be taken back. */
interface GrantLeft {
  /** Its line in the ledger. */
  id: number;
  credits: number;
  /** Credits of it that were not taken back yet. */
  left: number;
}

const GRANT = `
  SELECT g.id, g.credits, g.credits - coalesce((SELECT sum(credits) FROM transfer WHERE corrects = g.id), 0) AS "left"
  FROM transfer g WHERE g.id = ? AND g.to_account = ? AND g.kind = 'grant' AND g.corrects IS NULL`;

/** A grant by its line; null where that line of the account is not a grant. */
export async function readGrant(accounts: Database, accountId: string, line: number): Promise<GrantLeft | null> {
  const [grant] = await accounts.read<GrantLeft>({ sql: GRANT, args: [line, accountId] });
  return grant ?? null;
}

interface TakeBack {
  accountId: string;
  /** The grant's line in the ledger. */
  line: number;
  /** Whole, above zero. */
  credits: number;
  /** What was left of the grant before: if another reversal came first, nothing happens. */
  left: number;
  /** The reason, which the customer reads. */
  note: string;
  /** ISO 8601 instant, UTC. */
  at: string;
}

/** Takes back all or part of a grant, as a line that corrects it. Does nothing if the amount exceeds what is left of the grant or of the balance. */
export function takeBackStatement({ accountId, line, credits, left, note, at }: TakeBack): Statement {
  return {
    sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, corrects, note, created_at)
          SELECT g.key || ':back:' || (1 + (SELECT count(*) FROM transfer WHERE corrects = g.id)), 'grant', a.id, '${MINT}', ?1, g.id, ?2, ?3
          FROM transfer g JOIN account a ON a.id = g.to_account
          WHERE g.id = ?4 AND a.id = ?5 AND g.kind = 'grant' AND g.corrects IS NULL AND a.balance >= ?1 AND ?1 <= ?6
            AND ?6 = g.credits - coalesce((SELECT sum(credits) FROM transfer WHERE corrects = g.id), 0) RETURNING id`,
    args: [credits, note, at, line, accountId, left],
  };
}

interface Refund {
  /** The key that makes it happen once, e.g. `<charge id>:rows`. */
  key: string;
  /** The charge that it corrects, as the answer named it (`ch_…`). */
  chargeId: string;
  credits: number;
  note?: string;
  /** ISO 8601 instant, UTC. */
  at: string;
}

/**
 * Refunds all or part of a charge that is a row of its own, as those of exports and deliveries are. Does nothing
 * where there is no such charge, or all refunds together would exceed it.
 */
export function refundStatement({ key, chargeId, credits, note, at }: Refund): Statement {
  return {
    sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, corrects, note, created_at)
          SELECT ?, 'refund', c.to_account, c.from_account, ?, c.action, c.request_id, c.key_id, c.id, ?, ? FROM transfer c
          WHERE c.key = ? AND c.kind = 'charge' AND c.lines = 1 AND NOT EXISTS (SELECT 1 FROM transfer WHERE key = ?)
            AND ? + (SELECT coalesce(sum(credits), 0) FROM transfer WHERE corrects = c.id) <= c.credits RETURNING id`,
    args: [`refund:${key}`, credits, note ?? null, at, chargeKey(chargeId), `refund:${key}`, credits],
  };
}

/** Ledger key of a charge. */
export const chargeKey = (chargeId: string) => `charge:${chargeId}`;

/** The charge id of a charge's key. */
export const toChargeId = (key: string) => key.slice('charge:'.length);

/** Whole credits, or null for an account that does not exist. */
export async function readBalance(accounts: Database, accountId: string): Promise<number | null> {
  const [row] = await accounts.read<{ balance: number }>(balanceOf(accountId));
  return row?.balance ?? null;
}

/** Reads the balance, also at the end of a batch. */
const balanceOf = (accountId: string): Statement => ({
  sql: 'SELECT balance FROM account WHERE id = ?',
  args: [accountId],
});

/**
 * Writes a batch that concerns an account. Returns whether its first statement changed anything, and the balance after it. Both
 * come from one commit: a read after it could fail, and the batch would look as if it had not been written.
 */
export async function writeWithBalance(
  accounts: Database,
  accountId: string,
  statements: readonly Statement[],
): Promise<{ isDone: boolean; balance: number | null }> {
  const outcomes = await accounts.write([...statements, balanceOf(accountId)]);
  const [account] = (outcomes.at(-1)?.rows ?? []) as { balance: number }[];
  return { isDone: (outcomes[0]?.changes ?? 0) > 0, balance: account?.balance ?? null };
}
