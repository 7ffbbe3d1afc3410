import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPaymentStatement, readOwed, storeSession } from '../../../schema/accounts/payments.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { buy, charge, dispute, openTill, paidEvent, SAID_AT, type Till } from './services.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till?.close());

describe('a refund', () => {
  it('at the moment of another payment is taken from what that payment brings', async () => {
    const { accountId, order, visitor } = await buy(till);
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
    const news = { sessionId: next.sessionId, intent: next.intent, state: 'paid', saidAt: SAID_AT } as const;
    const paid = { paymentId: next.paymentId, ...news };
    await storeSession(refundedMeanwhile, await next.payment(), paid, '2026-11-21T12:00:00Z');
    expect(await order.payment()).toMatchObject({ taken_back: 500, shortfall: 0 });
    expect([await till.balance(accountId), await till.faults()]).toEqual([500, []]);
  });

  it('of spent credits leaves the balance at zero, and what is owed is taken from the next credits', async () => {
    const { accountId, order, visitor } = await buy(till);
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
    const { accountId, order, visitor } = await buy(till);
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

  it('of a payment whose money never arrived owes nothing, and leaves what others owe to be taken', async () => {
    const { accountId, order, visitor } = await buy(till);
    const never = await till.order(visitor, 1_000);
    await till.tell(paidEvent(never, { payment_status: 'unpaid' }));
    const sql = "UPDATE payment SET created_at = '2026-01-01T00:00:00Z' WHERE id = ?";
    await till.built.accounts.write([{ sql, args: [never.paymentId] }]);
    await till.spend(accountId, 1_250);
    for (const one of [never, order]) await till.tell(charge(one, 1_200));
    expect([(await never.payment()).shortfall, await readOwed(till.built.accounts, accountId)]).toEqual([0, 1_000]);
    await till.tell(paidEvent(await till.order(visitor, 1_000)));
    expect([await order.payment(), await till.balance(accountId)]).toMatchObject([{ taken_back: 1_000 }, 0]);
  });

  it('of several spent payments is taken from the next credits, of the oldest payment first', async () => {
    const { accountId, order: first, visitor } = await buy(till);
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
  const { accountId, order: first, visitor } = await buy(till);
  const second = await till.order(visitor, 1_000);
  await till.tell(paidEvent(second));
  await till.tell(dispute(second, 'needs_response'));
  await till.spend(accountId, 1_250);
  await till.tell(charge(first, 960));
  await till.tell(dispute(second, 'won'));
  expect(await first.payment()).toMatchObject({ taken_back: 800, shortfall: 0 });
  expect([await till.balance(accountId), await till.faults()]).toEqual([200, []]);
});
