import { afterAll, beforeAll, expect } from 'vitest';
import type { DebitRow } from '../../../api/metering/grouped-debits.ts';
import { createAccount, createKey } from '../../../schema/accounts/customer/account.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { type Database, OutcomeUnknown } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

/** When everything happens. */
export const AT = '2026-11-23T10:00:00Z';

let folder: Awaited<ReturnType<typeof makeFolder>>;
/** The accounts of the test file that called `useAccounts`. */
export let accounts: Database;

/** Accounts for the tests of a file, whose ledger is proved after the last. */
export function useAccounts(): void {
  beforeAll(async () => {
    folder = await makeFolder();
    accounts = await makeDatabase(folder.path, 'accounts');
  });
  afterAll(async () => {
    expect((await verifyLedger(accounts)).faults).toEqual([]);
    await accounts.close();
    await folder.remove();
  });
}

export async function makeCustomer(credits: number, monthlyCap?: number) {
  const { id: accountId } = await createAccount(accounts, { name: 'test', signupCredits: credits, at: AT });
  const add = async (cap?: number) => {
    const given = { accountId, name: 'test', prefix: 'svc_live_', at: AT };
    const { id } = await createKey(accounts, cap === undefined ? given : { ...given, monthlyCap: cap });
    return id;
  };
  return { accountId, keyId: await add(monthlyCap), addKey: add };
}
export type Customer = Awaited<ReturnType<typeof makeCustomer>>;

let charges = 0;
/** A debit of a call of its own. */
export function debit({ accountId, keyId }: Pick<Customer, 'accountId' | 'keyId'>, credits: number): DebitRow {
  charges += 1;
  return [`charge:ch_${charges}`, credits, 'lookup_thing', `request-${charges}`, AT, keyId, accountId];
}

export async function balanceOf({ accountId }: Pick<Customer, 'accountId'>) {
  return (await accounts.read({ sql: 'SELECT balance FROM account WHERE id = ?', args: [accountId] }))[0];
}

/** The accounts on a server whose first answer to a write is lost. */
export function losingFirstAnswer(): Database {
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
}
