import { describe, expect, it } from 'vitest';
import { makeCommitter } from '../../../api/concurrency/group-commit.ts';
import { type DebitRow, debitTogether, findShortfall, toRuns } from '../../../api/metering/grouped-debits.ts';
import { LEDGER_LINES } from '../../../schema/accounts/ledger/lines.ts';
import { LINES_MAX } from '../../../schema/accounts/ledger/transfers.ts';
import { type Database, DatabaseFault, OutcomeUnknown } from '../../../schema/db/interface.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import { AT, accounts, balanceOf, debit, losingFirstAnswer, makeCustomer, useAccounts } from './accounts.ts';

useAccounts();

/** Debits of calls that come at once: those made say what they left, those refused nothing. */
const together = async (rows: readonly DebitRow[], database = accounts) => {
  const sizes: number[] = [];
  const committer = makeCommitter(database, (size) => sizes.push(size));
  const states = await Promise.all(rows.map((row) => debitTogether(committer, row)));
  return { left: states.map(({ charged, remaining }) => (charged === 1 ? remaining : null)), sizes };
};

/** The keys of those rows that are lines of the ledger, in its order. */
const linesOf = async (rows: readonly DebitRow[]) =>
  (
    await accounts.read<{ key: string }>({
      sql: `SELECT key FROM (${LEDGER_LINES}) WHERE key IN (SELECT value FROM json_each(?)) ORDER BY id`,
      args: [JSON.stringify(rows.map(([charge]) => charge))],
    })
  ).map(({ key }) => key);

