import { type Account, createAccount } from '../../../schema/accounts-store.ts';
import { isoInstant } from '../../../schema/clocks.ts';
import type { Web } from '../web.ts';

/** The account of somebody who signed up, opened with its free credits the first time. Nobody is signed in before their address is confirmed. */
export function openAccount({ house }: Web, person: { userId: string; name: string }): Promise<Account> {
  const { accounts, settings, clocks } = house;
  const at = isoInstant(clocks.wallNow());
  return createAccount(accounts, {
    name: person.name,
    userId: person.userId,
    signupCredits: settings.SIGNUP_CREDITS,
    at,
  });
}
