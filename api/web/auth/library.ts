import { createClient } from '@libsql/client';
import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { isAPIError } from 'better-auth/api';
import { drizzle } from 'drizzle-orm/libsql';
import * as tables from '../../../schema/accounts/auth.ts';
import { DatabaseBusy } from '../../../schema/database.ts';
import { nameDatabaseFault } from '../../../schema/database-faults.ts';
import type { Settings } from '../../../schema/env.ts';
import { confirmAddress } from './confirm-address.ts';

export const PASSWORD = { least: 10, most: 128 };
/** A session ends so long after it was last seen; how exactly that is known. */
export const SESSION = { seconds: 7 * 86_400, seenSeconds: 3_600 };
const BUSY_WAIT_MS = 500;

/** Opens the accounts database for the library alone. */
export async function connect(settings: Settings) {
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
export type Library = ReturnType<typeof makeLibrary>;

/** The auth library as this house has it: passwords, confirmed addresses, sessions in the database, no address of a machine. */
export function makeLibrary(settings: Settings, secret: string, client: Client) {
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
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD.least,
      maxPasswordLength: PASSWORD.most,
      revokeSessionsOnPasswordReset: true,
    },
    session: { expiresIn: SESSION.seconds, updateAge: SESSION.seenSeconds },
    // A token stands in its mail or in the operator's log; the database knows it by its hash.
    verification: { storeIdentifier: 'hashed' },
    plugins: [confirmAddress()],
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

/** A failing query names its parameters, e-mail addresses among them: only its code may go on to a log. */
export async function quietly<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isRefusal(error)) throw error;
    const code = findCode(error);
    if (code.startsWith('SQLITE_BUSY')) throw new DatabaseBusy('the accounts database is held by another writer');
    const failed = Object.assign(new Error(`the auth library failed: ${code || 'no code'}`), { code });
    throw nameDatabaseFault(failed, 'the accounts database');
  }
}

/** Whether the library said no, rather than failed. */
export function isRefusal(error: unknown): error is { statusCode: number; body?: { code?: string } } {
  return isAPIError(error) && error.statusCode < 500;
}

/** True where the call went through, false where the library said no. */
export async function isDone(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await quietly(call);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

export function withCookie(cookie: string | undefined): Headers {
  return new Headers(cookie ? { cookie } : {});
}

function findCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return '';
}
