import { createClient, type Client as LibraryClient } from '@libsql/client';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { isAPIError } from 'better-auth/api';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
// Without the query builder that only its own adapters need: it is a sixth of the start of the API.
import { betterAuth } from 'better-auth/minimal';
import { drizzle } from 'drizzle-orm/libsql';
import * as tables from '../../../schema/accounts/tables/auth.ts';
import type { Settings } from '../../../schema/config/settings.ts';
import { fileAddress } from '../../../schema/db/file-address.ts';
import {
  type Database,
  DatabaseAway,
  DatabaseBusy,
  nameDatabaseFault,
  pathOfFile,
} from '../../../schema/db/interface.ts';
import { headersOf, httpAddressOf, placeOfServer } from '../../../schema/db/server/place.ts';
import { makeServerFetch } from '../../../schema/db/server/requests.ts';
import type { Line, Machine } from '../../concurrency/machine.ts';
import { TooMany } from '../serving/security.ts';
import { confirmAddress } from './confirm-address.ts';
import { PASSWORD, SESSION } from './rules.ts';

/** Busy timeout for the instant between our write and the library's, when another process may write. */
const PRAGMAS = ['PRAGMA busy_timeout=20', 'PRAGMA synchronous=FULL', 'PRAGMA foreign_keys=ON'];

/** How often that instant may go to another process: at 60 calls a second on two busy cores, one write in sixty lost it. */
const TRIES_MAX = 10;

/** How long an accounts server may take for one request of the library, in milliseconds. */
const SERVER_MS = 10_000;

/** Opens a connection to the accounts database for the library. `accounts` is our own connection to it. */
export async function connect(settings: Settings, accounts: Database): Promise<LibraryClient> {
  const url = settings.ACCOUNTS_URL;
  if (!url.startsWith('file:')) return connectServer(url, settings.ACCOUNTS_AUTH_TOKEN);
  // The client decodes what follows `file:`, and passes it to the driver.
  const address = encodeURIComponent(fileAddress(pathOfFile(url)));
  // The pragmas below reach one connection only.
  const client = createClient({ url: `file:${address}`, concurrency: 1 });
  for (const sql of PRAGMAS) await client.execute(sql);
  return waitForTurn(client, accounts);
}

/** By default a request would wait five minutes for a server that hangs. */
function connectServer(url: string, authToken: string | undefined): LibraryClient {
  const place = placeOfServer(url);
  const fetchInTime = makeServerFetch(SERVER_MS, headersOf(place));
  return createClient({ url: httpAddressOf(place), fetch: fetchInTime, ...(authToken ? { authToken } : {}) });
}

/**
 * Before the library writes, a write of ours waits until the file is free. Other requests are answered meanwhile, whereas
 * SQLite's own wait would block the event loop. The driver never finishes a refused statement, and later writes on its
 * connection are not committed (measured on 0.5.29). So a new connection is opened.
 */
function waitForTurn(client: LibraryClient, accounts: Database): LibraryClient {
  const inTurn = <A extends unknown[], T>(ask: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      for (let tries = 1; ; tries++) {
        if (!isReading(args[0])) await accounts.write([]);
        try {
          return await ask(...args);
        } catch (error) {
          if (!findCode(error).startsWith('SQLITE_BUSY')) throw error;
          client.reconnect();
          for (const sql of PRAGMAS) await execute(sql);
          // A refused statement changed nothing, so it can be repeated.
          if (tries === TRIES_MAX) throw error;
        }
      }
    };
  };
  const execute = client.execute.bind(client);
  return Object.assign(client, {
    execute: inTurn(execute) as LibraryClient['execute'],
    batch: inTurn(client.batch.bind(client)),
    transaction: inTurn(client.transaction.bind(client)) as LibraryClient['transaction'],
  });
}

