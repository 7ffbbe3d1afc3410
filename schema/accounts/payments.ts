import { isoInstant } from '../config/clocks.ts';
import type { Database, Statement } from '../db/interface.ts';
import { MINT, topUpStatement } from './ledger/transfers.ts';

export interface Payment {
  /** `pay_…`. */
  id: string;
  account_id: string;
  credits: number;
  /** What is paid, VAT included, in pence. */
  amount: number;
  vat: number;
  vat_percent: number;
  currency: string;
  /** 1 or 0. */
  live: number;
  state: 'open' | 'pending' | 'paid' | 'failed' | 'expired';
  /** Credits that refunds and disputes claim back. */
  called_back: number;
  session_id: string | null;
  payment_intent: string | null;
  created_at: string;
  paid_at: string | null;
}

/** A payment with what the ledger has already taken back. */
export interface PaymentLine extends Payment {
  taken_back: number;
  /** Claimed back but not yet taken, because the balance was too low; the next payment or refund pays it. */
  shortfall: number;
}

type NewPayment = Pick<
  Payment,
  'id' | 'account_id' | 'credits' | 'amount' | 'vat' | 'vat_percent' | 'currency' | 'live' | 'created_at'
>;

/** Stores a payment before it is paid; a repeat with the same id changes nothing. */
export function newPaymentStatement(payment: NewPayment): Statement {
  const { id, account_id, credits, amount, vat, vat_percent, currency, live, created_at } = payment;
  return {
    sql: `INSERT INTO payment (id, account_id, credits, amount, vat, vat_percent, currency, live, created_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    args: [id, account_id, credits, amount, vat, vat_percent, currency, live, created_at],
  };
}

/** Records the checkout session for a payment. */
export function sessionStatement(paymentId: string, sessionId: string): Statement {
  return { sql: 'UPDATE payment SET session_id = ? WHERE id = ?', args: [sessionId, paymentId] };
}

/** What the ledger took back of top-up `t` of payment `p`. */
const TAKEN = `
  coalesce((SELECT sum(CASE WHEN c.from_account = p.account_id THEN c.credits ELSE -c.credits END)
    FROM transfer c WHERE c.corrects = t.id), 0)`;
const LINES = `
  SELECT p.*, ${TAKEN} AS taken_back, CASE WHEN t.id IS NULL THEN 0 ELSE max(0, p.called_back - ${TAKEN}) END AS shortfall
  FROM payment p LEFT JOIN transfer t ON t.key = 'top_up:' || p.id`;

/** The payment with this id and what was taken back of it, or null. */
export async function readPayment(accounts: Database, id: string): Promise<PaymentLine | null> {
  const [line] = await accounts.read<PaymentLine>({ sql: `${LINES} WHERE p.id = ?`, args: [id] });
  return line ?? null;
}

/** An account's payments, newest first, without those that were merely started. @param before - only those older than this one */
export function readPayments(
  accounts: Database,
  accountId: string,
  { limit, before }: { limit: number; before: Pick<Payment, 'created_at' | 'id'> | null },
): Promise<PaymentLine[]> {
  const sql = `${LINES} WHERE p.account_id = ? AND p.state IN ('pending', 'paid') AND (p.created_at, p.id) < (?, ?)
    ORDER BY p.created_at DESC, p.id DESC LIMIT ?`;
  const { created_at, id } = before ?? { created_at: '9999', id: '' };
  return accounts.read<PaymentLine>({ sql, args: [accountId, created_at, id, limit] });
}

/** Whether money of an account is still on its way. */
export async function hasPendingPayment(accounts: Database, accountId: string): Promise<boolean> {
  const sql = `SELECT 1 FROM payment WHERE account_id = ? AND state = 'pending' LIMIT 1`;
  return (await accounts.read({ sql, args: [accountId] })).length > 0;
}

/** An account's payments by id, `rows` at a time, also those that were never paid. */
export async function* readPaymentPages(
  accounts: Database,
  accountId: string,
  rows: number,
): AsyncGenerator<PaymentLine[]> {
  const sql = `${LINES} WHERE p.account_id = ? AND p.id > ? ORDER BY p.id LIMIT ?`;
  for (let after = ''; ; ) {
    const page = await accounts.read<PaymentLine>({ sql, args: [accountId, after, rows] });
    yield page;
    const last = page.at(-1);
    if (!last || page.length < rows) return;
    after = last.id;
  }
}

/** All customers' payments, newest first, for the operator. */
export function readAllPayments(accounts: Database, limit: number): Promise<PaymentLine[]> {
  return accounts.read<PaymentLine>({ sql: `${LINES} ORDER BY p.created_at DESC, p.id LIMIT ?`, args: [limit] });
}

/** Credits that a customer owes, or all together: claimed back, but already spent. */
export async function readOwed(accounts: Database, accountId?: string): Promise<number> {
  const whose = accountId === undefined ? '' : 'AND p.account_id = ?';
  const sql = `SELECT coalesce(sum(shortfall), 0) AS owed FROM (${LINES} WHERE p.called_back > 0 ${whose})`;
  const args = accountId === undefined ? [] : [accountId];
  return (await accounts.read<{ owed: number }>({ sql, args }))[0]?.owed ?? 0;
}

/** What Stripe reported about a payment's session. */
export interface SessionNews {
  paymentId: string;
  sessionId: string;
  intent: string | null;
  state: 'pending' | 'paid' | 'failed' | 'expired';
  /** Seconds since the epoch: a report may be delivered days after the payment. */
  saidAt: number;
}

/** A state never goes back: a paid payment stays paid, whatever arrives later. */
const MOVE = `
  UPDATE payment SET state = ?1, session_id = coalesce(session_id, ?2), payment_intent = coalesce(payment_intent, ?3),
    paid_at = CASE ?1 WHEN 'paid' THEN ?4 END
  WHERE id = ?5 AND CASE ?1 WHEN 'paid' THEN state <> 'paid' WHEN 'pending' THEN state = 'open' ELSE state IN ('open', 'pending') END`;

/** Advances the state of a payment. A paid one becomes a top-up, once, and credits already claimed back are taken. */
export async function storeSession(accounts: Database, payment: Payment, news: SessionNews, at: string): Promise<void> {
  const { paymentId, sessionId, intent, state, saidAt } = news;
  const paidAt = isoInstant(new Date(saidAt * 1_000));
  const move = { sql: MOVE, args: [state, sessionId, intent, paidAt, paymentId] };
  if (state !== 'paid') {
    await accounts.write([move]);
    return;
  }
  const { account_id: accountId, credits } = payment;
  await accounts.write([
    move,
    topUpStatement({ key: paymentId, accountId, credits, note: 'bought by card', at }),
    calledBackStatement(intent ?? ''),
    takeOwedStatement(accountId, at),
  ]);
}

/** What Stripe reported about money that is returned. */
export interface Reversal {
  /** `re_…`, `du_…`, or `ch_…` for a charge's whole refunded sum. */
  id: string;
  intent: string;
  kind: 'refund' | 'dispute' | 'charge';
  /** In pence. */
  amount: number;
  isEffective: boolean;
  status: string;
  /** Seconds since the epoch. */
  saidAt: number;
}

const SAY = `
  INSERT INTO payment_reversal (id, payment_intent, kind, amount, standing, status, said_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, standing = excluded.standing, status = excluded.status, said_at = excluded.said_at
  WHERE excluded.said_at > said_at
    OR (excluded.said_at = said_at AND (excluded.standing < standing OR (kind = 'charge' AND excluded.amount > amount)))`;

/** Stores the newest report about a refund or dispute, and takes or returns credits until the ledger agrees with it. Null while the payment is unknown. */
export async function storeReversal(accounts: Database, reversal: Reversal, at: string): Promise<PaymentLine | null> {
  const { id, intent, kind, amount, isEffective, status, saidAt } = reversal;
  await accounts.write([
    { sql: SAY, args: [id, intent, kind, amount, isEffective ? 1 : 0, status, saidAt] },
    calledBackStatement(intent),
    { sql: GIVE_BACK, args: [intent, at] },
    { sql: takeOwed('p.account_id = (SELECT account_id FROM payment WHERE payment_intent = ?1)'), args: [intent, at] },
  ]);
  const [line] = await accounts.read<PaymentLine>({ sql: `${LINES} WHERE p.payment_intent = ?`, args: [intent] });
  return line ?? null;
}

/**
 * Refunds are reported one by one and as a charge's sum. The higher figure counts; failed refunds are subtracted from the sum.
 * Credits are rounded down, in the customer's favour.
 */
const CALLED_BACK = `
  UPDATE payment SET called_back = credits * min(amount, (
    SELECT max(
        coalesce(sum(CASE WHEN r.kind = 'refund' AND r.standing THEN r.amount END), 0),
        coalesce(max(CASE WHEN r.kind = 'charge' THEN r.amount END), 0)
          - coalesce(sum(CASE WHEN r.kind = 'refund' AND NOT r.standing AND r.said_at >=
              (SELECT max(s.said_at) FROM payment_reversal s WHERE s.payment_intent = ?1 AND s.kind = 'charge') THEN r.amount END), 0))
      + coalesce(sum(CASE WHEN r.kind = 'dispute' AND r.standing THEN r.amount END), 0)
    FROM payment_reversal r WHERE r.payment_intent = ?1)) / amount
  WHERE payment_intent = ?1`;

const calledBackStatement = (intent: string): Statement => ({ sql: CALLED_BACK, args: [intent] });

const CORRECTION = `INSERT INTO transfer (key, kind, from_account, to_account, credits, corrects, note, created_at)
  SELECT t.key || ':back:' || (1 + (SELECT count(*) FROM transfer WHERE corrects = t.id)), 'top_up'`;
/**
 * Takes the credits that some accounts owe, claimed back and not yet taken, for older payments first, as far as each balance allows.
 * It follows every payment and refund, in the same batch: nobody can spend those credits first. A grant alone settles nothing.
 * @param whose - which payments `p`, with `?1`; they are all those of their accounts. `?2` is an ISO 8601 instant, UTC
 */
export const takeOwed = (
  whose: string,
) => `${CORRECTION}, a.id, '${MINT}', min(p.shortfall, a.balance - p.before), t.id,
    'taken back: the payment was refunded or disputed', ?2
  FROM (SELECT *, sum(shortfall) OVER (PARTITION BY account_id ORDER BY created_at, id) - shortfall AS before FROM (${LINES} WHERE ${whose})) p
  JOIN transfer t ON t.key = 'top_up:' || p.id JOIN account a ON a.id = p.account_id
  WHERE min(p.shortfall, a.balance - p.before) > 0 ORDER BY p.before`;

/** Takes what an account owes, as far as its balance allows. @param at ISO 8601 instant, UTC */
export const takeOwedStatement = (accountId: string, at: string): Statement => ({
  sql: takeOwed('p.account_id = ?1'),
  args: [accountId, at],
});

const GIVE_BACK = `${CORRECTION}, '${MINT}', a.id, ${TAKEN} - p.called_back, t.id, 'given back: the refund failed or the dispute was won', ?2
  FROM payment p JOIN transfer t ON t.key = 'top_up:' || p.id JOIN account a ON a.id = p.account_id
  WHERE p.payment_intent = ?1 AND ${TAKEN} > p.called_back`;

interface PaymentEvent {
  id: string;
  type: string;
  subject: string;
  outcome: string;
  received_at: string;
}

/** Records an event and its outcome. The first record of an event stays, unless it was refused and is now sent again. */
export async function storeEvent(accounts: Database, event: PaymentEvent): Promise<void> {
  const { id, type, subject, outcome, received_at } = event;
  const sql = `INSERT INTO payment_event (id, type, subject, outcome, received_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET subject = excluded.subject, outcome = excluded.outcome, received_at = excluded.received_at
    WHERE outcome LIKE 'refused:%'`;
  await accounts.write([{ sql, args: [id, type, subject, outcome, received_at] }]);
}

/** The newest payment events, at most `limit`. */
export function readEvents(accounts: Database, limit: number): Promise<PaymentEvent[]> {
  const sql = 'SELECT * FROM payment_event ORDER BY received_at DESC, id LIMIT ?';
  return accounts.read<PaymentEvent>({ sql, args: [limit] });
}
