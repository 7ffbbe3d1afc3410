import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCommitter } from '../../../api/concurrency/group-commit.ts';
import { type DebitRow, debitTogether } from '../../../api/metering/grouped-debits.ts';
import { debitKeyedTogether, type KeyedDebit } from '../../../api/metering/one-batch.ts';
import { createAccount, createKey } from '../../../schema/accounts/customer/account.ts';
import { LEDGER_LINES } from '../../../schema/accounts/ledger/lines.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { type Database, OutcomeUnknown } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeRandom } from '../../upstream/sample/random.ts';

const AT = '2026-11-23T10:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
});
afterAll(async () => {
  expect((await verifyLedger(accounts)).faults).toEqual([]);
  await accounts.close();
  await folder.remove();
});

async function makeCustomer(credits: number, monthlyCap?: number) {
  const { id: accountId } = await createAccount(accounts, { name: 'test', signupCredits: credits, at: AT });
  const add = async (cap?: number) => {
    const given = { accountId, name: 'test', prefix: 'svc_live_', at: AT };
    const { id } = await createKey(accounts, cap === undefined ? given : { ...given, monthlyCap: cap });
    return id;
  };
  return { accountId, keyId: await add(monthlyCap), addKey: add };
}
type Customer = Awaited<ReturnType<typeof makeCustomer>>;

let charges = 0;
const debit = ({ accountId, keyId }: Pick<Customer, 'accountId' | 'keyId'>, credits: number): DebitRow =>
  [...[`charge:ch_${charges++}`, credits, 'lookup_thing', `request-${charges}`, AT, keyId, accountId]] as DebitRow;
/** Debits of calls that come at once: those made say what they left, those refused nothing. */
const together = async (rows: readonly DebitRow[], database = accounts) => {
  const sizes: number[] = [];
  const committer = makeCommitter(database, (size) => sizes.push(size));
  const states = await Promise.all(rows.map((row) => debitTogether(committer, row)));
  return { left: states.map(({ charged, remaining }) => (charged === 1 ? remaining : null)), sizes };
};
const balanceOf = async ({ accountId }: Customer) =>
  (await accounts.read({ sql: 'SELECT balance FROM account WHERE id = ?', args: [accountId] }))[0];

/** The keys of those rows that are lines of the ledger, in its order. */
const linesOf = async (rows: readonly DebitRow[]) =>
  (
    await accounts.read<{ key: string }>({
      sql: `SELECT key FROM (${LEDGER_LINES}) WHERE key IN (SELECT value FROM json_each(?)) ORDER BY id`,
      args: [JSON.stringify(rows.map(([charge]) => charge))],
    })
  ).map(({ key }) => key);

/** The accounts on a server whose first answer to a write is lost. */
const losingFirstAnswer = (): Database => {
  let isLost = true;
  return {
    ...accounts,
    async write(statements) {
      const outcomes = await accounts.write(statements);
      if (!isLost) return outcomes;
      isLost = false;
      throw new OutcomeUnknown('no answer');
    },
  };
};

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
    const stopped = await makeCustomer(100);
    await accounts.write([{ sql: "UPDATE account SET state = 'frozen' WHERE id = ?", args: [stopped.accountId] }]);
    expect((await together([debit(stopped, 5), debit(free, 5)])).left).toEqual([null, 33]);
  });

  it('are charged once where the server did not say that it wrote them', async () => {
    const customer = await makeCustomer(10);
    expect((await together([debit(customer, 5), debit(customer, 5)], losingFirstAnswer())).left).toEqual([5, 0]);
    expect(await balanceOf(customer)).toEqual({ balance: 0 });
  });
});

