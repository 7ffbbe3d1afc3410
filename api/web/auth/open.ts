import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Settings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { SendMail } from '../../../schema/process/mail.ts';
import { randomBase62 } from '../../../schema/text/tokens.ts';
import type { Machine } from '../../concurrency/machine.ts';
import { confirmKey, NOT_THE_PASSWORD, type SignUp } from './confirm-address.ts';
import { connect, isDone, isRefusal, type Library, makeLibrary, quietly } from './library.ts';
import { type AccountMails, makeAccountMails } from './mail.ts';
import { isAddress, isPasswordLong } from './rules.ts';
import { makeSessions, type Sessions } from './sessions.ts';
import { makeUsers, TOKEN_CHARS, type Users } from './users.ts';

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

/** Opens the auth library on its own connection to the accounts database. */
export async function openAuth(
  settings: Settings,
  secret: string,
  { accounts, machine, mail, log }: { accounts: Database; machine: Machine; mail: SendMail | null; log: Logger },
): Promise<Auth> {
  const client = await connect(settings, accounts);
  const library = makeLibrary(settings, secret, { client, accounts, machine });
  const { internalAdapter, password: hasher } = await library.$context;
  const mails = makeAccountMails(settings, mail, log);
  const background = makeBackgroundTasks(log);
  const users = await makeUsers(library, accounts, mails.confirm);
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
    signIn: (person) => enter(accounts, () => library.api.signInEmail({ body: person, returnHeaders: true })),
    inviteAgain: (email) => background.start(() => users.inviteAgain(email)),
    async readSignUp(token) {
      const stored = await quietly(() => internalAdapter.findVerificationValue(confirmKey(token)));
      if (!stored || stored.expiresAt <= new Date()) return null;
      const { userId, name, email } = JSON.parse(stored.value) as SignUp;
      const user = await quietly(() => internalAdapter.findUserById(userId));
      return user && !user.emailVerified ? { name, email: email ?? user.email } : null;
    },
    confirm: (token, password) =>
      enter(accounts, () => library.api.confirmAddress({ body: { token, password }, returnHeaders: true })),
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

/** Of more than the library lists and ends at once (100), some would stay when a person signs out everywhere else. */
const SESSIONS_MAX = 50;
/** Ends the sessions of a person (`?1`) beyond the most, those first that were used longest ago. */
const END_OLDEST = `DELETE FROM auth_session WHERE user_id = ?1 AND id NOT IN (
  SELECT id FROM auth_session WHERE user_id = ?1 ORDER BY updated_at DESC, created_at DESC LIMIT ${SESSIONS_MAX})`;

type Entered = { headers: Headers; response: { user: { id: string; email: string } } };

async function enter(accounts: Pick<Database, 'write'>, call: () => Promise<Entered>): Promise<Entry> {
  try {
    const { headers, response } = await quietly(call);
    const { id, email } = response.user;
    await accounts.write([{ sql: END_OLDEST, args: [id] }]);
    return { kind: 'entered', cookies: headers.getSetCookie(), email };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { kind: REFUSALS[error.body?.code ?? ''] ?? 'refused' };
  }
}

/** Resets a forgotten password by a mailed link. */
interface Resets {
  /** Mails a reset link if the address has an account. Neither the response nor its time shows whether it has. */
  requestReset(email: string): void;
  /** Whether a mailed reset link is still valid. Changes nothing. */
  isResettable(token: string): Promise<boolean>;
  /** Sets a new password, once for each link, and signs out everywhere. Returns the address, or null if the link is not valid. */
  reset(token: string, password: string): Promise<string | null>;
}

const RESET_SECONDS = 3_600;
/** The library stores a link's data under this name. */
const resetKey = (token: string) => `reset-password:${token}`;

/** The reset of forgotten passwords, on the library's storage. */
async function makeResets(
  library: Library,
  { users, mails, background }: { users: Users; mails: AccountMails; background: BackgroundTasks },
): Promise<Resets> {
  const { adapter, internalAdapter } = await library.$context;
  const readStored = async (token: string) => {
    const stored = await quietly(() => internalAdapter.findVerificationValue(resetKey(token)));
    return stored && stored.expiresAt > new Date() ? stored : null;
  };
  return {
    requestReset(email) {
      background.start(async () => {
        const user = await users.readUser(email);
        if (!user) return;
        const token = randomBase62(TOKEN_CHARS);
        await users.keep(resetKey(token), user.id, RESET_SECONDS);
        await mails.reset(user.email, token);
      });
    },
    isResettable: async (token) => (await readStored(token)) !== null,
    async reset(token, newPassword) {
      const stored = await readStored(token);
      if (!stored || !(await isDone(() => library.api.resetPassword({ body: { token, newPassword } })))) return null;
      // The link proves access to the mail of this address.
      const user = await quietly(() => internalAdapter.updateUser(stored.value, { emailVerified: true }));
      // Other reset links for this address.
      const where = [{ field: 'value', value: stored.value }];
      await quietly(() => adapter.deleteMany({ model: 'verification', where }));
      background.start(() => mails.changed(user.email));
      return user.email;
    },
  };
}

/** Work that continues after the response, so that the response reveals neither its outcome nor its time. */
interface BackgroundTasks {
  start(work: () => Promise<void>): void;
  /** Waits for tasks that have started, as long as for calls. */
  drain(): Promise<void>;
}

/** A mail server may take minutes for an answer, long after it has the mail. */
const DRAIN_MS = 10_000;

/** Starts background tasks and logs their errors. */
function makeBackgroundTasks(log: Logger): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    start(work) {
      const run = work()
        .catch((error: unknown) => log.error({ err: error }, 'what was to follow a form failed'))
        .finally(() => running.delete(run));
      running.add(run);
    },
    async drain() {
      const late = pause(DRAIN_MS, 'late', { ref: false });
      while (running.size > 0 && (await Promise.race([Promise.all(running), late])) !== 'late');
    },
  };
}
