import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPaymentStatement, readOwed, storeReversal, storeSession } from '../../../schema/accounts/payments.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { disputeOf, type Order, openTill, paidEvent, refundOf, type Till } from './services.ts';
import { makeEvent } from './stripe-stub.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till?.close());

async function buy() {
  const buyer = await till.signUp();
  const order = await till.order(buyer.visitor, 1_000);
  await till.tell(paidEvent(order));
  return { ...buyer, order };
}

const T = 1_780_000_000;
const refund = (order: Order, id: string, amount: number, status?: string, created = T) =>
  makeEvent(status === 'failed' ? 'refund.failed' : 'refund.created', refundOf(order, id, amount, status), { created });
const charge = (order: Order, amount: number, created = T) =>
  makeEvent(
    'charge.refunded',
    { id: `ch_${order.intent}`, payment_intent: order.intent, amount_refunded: amount, currency: 'gbp' },
    { created },
  );
const dispute = (order: Order, status: string, created = T) =>
  makeEvent(
    `charge.dispute.${status === 'needs_response' ? 'created' : 'closed'}`,
    disputeOf(order, `du_${order.intent}`, status),
    { created },
  );

describe('a refund', () => {
  it('takes back its share of the credits, whole ones, once for each refund', async () => {
    const { accountId, order } = await buy();
    await till.tell(refund(order, 're_a1', 100));
    await till.tell(refund(order, 're_a1', 100));
    expect(await till.balance(accountId)).toBe(1_250 - 83);
    await till.tell(refund(order, 're_a2', 500));
    await till.tell(charge(order, 600));
    expect(await till.balance(accountId)).toBe(1_250 - 500);
    await till.tell(charge(order, 1_200, T + 5));
    expect(await till.balance(accountId)).toBe(250);
    expect(await till.faults()).toEqual([]);
  });

  it.each(['failed', 'canceled'])(
    'that is %s gives them back, whether reported as a refund or as a charge’s sum',
    async (how) => {
      const { accountId, order } = await buy();
      await till.tell(charge(order, 600));
      await till.tell(refund(order, `re_${how}`, 600));
      expect(await till.balance(accountId)).toBe(750);
      await till.tell(charge({ ...order, intent: 'pi_another' }, 600, T + 60));
      await till.tell(refund(order, `re_${how}`, 600, how, T + 9));
      expect(await till.balance(accountId)).toBe(1_250);
      expect(await till.faults()).toEqual([]);
    },
  );

  it('whose payment is paid on another process at the same moment is taken all the same', async () => {
    const { visitor, accountId } = await till.signUp();
    const order = await till.order(visitor, 1_000);
    const { accounts } = till.built;
    const paidMeanwhile: Database = {
      ...accounts,
      async write(statements) {
        await till.tell(paidEvent(order));
        return accounts.write(statements);
      },
    };
    const reversal = { id: 're_meanwhile', intent: order.intent, kind: 'refund', amount: order.amount } as const;
    const received = { ...reversal, isEffective: true, status: 'succeeded', saidAt: T };
    expect(await storeReversal(paidMeanwhile, received, '2026-11-21T12:00:00Z')).toMatchObject({ taken_back: 1_000 });
    expect([await till.balance(accountId), await till.faults()]).toEqual([250, []]);
  });

  it('at the moment of another payment is taken from what that payment brings', async () => {
    const { accountId, order, visitor } = await buy();
    await till.spend(accountId, 1_250);
    const next = await till.order(visitor, 1_000);
    const { accounts } = till.built;
    const refundedMeanwhile: Database = {
      ...accounts,
      async write(statements) {
        await till.tell(charge(order, 600));
        return accounts.write(statements);
      },
    };
    const news = { sessionId: next.sessionId, intent: next.intent, state: 'paid', saidAt: T } as const;
    const paid = { paymentId: next.paymentId, ...news };
    await storeSession(refundedMeanwhile, await next.payment(), paid, '2026-11-21T12:00:00Z');
    expect(await order.payment()).toMatchObject({ taken_back: 500, shortfall: 0 });
    expect([await till.balance(accountId), await till.faults()]).toEqual([500, []]);
  });

  it('may be reported before its payment, and an older report never replaces a newer one', async () => {
    const buyer = await till.signUp();
    const order = await till.order(buyer.visitor, 1_000);
    await till.tell(refund(order, 're_c1', 600, 'failed', T + 9));
    expect(await till.tell(refund(order, 're_c1', 600, 'succeeded', T))).toMatchObject({
      outcome: 'noted: refund of a payment not known so far',
    });
    await till.tell(refund(order, 're_c2', 300));
    await till.tell(paidEvent(order));
    expect(await till.balance(buyer.accountId)).toBe(250 + 1_000 - 250);
    expect(await till.faults()).toEqual([]);
  });

  it('reported twice for one second counts as it ended, and a charge by its higher sum, whichever comes first', async () => {
    const { accountId, order } = await buy();
    for (const pence of [600, 240]) await till.tell(charge(order, pence));
    expect(await till.balance(accountId)).toBe(750);
    for (const status of ['failed', 'succeeded']) await till.tell(refund(order, 're_second', 600, status));
    expect([await till.balance(accountId), await till.faults()]).toEqual([1_250, []]);
  });

  it('of spent credits never makes a balance negative: what is owed is recorded, shown, and taken from the next credits', async () => {
    const { accountId, order, visitor } = await buy();
    await till.spend(accountId, 1_100);
    const answer = await till.tell(charge(order, 1_200));
    expect(answer.outcome).toBe(
      'charge refunded: 150 of 1000 credits are taken back; 850 more are owed, as the balance did not reach',
    );
    expect(await till.balance(accountId)).toBe(0);
    expect(await order.payment()).toMatchObject({ taken_back: 150, shortfall: 850 });
    expect(await readOwed(till.built.accounts)).toBe(850);
    expect((await visitor.get('/dashboard/billing')).html).toContain('850 credits of refunded or disputed payments');
    const { visitor: other } = await till.signUp();
    expect((await other.get('/dashboard/billing')).html).not.toContain('refunded or disputed payments');
    const next = await till.order(visitor, 1_000);
    await till.tell(paidEvent(next));
    expect(await till.balance(accountId)).toBe(150);
    expect(await order.payment()).toMatchObject({ taken_back: 1_000, shortfall: 0 });
    expect(await till.faults()).toEqual([]);
  });

  it('of a payment older than all that the page lists is shown as owed too', async () => {
    const { accountId, order, visitor } = await buy();
    await till.spend(accountId, 1_250);
    const more = { account_id: accountId, credits: 1_000, amount: 1_200, vat: 200, vat_percent: 20, currency: 'gbp' };
    const newer = Array.from({ length: 100 }, (_, at) =>
      newPaymentStatement({ ...more, id: `pay_newer${at}`, live: 0, created_at: '2999-01-01T00:00:00Z' }),
    );
    const sql = "UPDATE payment SET state = 'pending' WHERE id LIKE 'pay_newer%'";
    await till.built.accounts.write([...newer, { sql, args: [] }]);
    await till.tell(charge(order, 1_200));
    const { html } = await visitor.get('/dashboard/billing');
    expect(html).not.toContain(order.paymentId);
    expect(html).toContain('1,000 credits of refunded or disputed payments');
  });

  it('of several spent payments is taken from the next credits, of the oldest payment first', async () => {
    const { accountId, order: first, visitor } = await buy();
    const second = await till.order(visitor, 1_000);
    await till.tell(paidEvent(second));
    const sql = "UPDATE payment SET created_at = '2026-01-01T00:00:00Z' WHERE id = ?";
    await till.built.accounts.write([{ sql, args: [first.paymentId] }]);
    await till.spend(accountId, 2_250);
    for (const order of [second, first]) await till.tell(charge(order, 960));
    const third = await till.order(visitor, 1_000);
    await till.tell(paidEvent(third));
    expect(await Promise.all([first, second, third].map((order) => order.payment()))).toMatchObject([
      { taken_back: 800, shortfall: 0 },
      { taken_back: 200, shortfall: 600 },
      { taken_back: 0, shortfall: 0 },
    ]);
    expect([await till.balance(accountId), await till.faults()]).toEqual([0, []]);
  });
});

