import { LRUCache } from 'lru-cache';
import { hashKey, isKeyShaped } from '../../schema/accounts/customer/api-key.ts';
import { type Clocks, isoInstant } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { Committer } from '../concurrency/group-commit.ts';
import { invalidKey, Refusal } from '../contract/errors.ts';
import type { Caller } from '../contract/operation.ts';

/**
 * How long a process trusts a key before it reads it again. Charged calls are refused at once, as the debit itself checks that
 * key and account still work; free answers end within this time.
 */
const CACHE_MS = 1_500;
const CACHED_KEYS = 10_000;
const LAST_USED_MS = 30_000;
const BEARER = /^Bearer +(\S+) *$/i;

interface KeyHolder {
  id: string;
  account_id: string;
  hash: string;
  expires_at: string | null;
  revoked_at: string | null;
  state: string;
}

interface KnownKey {
  holder: KeyHolder;
  caller: Caller;
}

/** A key that is being read, or was within `CACHE_MS`. */
interface Reading {
  key: Promise<KnownKey | undefined>;
  /** Once it is read. */
  known?: KnownKey | undefined;
}

export interface Callers {
  /** The sender of this `Authorization` header. @throws Refusal 401. */
  identify(authorization: string | undefined): Promise<Caller>;
  /** Reads the keys of an account again before their next call: this process has stopped one of them, or the account. */
  forget(accountId: string): void;
  close(): Promise<void>;
}

/**
 * The keys with these texts, or with them before they were rolled: the old text ends with its grace period, and no later than
 * the key. Without a grace period it has ended, whatever the time is here: the clock of the machine that rolled it may be
 * ahead.
 */
const READ = `
  SELECT k.id, k.account_id, k.hash, k.expires_at, k.revoked_at, a.state
  FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.hash IN (SELECT value FROM json_each(?1))
  UNION ALL
  SELECT k.id, k.account_id, k.former_hash,
    iif(k.former_until <= k.rolled_at, '', min(k.former_until, coalesce(k.expires_at, k.former_until))), k.revoked_at, a.state
  FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.former_hash IN (SELECT value FROM json_each(?1))`;
/** All keys in one statement, as debits wait for as long as it takes. */
const LAST_USED = `
  UPDATE api_key SET last_used_at = used.at FROM (SELECT value ->> 0 AS id, value ->> 1 AS at FROM json_each(?)) used
  WHERE api_key.id = used.id AND coalesce(last_used_at, '') < used.at`;

/** Identifies callers by their keys. `onError` receives a failure to write last-used times, also at the end; nothing else depends on it. */
export function makeCallers(
  accounts: Database,
  committer: Committer,
  clocks: Clocks,
  onError: (error: unknown) => void,
): Callers {
  const cache = new LRUCache<string, Reading>({ max: CACHED_KEYS, ttl: CACHE_MS });
  const readNext = makeReader(accounts);
  const used = new Map<string, string>();

  /** The key with this hash. Calls that come while it is read share one read, also of a server that is slow. */
  const findKey = (hash: string) => {
    const cached = cache.get(hash, { noDeleteOnStaleGet: true });
    if (cached) return cached.key;
    const before = cache.peek(hash, { allowStale: true })?.known;
    // A known key never waits for keys that may be invented.
    const reading: Reading = {
      key: before ? readKeys(accounts, [hash]).then((keys) => keys.get(hash)) : readNext(hash),
    };
    cache.set(hash, reading);
    const settle = (known?: KnownKey) => {
      reading.known = known;
      if (!known && cache.peek(hash, { allowStale: true }) === reading) cache.delete(hash);
    };
    reading.key.then(settle, () => settle());
    return reading.key;
  };

  /** Records when each key was last used. Calls never wait for it. */
  const storeLastUsed = async () => {
    if (used.size === 0) return;
    const args = [JSON.stringify([...used])];
    used.clear();
    await committer.commit([{ sql: LAST_USED, args }]);
  };

  const timer = setInterval(() => storeLastUsed().catch(onError), LAST_USED_MS);
  timer.unref();

  return {
    async identify(authorization) {
      const key = readBearer(authorization);
      const known = isKeyShaped(key) ? await findKey(hashKey(key)) : undefined;
      const now = isoInstant(clocks.wallNow());
      if (!known) throw invalidKey('This API key is not known.');
      assertWorks(known.holder, now);
      used.set(known.holder.id, now);
      return known.caller;
    },
    forget(accountId) {
      // One that is being read may be out of date.
      for (const [hash, { known }] of cache.entries())
        if (!known || known.caller.accountId === accountId) cache.delete(hash);
    },
    async close() {
      clearInterval(timer);
      await storeLastUsed().catch(onError);
    },
  };
}

/**
 * Reads keys, by one read at a time: those that are asked for during a read are read together by the next. So invented keys,
 * which no limit of a key counts, cost a server no more requests than it answers one after the other.
 */
function makeReader(accounts: Database) {
  let last: Promise<unknown> = Promise.resolve();
  let next: { hashes: string[]; keys: Promise<Map<string, KnownKey>> } | undefined;
  return async (hash: string) => {
    if (!next) {
      const hashes: string[] = [];
      const keys = last.then(() => {
        next = undefined;
        return readKeys(accounts, hashes);
      });
      next = { hashes, keys };
      last = Promise.allSettled([keys]);
    }
    next.hashes.push(hash);
    return (await next.keys).get(hash);
  };
}

/** Those of the keys with these hashes that are known, by their hashes. */
async function readKeys(accounts: Database, hashes: readonly string[]): Promise<Map<string, KnownKey>> {
  const holders = await accounts.read<KeyHolder>({ sql: READ, args: [JSON.stringify(hashes)] });
  const toKnown = (holder: KeyHolder): KnownKey => ({
    holder,
    caller: { accountId: holder.account_id, keyId: holder.id },
  });
  return new Map(holders.map((holder) => [holder.hash, toKnown(holder)]));
}

function readBearer(authorization: string | undefined): string {
  if (!authorization) {
    const message = 'Send your API key in the header: Authorization: Bearer <API_KEY>.';
    throw new Refusal(401, 'missing_api_key', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  const key = BEARER.exec(authorization)?.[1];
  if (!key) throw invalidKey('The Authorization header should read: Bearer <API_KEY>.');
  return key;
}

function assertWorks({ revoked_at, expires_at, state }: KeyHolder, now: string): void {
  // Whatever the time is here: the clock of the machine that revoked it may be ahead.
  if (revoked_at !== null) throw invalidKey('This API key was revoked.');
  if (expires_at !== null && expires_at <= now) throw invalidKey('This API key has expired.');
  if (state !== 'active')
    throw invalidKey(`The account of this API key is ${state}. Ask the operator of this service.`);
}
