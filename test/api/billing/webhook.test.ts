import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setAccountState } from '../../../schema/accounts/customer/account.ts';
import { newPaymentStatement, readEvents } from '../../../schema/accounts/payments.ts';
import { buildServer } from '../../support/services.ts';
import { makeOperator } from '../web/operator.ts';
import { type Order, openTill, paidEvent, refundOf, sessionOf, type Till } from './services.ts';
import { makeEvent, sign } from './stripe-stub.ts';

let till: Till;
const operator = makeOperator();
let order: Order;
let accountId: string;
beforeAll(async () => {
  till = await openTill({}, (options) => buildServer({ ...options, log: operator.log }));
  const buyer = await till.signUp();
  accountId = buyer.accountId;
  order = await till.order(buyer.visitor, 1_000);
});
afterAll(() => till?.close());

const send = (init: RequestInit) => fetch(`${till.built.url}/webhooks/stripe`, { method: 'POST', ...init });

describe('an event that Stripe did not sign just now', () => {
  it.each([
    ['signed with another secret', { secret: 'whsec_another' }, 'No signatures found matching'],
    ['signed ten minutes ago', { timestamp: Math.floor(Date.now() / 1000) - 600 }, 'Timestamp outside'],
  ])('is 400 where it is %s, and the log says so without its contents', async (_name, how, reason) => {
    operator.lines.length = 0;
    expect(await till.tell(paidEvent(order), how)).toEqual({ status: 400, outcome: 'invalid_signature' });
    expect(await till.balance(accountId)).toBe(250);
    const [line] = operator.lines;
    expect(line).toMatchObject({
      reason: expect.stringContaining(reason),
      msg: expect.stringContaining('STRIPE_WEBHOOK_SECRET or the clock of this machine is wrong'),
    });
    expect(JSON.stringify(line)).not.toContain(order.paymentId);
  });

  it('is 400 where it has no signature, or other bytes than were signed', async () => {
    const { payload, signature } = sign(paidEvent(order));
    const bare = await send({ body: payload });
    const changed = await send({
      body: payload.replace('"amount_total"', ' "amount_total"'),
      headers: { 'stripe-signature': signature },
    });
    const nonsense = await send({ body: 'nonsense', headers: { 'stripe-signature': 't=1,v1=00' } });
    expect([bare.status, changed.status, nonsense.status]).toEqual([400, 400, 400]);
    operator.lines.length = 0;
    for (const text of ['more', 'and', 'more'])
      expect((await send({ body: text, headers: { 'stripe-signature': 't=1,v1=00' } })).status).toBe(400);
    // The log has said why within the last minute.
    expect(operator.lines).toEqual([]);
    expect(await bare.json()).toEqual({
      error: 'invalid_signature',
      message: 'This is not an event that Stripe signed just now. Nothing was done.',
      request_id: bare.headers.get('x-request-id'),
    });
  });

  it('is refused by its size and its method, within the allowance of its address', async () => {
    const large = await send({ body: 'x'.repeat(300_000) });
    const get = await fetch(`${till.built.url}/webhooks/stripe`);
    expect([large.status, get.status, get.headers.get('allow')]).toEqual([413, 405, 'POST']);
    expect(get.headers.get('ratelimit-policy')).toMatch(/^"address";q=\d+;w=60$/);
  });
});

