import type { Request, Response, Router } from 'express';
import { type Account, readKeys } from '../../../../schema/accounts/customer/account.ts';
import {
  newPaymentStatement,
  readOwed,
  readPayment,
  readPayments,
  sessionStatement,
} from '../../../../schema/accounts/payments.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import { makeId } from '../../../../schema/text/tokens.ts';
import { CURRENCY, creditBounds, offerPacks, parseCredits, quote } from '../../../billing/price.ts';
import { formatCount, formatWait } from '../../components/format.ts';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { TooMany } from '../../serving/security.ts';
import { faultOfAccount, nextForm, type Refusal, refusal } from '../form-answers.ts';
import { isAtCap, isInUse } from '../keys/list.tsx';
import { type MakeSigned, readField, type ShowAgain, type Signed, type SignedHandler } from '../signed-in.ts';
import { billingPage, receiptPage } from './page.tsx';

/** Payments on one page. */
const PAGE_PAYMENTS = 100;
/** Characters of a typed number of credits that a page repeats. */
const TYPED_CHARS = 12;

/** Payments that an account may begin in an hour: each is a row that stays, and a call to Stripe, whose limit all accounts share. */
const BEGUN_MAX = 20;
const HOUR_SECONDS = 3_600;
const TOO_MANY = `An account may begin ${BEGUN_MAX} payments an hour.`;

/** Buying credits, and the list of payments. */
export function makeBillingRoutes(web: Web, signed: MakeSigned): Router {
  const router = makeRouter();
  router.get(
    '/dashboard/billing',
    signed((who, request, response) => showBilling(web, who, request, response), 'billing'),
  );
  // The API's 402 links here.
  router.get('/dashboard/top-up', (_request, response) => response.redirect(302, '/dashboard/billing'));
  const showAgain: ShowAgain = (who, request, response, refused) => showBilling(web, who, request, response, refused);
  const next = (request: Request) =>
    nextForm('billing', { credits: readField(request, 'credits').slice(0, TYPED_CHARS) });
  router.post('/dashboard/billing/checkout', signed(buy(web), next, showAgain));
  router.get('/dashboard/billing/checkout', (_request, response) => response.redirect(303, '/dashboard/billing'));
  router.get('/dashboard/billing/receipts/:id', signed(showReceipt(web), 'billing'));
  return router;
}

async function showBilling(
  web: Web,
  who: Signed,
  request: Request,
  response: Response,
  refused?: Refusal,
): Promise<void> {
  const { accounts, settings, clocks } = web.services;
  const { account, person } = who;
  const back = await readOwnPayment(web, account, request.query.payment);
  const before = await readOwnPayment(web, account, request.query.before);
  const found = await readPayments(accounts, account.id, { limit: PAGE_PAYMENTS + 1, before });
  const payments = found.slice(0, PAGE_PAYMENTS);
  const wanted = refused ? readField(request, 'credits') : request.query.credits;
  const at = isoInstant(clocks.wallNow());
  const keys = await readKeys(accounts, account.id, at);
  const page = billingPage(person, {
    accountId: account.id,
    balance: account.balance,
    pencePerCredit: settings.PENCE_PER_CREDIT,
    vatPercent: settings.VAT_PERCENT,
    shop: web.cashier ? { packs: offerPacks(settings), ...creditBounds(settings) } : null,
    contact: settings.TOP_UP_CONTACT,
    payments,
    next: found.length > PAGE_PAYMENTS ? payments.at(-1)?.id : undefined,
    owed: await readOwed(accounts, account.id),
    cappedKeys: keys.filter((key) => isInUse(key, at) && isAtCap(key)).map(({ name }) => name),
    isCancelled: request.query.cancelled !== undefined,
    justPaid: back ?? undefined,
    fault: refused?.fault,
    wanted: typeof wanted === 'string' ? wanted.slice(0, TYPED_CHARS) : undefined,
  });
  await web.send(response, page, refused?.status ?? 200);
}

/** The payment that an address names; null where it names none of this account. */
async function readOwnPayment(web: Web, account: Account, id: unknown) {
  const payment = typeof id === 'string' ? await readPayment(web.services.accounts, id) : null;
  return payment?.account_id === account.id ? payment : null;
}

/** Stores the order before the person goes to Stripe's page, so that Stripe's events always find it. */
function buy(web: Web): SignedHandler {
  const { accounts, settings, clocks } = web.services;
  const takePayment = makeTaker(web);
  return async (who, request, response) => {
    const { account, visitor } = who;
    const credits = parseCredits(readField(request, 'credits'), settings);
    const refuse = (fault: string) => showBilling(web, who, request, response, refusal(fault));
    if (!web.cashier) return refuse('Card payments are not available here.');
    const stopped = faultOfAccount(account);
    if (stopped) return refuse(stopped);
    if (credits === null) {
      const { least, most } = creditBounds(settings);
      return refuse(`One payment buys from ${formatCount(least)} to ${formatCount(most)} credits.`);
    }
    await takePayment(account.id);
    const price = quote(credits, settings);
    const paymentId = makeId('pay');
    const payment = {
      id: paymentId,
      account_id: account.id,
      credits,
      amount: price.total,
      vat: price.vat,
      vat_percent: price.vatPercent,
      currency: CURRENCY,
      live: web.cashier.live ? 1 : 0,
      created_at: isoInstant(clocks.wallNow()),
    };
    await accounts.write([newPaymentStatement(payment)]);
    const session = await openCheckout(web, {
      paymentId,
      accountId: account.id,
      quote: price,
      email: visitor.email,
    });
    if (!session) return refuse('Stripe cannot be reached just now. Nothing was charged; try again in a moment.');
    await accounts.write([sessionStatement(paymentId, session.sessionId)]);
    response.redirect(303, session.url);
  };
}

/** Counts a payment that an account begins. @throws TooMany */
function makeTaker({ services }: Web): (accountId: string) => Promise<void> {
  const begun = services.machine.makeWindows('payments', BEGUN_MAX, HOUR_SECONDS);
  return async (accountId) => {
    const { count, waitSeconds } = await begun.take(accountId);
    if (count > BEGUN_MAX) throw new TooMany(waitSeconds, `${TOO_MANY} Try again in ${formatWait(waitSeconds)}.`);
  };
}

/** The payment page, or null if Stripe did not open one. The log says why, without personal data. */
async function openCheckout({ cashier, log }: Web, order: Parameters<NonNullable<Web['cashier']>['openCheckout']>[0]) {
  try {
    return (await cashier?.openCheckout(order)) ?? null;
  } catch (error) {
    const { type, code, statusCode, requestId } = error as Record<string, unknown>;
    log.error(
      { payment: order.paymentId, type, code, statusCode, stripe_request: requestId },
      'Stripe opened no checkout',
    );
    return null;
  }
}

function showReceipt(web: Web): SignedHandler {
  return async ({ account, person }, request, response) => {
    const payment = await readOwnPayment(web, account, request.params.id);
    if (payment?.state !== 'paid') return response.redirect(303, '/dashboard/billing');
    await web.send(response, receiptPage(person, payment, web.services.settings.SELLER));
  };
}
