import { createHash } from 'node:crypto';
import type { Database, Outcome, Statement } from '../schema/database.ts';
import { chargeKey } from '../schema/ledger.ts';
import { makeTimedId, randomBase62 } from '../schema/tokens.ts';
import type { Claim, Debit } from './charge.ts';
import type { Committer } from './commit.ts';
import { type Answer, type Detail, Invalid, Refusal } from './errors.ts';
import { spliceCredits } from './splice.ts';

/** A claim whose process died frees itself after this time. */
export const CLAIM_MS = 60_000;
/** How long an answer is given again; the key is refused for ever after. */
export const REPLAY_MS = 24 * 3_600_000;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** A call that carries a key: the same key and the same fingerprint are the same call. */
export interface Keyed {
  accountId: string;
  key: string;
  fingerprint: string;
  /** Where the key came from, for a 422. */
  loc: (string | number)[];
}

interface Remembered {
  fingerprint: string;
  state: 'running' | 'done';
  claim_token: string;
  claim_expires_at: number;
  body: Uint8Array | null;
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

/** sha256 (hex) of an operation and its parsed input with sorted names: over both doors and in any order the same. */
export function makeFingerprint(operation: string, input: unknown): string {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(toSorted(input))}`)
    .digest('hex');
}

function toSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, toSorted(inner)]));
}

/** The charge of a keyed call is named after its key, so that the ledger itself can hold only one; any other after its time. */
export function makeChargeId(nowMs: number, keyed?: Keyed): string {
  if (!keyed) return makeTimedId('ch', nowMs);
  const digest = createHash('sha256').update(`${keyed.accountId}\n${keyed.key}`).digest('hex');
  return `ch_${digest.slice(0, 40)}`;
}

const READ = 'SELECT * FROM idempotency WHERE account_id = ? AND key = ?';

const readStatement = ({ accountId, key }: Pick<Keyed, 'accountId' | 'key'>): Statement => ({
  sql: READ,
  args: [accountId, key],
});

/**
 * The answer of an earlier call with this key, or null where the key is free.
 * @throws Invalid (another request, expired), Refusal 409 while it is in flight.
 */
export async function findReplay(accounts: Database, keyed: Keyed, nowMs: number): Promise<Answer | null> {
  const [row] = await accounts.read<Remembered>(readStatement(keyed));
  return row ? toReplay(row, keyed, nowMs) : null;
}

function toReplay(row: Remembered, keyed: Keyed, nowMs: number): Answer | null {
  const fault = (type: string, msg: string) => new Invalid([{ loc: keyed.loc, msg, type }]);
  const stale = row.state === 'running' && row.claim_expires_at <= nowMs;
  if (stale) return null;
  if (row.fingerprint !== keyed.fingerprint) {
    throw fault('idempotency_key_reused', 'This key was used for a different request; use a new key');
  }
  if (row.state === 'running') throw inFlight();
  if (row.expires_at <= nowMs || row.body === null) {
    throw fault('idempotency_key_expired', 'The answer of this key is kept for 24 hours and is gone; use a new key');
  }
  const body = Buffer.from(row.body).toString('utf8');
  const credits = {
    charged: row.credits_charged ?? 0,
    remaining: row.credits_remaining ?? 0,
    chargeId: row.charge_id ?? undefined,
  };
  return { status: 200, body: spliceCredits(body, credits), replayed: true };
}

const CLAIM = `
  INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
  VALUES (?1, ?2, ?3, 'running', ?4, ?5, ?6, ?7)
  ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, claim_token = excluded.claim_token,
    claim_expires_at = excluded.claim_expires_at, created_at = excluded.created_at, expires_at = excluded.expires_at
  WHERE state = 'running' AND claim_expires_at <= ?8`;

/**
 * Takes the key for this call, durably and against every other process; or answers with what it already led to.
 * @throws as `findReplay`.
 */
export async function claimKey(committer: Committer, keyed: Keyed, now: Date): Promise<Claim | Answer> {
  const nowMs = now.getTime();
  const claim: Claim = { accountId: keyed.accountId, key: keyed.key, token: randomBase62(22) };
  const times = [nowMs + CLAIM_MS, now.toISOString(), nowMs + REPLAY_MS, nowMs];
  const insert = { sql: CLAIM, args: [keyed.accountId, keyed.key, keyed.fingerprint, claim.token, ...times] };
  const [, held] = await committer.commit([insert, readStatement(keyed)]);
  const row = toRow(held);
  if (row.claim_token === claim.token) return claim;
  const answer = toReplay(row, keyed, nowMs);
  if (!answer) throw inFlight();
  return answer;
}

const COMPLETE = `
  UPDATE idempotency SET state = 'done', body = ?1, charge_id = ?2, credits_charged = ?3, expires_at = ?4,
    credits_remaining = (SELECT balance FROM account WHERE id = ?5)
  WHERE account_id = ?5 AND key = ?6 AND claim_token = ?7 AND state = 'running' AND EXISTS (SELECT 1 FROM transfer WHERE key = ?8)`;

/** Remembers the answer of a call in the batch of its debit; nothing is remembered where the debit was refused. */
export function completeStatements(claim: Claim, debit: Debit, body: string, nowMs: number): Statement[] {
  const args = [Buffer.from(body), debit.chargeId, debit.credits, nowMs + REPLAY_MS];
  return [
    { sql: COMPLETE, args: [...args, claim.accountId, claim.key, claim.token, chargeKey(debit.chargeId)] },
    readStatement(claim),
  ];
}

/**
 * What became of a completed call: null where this call holds the answer, another answer where a later one overtook
 * it after its claim had run out. @throws as `findReplay`.
 */
export function judgeCompletion(
  outcome: Outcome | undefined,
  claim: Claim,
  keyed: Keyed,
  nowMs: number,
): Answer | null {
  const row = toRow(outcome);
  if (row.claim_token === claim.token) return null;
  const answer = toReplay(row, keyed, nowMs);
  if (!answer) throw inFlight();
  return answer;
}

/** Fails its batch where the claim is lost: for batches with statements that know nothing of claims. */
export function fenceStatement({ accountId, key, token }: Claim): Statement {
  const sql = `INSERT INTO fence (ok) SELECT EXISTS (
               SELECT 1 FROM idempotency WHERE account_id = ? AND key = ? AND claim_token = ?)`;
  return { sql, args: [accountId, key, token] };
}

function toRow(outcome: Outcome | undefined): Remembered {
  const [row] = (outcome?.rows ?? []) as unknown as Remembered[];
  if (!row) throw inFlight();
  return row;
}

function inFlight(): Refusal {
  const message = 'The first call with this Idempotency-Key is still running; ask again in a moment.';
  return new Refusal(409, 'idempotency_in_flight', message, { headers: { 'Retry-After': '1' } });
}

/** Frees a key whose call cost nothing or failed, so that the next one is a first one. */
export function releaseStatement({ accountId, key, token }: Claim): Statement {
  const sql = "DELETE FROM idempotency WHERE account_id = ? AND key = ? AND claim_token = ? AND state = 'running'";
  return { sql, args: [accountId, key, token] };
}
