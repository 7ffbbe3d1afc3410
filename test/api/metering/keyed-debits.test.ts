import { describe, expect, it } from 'vitest';
import { makeCommitter } from '../../../api/concurrency/group-commit.ts';
import type { Refusal } from '../../../api/contract/errors.ts';
import { type DebitRow, debitTogether } from '../../../api/metering/grouped-debits.ts';
import { debitKeyed, type KeyedDebit } from '../../../api/metering/keyed-calls.ts';
import { revokeKey } from '../../../schema/accounts/customer/account.ts';
import { LEDGER_LINES } from '../../../schema/accounts/ledger/lines.ts';
import { packAnswer, unpackAnswer } from '../../../schema/accounts/remembered-answers.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import {
  AT,
  accounts,
  balanceOf,
  type Customer,
  debit,
  losingFirstAnswer,
  makeCustomer,
  useAccounts,
} from './accounts.ts';

useAccounts();

describe('keyed debits that come at once', () => {
  const now = new Date(AT);
  const keyed = (customer: Customer, key: string, credits: number, laterMs = 0): KeyedDebit => {
    const { accountId } = customer;
    const [, ...fields] = debit(customer, credits);
    const [, , request] = fields;
    const row: DebitRow = [`charge:ch_${accountId}-${key}`, ...fields];
    const claim = { accountId, key, token: `token of ${request}` };
    const answer = packAnswer(JSON.stringify({ key, filled: 'é'.repeat(request.length % 3) }));
    return {
      row,
      claimed: { keyed: { key, loc: [], accountId, fingerprint: 'same' }, claim },
      now: new Date(now.getTime() + laterMs),
      answer,
    };
  };
  /** What each left, or what its call is answered instead; null where it could not be paid. */
  const keyedTogether = async (debits: readonly KeyedDebit[], more: readonly DebitRow[] = [], database = accounts) => {
    const sizes: number[] = [];
    const committer = makeCommitter(database, (size) => sizes.push(size));
    const asked = Promise.allSettled(debits.map((one) => debitKeyed({ accounts, committer }, one)));
    await Promise.all(more.map((row) => debitTogether(committer, row)));
    const left = (await asked).map((one) => {
      if (one.status === 'rejected') return (one.reason as Refusal).code;
      return 'body' in one.value ? JSON.parse(one.value.body) : (one.value.remaining ?? null);
    });
    return { left, sizes };
  };
  /** The keys that an account used, in the order of its ledger, and what each left. All of it agrees with the ledger. */
  const recorded = async ({ accountId }: Customer) => {
    const rows = await accounts.read<{ key: string; left: number; after: number; body: Uint8Array }>({
      sql: `SELECT i.key, i.credits_remaining AS "left", a.body, (SELECT sum(iif(l.from_account = i.account_id, -l.credits, l.credits))
            FROM (${LEDGER_LINES}) l WHERE i.account_id IN (l.from_account, l.to_account) AND l.id <= i.line) AS after
        FROM idempotency i JOIN remembered_answer a ON a.line = i.line WHERE i.account_id = ? AND i.state = 'done' ORDER BY i.line`,
      args: [accountId],
    });
    for (const { key, left, after, body } of rows) {
      expect([left, JSON.parse(unpackAnswer(body)).key]).toEqual([after, key]);
    }
    return rows.map(({ key, left }) => [key, left]);
  };
  const claimElsewhere = async ({ accountId }: Customer, key: string, untilMs: number) => {
    const sql = `INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
      VALUES (?, ?, 'same', 'running', 'elsewhere', ?, '', 0)`;
    await accounts.write([{ sql, args: [accountId, key, untilMs] }]);
  };
  const countRows = async ({ accountId }: Customer) =>
    (
      await accounts.read<{ lines: number }>({
        sql: "SELECT lines FROM transfer WHERE from_account = ? AND kind = 'charge' ORDER BY id",
        args: [accountId],
      })
    ).map(({ lines }) => lines);

  it('are one batch, and at one price one row', async () => {
    const [one, other] = [await makeCustomer(100), await makeCustomer(20)];
    const debits = [keyed(one, 'a', 5), keyed(other, 'a', 7), keyed(one, 'b', 10), keyed(one, 'c', 5)];
    const { left, sizes } = await keyedTogether(debits, [debit(one, 3), debit(other, 2)]);
    expect([left, sizes]).toEqual([[95, 13, 80, 90], [6]]);
    expect([await recorded(one), await recorded(other)]).toEqual([
      [
        ['a', 95],
        ['c', 90],
        ['b', 80],
      ],
      [['a', 13]],
    ]);
    expect([await balanceOf(one), await balanceOf(other)]).toEqual([{ balance: 77 }, { balance: 11 }]);
    expect(await countRows(one)).toEqual([2, 1, 1]);
  });

  it('of one key are one, whether they come together or later, and a claim that runs elsewhere is left alone', async () => {
    const customer = await makeCustomer(100);
    await claimElsewhere(customer, 'running', now.getTime() + 1);
    await claimElsewhere(customer, 'ended', now.getTime());
    await claimElsewhere(customer, 'by a clock ahead', now.getTime() + 86_400_000);
    const keys = ['a', 'a', 'running', 'ended', 'by a clock ahead'];
    const { left } = await keyedTogether(keys.map((key) => keyed(customer, key, 5)));
    const ofA = { key: 'a', credits_charged: 5, credits_remaining: 95 };
    expect(left).toMatchObject([95, ofA, 'idempotency_in_flight', 90, 85]);
    const again = await keyedTogether([keyed(customer, 'a', 5), keyed(customer, 'b', 5)]);
    expect(again.left).toMatchObject([ofA, 80]);
    expect(await recorded(customer)).toEqual([
      ['a', 95],
      ['ended', 90],
      ['by a clock ahead', 85],
      ['b', 80],
    ]);
    expect(await countRows(customer)).toEqual([3, 1]);
  });

  it('are judged by the time of the earliest: no later one ends a claim that it found held', async () => {
    const customer = await makeCustomer(100);
    await claimElsewhere(customer, 'running', now.getTime() + 2);
    const debits = [keyed(customer, 'running', 5), keyed(customer, 'b', 5, 5)];
    for (const order of [debits, debits.toReversed()]) {
      const { left, sizes } = await keyedTogether(order);
      expect([left.includes('idempotency_in_flight'), sizes[0]]).toEqual([true, 2]);
    }
    expect(await recorded(customer)).toEqual([['b', 95]]);
  });

  it('store no answer under a line that has lost its own', async () => {
    const customer = await makeCustomer(20);
    await keyedTogether([keyed(customer, 'a', 5)]);
    await accounts.write([{ sql: 'DELETE FROM remembered_answer' }]);
    const again = await keyedTogether([keyed(customer, 'a', 5), keyed(customer, 'b', 5)]);
    expect([again.left, await recorded(customer)]).toEqual([['invalid', 10], [['b', 10]]]);
  });

  it('that cannot be paid leave nothing behind', async () => {
    const poor = await makeCustomer(7);
    expect((await keyedTogether([keyed(poor, 'a', 5), keyed(poor, 'b', 5)])).left).toEqual([2, null]);
    expect(await recorded(poor)).toEqual([['a', 2]]);
    // The last is judged again alone, as one before it was refused.
    expect((await keyedTogether([keyed(poor, 'c', 3), keyed(poor, 'd', 1)])).left).toEqual([null, 1]);
    expect([await recorded(poor), await countRows(poor)]).toEqual([
      [
        ['a', 2],
        ['d', 1],
      ],
      [1, 1],
    ]);
  });

  it('sent by two API keys of an account are paid by the one that can pay', async () => {
    const customer = await makeCustomer(20, 4);
    const [capped, stopped, working] = [customer.keyId, await customer.addKey(), await customer.addKey()];
    await revokeKey(accounts, customer.accountId, stopped, AT);
    const sent = [
      ['a', capped],
      ['a', working],
      ['b', stopped],
      ['b', working],
    ] as const;
    const { left } = await keyedTogether(sent.map(([key, keyId]) => keyed({ ...customer, keyId }, key, 5)));
    expect(left).toEqual([null, 15, null, 10]);
    expect(await recorded(customer)).toEqual([
      ['a', 15],
      ['b', 10],
    ]);
  });

  it('are charged and written down once where the server did not say that it wrote them', async () => {
    const customer = await makeCustomer(10);
    const { left } = await keyedTogether([keyed(customer, 'a', 5), keyed(customer, 'b', 5)], [], losingFirstAnswer());
    expect([left, await balanceOf(customer)]).toEqual([[5, 0], { balance: 0 }]);
    expect(await recorded(customer)).toEqual([
      ['a', 5],
      ['b', 0],
    ]);
  });

  it('of many calls, keys and prices, with keys that come again, are charged once each', async () => {
    const random = makeRandom('keyed debits');
    const below = (most: number) => random.int(0, most - 1);
    const customers = await Promise.all([60, 400, 2_000].map((credits) => makeCustomer(credits)));
    const seen = new Map<string, unknown>();
    for (let round = 0; round < 12; round++) {
      const debits = Array.from({ length: 1 + below(300) }, () =>
        keyed(customers[below(3)] as Customer, `k${below(900)}`, 1 + below(3)),
      );
      const { left } = await keyedTogether(debits);
      for (const [place, { row }] of debits.entries()) {
        const [answer, before] = [left[place], seen.get(row[0])];
        const remaining = typeof answer === 'number' ? answer : answer?.credits_remaining;
        if (remaining === undefined) continue;
        // Whether first or repeated, it says the same.
        if (before !== undefined) expect(remaining).toBe(before);
        seen.set(row[0], remaining);
      }
    }
    const keys = await Promise.all(customers.map(recorded));
    expect(keys.flat()).toHaveLength(seen.size);
    expect(keys.map((some) => some.length > 0)).toEqual([true, true, true]);
  });
});