it('credits that a won dispute gives back are taken at once for another payment, of which they are owed', async () => {
  const { accountId, order: first, visitor } = await buy();
  const second = await till.order(visitor, 1_000);
  await till.tell(paidEvent(second));
  await till.tell(dispute(second, 'needs_response'));
  await till.spend(accountId, 1_250);
  await till.tell(charge(first, 960));
  await till.tell(dispute(second, 'won'));
  expect(await first.payment()).toMatchObject({ taken_back: 800, shortfall: 0 });
  expect([await till.balance(accountId), await till.faults()]).toEqual([200, []]);
});

describe('a refund or a dispute of a sum that is none', () => {
  it.each([
    ['a part of a penny', 100.5],
    ['less than nothing', -600],
    ['no number', '600'],
    ['nothing said', null],
  ])('changes nothing and says so: %s', async (_name, amount) => {
    const { accountId, order } = await buy();
    const of = { payment_intent: order.intent, currency: 'gbp' };
    const events = [
      makeEvent('refund.created', { ...of, id: `re_${order.intent}`, amount, status: 'succeeded' }),
      makeEvent('charge.dispute.created', { ...of, id: `du_${order.intent}`, amount, status: 'needs_response' }),
      makeEvent('charge.refunded', { ...of, id: `ch_${order.intent}`, amount_refunded: amount }),
    ];
    for (const [place, kind] of ['refund', 'dispute', 'charge'].entries())
      expect(await till.tell(events[place] ?? {})).toEqual({
        status: 200,
        outcome: `refused: a ${kind} of ${amount} pence`,
      });
    expect([await till.balance(accountId), await till.faults()]).toEqual([1_250, []]);
  });
});

