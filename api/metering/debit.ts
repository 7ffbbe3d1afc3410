import { chargeKey, REVENUE } from '../../schema/accounts/ledger/transfers.ts';
import { packAnswer } from '../../schema/accounts/remembered-answers.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import { isPassing, type Outcome, type SqlValue, type Statement } from '../../schema/db/interface.ts';
import { makeTimedId } from '../../schema/text/tokens.ts';
import { appendCredits, type CheckedAnswer } from '../answer/cache.ts';
import { type Answer, invalidKey, Refusal, topUpUrl } from '../contract/errors.ts';
import type { Caller, Operation } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import {
  type AccountState,
  accountStateStatement,
  type DebitRow,
  debitTogether,
  findShortfall,
  readOutcome,
  toAccountState,
} from './grouped-debits.ts';
import {
  type Claim,
  type ClaimedCall,
  type KeyedCall,
  makeClaim,
  makeKeyedChargeId,
  REPLAY_MS,
  readCompletion,
} from './idempotency.ts';
import { debitKeyed } from './keyed-calls.ts';

/** A call that may be charged. */
interface MeteredCall {
  context: Context;
  caller: Caller;
  operation: Operation;
  requestId: string;
}

interface Debit {
  /** `ch_…`: the ledger holds it at most once. */
  chargeId: string;
  /** Whole, above zero. */
  credits: number;
  /** ISO 8601 instant, UTC. */
  at: string;
}

const CHARGE = `
  INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, created_at)
  SELECT ?1, 'charge', a.id, '${REVENUE}', ?2, ?3, ?4, k.id, ?5
  FROM account a JOIN api_key k ON k.id = ?6 AND k.account_id = a.id
  WHERE a.id = ?7 AND a.state = 'active' AND k.revoked_at IS NULL AND a.balance >= ?2
    AND (k.monthly_cap IS NULL
      OR ?2 + coalesce((SELECT credits FROM key_month WHERE key_id = k.id AND month = substr(?5, 1, 7)), 0) <= k.monthly_cap)
    AND NOT EXISTS (SELECT 1 FROM transfer WHERE key = ?1)`;

const CHARGE_UNDER_CLAIM = `${CHARGE}
    AND EXISTS (SELECT 1 FROM idempotency WHERE account_id = ?7 AND key = ?8 AND claim_token = ?9 AND state = 'running')`;

const COMPLETE = `
  UPDATE idempotency SET state = 'done', charge_id = ?1, credits_charged = ?2, expires_at = ?3,
    credits_remaining = (SELECT balance FROM account WHERE id = ?4), line = (SELECT id FROM transfer WHERE key = ?7)
  WHERE account_id = ?4 AND key = ?5 AND claim_token = ?6 AND state = 'running'
    AND EXISTS (SELECT 1 FROM transfer WHERE key = ?7) RETURNING credits_remaining`;

const STORE = `
  INSERT INTO remembered_answer (line, expires_at, bytes, body)
  SELECT t.id, ?1, length(?2), ?2 FROM transfer t
  WHERE t.key = ?3 AND EXISTS (SELECT 1 FROM idempotency WHERE account_id = ?4 AND key = ?5 AND claim_token = ?6)
  ON CONFLICT (line) DO NOTHING`;

/** The present state of the caller's account and key. */
export async function readAccountState({ context, caller }: MeteredCall): Promise<AccountState> {
  const at = isoInstant(context.services.clocks.wallNow());
  return toAccountState(await context.services.accounts.read(accountStateStatement(caller, at)));
}

/**
 * Avoids the work of a call that cannot be paid; the debit itself decides. The account is read only if this process does not
 * know that the key could spend as much at its last read. @throws Refusal 402, or 401 for a key that stopped working.
 */
export async function assertAffordable(call: MeteredCall, credits: number): Promise<void> {
  const { context, caller } = call;
  if ((context.spendable.get(caller.keyId) ?? Number.NEGATIVE_INFINITY) >= credits) return;
  const state = await readAccountState(call);
  rememberSpendable(call, state);
  if (findShortfall(state, credits)) throw notEnough(call, state, credits);
}

/** More keys than call one process within an hour. */
const KEYS_MAX = 10_000;

function rememberSpendable({ context: { spendable }, caller }: MeteredCall, state: AccountState): void {
  const { balance, monthly_cap: cap, spent } = state;
  if (spendable.size >= KEYS_MAX) spendable.clear();
  const left = cap === null ? balance : Math.min(balance, cap - spent);
  const isStopped = findShortfall(state, 0) === 'stopped';
  spendable.set(caller.keyId, isStopped ? 0 : left);
}

/**
 * Debits a checked answer in one durable batch. The batch also stores the answer of a keyed call, and the rows that the
 * operation writes alongside. Answers with the credit fields appended, or with another call's answer (`replayed`) if that
 * call took the key over.
 * @throws Refusal 402 or 401 if the debit was refused, 409; OutcomeUnknown where it may have been made
 */