function isReading(statement: unknown): boolean {
  const sql = typeof statement === 'string' ? statement : (statement as { sql?: unknown } | undefined)?.sql;
  return typeof sql === 'string' && /^\s*(?:select|pragma)\b/i.test(sql);
}

export type Library = ReturnType<typeof makeLibrary>;

const BUSY_SECONDS = 10;
/**
 * Passwords of a machine are hashed one after another. Each takes a tenth of a second of one of a process's four threads, on which
 * answers are also compressed and files read: those of many forms at once would hold up all of them.
 */
const HASHING: Line = {
  name: 'hashing',
  waitingMost: 100,
  refuse: () => new TooMany(BUSY_SECONDS, `Many people are signing in just now. Try again in ${BUSY_SECONDS} seconds.`),
};

/** The library's own hashing of passwords, in turn. */
function hashInTurn({ inTurn }: Machine) {
  return {
    hash: (password: string) => inTurn(HASHING, '', () => hashPassword(password)),
    verify: (stored: { hash: string; password: string }) => inTurn(HASHING, '', () => verifyPassword(stored)),
  };
}

interface LibraryParts {
  client: LibraryClient;
  accounts: Database;
  machine: Machine;
}

/** The auth library as configured here: passwords, confirmed addresses, sessions in the database, no IP addresses. */
export function makeLibrary(settings: Settings, secret: string, { client, accounts, machine }: LibraryParts) {
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
    user: { additionalFields: { address: { type: 'string', required: false, input: false, returned: false } } },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD.least,
      maxPasswordLength: PASSWORD.most,
      password: hashInTurn(machine),
      revokeSessionsOnPasswordReset: true,
    },
    session: { expiresIn: SESSION.days * 86_400, updateAge: SESSION.seenSeconds },
    // The token is in the mail or the operator's log; the database stores its hash.
    verification: { storeIdentifier: 'hashed' },
    plugins: [confirmAddress(accounts)],
    advanced: {
      useSecureCookies: secure,
      cookiePrefix: 'data',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure },
      ipAddress: { disableIpTracking: true },
    },
    // The library's log lines contain e-mail addresses.
    logger: { disabled: true },
    telemetry: { enabled: false },
    // We limit rates ourselves: the library limits only its own router.
    rateLimit: { enabled: false },
  });
}

/**
 * Codes of a server that does not answer: those of the network and of the driver, and the name of the error of a passed
 * deadline, which has no code.
 */
const AWAY = /^((?!ERR_)E[A-Z_]+|SERVER_ERROR|HRANA_[A-Z_]+|TimeoutError)$/;

/**
 * The message of a failed query contains its parameters, e-mail addresses too: only its code is logged. @throws the library's
 * refusals; TooMany; DatabaseBusy, DatabaseAway and DatabaseFault where it fails
 */
export async function quietly<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isRefusal(error) || error instanceof TooMany) throw error;
    const code = findCode(error);
    if (code.startsWith('SQLITE_BUSY')) throw new DatabaseBusy('the accounts database is held by another writer');
    const said = `the auth library failed: ${code || 'no code'}`;
    // It only says that it could not read a session, and hides why; it reads nothing but its database.
    if (isAPIError(error) || AWAY.test(code)) throw new DatabaseAway(said);
    const failed = Object.assign(new Error(said), { code });
    throw nameDatabaseFault(failed, 'the accounts database');
  }
}

/** Whether the library refused the call, rather than failed. */
export function isRefusal(error: unknown): error is { statusCode: number; body?: { code?: string } } {
  return isAPIError(error) && error.statusCode < 500;
}

/** True if the call succeeded, false if the library refused it. */
export async function isDone(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await quietly(call);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Request headers with this cookie, as the library's calls expect. */
export function withCookie(cookie: string | undefined): Headers {
  return new Headers(cookie ? { cookie } : {});
}

function findCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, name } = at as { code?: unknown; name: string };
    if (typeof code === 'string') return code;
    if (name === 'TimeoutError') return name;
  }
  return '';
}
