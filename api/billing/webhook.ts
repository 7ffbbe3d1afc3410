import { LRUCache } from 'lru-cache';
import type Stripe from 'stripe';
import { readAccount } from '../../schema/accounts/customer/account.ts';
import {
  newPaymentStatement,
  type Payment,
  readPayment,
  type SessionNews,
  storeEvent,
  storeReversal,
  storeSession,
} from '../../schema/accounts/payments.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';
import { type Answer, Refusal } from '../contract/errors.ts';
import { readBytes } from '../http/body.ts';
import { admitAnyone, type Exchange, respond } from '../http/exchange.ts';
import type { Context } from '../process/context.ts';
import { BadSignature, type Cashier, openCashier } from './cashier.ts';
import { type News, readNews } from './events.ts';
import { CURRENCY, type Prices, quote } from './price.ts';

export const WEBHOOK_PATH = '/webhooks/stripe';
/** Stripe's events are much smaller than this. */
const EVENT_BYTES = 256 * 1024;

/** Receives Stripe's payment events. There is no session or form token: only the signature over the bytes is trusted. */
export async function makeWebhook(context: Context): Promise<(exchange: Exchange) => void> {
  const cashier = await openCashier(context.services.settings);
  const warned: Warned = new LRUCache({ max: REASONS_MAX, ttl: WARNED_MS });
  return (exchange) => void respond(context, exchange, () => receive(context, cashier, { exchange, warned }));
}

/** The reasons for which an event was refused in the last minute. Anybody may send one, and each would be a line of the log. */
type Warned = LRUCache<string, true>;
const WARNED_MS = 60_000;
/** Stripe's library has fewer reasons. */
const REASONS_MAX = 10;

interface Received {
  exchange: Exchange;
  warned: Warned;
}

async function receive(context: Context, cashier: Cashier | null, received: Received): Promise<Answer> {
  const { exchange } = received;
  const { request, requestId } = exchange;
  await admitAnyone(context.webhookLimits, exchange);
  if (!cashier) throw new Refusal(404, 'no_such_route', 'Credits are not sold by card here.');
  if (request.method !== 'POST') {
    throw new Refusal(405, 'method_not_allowed', 'This address answers POST only.', { headers: { Allow: 'POST' } });
  }
  const body = await readBytes(request, EVENT_BYTES);
  const event = readSigned(context, cashier, received, body);
  const { accounts, clocks, settings: prices } = context.services;
  const at = isoInstant(clocks.wallNow());
  const applied = await applyEvent(accounts, event, { live: cashier.live, at, prices });
  const facts = {
    request_id: requestId,
    event: event.id,
    type: event.type,
    subject: applied.subject,
    outcome: applied.outcome,
  };
  if (applied.worry) context.log.warn(facts, 'a payment needs a look');
  else context.log.info(facts, 'an event of a payment');
  return { status: 200, body: JSON.stringify({ received: true, outcome: applied.outcome }) };
}

function readSigned({ log }: Context, cashier: Cashier, { exchange, warned }: Received, body: Buffer) {
  const { request, requestId } = exchange;
  const signature = request.headers['stripe-signature'];
  try {
    return cashier.readEvent(body, String(signature ?? ''));
  } catch (error) {
    if (!(error instanceof BadSignature)) throw error;
    // Nobody else tells the operator that no payment arrives.
    const reason = error.message;
    if (signature && !warned.has(reason)) {
      warned.set(reason, true);
      log.warn(
        { reason, request_id: requestId },
        'an event of a payment was refused: if Stripe sent it, STRIPE_WEBHOOK_SECRET or the clock of this machine is wrong',
      );
    }
    throw new Refusal(400, 'invalid_signature', 'This is not an event that Stripe signed just now. Nothing was done.');
  }
}

/** The outcome of an event: `worry` where an operator should look. */
interface Outcome {
  outcome: string;
  subject: string;
  worry: boolean;
}

/** The service that receives an event, and when. */
interface Moment {
  live: boolean;
  /** ISO 8601 instant, UTC. */
  at: string;
  prices: Prices;
}

/**
 * Makes the ledger agree with an event. However often and in whatever order events come, each payment is granted once, and
 * refunds and disputes are taken back once. An event that does not fit its payment changes nothing.
 */
async function applyEvent(accounts: Database, event: Stripe.Event, moment: Moment): Promise<Outcome> {
  const { at } = moment;
  const applied = await applyNews(accounts, event, moment);
  const { outcome, subject } = applied;
  await storeEvent(accounts, { id: event.id, type: event.type, subject, outcome, received_at: at });
  return applied;
}

