import type { Database, Outcome, SqlValue, Statement } from '../../schema/db/interface.ts';
import type { Committer, Grouping } from '../concurrency/group-commit.ts';
import { type Answer, KeyReused } from '../contract/errors.ts';
import type { Caller, Operation } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import {
  type AccountState,
  chargeEach,
  type DebitRow,
  readDebited,
  runStatesStatement,
  toRuns,
  toText,
} from './grouped-debits.ts';
import {
  CLAIM_MS,
  type Claim,
  type ClaimedCall,
  type IdempotencyKey,
  makeClaim,
  makeFingerprint,
  REPLAY_MS,
  readStored,
  replayOf,
} from './idempotency.ts';

/**
 * A keyed call whose answer is known before its debit needs no claim while it works. Its debit, key and stored answer are
 * one batch, so it waits for the disk once instead of twice. A free call needs no claim either: its key is one write.
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

/** A keyed debit, with the statement that stores its answer. */
export interface KeyedDebit {
  row: DebitRow;
  claimed: ClaimedCall;
  chargeId: string;
  now: Date;
  store: Statement;
}

/** As `UNLESS_TAKEN`, of a line, whose third field is the key. `?3`: now, in milliseconds. */
const CHARGE_ALL = chargeEach(`
    AND NOT EXISTS (SELECT 1 FROM idempotency WHERE account_id = run.account_id AND key = line.value ->> 2
      AND (state = 'done' OR claim_expires_at > ?3))`);

/**
 * As `RECORD`, for many. It follows their debits in one batch, so theirs are the last lines of the ledger: what a debit left is
 * the balance without those after it.
 */
const RECORD_ALL = `
  INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at,
    charge_id, credits_charged, credits_remaining)
  SELECT a.id, r.value ->> 1, r.value ->> 2, 'done', r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6, r.value ->> 7,
    t.credits, a.balance + coalesce(sum(t.credits) OVER (
      PARTITION BY a.id ORDER BY t.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
  FROM json_each(?1) r CROSS JOIN transfer t ON t.key = r.value ->> 8 CROSS JOIN account a ON a.id = r.value ->> 0
  WHERE true
  ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'done',
    claim_token = excluded.claim_token, claim_expires_at = excluded.claim_expires_at, created_at = excluded.created_at,
    expires_at = excluded.expires_at, charge_id = excluded.charge_id, credits_charged = excluded.credits_charged,
    credits_remaining = excluded.credits_remaining
  WHERE idempotency.state = 'running' AND idempotency.claim_expires_at <= excluded.claim_expires_at - ${CLAIM_MS}
  RETURNING claim_token, credits_remaining`;

/** The account after a keyed debit. `remaining`: what it left; absent where it was not charged and its key written down now. */
type KeyedOutcome = AccountState & { remaining?: number | undefined };

const groupKeyed: Grouping<KeyedDebit, KeyedOutcome> = (debits) => {
  // Of calls that came at once with one key the first is charged, and its answer is that of the others.
  const firsts = [...new Map(debits.toReversed().map((debit) => [debit.chargeId, debit])).values()].reverse();
  const runs = toRuns(firsts.map(({ row }) => row));
  const text = toText(runs);
  const charges = runs.map((run) =>
    run.places.map((place, line) => [...(run.charges[line] ?? []), firsts[place]?.claimed.claim.key]),
  );
  const nowMs = Math.min(...firsts.map(({ now }) => now.getTime()));
  return {
    statements: [
      { sql: CHARGE_ALL, args: [text, JSON.stringify(charges), nowMs] },
      { sql: RECORD_ALL, args: [JSON.stringify(firsts.map(toRecord))] },
      ...firsts.map(({ store }) => store),
      runStatesStatement(text),
    ],
    results(outcomes) {
      const rows = (outcomes[1]?.rows ?? []) as { claim_token: string; credits_remaining: number }[];
      const left = new Map(rows.map((row) => [row.claim_token, row.credits_remaining]));
      const states = readDebited(runs, outcomes.at(-1));
      const stateOf = new Map(firsts.map(({ chargeId }, place) => [chargeId, states[place] as AccountState]));
      return debits.map(({ chargeId, claimed }) => {
        const { balance, state, revoked_at, monthly_cap, spent } = stateOf.get(chargeId) as AccountState;
        const remaining = left.get(claimed.claim.token);
        const charged = remaining === undefined ? 0 : 1;
        return { balance, state, revoked_at, monthly_cap, spent, charged, remaining };
      });
    },
  };
};

function toRecord({ claimed: { keyed, claim }, chargeId, now, row: [charge] }: KeyedDebit): SqlValue[] {
  const nowMs = now.getTime();
  const owner = [claim.accountId, claim.key, keyed.fingerprint, claim.token];
  return [...owner, nowMs + CLAIM_MS, now.toISOString(), nowMs + REPLAY_MS, chargeId, charge];
}

/** Makes a keyed debit in one batch with those of other calls, unless it is refused or another call has the key. */
export function debitKeyedTogether(committer: Committer, debit: KeyedDebit): Promise<KeyedOutcome> {
  return committer.commitRow(groupKeyed, debit);
}

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
  try {
    return await work(call);
  } catch (error) {
    if (isFirst) await committer.commit([forgetStatement(claim)]);
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
