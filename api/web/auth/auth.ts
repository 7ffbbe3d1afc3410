import { createClient } from '@libsql/client';
import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { isAPIError } from 'better-auth/api';
import { drizzle } from 'drizzle-orm/libsql';
import * as tables from '../../../schema/accounts/auth.ts';
import { DatabaseBusy } from '../../../schema/database.ts';
import { nameDatabaseFault } from '../../../schema/database-faults.ts';
import type { Settings } from '../../../schema/env.ts';
import type { SendMail } from './mail.ts';

/** Somebody who is signed in. */
export interface Visitor {
  userId: string;
  sessionId: string;
  name: string;
  email: string;
  /** Whether the e-mail address was confirmed; always true where no mail can be sent. */
  verified: boolean;
}

/** What came of a sign-up or sign-in: cookies to set, or why not. */
export type Entry = { kind: 'entered'; userId: string; name: string; cookies: string[] } | { kind: 'refused' };

/** The one place that knows the auth library. Its own router stands nowhere: our forms call it. */
export interface Auth {
  signUp(person: { name: string; email: string; password: string }): Promise<Entry>;
  signIn(person: { email: string; password: string }): Promise<Entry>;
  /** Ends the session and answers the cookies that forget it. */
  signOut(cookie: string | undefined): Promise<string[]>;
  /** Confirms the e-mail address that a mailed token is about; false for a token that is not, or no longer, good. */
  confirm(token: string): Promise<boolean>;
  /** Mails the token again. */
  sendConfirmation(email: string): Promise<void>;
  readVisitor(cookie: string | undefined): Promise<Visitor | null>;
  close(): void;
}

export const PASSWORD = { least: 10, most: 128 };
const BUSY_WAIT_MS = 500;
const CONFIRM_SECONDS = 86_400;

/** Opens the auth library on its own connection to the accounts database. */
export async function openAuth(settings: Settings, secret: string, mail: SendMail | null = null): Promise<Auth> {
  const client = await connect(settings);
  const library = makeLibrary(settings, secret, client, mail);
  const api = library.api;
  return {
    async signUp(person) {
      return enter(() => api.signUpEmail({ body: person, returnHeaders: true }));
    },
    async signIn(person) {
      return enter(() => api.signInEmail({ body: person, returnHeaders: true }));
    },
    async signOut(cookie) {
      const { headers } = await quietly(() => api.signOut({ headers: withCookie(cookie), returnHeaders: true }));
      return headers.getSetCookie();
    },
    async confirm(token) {
      try {
        await quietly(() => api.verifyEmail({ query: { token } }));
        return true;
      } catch (error) {
        if (isAPIError(error) && error.statusCode < 500) return false;
        throw error;
      }
    },
    async sendConfirmation(email) {
      if (mail) await quietly(() => api.sendVerificationEmail({ body: { email } }));
    },
    async readVisitor(cookie) {
      if (!cookie) return null;
      const found = await quietly(() => api.getSession({ headers: withCookie(cookie) }));
      if (!found) return null;
      const { user, session } = found;
      const verified = user.emailVerified || !mail;
      return { userId: user.id, sessionId: session.id, name: user.name, email: user.email, verified };
    },
    close: () => client.close(),
  };
}

async function connect(settings: Settings) {
  const url = settings.ACCOUNTS_URL;
  const authToken = settings.ACCOUNTS_AUTH_TOKEN;
  // More than one connection would leave all but the first without the pragmas below.
  const client = createClient({ url, concurrency: 1, ...(authToken ? { authToken } : {}) });
  if (!url.startsWith('file:')) return client;
  await client.execute(`PRAGMA busy_timeout=${BUSY_WAIT_MS}`);
  await client.execute('PRAGMA synchronous=FULL');
  await client.execute('PRAGMA foreign_keys=ON');
  return client;
}

type Client = Awaited<ReturnType<typeof connect>>;

function makeLibrary(settings: Settings, secret: string, client: Client, mail: SendMail | null) {
  const secure = settings.APP_URL.startsWith('https:');
  return betterAuth({
    secret,
    baseURL: settings.APP_URL,
    trustedOrigins: [new URL(settings.APP_URL).origin],
    database: drizzleAdapter(drizzle(client), {
      provider: 'sqlite',
      schema: {
        user: tables.authUser,
        session: tables.authSession,
        account: tables.authAccount,
        verification: tables.authVerification,
      },
    }),
    emailAndPassword: { enabled: true, minPasswordLength: PASSWORD.least, maxPasswordLength: PASSWORD.most },
    ...(mail ? confirmByMail(settings, mail) : { databaseHooks: BORN_VERIFIED }),
    advanced: {
      useSecureCookies: secure,
      cookiePrefix: 'data',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure },
      ipAddress: { disableIpTracking: true },
    },
    // Its log lines name e-mail addresses.
    logger: { disabled: true },
    telemetry: { enabled: false },
    // Throttling is ours: the library's own counts only what its router serves.
    rateLimit: { enabled: false },
  });
}

/** Without a mail server nothing can be asked: an account is verified when it is made. */
const BORN_VERIFIED = {
  user: { create: { before: async <U extends object>(user: U) => ({ data: { ...user, emailVerified: true } }) } },
};

function confirmByMail(settings: Settings, mail: SendMail) {
  return {
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: CONFIRM_SECONDS,
      async sendVerificationEmail({ user, token }: { user: { email: string }; token: string }): Promise<void> {
        const address = `${settings.APP_URL}/confirm?token=${encodeURIComponent(token)}`;
        const text = `Somebody, hopefully you, signed up with this address. Confirm it within a day:\n\n${address}\n`;
        await mail({ to: user.email, subject: 'Confirm your e-mail address', text });
      },
    },
  };
}

interface Answer {
  headers: Headers;
  response: { user: { id: string; name: string } };
}

async function enter(call: () => Promise<Answer>): Promise<Entry> {
  try {
    const { headers, response } = await quietly(call);
    return {
      kind: 'entered',
      userId: response.user.id,
      name: response.user.name,
      cookies: headers.getSetCookie(),
    };
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return { kind: 'refused' };
    throw error;
  }
}

/** A failing query names its parameters, e-mail addresses among them: only its code may go on to a log. */
async function quietly<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) throw error;
    const code = findCode(error);
    if (code.startsWith('SQLITE_BUSY')) throw new DatabaseBusy('the accounts database is held by another writer');
    const failed = Object.assign(new Error(`the auth library failed: ${code || 'no code'}`), { code });
    throw nameDatabaseFault(failed, 'the accounts database');
  }
}

function findCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return '';
}

function withCookie(cookie: string | undefined): Headers {
  return new Headers(cookie ? { cookie } : {});
}