describe('keyed debits that come at once', () => {
  const now = new Date(AT);
  const STORE = `INSERT INTO remembered_answer (line, expires_at, bytes, body)
    SELECT id, 0, 2, '{}' FROM transfer WHERE key = ? ON CONFLICT (line) DO NOTHING`;
  const keyed = (customer: Customer, key: string, credits: number): KeyedDebit => {
    const { accountId } = customer;
    const chargeId = `ch_${accountId}-${key}`;
    const [, ...fields] = debit(customer, credits);
    const row: DebitRow = [`charge:${chargeId}`, ...fields];
    const claim = { accountId, key, token: `token-${charges}` };
    const claimed = { keyed: { key, loc: [], accountId, fingerprint: 'same' }, claim, inOneBatch: true as const };
    return { row, claimed, chargeId, now, store: { sql: STORE, args: [row[0]] } };
  };
  const keyedTogether = async (debits: readonly KeyedDebit[], more: readonly DebitRow[] = [], database = accounts) => {
    const sizes: number[] = [];
    const committer = makeCommitter(database, (size) => sizes.push(size));
    const asked = debits.map((one) => debitKeyedTogether(committer, one));
    await Promise.all(more.map((row) => debitTogether(committer, row)));
    const outcomes = await Promise.all(asked);
    return { left: outcomes.map(({ remaining }) => remaining), charged: outcomes.map(({ charged }) => charged), sizes };
  };
  const recorded = async ({ accountId }: Customer) =>
    (
      await accounts.read<{ left: number }>({
        sql: `SELECT i.credits_remaining AS left FROM idempotency i JOIN transfer t ON t.key = 'charge:' || i.charge_id
          JOIN remembered_answer a ON a.line = t.id WHERE i.account_id = ? ORDER BY t.id`,
        args: [accountId],
      })
    ).map(({ left }) => left);

  it('are one batch, written down with what each left, also before others that have no key', async () => {
    const [one, other] = [await makeCustomer(100), await makeCustomer(20)];
    const debits = [keyed(one, 'a', 5), keyed(other, 'a', 7), keyed(one, 'b', 10), keyed(one, 'c', 1)];
    const { left, sizes } = await keyedTogether(debits, [debit(one, 3), debit(other, 2)]);
    expect([left, sizes]).toEqual([[95, 13, 85, 84], [6]]);
    expect([await recorded(one), await recorded(other)]).toEqual([[95, 85, 84], [13]]);
    expect([await balanceOf(one), await balanceOf(other)]).toEqual([{ balance: 81 }, { balance: 11 }]);
  });

  it('of one key are one, whether they come together or later, and a claim that runs elsewhere is left alone', async () => {
    const customer = await makeCustomer(100);
    const { accountId } = customer;
    const claimed = `INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
      VALUES (?, ?, 'same', 'running', 'elsewhere', ?, '', 0)`;
    await accounts.write([
      { sql: claimed, args: [accountId, 'running', now.getTime() + 1] },
      { sql: claimed, args: [accountId, 'ended', now.getTime()] },
    ]);
    const keys = ['a', 'a', 'running', 'ended'];
    const { left } = await keyedTogether(keys.map((key) => keyed(customer, key, 5)));
    expect(left).toEqual([95, undefined, undefined, 90]);
    const again = await keyedTogether([keyed(customer, 'a', 5), keyed(customer, 'b', 5)]);
    expect(again.left).toEqual([undefined, 85]);
    expect(await recorded(customer)).toEqual([95, 90, 85]);
  });

  it('that cannot be paid leave nothing behind', async () => {
    const poor = await makeCustomer(7);
    const { left, charged } = await keyedTogether([keyed(poor, 'a', 5), keyed(poor, 'b', 5)]);
    expect([left, charged, await recorded(poor)]).toEqual([[2, undefined], [1, 0], [2]]);
  });

  it('are charged and written down once where the server did not say that it wrote them', async () => {
    const customer = await makeCustomer(10);
    const { left } = await keyedTogether([keyed(customer, 'a', 5), keyed(customer, 'b', 5)], [], losingFirstAnswer());
    // Their calls read what was written down.
    expect([left, await recorded(customer)]).toEqual([
      [undefined, undefined],
      [5, 0],
    ]);
    expect(await balanceOf(customer)).toEqual({ balance: 0 });
  });
});