describe('an event that does not fit its payment', () => {
  it.each<[string, () => object, string]>([
    ['of a payment nobody began', () => sessionOf({ ...order, paymentId: 'pay_unknown' }), 'refused: no such payment'],
    ['in another currency', () => sessionOf(order, { currency: 'usd' }), 'refused: paid in usd instead of gbp'],
    ['with too little', () => sessionOf(order, { amount_total: 1 }), 'refused: 1 pence instead of 1200'],
    ['of another session', () => sessionOf(order, { id: 'cs_other' }), 'refused: another session than the payment has'],
    ['that is unpaid', () => sessionOf(order, { payment_status: 'unpaid' }), 'now pending'],
    ['that cost nothing', () => sessionOf(order, { payment_status: 'no_payment_required' }), 'now pending'],
    ['of something else', () => sessionOf(order, { client_reference_id: null }), 'ignored: nothing of ours'],
  ])('%s grants nothing and says so', async (_name, session, outcome) => {
    const event = makeEvent('checkout.session.completed', session());
    expect(await till.tell(event)).toEqual({ status: 200, outcome });
    expect(await till.balance(accountId)).toBe(250);
    const [noted] = await till.built.accounts.read({
      sql: 'SELECT outcome FROM payment_event WHERE id = ?',
      args: [event.id],
    });
    expect(noted).toEqual({ outcome });
  });

  it('of a payment begun after the backup that this service came from is known again by what the session tells', async () => {
    const { visitor, accountId: buyer } = await till.signUp();
    const begun = await till.order(visitor, 1_000);
    await till.built.accounts.write([{ sql: 'DELETE FROM payment WHERE id = ?', args: [begun.paymentId] }]);
    const eventOf = (account: string) =>
      paidEvent(begun, { metadata: { account, credits: '1000', vat: '200', vat_percent: '20' } });
    expect(await till.tell(eventOf('acc_nobody'))).toMatchObject({ outcome: 'refused: no such payment' });
    for (const invented of [
      { credits: '1000000', vat: '200', vat_percent: '20' },
      { credits: '1001', vat: '200', vat_percent: '20' },
      { credits: '1000', vat: '0', vat_percent: '0' },
      { credits: '1200', vat: '0', vat_percent: '20' },
      { credits: '1000', vat: '100', vat_percent: '20' },
      { credits: '1000', vat: '200', vat_percent: '19.9' },
    ]) {
      const event = paidEvent(begun, { metadata: { account: buyer, ...invented } });
      expect(await till.tell(event)).toMatchObject({ outcome: 'refused: no such payment' });
    }
    const inDollars = paidEvent(begun, { ...eventOf(buyer).data.object, currency: 'usd' });
    expect(await till.tell(inDollars)).toMatchObject({ outcome: 'refused: no such payment' });
    await Promise.all([till.tell(eventOf(buyer)), till.tell(eventOf(buyer))]);
    expect([await till.balance(buyer), await till.faults()]).toEqual([1_250, []]);
    expect(await begun.payment()).toMatchObject({ credits: 1_000, amount: 1_200, vat: 200, state: 'paid' });
  });

  it('is listed as granted once Stripe sends it again, after what it was refused for is mended', async () => {
    const { accounts } = till.built;
    const { visitor, accountId: buyer } = await till.signUp();
    const begun = await till.order(visitor, 1_000);
    const event = paidEvent(begun);
    const lost = await begun.payment();
    await accounts.write([{ sql: 'DELETE FROM payment WHERE id = ?', args: [begun.paymentId] }]);
    expect(await till.tell(event)).toMatchObject({ outcome: 'refused: no such payment' });
    await accounts.write([newPaymentStatement(lost)]);
    await till.tell(event);
    await setAccountState(accounts, buyer, 'frozen');
    await till.tell(event);
    const listed = (await readEvents(accounts, 100)).filter(({ id }) => id === event.id);
    expect(listed).toMatchObject([{ subject: begun.paymentId, outcome: 'paid: 1000 credits granted once' }]);
  });

  it('of an account that was closed meanwhile is granted, and said to be one to refund', async () => {
    const { visitor, accountId: buyer } = await till.signUp();
    const begun = await till.order(visitor, 1_000);
    await setAccountState(till.built.accounts, buyer, 'closed');
    expect(await till.tell(paidEvent(begun))).toMatchObject({
      outcome: 'paid: 1000 credits granted once; the account is closed: the payment is to be refunded',
    });
    const refund = makeEvent('refund.created', refundOf(begun, 're_of_closed', begun.amount));
    expect((await till.tell(refund)).outcome).toContain('1000 of 1000 credits are taken back');
    expect(await till.faults()).toEqual([]);
  });

  it('of real money while the payment was begun in test mode, or the reverse, grants nothing', async () => {
    const real = await openTill({ STRIPE_SECRET_KEY: 'sk_live_standin' });
    for (const [at, other] of [
      [till, 1],
      [real, 0],
    ] as const) {
      const buyer = await at.signUp();
      const begun = await at.order(buyer.visitor, 1_000);
      const paid = { ...paidEvent(begun), livemode: at === real };
      const flip = (live: number) =>
        at.built.accounts.write([{ sql: 'UPDATE payment SET live = ? WHERE id = ?', args: [live, begun.paymentId] }]);
      await flip(other);
      expect((await at.tell(paid)).outcome).toBe('refused: the payment was begun in the other mode');
      await flip(1 - other);
      const { outcome } = await at.tell({ ...paidEvent(begun), livemode: at !== real });
      expect(outcome).toMatch(/^refused: (real money in test mode|a test-mode event in live mode)$/);
      expect(await at.balance(buyer.accountId)).toBe(250);
      expect((await at.tell(paid)).outcome).toBe('paid: 1000 credits granted once');
    }
    await real.close();
  });

  it('of the other mode, or of a type that is none of ours, grants nothing', async () => {
    const live = makeEvent('checkout.session.completed', sessionOf(order), { livemode: true });
    expect(await till.tell(live)).toMatchObject({ outcome: 'refused: real money in test mode' });
    expect(await till.tell(makeEvent('customer.created', { id: 'cus_1' }))).toMatchObject({
      outcome: 'ignored: nothing of ours',
    });
    expect(await till.balance(accountId)).toBe(250);
    expect(await till.tell(paidEvent(order))).toMatchObject({ outcome: 'paid: 1000 credits granted once' });
    expect(await till.balance(accountId)).toBe(1_250);
  });
});
