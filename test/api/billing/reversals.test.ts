import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLedgerWhere } from '../../../schema/accounts/ledger/pages.ts';
import { storeReversal } from '../../../schema/accounts/payments.ts';
import type { Database } from '../../../schema/db/interface.ts';
import {
  buy,
  charge,
  dispute,
  disputeOf,
  openTill,
  paidEvent,
  refund,
  refundOf,
  SAID_AT,
  type Till,
} from './services.ts';
import { makeEvent } from './stripe-stub.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till?.close());

describe('a refund', () => {
  it.each(['created', 'updated', 'failed'])('is applied when only refund.%s reports it', async (type) => {
    const { accountId, order } = await buy(till);
    await till.tell(makeEvent(`refund.${type}`, refundOf(order, `re_of_${type}`, 1_200)));
    expect(await till.balance(accountId)).toBe(250);
  });

  it('takes back its share in whole credits, once for each refund', async () => {
    const { accountId, order } = await buy(till);
    for (const status of [200, 200]) expect(await till.tell(refund(order, 're_a1', 100))).toMatchObject({ status });
    expect(await till.balance(accountId)).toBe(1_250 - 83);
    await till.tell(refund(order, 're_a2', 500));
    await till.tell(charge(order, 600));
    expect(await till.balance(accountId)).toBe(1_250 - 500);
    await till.tell(charge(order, 1_200, SAID_AT + 5));
    expect(await till.balance(accountId)).toBe(250);
    expect(await till.faults()).toEqual([]);
  });

  it.each(['failed', 'canceled'])(
    'that is %s gives them back, whether reported as a refund or as a charge’s sum',
    async (how) => {
      const { accountId, order } = await buy(till);
      await till.tell(charge(order, 600));
      await till.tell(refund(order, `re_${how}`, 600));
      expect(await till.balance(accountId)).toBe(750);
      await till.tell(charge({ ...order, intent: 'pi_another' }, 600, SAID_AT + 60));
      await till.tell(refund(order, `re_${how}`, 600, how, SAID_AT + 9));
      expect(await till.balance(accountId)).toBe(1_250);
      expect(await till.faults()).toEqual([]);
    },
  );

  it('that failed returns its credits for good, even if another refund is reported later', async () => {
    const { accountId, order } = await buy(till);
    await till.tell(charge(order, 600));
    await till.tell(refund(order, 're_d1', 600, 'failed', SAID_AT + 9));
    await till.tell(refund(order, 're_d2', 120, 'succeeded', SAID_AT + 12));
    expect([await till.balance(accountId), await till.faults()]).toEqual([1_150, []]);
  });

  it('is applied even if another process records its payment at the same moment', async () => {
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
    const received = { ...reversal, isEffective: true, status: 'succeeded', saidAt: SAID_AT };
    expect(await storeReversal(paidMeanwhile, received, '2026-11-21T12:00:00Z')).toMatchObject({ taken_back: 1_000 });
    expect([await till.balance(accountId), await till.faults()]).toEqual([250, []]);
  });

  it('may be reported before its payment, and an older report never replaces a newer one', async () => {
    const buyer = await till.signUp();
    const order = await till.order(buyer.visitor, 1_000);
    await till.tell(refund(order, 're_c1', 600, 'failed', SAID_AT + 9));
    expect(await till.tell(refund(order, 're_c1', 600, 'succeeded', SAID_AT))).toMatchObject({
      outcome: 'noted: refund of a payment not known so far',
    });
    await till.tell(refund(order, 're_c2', 300));
    await till.tell(paidEvent(order));
    expect(await till.balance(buyer.accountId)).toBe(250 + 1_000 - 250);
    expect(await till.faults()).toEqual([]);
  });

  it('reported twice for one second counts as it ended, and a charge by its higher sum, in any order', async () => {
    const { accountId, order } = await buy(till);
    for (const pence of [600, 240]) await till.tell(charge(order, pence));
    expect(await till.balance(accountId)).toBe(750);
    for (const status of ['failed', 'succeeded']) await till.tell(refund(order, 're_second', 600, status));
    expect([await till.balance(accountId), await till.faults()]).toEqual([1_250, []]);
  });
});

describe('a refund or a dispute with an invalid amount', () => {
  it.each([
    ['a part of a penny', 100.5],
    ['less than nothing', -600],
    ['no number', '600'],
    ['nothing said', null],
  ])('changes nothing and says so: %s', async (_name, amount) => {
    const { accountId, order } = await buy(till);
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

it.each(['refund', 'dispute', 'charge'])('a %s in another currency takes nothing back, and says so', async (kind) => {
  const { accountId, order } = await buy(till);
  const events = {
    refund: refund(order, 're_in_euros', 600),
    dispute: dispute(order, 'needs_response'),
    charge: charge(order, 600),
  };
  const event = events[kind as keyof typeof events];
  const inEuros = { ...event, data: { object: { ...event.data.object, currency: 'eur' } } };
  expect((await till.tell(inEuros)).outcome).toBe(`refused: a ${kind} in eur`);
  expect(await till.balance(accountId)).toBe(1_250);
});

describe('a dispute', () => {
  it.each(['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'])(
    'is applied when only charge.dispute.%s reports it',
    async (type) => {
      const { accountId, order } = await buy(till);
      await till.tell(makeEvent(`charge.dispute.${type}`, disputeOf(order, `du_of_${type}`, 'lost')));
      expect(await till.balance(accountId)).toBe(250);
    },
  );

  it('takes the credits back while it stands, and gives them back when it is won', async () => {
    const { accountId, order } = await buy(till);
    for (const [after, inquiry] of ['warning_needs_response', 'warning_under_review', 'warning_closed'].entries()) {
      await till.tell(dispute(order, inquiry, SAID_AT - 5 + after));
      expect(await till.balance(accountId)).toBe(1_250);
    }
    await till.tell(dispute(order, 'needs_response'));
    expect(await till.balance(accountId)).toBe(250);
    await till.tell(dispute(order, 'won', SAID_AT + 60));
    await till.tell(dispute(order, 'needs_response'));
    expect(await till.balance(accountId)).toBe(1_250);
    const lines = await readLedgerWhere(till.built.accounts, accountId, { kind: 'top_up' }, { limit: 10 });
    expect(lines.map(({ credits }) => credits)).toEqual([1_000, -1_000, 1_000]);
    expect(await till.faults()).toEqual([]);
  });

  it.each([
    ['blocked', 'block', 1_250],
    ['refunded at once', 'resolution', 250],
  ])('that was prevented takes the credits back only where money moved: %s', async (_name, case_type, left) => {
    const { accountId, order } = await buy(till);
    const prevented = {
      ...disputeOf(order, `du_${case_type}`, 'prevented'),
      payment_method_details: { card: { case_type } },
    };
    for (const type of ['created', 'closed']) await till.tell(makeEvent(`charge.dispute.${type}`, prevented));
    expect([await till.balance(accountId), await till.faults()]).toEqual([left, []]);
  });

  it('that is lost never takes back more than was bought, even with a refund', async () => {
    const { accountId, order } = await buy(till);
    await Promise.all([
      till.tell(dispute(order, 'needs_response')),
      till.tell(refund(order, 're_d1', 700)),
      till.tell(dispute(order, 'lost', SAID_AT + 60)),
    ]);
    expect(await till.balance(accountId)).toBe(250);
    expect(await till.faults()).toEqual([]);
  });
});
