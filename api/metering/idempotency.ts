import { hash } from 'node:crypto';
import { packAnswer, unpackAnswer } from '../../schema/accounts/kept-answers.ts';
import { chargeKey } from '../../schema/accounts/ledger/transfers.ts';
import type { Database, Outcome, Statement } from '../../schema/db/interface.ts';
import { appendCredits } from '../answer/append-credits.ts';
import type { Committer } from '../concurrency/group-commit.ts';
import { type Answer, Invalid, Refusal } from '../contract/errors.ts';
import type { Detail } from '../contract/refusal-details.ts';
import type { Debit } from './account-state.ts';
import { type Claim, makeClaim, takeStatement } from './claim.ts';

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

/** sha256 (hex) of an operation and its parsed input with sorted names: over both doors and in any order the same. */
export function makeFingerprint(operation: string, input: unknown): string {
  return hash('sha256', `${operation}\n${JSON.stringify(toSorted(input))}`);
}

function toSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, toSorted(inner)]));
}

/** The charge of a keyed call is named after its key, so that the ledger itself can hold only one. */
export function makeKeyedChargeId({ accountId, key }: Pick<Keyed, 'accountId' | 'key'>): string {
  return `ch_${hash('sha256', `${accountId}\n${key}`).slice(0, 40)}`;
}

const READ = `
  SELECT i.*, coalesce(i.body, (SELECT a.body FROM transfer t JOIN remembered_answer a ON a.line = t.id
    WHERE t.key = 'charge:' || i.charge_id)) AS answer
  FROM idempotency i WHERE i.account_id = ? AND i.key = ?`;

async function readRemembered(accounts: Database, { accountId, key }: Keyed): Promise<Remembered | undefined> {
  const [row] = await accounts.read<Remembered>({ sql: READ, args: [accountId, key] });
  return row;
}

/**
 * The answer of an earlier call with this key, or null where the key is free.
 * @throws Invalid (another request, expired), Refusal 409 while it is in flight.
 */
export async function findReplay(accounts: Database, keyed: Keyed, nowMs: number): Promise<Answer | null> {
  const row = await readRemembered(accounts, keyed);
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
  if (row.expires_at <= nowMs || row.answer === null) {
    throw fault('idempotency_key_expired', 'The answer of this key is kept for 24 hours and is gone; use a new key');
  }
  const credits = {
    charged: row.credits_charged ?? 0,
    remaining: row.credits_remaining ?? 0,
    chargeId: row.charge_id ?? undefined,
  };
  return { status: 200, body: appendCredits(unpackAnswer(row.answer), credits), replayed: true };
}

/** Where claims and answers are kept: what is decided is committed, what is looked at is read. */
interface Books {
  accounts: Database;
  committer: Committer;
}

/**
 * Takes the key for this call, durably and against every other process; or answers with what it already led to.
 * @throws as `findReplay`.
 */
export async function claimKey({ accounts, committer }: Books, keyed: Keyed, now: Date): Promise<Claim | Answer> {
  const claim = makeClaim(keyed);
  const [taken] = await committer.commit([takeStatement(claim, keyed.fingerprint, now, now.getTime() + REPLAY_MS)]);
  if (taken?.changes === 1) return claim;
  // Taken already: the commit was repeated after the first, of which the database could not tell us.
  if ((await readRemembered(accounts, keyed))?.claim_token === claim.token) return claim;
  return readOvertaker(accounts, keyed, now.getTime());
}

/** What another call made of the key. @throws as `findReplay`, also where it has just let go of it. */
async function readOvertaker(accounts: Database, keyed: Keyed, nowMs: number): Promise<Answer> {
  const answer = await findReplay(accounts, keyed, nowMs);
  if (!answer) throw inFlight();
  return answer;
}

const COMPLETE = `
  UPDATE idempotency SET state = 'done', charge_id = ?1, credits_charged = ?2, expires_at = ?3,
    credits_remaining = (SELECT balance FROM account WHERE id = ?4)
  WHERE account_id = ?4 AND key = ?5 AND claim_token = ?6 AND state = 'running'
    AND EXISTS (SELECT 1 FROM transfer WHERE key = ?7) RETURNING credits_remaining`;

const REMEMBER = `
  INSERT INTO remembered_answer (line, expires_at, bytes, body)
  SELECT t.id, ?1, length(?2), ?2 FROM transfer t
  WHERE t.key = ?3 AND EXISTS (SELECT 1 FROM idempotency WHERE account_id = ?4 AND key = ?5 AND claim_token = ?6 AND state = 'running')`;

/**
 * Remembers the answer of a call, and that it is done, in the batch of its debit: a kill leaves all of it or nothing. Nothing
 * is remembered where the debit was refused. What the last statement did tells what became of the call.
 */
export function completeStatements(claim: Claim, debit: Debit, body: string, nowMs: number): [Statement, Statement] {
  const charge = chargeKey(debit.chargeId);
  const expiresMs = nowMs + REPLAY_MS;
  const held = [claim.accountId, claim.key, claim.token];
  return [
    { sql: REMEMBER, args: [expiresMs, packAnswer(body), charge, ...held] },
    { sql: COMPLETE, args: [debit.chargeId, debit.credits, expiresMs, ...held, charge] },
  ];
}

/** A keyed call and the claim that it runs under. */
export interface Held {
  keyed: Keyed;
  claim: Claim;
}

/**
 * What became of a completed call, from the outcome of its statement: the credits left, as they were remembered; null
 * where the debit was refused; another answer where a later call overtook it after its claim had run out.
 * @throws as `findReplay`.
 */
export async function readCompletion(
  accounts: Database,
  outcome: Outcome | undefined,
  { keyed, claim }: Held,
  nowMs: number,
): Promise<{ remaining: number } | Answer | null> {
  const [completed] = outcome?.rows ?? [];
  if (completed) return { remaining: Number(completed.credits_remaining) };
  const row = await readRemembered(accounts, keyed);
  if (row?.claim_token !== claim.token) return readOvertaker(accounts, keyed, nowMs);
  // Done already: the batch was repeated after its first commit, of which the database could not tell us.
  return row.state === 'done' ? { remaining: row.credits_remaining ?? 0 } : null;
}

/** What a repeat hears while its first call runs. */
export function inFlight(): Refusal {
  const message = 'The first call with this Idempotency-Key is still running; ask again in a moment.';
  return new Refusal(409, 'idempotency_in_flight', message, { headers: { 'Retry-After': '1' } });
}
