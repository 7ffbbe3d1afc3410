import { hash } from 'node:crypto';
import { CHARGE_LINE, isClaimed, isClaimedAt, unpackAnswer } from '../../schema/accounts/remembered-answers.ts';
import { type Clocks, DAY_MS } from '../../schema/config/clocks.ts';
import type { Database, Outcome, Statement } from '../../schema/db/interface.ts';
import { randomBase62 } from '../../schema/text/tokens.ts';
import { appendCredits } from '../answer/cache.ts';
import type { Committer } from '../concurrency/group-commit.ts';
import { type Answer, type Detail, Invalid, KeyExpired, KeyReused, Refusal } from '../contract/errors.ts';
import type { Context } from '../process/context.ts';

/** An answer is replayed for this long; afterwards its key is refused for good. */
export const REPLAY_MS = DAY_MS;
/** The claim of a process that died is released after this time. */
export const CLAIM_MS = 15_000;
/** The claim of a running call is renewed this often. */
const RENEW_MS = 5_000;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key that a client sent with a call. */
export interface IdempotencyKey {
  key: string;
  /** Where the key came from, for a 422. */
  loc: (string | number)[];
}

/** A call with an idempotency key. The same key and the same fingerprint are the same call. */
export interface KeyedCall extends IdempotencyKey {
  accountId: string;
  fingerprint: string;
}

/** A call's claim on its idempotency key: only the call that has it may be charged. */
export interface Claim {
  accountId: string;
  key: string;
  token: string;
}

/** A keyed call and the claim that it runs under. */
export interface ClaimedCall {
  keyed: KeyedCall;
  claim: Claim;
}

/** Claims and answers are written through the committer and read from the database. */
interface Books {
  accounts: Database;
  committer: Committer;
}

interface StoredAnswer {
  fingerprint: string;
  /** `free`: nothing was charged, and nothing is stored but which request the key stands for. */
  state: 'running' | 'done' | 'free';
  claim_token: string;
  claim_expires_at: number;
  answer: Uint8Array | null;
  charge_id: string | null;
  credits_charged: number | null;
  credits_remaining: number | null;
  expires_at: number;
}

/** Refuses a key that is not 1 to 255 visible ASCII characters. */
export function checkKey(key: string, loc: (string | number)[]): void {
  if (KEY.test(key)) return;
  const fault = (type: string, msg: string): Detail => ({ loc, msg, type });
  if (key === '') throw new Invalid([fault('string_too_short', 'The key should have at least 1 character')]);
  if (key.length > 255) throw new Invalid([fault('string_too_long', 'The key should have at most 255 characters')]);
  throw new Invalid([
    fault('string_pattern_mismatch', 'The key should consist of visible ASCII characters, without spaces'),
  ]);
}

/** sha256 (hex) of an operation and its parsed input, names sorted: the same over REST and MCP and in any order. */
export function makeFingerprint(operation: string, input: unknown): string {
  return hash('sha256', `${operation}\n${JSON.stringify(toSorted(input))}`);
}

function toSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, toSorted(inner)]));
}

/** The id of a keyed call's charge is derived from its key, so that the ledger holds only one. */
export function makeKeyedChargeId({ accountId, key }: Pick<KeyedCall, 'accountId' | 'key'>): string {
  return `ch_${hash('sha256', `${accountId}\n${key}`).slice(0, 40)}`;
}

const READ = `
  SELECT i.*, coalesce(i.body, (SELECT body FROM remembered_answer WHERE line = ${CHARGE_LINE})) AS answer
  FROM idempotency i WHERE i.account_id = ? AND i.key = ?`;

/** The record of a key; undefined where it is new. */
export async function readStored(accounts: Database, { accountId, key }: KeyedCall): Promise<StoredAnswer | undefined> {
  const [row] = await accounts.read<StoredAnswer>({ sql: READ, args: [accountId, key] });
  return row;
}

/**
 * The answer of an earlier call with this key, or null where it left none. @throws Invalid (a different request, expired),
 * Refusal 409 while it is in progress.
 */
export function replayOf(row: StoredAnswer | undefined, keyed: KeyedCall, nowMs: number): Answer | null {
  if (!row || (row.state === 'running' && !isClaimed(row.claim_expires_at, nowMs))) return null;
  if (row.fingerprint !== keyed.fingerprint) throw keyReused(keyed.loc);
  if (row.state === 'running') throw inFlight();
  if (row.expires_at <= nowMs || row.answer === null) {
    throw keyExpired(keyed.loc, 'The answer of this key is kept for 24 hours and is gone; use a new key');
  }
  const credits = {
    charged: row.credits_charged ?? 0,
    remaining: row.credits_remaining ?? 0,
    chargeId: row.charge_id ?? undefined,
  };
  return { status: 200, body: appendCredits(unpackAnswer(row.answer), credits), replayed: true };
}

/** An operation's refusal of a key, with the source of the key added; any other error unchanged. */
export function locateKey(error: unknown, sent: IdempotencyKey | undefined): unknown {
  if (error instanceof KeyExpired && sent) return keyExpired(sent.loc, error.message);
  return error instanceof KeyReused && sent ? keyReused(sent.loc) : error;
}

function keyExpired(loc: Detail['loc'], msg: string): Invalid {
  return new Invalid([{ loc, msg, type: 'idempotency_key_expired' }]);
}

