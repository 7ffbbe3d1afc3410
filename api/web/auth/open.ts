import type { Logger } from 'pino';
import { z } from 'zod';
import type { Settings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { SendMail } from '../../../schema/process/mail.ts';
import { makeBackgroundTasks } from './background-tasks.ts';
import { confirmKey, NOT_THE_PASSWORD, type SignUp } from './confirm-address.ts';
import { connect, isRefusal, makeLibrary, PASSWORD, quietly } from './library.ts';
import { makeAccountMails } from './mail.ts';
import { makeResets, type Resets } from './password-resets.ts';
import { makeSessions, type Sessions } from './sessions.ts';
import { makeUsers } from './users.ts';

/**
 * The outcome of a sign-in or a confirmation: cookies to set, or why not. `unconfirmed`: the password is right, the address
 * is not confirmed. `mistyped`: the link is valid, the password is not that of its sign-up.
 */
type Entry = { kind: 'entered'; cookies: string[]; email: string } | { kind: 'refused' | 'unconfirmed' | 'mistyped' };

/** The only interface to the auth library. Its router is not mounted: our forms call it. */
export interface Auth extends Sessions, Resets {
  /** False for an invalid address or password. Otherwise true, whether or not the address has an account: the rest goes by mail. */
  signUp(person: { name: string; email: string; password: string }): Promise<boolean>;
  signIn(person: { email: string; password: string }): Promise<Entry>;
  /** Sends another link for the latest sign-up of an address. */
  inviteAgain(email: string): void;
  /** The sign-up of a mailed link, or null if the link is not valid. Changes nothing. */
  readSignUp(token: string): Promise<{ name: string; email: string } | null>;
  /** Confirms the address of a mailed link, once, if the password is the sign-up's, and signs in. */
  confirm(token: string, password: string): Promise<Entry>;
  /** Waits for background tasks. */
  close(): Promise<void>;
}

const EMAIL = z.email();

/** Mail servers deliver to at most this many characters before the @. */
const LOCAL_CHARS = 64;

/** Whether this can be an e-mail address. */
export const isAddress = (email: string): boolean =>
  EMAIL.safeParse(email).success && email.lastIndexOf('@') <= LOCAL_CHARS;

/** Whether a password has a valid length. */
export function isPasswordLong(password: string): boolean {
  return password.length >= PASSWORD.least && password.length <= PASSWORD.most;
}

/** Opens the auth library on its own connection to the accounts database. */
export async function openAuth(
  settings: Settings,
  secret: string,
  { accounts, mail, log }: { accounts: Database; mail: SendMail | null; log: Logger },
): Promise<Auth> {
  const client = await connect(settings, accounts);
  const library = makeLibrary(settings, secret, client, accounts);
  const { internalAdapter, password: hasher } = await library.$context;
  const mails = makeAccountMails(settings, mail, log);
  const background = makeBackgroundTasks(log);
  const users = await makeUsers(library, mails.confirm);
  return {
    ...(await makeSessions(library, (email) => background.start(() => mails.changed(email)))),
    ...(await makeResets(library, { users, mails, background })),
    async signUp({ name, email, password }) {
      if (!isAddress(email) || !isPasswordLong(password)) return false;
      const hash = await hasher.hash(password);
      background.start(async () => {
        const known = await users.readUser(email);
        if (known?.emailVerified) return mails.known(known.email);
        return users.invite({ name, email, hash }, known);
      });
      return true;
    },
    signIn: (person) => enter(() => library.api.signInEmail({ body: person, returnHeaders: true })),
    inviteAgain: (email) => background.start(() => users.inviteAgain(email)),
    async readSignUp(token) {
      const stored = await quietly(() => internalAdapter.findVerificationValue(confirmKey(token)));
      if (!stored || stored.expiresAt <= new Date()) return null;
      const { userId, name, email } = JSON.parse(stored.value) as SignUp;
      const user = await quietly(() => internalAdapter.findUserById(userId));
      return user && !user.emailVerified ? { name, email: email ?? user.email } : null;
    },
    confirm: (token, password) =>
      enter(() => library.api.confirmAddress({ body: { token, password }, returnHeaders: true })),
    async close() {
      await background.drain();
      client.close();
    },
  };
}

const REFUSALS: Record<string, 'unconfirmed' | 'mistyped'> = {
  EMAIL_NOT_VERIFIED: 'unconfirmed',
  [NOT_THE_PASSWORD]: 'mistyped',
};

async function enter(call: () => Promise<{ headers: Headers; response: { user: { email: string } } }>): Promise<Entry> {
  try {
    const { headers, response } = await quietly(call);
    return { kind: 'entered', cookies: headers.getSetCookie(), email: response.user.email };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { kind: REFUSALS[error.body?.code ?? ''] ?? 'refused' };
  }
}
