import { type Account, createAccount, readAccountOfUser } from '../../../schema/accounts/customer/account.ts';
import { isFormerAddress } from '../../../schema/accounts/customer/erase.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import type { Visitor } from '../auth/sessions.ts';
import type { Web } from '../context.ts';

/**
 * The account of somebody who signed up, opened the first time. Its free credits come then, as nobody is signed in before
 * their address is confirmed, but for an address that had them with an account that was deleted.
 */
export async function openAccount({ services }: Web, { userId, name, email }: Visitor): Promise<Account> {
  const { accounts, settings, clocks, secret } = services;
  const known = await readAccountOfUser(accounts, userId);
  if (known) return known;
  const signupCredits = (await isFormerAddress(accounts, email, secret)) ? 0 : settings.SIGNUP_CREDITS;
  return createAccount(accounts, { name, userId, signupCredits, at: isoInstant(clocks.wallNow()) });
}