describe('debits that come at once', () => {
  it('are one batch, those of one key at one price one row, and say what each left as one after the other', async () => {
    const [one, other] = [await makeCustomer(100), await makeCustomer(20)];
    const rows = [debit(one, 5), debit(other, 7), debit(one, 10), debit(other, 7), debit(one, 1)];
    const { left, sizes } = await together(rows);
    expect(left).toEqual([95, 13, 85, 6, 84]);
    expect(sizes).toEqual([5]);
    const inOrder = [0, 1, 3, 2, 4].map((place) => rows[place]?.[0]);
    expect(await linesOf(rows)).toEqual(inOrder);
    const stored = 'SELECT lines FROM transfer WHERE key IN (SELECT value FROM json_each(?)) ORDER BY id';
    const lengths = await accounts.read({ sql: stored, args: [JSON.stringify(inOrder)] });
    expect(lengths).toEqual([{ lines: 1 }, { lines: 2 }, { lines: 1 }, { lines: 1 }]);
  });

  it('of two moments are two rows, each of its own', async () => {
    const customer = await makeCustomer(20);
    const [first, second] = [debit(customer, 5), debit(customer, 5)];
    const later = second.with(4, '2026-11-23T10:00:01Z') as DebitRow;
    expect((await together([first, later])).left).toEqual([15, 10]);
    const sql = 'SELECT created_at AS at FROM transfer WHERE key IN (?, ?) ORDER BY id';
    expect(await accounts.read({ sql, args: [first[0], second[0]] })).toEqual([{ at: AT }, { at: later[4] }]);
  });

  it('are charged from the first on where not all of one row can be paid', async () => {
    const [poor, capped] = [await makeCustomer(23), await makeCustomer(100, 11)];
    const rows = Array.from({ length: 6 }, () => debit(poor, 5));
    expect((await together(rows)).left).toEqual([18, 13, 8, 3, null, null]);
    expect(await linesOf(rows)).toEqual(rows.slice(0, 4).map(([charge]) => charge));
    expect((await together([debit(capped, 5), debit(capped, 5), debit(capped, 5)])).left).toEqual([95, 90, null]);
    // A row of which one line is left is as any other of one line.
    const last = [debit(poor, 3), debit(poor, 3)];
    expect([(await together(last)).left, await linesOf(last)]).toEqual([[0, null], [last[0]?.[0]]]);
    const sql = 'SELECT lines, request_id, charges FROM transfer WHERE key = ?';
    const [, , , request] = last[0] as DebitRow;
    expect(await accounts.read({ sql, args: [last[0]?.[0] ?? ''] })).toEqual([
      { lines: 1, request_id: request, charges: null },
    ]);
  });

  it('leave what they should, whatever comes together', async () => {
    const random = makeRandom('debits');
    const customers = [await makeCustomer(400), await makeCustomer(90, 60), await makeCustomer(15)];
    const known = new Map(customers.map(({ accountId }) => [accountId, [] as number[]]));
    for (let round = 0; round < 40; round++) {
      const rows = Array.from({ length: random.int(1, 12) }, () =>
        debit(random.pick(customers), random.pick([1, 2, 5])),
      );
      const { left } = await together(rows, round % 5 ? accounts : losingFirstAnswer());
      const paid = rows.filter((_, place) => left[place] !== null);
      expect(new Set(await linesOf(rows))).toEqual(new Set(paid.map(([charge]) => charge)));
      for (const [place, [, , , , , , account]] of rows.entries()) {
        const remaining = left[place];
        if (typeof remaining === 'number') known.get(account)?.push(remaining);
      }
    }
    for (const customer of customers) {
      const remainders = known.get(customer.accountId) ?? [];
      // No two answers name one balance, and the least is what is there.
      expect(new Set(remainders).size).toBe(remainders.length);
      expect(await balanceOf(customer)).toEqual({ balance: Math.min(...remainders) });
    }
  });

  it('are made once where the database does not say whether it wrote them, and then fails', async () => {
    const customer = await makeCustomer(100);
    const faults = [new OutcomeUnknown('no answer'), new DatabaseFault('the disk is full')];
    const failing: Database = {
      ...accounts,
      async write(statements) {
        const fault = faults.shift();
        if (!fault || fault instanceof OutcomeUnknown) await accounts.write(statements);
        throw fault ?? new Error('they are tried once more');
      },
    };
    const committer = makeCommitter(failing);
    const rows = [debit(customer, 5), debit(customer, 5), debit(customer, 5)];
    const settled = await Promise.allSettled(rows.map((row) => debitTogether(committer, row)));
    expect(settled.map((one) => (one.status === 'rejected' ? one.reason.name : one))).toEqual(
      rows.map(() => 'OutcomeUnknown'),
    );
    expect(await balanceOf(customer)).toEqual({ balance: 85 });
  });

  it('are refused where the database lacks their account or key, without harm to others', async () => {
    const customer = await makeCustomer(100);
    const nobody = { accountId: 'acct_nobody', keyId: 'key_of_nobody' };
    const keyless = { accountId: customer.accountId, keyId: 'key_nobody' };
    const rows = [debit(customer, 5), debit(nobody, 5), debit(customer, 5), debit(keyless, 5)];
    const committer = makeCommitter(accounts);
    const states = await Promise.all(rows.map((row) => debitTogether(committer, row)));
    expect(states.map((state) => [state.charged, findShortfall(state, 5)])).toEqual([
      [1, null],
      [0, 'stopped'],
      [1, null],
      [0, 'stopped'],
    ]);
    expect(await balanceOf(customer)).toEqual({ balance: 90 });
  });

  it('charge no more than there is, and all that is affordable once another was refused', async () => {
    const poor = await makeCustomer(50);
    // The second is judged as if the first were charged, and again alone.
    expect((await together([debit(poor, 60), debit(poor, 30), debit(poor, 20)])).left).toEqual([null, 20, 0]);
    expect(await balanceOf(poor)).toEqual({ balance: 0 });
    const twin = await makeCustomer(50);
    expect((await together([debit(twin, 30), debit(twin, 30), debit(twin, 20)])).left).toEqual([20, null, 0]);
  });

  it('keep to the cap of each key, and to the state of key and account', async () => {
    const capped = await makeCustomer(100, 12);
    const free = { ...capped, keyId: await capped.addKey() };
    const rows = [debit(capped, 5), debit(free, 50), debit(capped, 5), debit(capped, 5), debit(capped, 2)];
    // Those of one row come before the next row, and the last is judged again alone.
    expect((await together(rows)).left).toEqual([95, 40, 90, null, 38]);
    const twoPrices = await makeCustomer(100, 12);
    const priced = [5, 5, 3].map((credits) => debit(twoPrices, credits));
    expect((await together(priced)).left).toEqual([95, 90, null]);
    const stopped = await makeCustomer(100);
    await accounts.write([{ sql: "UPDATE account SET state = 'frozen' WHERE id = ?", args: [stopped.accountId] }]);
    expect((await together([debit(stopped, 5), debit(free, 5)])).left).toEqual([null, 33]);
  });

  it('of two keys count together against the balance: what it cannot pay fails no batch', async () => {
    const customer = await makeCustomer(50);
    const other = { ...customer, keyId: await customer.addKey() };
    let writes = 0;
    const counting: Database = {
      ...accounts,
      write(statements) {
        writes += 1;
        return accounts.write(statements);
      },
    };
    expect((await together([debit(customer, 30), debit(other, 30)], counting)).left).toEqual([20, null]);
    expect(writes).toBe(1);
  });

  it('are as many in a row as the ledger takes', async () => {
    const customer = await makeCustomer(0);
    const lengths = toRuns(Array.from({ length: 2 * LINES_MAX + 1 }, () => debit(customer, 1))).map(
      ({ charges }) => charges.length,
    );
    expect(lengths).toEqual([LINES_MAX, LINES_MAX, 1]);
  });

  it('are charged once where the server did not say that it wrote them', async () => {
    const customer = await makeCustomer(10);
    expect((await together([debit(customer, 5), debit(customer, 5)], losingFirstAnswer())).left).toEqual([5, 0]);
    expect(await balanceOf(customer)).toEqual({ balance: 0 });
  });
});
