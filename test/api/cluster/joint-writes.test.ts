import { symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeJointWriter, writeJointly } from '../../../api/cluster/joint-writes.ts';
import type { OfPrimary } from '../../../api/cluster/questions.ts';
import { describeLoss } from '../../../api/cluster/worker.ts';
import { makeCommitter, type WriteGroup } from '../../../api/concurrency/group-commit.ts';
import { makePeer } from '../../../api/concurrency/peer.ts';
import { toRefusal } from '../../../api/contract/errors.ts';
import { debitTogether } from '../../../api/metering/grouped-debits.ts';
import { debitKeyed, type KeyedDebit } from '../../../api/metering/keyed-calls.ts';
import { makeContext } from '../../../api/process/context.ts';
import { packAnswer } from '../../../schema/accounts/remembered-answers.ts';
import { type Database, DatabaseBusy } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { buildServer } from '../../support/services.ts';
import { AT, accounts, balanceOf, type Customer, debit, makeCustomer, useAccounts } from '../metering/accounts.ts';

useAccounts();

let primary: ReturnType<typeof makeJointWriter>;
beforeAll(() => {
  primary = makeJointWriter(accounts.url);
});
afterAll(() => primary.close());

/** The committer of a worker, whose writes reach the primary as they do between processes. */
const makeWorker = () => {
  const sent = writeJointly(async (writes) => structuredClone(await primary.writeGroup(structuredClone(writes))));
  return makeCommitter(accounts, undefined, sent);
};
const keyed = (customer: Customer, key: string): KeyedDebit => {
  const { accountId } = customer;
  const [, ...fields] = debit(customer, 2);
  const claimed = {
    keyed: { key, loc: [], accountId, fingerprint: 'same' },
    claim: { accountId, key, token: `token of ${key}` },
  };
  return { row: [`charge:ch_${accountId}-${key}`, ...fields], claimed, now: new Date(AT), answer: packAnswer('{}') };
};
const readRows = ({ accountId }: Customer) =>
  accounts.read({
    sql: "SELECT action, credits, lines FROM transfer WHERE from_account = ? AND kind = 'charge' ORDER BY id",
    args: [accountId],
  });

describe('what several workers write at once', () => {
  it('is one batch, in which the debits of one key are one row, and each call has its own result', async () => {
    const customer = await makeCustomer(100);
    const workers = [makeWorker(), makeWorker()];
    // The first write opens the file; those that come meanwhile are joined.
    const opening = makeWorker().commit([{ sql: 'SELECT 1' }]);
    const left = await Promise.all([
      ...workers.map((worker) => debitTogether(worker, debit(customer, 5))),
      ...workers.map((worker, place) => debitKeyed({ accounts, committer: worker }, keyed(customer, `k${place}`))),
    ]);
    await opening;
    expect(left.map((one) => ('remaining' in one ? one.remaining : null))).toEqual([95, 90, 88, 86]);
    expect(await readRows(customer)).toEqual([
      { action: 'lookup_thing', credits: 10, lines: 2 },
      { action: 'lookup_thing', credits: 4, lines: 2 },
    ]);
  });

  it('harms no other call where it is refused', async () => {
    const customer = await makeCustomer(10);
    const [one, other] = [makeWorker(), makeWorker()];
    const asked = await Promise.allSettled([
      one.commit([{ sql: "INSERT INTO lease (name) VALUES ('without the rest')" }]),
      debitTogether(one, debit(customer, 3)),
      debitTogether(other, debit(customer, 3)),
    ]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(await balanceOf(customer)).toEqual({ balance: 4 });
  });

  it('may have been written where the first process ends before it says so, as what it only reads is not', async () => {
    const asked: object[] = [];
    const port = { send: (message: object) => void asked.push(message), listen: () => undefined };
    const first = makePeer<OfPrimary, object>(port, {}, describeLoss);
    const committer = makeCommitter(
      accounts,
      undefined,
      writeJointly((writes) => first.ask('writeGroup', writes)),
    );
    const lost = Promise.allSettled([
      debitTogether(committer, debit(await makeCustomer(10), 3)),
      first.ask('write', []),
      first.ask('turn', { place: 'exports', waitingMost: 1 }),
    ]);
    await vi.waitFor(() => expect(asked).toHaveLength(3));
    first.lose();
    const refusals = (await lost).map((one) => toRefusal(one.status === 'rejected' ? one.reason : undefined));
    expect(refusals.map(({ status }) => status)).toEqual([503, 503, 503]);
    const unsure = refusals.map(({ message }) =>
      message.startsWith('The service cannot say whether this call was charged.'),
    );
    expect(unsure).toEqual([true, true, false]);
  });

  it('is refused as what it is where the file is held', async () => {
    const customer = await makeCustomer(10);
    const other = await openDatabase({ url: accounts.url, durability: 'full' });
    await other.read({ sql: 'BEGIN IMMEDIATE' });
    await expect(debitTogether(makeWorker(), debit(customer, 3))).rejects.toThrow(DatabaseBusy);
    await other.read({ sql: 'COMMIT' });
    await other.close();
    expect(await balanceOf(customer)).toEqual({ balance: 10 });
  });

  it('is refused alone where its grouping is of another version of the program', async () => {
    const customer = await makeCustomer(10);
    const strange = { statements: [], grouped: { name: 'newer', row: null, bytes: 0 } };
    const [own, foreign] = await Promise.all([
      debitTogether(makeWorker(), debit(customer, 3)),
      primary.writeGroup([strange as never]),
    ]);
    expect([own.remaining, foreign]).toEqual([7, [{ fault: expect.anything() }]]);
  });

  it('is written once the file can be opened again', async () => {
    const customer = await makeCustomer(10);
    const moved = makeJointWriter(`${accounts.url}.moved`);
    const place = fileURLToPath(accounts.url);
    const statement = { sql: 'UPDATE account SET name = name WHERE id = ?', args: [customer.accountId] };
    await expect(moved.write([statement])).rejects.toThrow();
    await symlink(place, `${place}.moved`);
    expect(await moved.write([statement])).toMatchObject([{ changes: 1 }]);
    await moved.close();
  });

  it('is not sent where nobody could group it', async () => {
    const unknown = () => ({ statements: [], results: () => [] });
    await expect(makeWorker().commitRow(unknown, 'a row')).rejects.toThrow('unknown grouping');
  });
});

describe('a process that has others next to it', () => {
  const writeGroup: WriteGroup = async (writes) =>
    writes.map(() => ({ status: 'fulfilled', value: 'written jointly' }));

  it.each([
    ["hands what its calls write to the accounts' file to the others", 'file:', 'written jointly'],
    ['writes to a server itself', 'libsql://', ['written here']],
  ])('%s', async (_what, scheme, written) => {
    const server = await buildServer({});
    const here: Database = {
      ...server.accounts,
      url: `${scheme}accounts`,
      write: async () => ['written here'] as never,
    };
    const machine = { ...server.services.machine, writeGroup };
    const context = makeContext({ ...server.services, accounts: here, machine }, [], pino({ level: 'silent' }));
    expect(await context.committer.commit([{ sql: 'SELECT 1' }])).toEqual(written);
    await server.close();
  });
});