export async function commitDebit(
  call: MeteredCall,
  { body, credits, alongside }: CheckedAnswer,
  claimed: ClaimedCall | null,
): Promise<Answer> {
  const { context, caller } = call;
  const { accounts, clocks } = context.services;
  const now = clocks.wallNow();
  const chargeId = claimed ? makeKeyedChargeId(claimed.keyed) : makeTimedId('ch', now.getTime());
  const debit: Debit = { chargeId, credits, at: isoInstant(now) };
  if (!claimed && !alongside) {
    const state = await debitTogether(context.committer, toArgs(call, debit));
    return concludeDebit(call, debit, { body, state, remaining: state.remaining });
  }
  const statements: Statement[] = [
    ...(claimed && alongside ? [fenceStatement(claimed.claim)] : []),
    chargeStatement(call, debit, claimed),
    ...(claimed ? completeStatements(claimed, debit, body, now) : []),
    accountStateStatement(caller, debit.at, chargeId),
  ];
  const last = statements.length - 1;
  const along = alongside?.({ chargeId, creditsCharged: credits }) ?? [];
  const completionOf = async (outcome?: Outcome) =>
    claimed && readOutcome(readCompletion(accounts, outcome, claimed, now.getTime()));
  let outcomes: Outcome[];
  try {
    outcomes = await context.committer.commit([...statements, ...along]);
  } catch (error) {
    // It says itself whether anything may have been written.
    if (isPassing(error)) throw error;
    // The fence fails the batch where a later call took the key over; then that call's answer, or 409, is the answer.
    const overtaken = alongside && (await completionOf());
    if (overtaken && 'status' in overtaken) return overtaken;
    throw error;
  }
  const completed = await completionOf(outcomes[last - 1]);
  if (completed && 'status' in completed) return completed;
  const state = toAccountState(outcomes[last]?.rows ?? []);
  return concludeDebit(call, debit, { body, state, remaining: completed?.remaining ?? state.balance });
}

/**
 * Debits a keyed call whose answer was known without a claim on its key: the debit takes the key. As `commitDebit`.
 * @throws as `replayOf`; Refusal 402 or 401 if the debit was refused
 */
export async function commitKnown(
  call: MeteredCall,
  { body, credits }: CheckedAnswer,
  keyed: KeyedCall,
): Promise<Answer> {
  const { committer, services } = call.context;
  const now = services.clocks.wallNow();
  const debit: Debit = { chargeId: makeKeyedChargeId(keyed), credits, at: isoInstant(now) };
  const claimed = { keyed, claim: makeClaim(keyed) };
  const made = await debitKeyed(
    { accounts: services.accounts, committer },
    { row: toArgs(call, debit), claimed, now, answer: packAnswer(body) },
  );
  if ('status' in made) return made;
  return concludeDebit(call, debit, { body, state: made, remaining: made.remaining ?? made.balance });
}

/** The answer of a call with its credit fields. @throws Refusal 402 or 401 where the debit was refused. */
function concludeDebit(
  call: MeteredCall,
  { chargeId, credits }: Debit,
  { body, state, remaining }: { body: string; state: AccountState; remaining: number },
): Answer {
  rememberSpendable(call, state);
  if (state.charged !== 1) throw notEnough(call, state, credits);
  call.context.metrics.credits.inc({ operation: call.operation.name }, credits);
  return { status: 200, body: appendCredits(body, { charged: credits, remaining, chargeId }), charged: credits };
}

/** One debit, conditional on its account's state and balance, its key's cap and its idempotency key, if any. Repeating it has no effect. */
function chargeStatement(call: MeteredCall, debit: Debit, claimed: ClaimedCall | null): Statement {
  const args: SqlValue[] = toArgs(call, debit);
  if (!claimed) return { sql: CHARGE, args };
  const { key, token } = claimed.claim;
  return { sql: CHARGE_UNDER_CLAIM, args: [...args, key, token] };
}

function toArgs({ caller, operation, requestId }: MeteredCall, { chargeId, credits, at }: Debit): DebitRow {
  return [chargeKey(chargeId), credits, operation.name, requestId, at, caller.keyId, caller.accountId];
}

/**
 * Stores the answer and marks the call done, in the batch of its debit: all of it or nothing survives a crash. Nothing is
 * stored where the debit was refused. The outcome of the last statement goes to `readCompletion`.
 */
function completeStatements(
  { claim }: ClaimedCall,
  { chargeId, credits }: Debit,
  body: string,
  now: Date,
): Statement[] {
  const charge = chargeKey(chargeId);
  const expiresMs = now.getTime() + REPLAY_MS;
  const owner = [claim.accountId, claim.key, claim.token];
  return [
    { sql: STORE, args: [expiresMs, packAnswer(body), charge, ...owner] },
    { sql: COMPLETE, args: [chargeId, credits, expiresMs, ...owner, charge] },
  ];
}

/** Fails its batch where the claim is lost. For batches with statements that do not check the claim themselves. */
function fenceStatement({ accountId, key, token }: Claim): Statement {
  const sql = `INSERT INTO fence (ok) SELECT EXISTS (
               SELECT 1 FROM idempotency WHERE account_id = ? AND key = ? AND claim_token = ?)`;
  return { sql, args: [accountId, key, token] };
}

function notEnough({ context, operation }: MeteredCall, state: AccountState, required: number): Refusal {
  const shortfall = findShortfall(state, required);
  if (shortfall === 'stopped') return invalidKey('This API key no longer works.');
  const url = topUpUrl(context.services.settings);
  const fields = { action: operation.name, required, balance: state.balance, top_up_url: url };
  if (shortfall === 'cap') {
    const message = `This key may spend ${state.monthly_cap} credits a month and has spent ${state.spent}; this call costs ${required}.`;
    return new Refusal(402, 'key_cap_reached', message, { fields });
  }
  const message = `This call costs ${required} credits and the balance is ${state.balance}. Nothing was charged. Top up at ${url}`;
  return new Refusal(402, 'insufficient_credits', message, { fields });
}
