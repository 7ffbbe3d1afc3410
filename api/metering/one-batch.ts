import type { Database, Outcome, SqlValue, Statement } from '../../schema/db/interface.ts';
import type { Answer } from '../contract/errors.ts';
import { CLAIM_MS, type ClaimedCall, REPLAY_MS, readStored, replayOf } from './idempotency.ts';

/**
 * A keyed call whose answer is known before its debit needs no claim while it works: its debit, its key and its stored answer
 * are one batch, which is one wait for the disk instead of two.
 */

/** Follows a debit (`?7`: the account; `?8`, `?9`: the key and now, in milliseconds): there is none where another call has the key. */
export const UNLESS_TAKEN = `
    AND NOT EXISTS (SELECT 1 FROM idempotency WHERE account_id = ?7 AND key = ?8 AND (state = 'done' OR claim_expires_at > ?9))`;

/** Takes over a claim that has run out. */
const RECORD = `
  INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at,
    charge_id, credits_charged, credits_remaining)
  SELECT ?1, ?2, ?3, 'done', ?4, ?5, ?6, ?7, ?8, ?9, (SELECT balance FROM account WHERE id = ?1)
  WHERE EXISTS (SELECT 1 FROM transfer WHERE key = ?10)
  ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'done',
    claim_token = excluded.claim_token, claim_expires_at = excluded.claim_expires_at, created_at = excluded.created_at,
    expires_at = excluded.expires_at, charge_id = excluded.charge_id, credits_charged = excluded.credits_charged,
    credits_remaining = excluded.credits_remaining
  WHERE state = 'running' AND claim_expires_at <= ?11 RETURNING credits_remaining`;

/** What a debit is written down under. */
interface Recorded {
  chargeId: string;
  credits: number;
  /** The ledger's key of the charge. */
  charge: string;
}

/** Writes the key of a call down as done, where the ledger holds its charge. Its outcome goes to `readRecorded`. */
export function recordStatement(
  { keyed, claim }: ClaimedCall,
  { chargeId, credits, charge }: Recorded,
  now: Date,
): Statement {
  const nowMs = now.getTime();
  const owner = [claim.accountId, claim.key, keyed.fingerprint, claim.token];
  const times: SqlValue[] = [nowMs + CLAIM_MS, now.toISOString(), nowMs + REPLAY_MS];
  return { sql: RECORD, args: [...owner, ...times, chargeId, credits, charge, nowMs] };
}

/**
 * The result of a call that was recorded: the credits left; null where the debit was refused; another answer where another
 * call had the key. @throws as `replayOf`.
 */
export async function readRecorded(
  accounts: Database,
  outcome: Outcome | undefined,
  { keyed, claim }: ClaimedCall,
  nowMs: number,
): Promise<{ remaining: number } | Answer | null> {
  const [recorded] = outcome?.rows ?? [];
  if (recorded) return { remaining: Number(recorded.credits_remaining) };
  const row = await readStored(accounts, keyed);
  // Ours already: the database did not confirm the first commit, so the batch was repeated.
  if (row?.claim_token === claim.token) return { remaining: row.credits_remaining ?? 0 };
  return replayOf(row, keyed, nowMs);
}
