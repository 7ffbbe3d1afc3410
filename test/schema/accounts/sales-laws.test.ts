import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { newPaymentStatement, readPayment, storeReversal, storeSession } from '../../../schema/accounts/payments.ts';
import { dropWaitingStatements } from '../../../schema/accounts/watches/dropped.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { addDelivery, addWatch, openAccount } from '../../jobs/watches/seed.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { findFaults, plant } from './tamper.ts';

const AT = '2026-06-01T09:00:00Z';
const PAYMENT = { id: 'pay_1', credits: 100, amount: 120, vat: 20, vat_percent: 20, currency: 'gbp', live: 0 };
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;

/** One delivery was accepted, the other dropped and refunded; of a payment of 100 credits a quarter was refunded. */
beforeEach(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
  const accountId = await openAccount(accounts);
  const { id: watchId } = await addWatch(accounts, { account_id: accountId });
  await addDelivery(accounts, watchId, ['a']);
  await accounts.write([{ sql: "UPDATE watch_delivery SET status = 'delivered'" }]);
  await addDelivery(accounts, watchId, ['b']);
  await accounts.write(dropWaitingStatements({ watchId, why: 'its watch was changed', at: AT }));
  await accounts.write([newPaymentStatement({ ...PAYMENT, account_id: accountId, created_at: AT })]);
  const payment = (await readPayment(accounts, 'pay_1')) ?? expect.fail('no payment');
  const session = { paymentId: 'pay_1', sessionId: 'cs', intent: 'pi', state: 'paid', saidAt: 1 } as const;
  await storeSession(accounts, payment, session, AT);
  const refund = {
    id: 're',
    intent: 'pi',
    kind: 'refund',
    amount: 30,
    isEffective: true,
    status: 'succeeded',
  } as const;
  await storeReversal(accounts, { ...refund, saidAt: 1 }, AT);
});
afterEach(async () => {
  await accounts.close();
  await folder.remove();
});

it('the proof of the ledger finds nothing in what was sold as it should be', async () => {
  expect(await verifyLedger(accounts)).toMatchObject({ credits: 250 - 2 + 75, charges: 2, faults: [] });
});

const CORRECTION = "kind = 'top_up' AND corrects IS NOT NULL";

it.each([
  [
    'a delivery that nobody paid',
    "UPDATE watch_delivery SET charge_id = 'ch_none' WHERE number = 1",
    /^a delivery without its charge: wd_/,
  ],
  [
    'a delivery of another price',
    'UPDATE watch_delivery SET credits = 3 WHERE number = 1',
    /^a delivery without its charge: wd_/,
  ],
  [
    'a charge for no delivery',
    'DELETE FROM watch_delivery WHERE number = 1',
    /^a charge without its delivery: charge:ch_/,
  ],
  [
    'a dropped delivery that was not refunded',
    "UPDATE watch_delivery SET status = 'dropped'",
    /^refunds of a delivery that do not fit: wd_/,
  ],
  [
    'a refund of one that was accepted',
    "UPDATE watch_delivery SET status = 'delivered'",
    /^refunds of a delivery that do not fit: wd_/,
  ],
  ['a payment without its credits', "UPDATE payment SET id = 'pay_2'", /^a payment without its top-up: pay_2/],
  ['a payment of other credits', 'UPDATE payment SET credits = 101', /^a payment without its top-up: pay_1/],
  [
    'credits of a payment that did not come',
    "UPDATE payment SET state = 'failed'",
    /^a payment without its top-up: pay_1/,
  ],
  [
    'more taken back than was bought',
    `UPDATE transfer SET credits = 101 WHERE ${CORRECTION}`,
    /^a top-up taken back more than once over: top_up:pay_1/,
  ],
  [
    'credits given back that were not taken',
    `UPDATE transfer SET from_account = to_account, to_account = from_account WHERE ${CORRECTION}`,
    /^a top-up taken back more than once over: top_up:pay_1/,
  ],
])('it names %s', async (_name, sql, said) => {
  await plant(accounts, sql);
  expect((await findFaults(accounts)).join('\n')).toMatch(new RegExp(said.source, 'm'));
});
