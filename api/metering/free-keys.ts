import type { Statement } from '../../schema/db/interface.ts';
import { KeyReused } from '../contract/errors.ts';
import type { Caller, Operation } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import { type Claim, type IdempotencyKey, makeClaim, makeFingerprint, REPLAY_MS, readStored } from './idempotency.ts';

/** While the row is there, no other call, paid or free, can claim its key. */
const FOR_GOOD = Number.MAX_SAFE_INTEGER;

const TAKE = `
  INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
  VALUES (?1, ?2, ?3, 'free', ?4, ?5, ?6, ?8)
  ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'free',
    claim_token = excluded.claim_token, claim_expires_at = excluded.claim_expires_at, created_at = excluded.created_at,
    expires_at = excluded.expires_at
  WHERE state = 'running' AND claim_expires_at <= ?7 RETURNING claim_token`;

/** A free call, parsed. */
interface FreeCall {
  context: Context;
  caller: Caller;
  operation: Operation;
  asked: Record<string, unknown>;
}

/**
 * Runs a free call. If it creates something under an Idempotency-Key, the request that the key stands for is stored first,
 * and removed at once if the call is refused. It stays for a day only, because nobody pays for the row. The operation
 * itself decides how to answer a repeat.
 * @throws KeyReused if the key stands for another request, free or paid; as `work`
 */
export async function underFreeKey<C extends FreeCall, T>(
  call: C,
  sent: IdempotencyKey | undefined,
  work: (call: C) => Promise<T>,
): Promise<T> {
  const { context, caller, operation, asked } = call;
  const made = operation.madeAs ? operation.madeAs(asked) : { name: operation.name, input: asked };
  if (!sent || !operation.makesOnce || !made) return work(call);
  const { services, committer } = context;
  const keyed = { ...sent, accountId: caller.accountId, fingerprint: makeFingerprint(made.name, made.input) };
  const claim = makeClaim(keyed);
  const [taken] = await committer.commit([takeStatement(claim, keyed.fingerprint, services.clocks.wallNow())]);
  const isFirst = taken?.changes === 1;
  const known = isFirst ? undefined : await readStored(services.accounts, keyed);
  if (known && known.fingerprint !== keyed.fingerprint) throw new KeyReused();
  // The refusal stands; the key expires by itself.
  const warn = (err: unknown) => context.log.warn({ err }, 'the key of a refused free call was left to expire');
  try {
    return await work(call);
  } catch (error) {
    if (isFirst) await committer.commit([forgetStatement(claim)]).catch(warn);
    throw error;
  }
}

function takeStatement({ accountId, key, token }: Claim, fingerprint: string, now: Date): Statement {
  const nowMs = now.getTime();
  const times = [FOR_GOOD, now.toISOString(), nowMs, nowMs + REPLAY_MS];
  return { sql: TAKE, args: [accountId, key, fingerprint, token, ...times] };
}

function forgetStatement({ accountId, key, token }: Claim): Statement {
  const sql = "DELETE FROM idempotency WHERE account_id = ? AND key = ? AND claim_token = ? AND state = 'free'";
  return { sql, args: [accountId, key, token] };
}