function keyReused(loc: Detail['loc']): Invalid {
  const msg = 'This key was used for a different request; use a new key';
  return new Invalid([{ loc, msg, type: 'idempotency_key_reused' }]);
}

const CLAIM = `
  INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
  VALUES (?1, ?2, ?3, 'running', ?4, ?5, ?6, ?7)
  ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, claim_token = excluded.claim_token,
    claim_expires_at = excluded.claim_expires_at, created_at = excluded.created_at, expires_at = excluded.expires_at
  WHERE state = 'running' AND NOT (${isClaimedAt('?8')}) RETURNING claim_token`;

/** Claims a key that is free, or whose claim no longer holds; returns a row if it did. `expiresMs`: when its answer expires. */
export function claimStatement(claim: Claim, fingerprint: string, now: Date, expiresMs: number): Statement {
  const { accountId, key, token } = claim;
  const nowMs = now.getTime();
  return {
    sql: CLAIM,
    args: [accountId, key, fingerprint, token, nowMs + CLAIM_MS, now.toISOString(), expiresMs, nowMs],
  };
}

/** A new claim on a key, not yet written. */
export function makeClaim({ accountId, key }: Omit<Claim, 'token'>): Claim {
  return { accountId, key, token: randomBase62(22) };
}

/**
 * Claims the key for this call, durably and against every other process; or answers with the result of the call that has it.
 * @throws as `replayOf`, and 409 where that call has just released it.
 */
export async function claimKey({ accounts, committer }: Books, keyed: KeyedCall, now: Date): Promise<Claim | Answer> {
  const claim = makeClaim(keyed);
  const [taken] = await committer.commit([claimStatement(claim, keyed.fingerprint, now, now.getTime() + REPLAY_MS)]);
  if (taken?.changes === 1) return claim;
  const row = await readStored(accounts, keyed);
  // Already ours: the database did not confirm the first commit, so it was repeated.
  return row?.claim_token === claim.token ? claim : resultOf(row, keyed, now.getTime());
}

/** The result of the other call that has the key. @throws as `replayOf`, and 409 where that call has just released it. */
function resultOf(row: StoredAnswer | undefined, keyed: KeyedCall, nowMs: number): Answer {
  const answer = replayOf(row, keyed, nowMs);
  if (!answer) throw inFlight();
  return answer;
}

/** Runs the work of a claimed call, and renews its claim meanwhile. Releases the key if the call was not charged. @throws as `work`. */
export async function underClaim<T extends { charged: boolean }>(
  { context, requestId }: { context: Context; requestId: string },
  claim: Claim,
  work: () => Promise<T>,
): Promise<T> {
  const { committer, log, services } = context;
  const warn = (words: string) => (error: unknown) => log.warn({ err: error, request_id: requestId }, words);
  const stop = keepClaim({ committer, clocks: services.clocks }, claim, warn('an idempotency claim was not renewed'));
  let charged = false;
  try {
    const done = await work();
    charged = done.charged;
    return done;
  } finally {
    stop();
    // A claim that cannot be released expires by itself, so the answer stands.
    if (!charged)
      await committer.commit([releaseStatement(claim, 'running')]).catch(warn('an idempotency key was left to expire'));
  }
}

/** Renews a claim until the returned function is called. */
export function keepClaim(
  { committer, clocks, everyMs = RENEW_MS }: { committer: Committer; clocks: Clocks; everyMs?: number },
  claim: Claim,
  onError: (error: unknown) => void,
): () => void {
  const timer = setInterval(() => {
    committer.commit([renewStatement(claim, clocks.wallNow().getTime())]).catch(onError);
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Renews a claim, even one that has just run out, unless another call has taken the key. */
function renewStatement({ accountId, key, token }: Claim, nowMs: number): Statement {
  const sql = `UPDATE idempotency SET claim_expires_at = ?
               WHERE account_id = ? AND key = ? AND claim_token = ? AND state = 'running'`;
  return { sql, args: [nowMs + CLAIM_MS, accountId, key, token] };
}

/** Releases a key that stands for no answer, so that the next call starts afresh. `state`: that in which the claim was written. */
export function releaseStatement({ accountId, key, token }: Claim, state: 'running' | 'free'): Statement {
  const sql = 'DELETE FROM idempotency WHERE account_id = ? AND key = ? AND claim_token = ? AND state = ?';
  return { sql, args: [accountId, key, token, state] };
}

/**
 * The result of a completed call: the credits left, as stored, or null if the debit was refused. It is another answer if a
 * later call took the key over after the claim had expired.
 * @throws as `replayOf`
 */
export async function readCompletion(
  accounts: Database,
  outcome: Outcome | undefined,
  { keyed, claim }: ClaimedCall,
  nowMs: number,
): Promise<{ remaining: number } | Answer | null> {
  const [completed] = outcome?.rows ?? [];
  if (completed) return { remaining: Number(completed.credits_remaining) };
  const row = await readStored(accounts, keyed);
  if (row?.claim_token !== claim.token) return resultOf(row, keyed, nowMs);
  // Already done: the database did not confirm the first commit, so the batch was repeated.
  return row.state === 'done' ? { remaining: row.credits_remaining ?? 0 } : null;
}

/** The refusal of a repeated call while the first one runs. */
export function inFlight(): Refusal {
  const message = 'The first call with this Idempotency-Key is still running; ask again in a moment.';
  return new Refusal(409, 'idempotency_in_flight', message, { headers: { 'Retry-After': '1' } });
}