describe('a dispute', () => {
  it('takes the credits back while it stands, and gives them back when it is won', async () => {
    const { accountId, order } = await buy();
    for (const [after, inquiry] of ['warning_needs_response', 'warning_under_review', 'warning_closed'].entries()) {
      await till.tell(dispute(order, inquiry, T - 5 + after));
      expect(await till.balance(accountId)).toBe(1_250);
    }
    await till.tell(dispute(order, 'needs_response'));
    expect(await till.balance(accountId)).toBe(250);
    await till.tell(dispute(order, 'won', T + 60));
    await till.tell(dispute(order, 'needs_response'));
    expect(await till.balance(accountId)).toBe(1_250);
    expect(await till.faults()).toEqual([]);
  });

  it.each([
    ['blocked', 'block', 1_250],
    ['refunded at once', 'resolution', 250],
  ])('that was prevented takes the credits back only where money moved: %s', async (_name, case_type, left) => {
    const { accountId, order } = await buy();
    const prevented = {
      ...disputeOf(order, `du_${case_type}`, 'prevented'),
      payment_method_details: { card: { case_type } },
    };
    for (const type of ['created', 'closed']) await till.tell(makeEvent(`charge.dispute.${type}`, prevented));
    expect([await till.balance(accountId), await till.faults()]).toEqual([left, []]);
  });

  it('that is lost, beside a refund, never takes more than was bought', async () => {
    const { accountId, order } = await buy();
    await Promise.all([
      till.tell(dispute(order, 'needs_response')),
      till.tell(refund(order, 're_d1', 700)),
      till.tell(dispute(order, 'lost', T + 60)),
    ]);
    expect(await till.balance(accountId)).toBe(250);
    expect(await till.faults()).toEqual([]);
  });
});
