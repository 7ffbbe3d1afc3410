import { type Account, readAccount } from '../../../schema/accounts/customer/account.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { ExpectedFault } from '../../process/services.ts';

/** Returns a customer's account. @throws ExpectedFault for an unknown id or an internal account (`@mint`, `@revenue`). */
export async function findAccount(accounts: Database, id: string): Promise<Account> {
  const account = id.startsWith('@') ? null : await readAccount(accounts, id);
  if (!account) throw noAccount(id);
  return account;
}

/** An account that is to be changed or credited. @throws ExpectedFault also for a closed one. */
export async function findOpenAccount(accounts: Database, id: string): Promise<Account> {
  const account = await findAccount(accounts, id);
  if (account.state === 'closed') throw closedForGood(id);
  return account;
}

/** The fault of a command on an account that there is not. */
export const noAccount = (id: string) => new ExpectedFault(`no account ${id}: see \`account list\``);

/** The fault of a command on an account that is closed, perhaps since it was found. */
export const closedForGood = (id: string) => new ExpectedFault(`account ${id} is closed for good`);