async function applyNews(accounts: Database, event: Stripe.Event, moment: Moment): Promise<Outcome> {
  const { live, at } = moment;
  const news = readNews(event);
  if (news.kind === 'nothing') return { outcome: 'ignored: nothing of ours', subject: news.subject, worry: false };
  if (event.livemode !== live) {
    const outcome = event.livemode ? 'refused: real money in test mode' : 'refused: a test-mode event in live mode';
    return { outcome, subject: subjectOf(news), worry: true };
  }
  return news.kind === 'session' ? applySession(accounts, news, moment) : applyReversal(accounts, news, at);
}

type OfSession = Extract<News, { kind: 'session' }>;
type OfReversal = Extract<News, { kind: 'reversal' }>;

async function applySession(accounts: Database, ofSession: OfSession, moment: Moment): Promise<Outcome> {
  const { live, at } = moment;
  const { news } = ofSession;
  const subject = news.paymentId;
  const payment = (await readPayment(accounts, news.paymentId)) ?? (await recallPayment(accounts, ofSession, moment));
  if (!payment) return { outcome: 'refused: no such payment', subject, worry: true };
  const fault = findFault(payment, ofSession, live);
  if (fault) return { outcome: `refused: ${fault}`, subject, worry: true };
  await storeSession(accounts, payment, news, at);
  const after = await readPayment(accounts, payment.id);
  const outcome = news.state === 'paid' ? `paid: ${payment.credits} credits granted once` : `now ${after?.state}`;
  const more = (await sayUnusable(accounts, payment, news)) + sayShortfall(after?.shortfall);
  return { outcome: outcome + more, subject, worry: more !== '' };
}

/** Money that arrived for a frozen or closed account: somebody has to return it. */
async function sayUnusable(accounts: Database, { account_id }: Payment, { state }: SessionNews): Promise<string> {
  const account = state === 'paid' ? await readAccount(accounts, account_id) : null;
  return account && account.state !== 'active'
    ? `; the account is ${account.state}: the payment is to be refunded`
    : '';
}

/**
 * A payment begun after the backup from which this service was restored: the signed session describes the order. Null where it
 * does not, where the sum is not the price of the credits, or where the account is unknown.
 */
async function recallPayment(
  accounts: Database,
  { news, amount, currency, order }: OfSession,
  { live, at, prices }: Moment,
): Promise<Payment | null> {
  if (!order || amount === null || currency !== CURRENCY) return null;
  // This service did not make an order that it would not have offered.
  const { total, vat: vatNow, vatPercent: percentNow } = quote(order.credits, prices);
  if (amount !== total || order.vat !== vatNow || order.vatPercent !== percentNow) return null;
  if (!(await readAccount(accounts, order.accountId))) return null;
  const { accountId: account_id, credits, vat, vatPercent: vat_percent } = order;
  const sum = { credits, amount, vat, vat_percent, currency };
  const payment = { id: news.paymentId, account_id, ...sum, live: live ? 1 : 0, created_at: at };
  await accounts.write([newPaymentStatement(payment)]);
  return readPayment(accounts, news.paymentId);
}

/** Why the money that arrived is not what was ordered; null where it is. */
function findFault(payment: Payment, { news, amount, currency }: OfSession, live: boolean): string | null {
  if (Boolean(payment.live) !== live) return 'the payment was begun in the other mode';
  if (payment.session_id !== null && payment.session_id !== news.sessionId)
    return 'another session than the payment has';
  if (news.state === 'failed' || news.state === 'expired') return null;
  if (currency !== payment.currency) return `paid in ${currency} instead of ${payment.currency}`;
  if (amount !== payment.amount) return `${amount} pence instead of ${payment.amount}`;
  return null;
}

async function applyReversal(accounts: Database, { reversal, currency }: OfReversal, at: string): Promise<Outcome> {
  const { intent: subject, kind, amount } = reversal;
  if (currency !== CURRENCY) return { outcome: `refused: a ${kind} in ${currency}`, subject, worry: true };
  // Credits are whole, and a line of the ledger stays for good.
  if (!Number.isSafeInteger(amount) || amount < 0)
    return { outcome: `refused: a ${kind} of ${amount} pence`, subject, worry: true };
  const payment = await storeReversal(accounts, reversal, at);
  // A later event may still deliver its payment; for another product none ever comes.
  if (!payment) return { outcome: `noted: ${kind} of a payment not known so far`, subject, worry: false };
  const outcome = `${kind} ${reversal.status}: ${payment.taken_back} of ${payment.credits} credits are taken back`;
  return { outcome: outcome + sayShortfall(payment.shortfall), subject: payment.id, worry: payment.shortfall > 0 };
}

function sayShortfall(credits = 0): string {
  return credits > 0 ? `; ${credits} more are owed, as the balance did not reach` : '';
}

function subjectOf(news: OfSession | OfReversal): string {
  return news.kind === 'session' ? news.news.paymentId : news.reversal.intent;
}
