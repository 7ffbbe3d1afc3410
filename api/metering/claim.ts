import type { Clocks } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import { randomBase62 } from '../../schema/text/tokens.ts';
import type { Committer } from '../concurrency/group-commit.ts';

/** A claim whose process died frees itself after this time. */
export const CLAIM_MS = 15_000;
/** A claim whose call still runs is renewed this often. */
const RENEW_MS = 5_000;

/** The caller's claim on an idempotency key, under which alone its debit may happen. */
export interface Claim {
  accountId: string;
  key: string;
  token: string;
}

export function makeClaim({ accountId, key }: Omit<Claim, 'token'>): Claim {
  return { accountId, key, token: randomBase62(22) };
}

const TAKE = `
  INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
  VALUES (?1, ?2, ?3, 'running', ?4, ?5, ?6, ?7)
  ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, claim_token = excluded.claim_token,
    claim_expires_at = excluded.claim_expires_at, created_at = excluded.created_at, expires_at = excluded.expires_at
  WHERE state = 'running' AND claim_expires_at <= ?8 RETURNING claim_token`;

/** Takes a key that nobody holds, or whose holder died; answers a row where it did. `expiresMs`: when an answer is given no more. */
export function takeStatement(claim: Claim, fingerprint: string, now: Date, expiresMs: number): Statement {
  const { accountId, key, token } = claim;
  const nowMs = now.getTime();
  return {
    sql: TAKE,
    args: [accountId, key, fingerprint, token, nowMs + CLAIM_MS, now.toISOString(), expiresMs, nowMs],
  };
}

/** Renews a claim for as long as its call runs, however long. Answers with what ends that. */
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

/** Also one that has just run out, as long as nobody else has taken it. */
function renewStatement({ accountId, key, token }: Claim, nowMs: number): Statement {
  const sql = `UPDATE idempotency SET claim_expires_at = ?
               WHERE account_id = ? AND key = ? AND claim_token = ? AND state = 'running'`;
  return { sql, args: [nowMs + CLAIM_MS, accountId, key, token] };
}

/** Fails its batch where the claim is lost: for batches with statements that know nothing of claims. */
export function fenceStatement({ accountId, key, token }: Claim): Statement {
  const sql = `INSERT INTO fence (ok) SELECT EXISTS (
               SELECT 1 FROM idempotency WHERE account_id = ? AND key = ? AND claim_token = ?)`;
  return { sql, args: [accountId, key, token] };
}

/** Frees a key whose call cost nothing or failed, so that the next one is a first one. */
export function releaseStatement({ accountId, key, token }: Claim): Statement {
  const sql = "DELETE FROM idempotency WHERE account_id = ? AND key = ? AND claim_token = ? AND state = 'running'";
  return { sql, args: [accountId, key, token] };
}
