import { isoInstant } from '../../schema/config/clocks.ts';
import type { Outcome, Statement } from '../../schema/db/interface.ts';
import { makeTimedId } from '../../schema/text/tokens.ts';
import { invalidKey } from '../access/caller.ts';
import { appendCredits } from '../answer/append-credits.ts';
import type { CheckedAnswer } from '../answer/cache.ts';
import { clip, trimAnswer } from '../answer/trim.ts';
import { type Answer, Refusal, topUpUrl } from '../contract/errors.ts';
import type { Caller, Found, Operation } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import {
  chargeStatement,
  type Debit,
  findShortfall,
  type Standing,
  standingStatement,
  toStanding,
} from './account-state.ts';
import { type Claim, fenceStatement, keepClaim, releaseStatement } from './claim.ts';
import {
  claimKey,
  completeStatements,
  findReplay,
  type Held,
  makeFingerprint,
  makeKeyedChargeId,
  readCompletion,
} from './idempotency.ts';

/** Near things that a refusal names, and characters of the name of each. */
const CANDIDATES_MOST = 5;
const NAME_MOST = 160;

/** A parsed call on its way to an answer. */
export interface Work {
  context: Context;
  caller: Caller;
  operation: Operation;
  input: Record<string, unknown>;
  /** The input without what a door presumes: what a repeat is told by. */
  asked: Record<string, unknown>;
  requestId: string;
  /** Whether nobody waits for the answer any more; absent where it is remembered for a retry. */
  isGone?: (() => boolean) | undefined;
}

type FoundNothing = Extract<Found<unknown>, { kind: 'nothing' }>;
type FoundAnswer = Extract<Found<unknown>, { kind: 'answer' }>;

/** An answer without a word about credits. */
export async function answerPublic(work: Work): Promise<Answer> {
  const found = await runOperation(work);
  if (found.kind === 'nothing') throw new Refusal(404, 'not_found', found.message);
  return { status: 200, body: toCheckedBody(work, found.body) };
}

/** An answer of an operation that has no price. */
export async function answerFree(work: Work): Promise<Answer> {
  return toFreeAnswer(work, await makeAnswer(work));
}

/** Replay or 409, afford, the work, the debit. A call that was not charged leaves its key free. */
export async function answerMetered(
  work: Work,
  idempotencyKey: { key: string; loc: (string | number)[] } | undefined,
): Promise<Answer> {
  const { context, caller, operation, asked } = work;
  const now = context.services.clocks.wallNow();
  const fingerprint = idempotencyKey ? makeFingerprint(operation.name, asked) : '';
  const keyed = idempotencyKey && { ...idempotencyKey, accountId: caller.accountId, fingerprint };
  const replay = keyed ? await findReplay(context.services.accounts, keyed, now.getTime()) : null;
  if (replay) return replay;

  if (!keyed) return (await settle(work, null)).answer;
  // Before credits are looked at: the call that spent the last of them may be ending on another process at this moment.
  const claim = await claimKey({ accounts: context.services.accounts, committer: context.committer }, keyed, now);
  return 'token' in claim ? settleUnderClaim(work, { keyed, claim }) : claim;
}

/** @throws Refusal 402, or 401 for a key that stopped working. */
async function assertAffordable(work: Work, needed: number): Promise<void> {
  const standing = await readStanding(work);
  if (findShortfall(standing, needed)) throw notEnough(work, standing, needed);
}

async function settleUnderClaim(work: Work, held: Held): Promise<Answer> {
  const { context, requestId } = work;
  const stopKeeping = keepClaim(
    { committer: context.committer, clocks: context.services.clocks },
    held.claim,
    (error) => context.log.warn({ err: error, request_id: requestId }, 'an idempotency claim was not renewed'),
  );
  let remembered = false;
  try {
    const settled = await settle(work, held);
    remembered = settled.charged;
    return settled.answer;
  } finally {
    stopKeeping();
    if (!remembered) await releaseClaim(work, held.claim);
  }
}

/** A claim that cannot be released frees itself when its time is up, so the answer need not suffer. */
async function releaseClaim({ context, requestId }: Work, claim: Claim): Promise<void> {
  try {
    await context.committer.commit([releaseStatement(claim)]);
  } catch (error) {
    context.log.warn({ err: error, request_id: requestId }, 'an idempotency claim was left to run out');
  }
}

async function settle(work: Work, held: Held | null): Promise<{ answer: Answer; charged: boolean }> {
  // The debit judges what the caller can afford; it is asked before only to spare work, and of a kept answer there is none.
  const { context, operation, input, caller } = work;
  const kept = context.answerCache.find(operation, input);
  if (!kept)
    await assertAffordable(work, operation.creditsNeeded?.(input, context.services, caller) ?? operation.credits);
  const checked = kept ?? (await makeAnswer(work));
  if (checked.credits === 0) return { answer: await toFreeAnswer(work, checked), charged: false };
  try {
    const answer = await commitDebit(work, checked, held);
    if (answer.replayed) await abandon(work, checked.abandon);
    return { answer, charged: true };
  } catch (error) {
    await abandon(work, checked.abandon);
    throw error;
  }
}

/** What cannot be removed now is removed by upkeep: the refusal need not suffer. */
async function abandon({ context, requestId }: Work, remove: CheckedAnswer['abandon']): Promise<void> {
  try {
    await remove?.();
  } catch (error) {
    context.log.warn({ err: error, request_id: requestId }, 'what a refused call had prepared was left for upkeep');
  }
}

async function commitDebit(
  work: Work,
  { body, credits, alongside }: CheckedAnswer,
  held: Held | null,
): Promise<Answer> {
  const { context, caller, operation, requestId } = work;
  const now = context.services.clocks.wallNow();
  const chargeId = held ? makeKeyedChargeId(held.keyed) : makeTimedId('ch', now.getTime());
  const debit: Debit = { caller, chargeId, credits, action: operation.name, requestId, at: isoInstant(now) };
  const claim = held?.claim;
  const statements: Statement[] = [
    ...(claim && alongside ? [fenceStatement(claim)] : []),
    chargeStatement(debit, claim),
    ...(claim ? completeStatements(claim, debit, body, now.getTime()) : []),
    standingStatement(caller, debit.at, chargeId),
  ];
  const last = statements.length - 1;
  const along = alongside?.({ chargeId, creditsCharged: credits }) ?? [];
  let outcomes: Outcome[];
  try {
    outcomes = await context.committer.commit([...statements, ...along]);
  } catch (error) {
    // The fence refuses all of it where a later call took the key over: that one's answer is the answer, or 409.
    const overtaken =
      held && alongside && (await readCompletion(context.services.accounts, undefined, held, now.getTime()));
    if (overtaken && 'status' in overtaken) return overtaken;
    throw error;
  }

  const completed = held && (await readCompletion(context.services.accounts, outcomes[last - 1], held, now.getTime()));
  if (completed && 'status' in completed) return completed;
  const standing = toStanding(outcomes[last]?.rows ?? []);
  if (standing.charged !== 1) throw notEnough(work, standing, credits);
  context.metrics.credits.inc({ operation: operation.name }, credits);
  const remaining = completed?.remaining ?? standing.balance;
  return { status: 200, body: appendCredits(body, { charged: credits, remaining, chargeId }), charged: credits };
}

/** The work, its output checked. @throws Refusal 404 where nothing is found. */
function makeAnswer(work: Work): Promise<CheckedAnswer> {
  const { context, operation, input } = work;
  return context.answerCache.make(operation, input, async () => {
    const found = await runOperation(work);
    if (found.kind === 'nothing') throw notFound(found, (await readStanding(work)).balance);
    const { charge, credits = operation.credits, prepare, alongside, creditsRemaining } = found;
    const body = toCheckedBody(work, found.body);
    if (prepare) {
      await assertAffordable(work, credits);
      await prepareOrAbandon(work, found, prepare);
    }
    const price = charge === 'none' ? 0 : credits;
    return { body, credits: price, alongside, creditsRemaining, abandon: found.abandon };
  });
}

async function prepareOrAbandon(work: Work, found: FoundAnswer, prepare: () => Promise<void>): Promise<void> {
  try {
    await prepare();
  } catch (error) {
    await abandon(work, found.abandon);
    throw error;
  }
}

function runOperation({ context, caller, operation, input, isGone }: Work): Promise<Found<unknown>> {
  return operation.run(input, context.services, caller, isGone);
}

/** The answer's JSON as asked for, every field that the row does not declare stripped. @throws Error where it is not what the row promises. */
function toCheckedBody({ operation, input }: Work, body: unknown): string {
  const checked = operation.output.safeParse(body);
  if (!checked.success) throw new Error(`${operation.name} answered against its schema`, { cause: checked.error });
  return JSON.stringify(trimAnswer(operation, checked.data, input));
}

async function toFreeAnswer(work: Work, { body, creditsRemaining }: CheckedAnswer): Promise<Answer> {
  const remaining = creditsRemaining ?? (await readStanding(work)).balance;
  return { status: 200, body: appendCredits(body, { charged: 0, remaining }) };
}

async function readStanding({ context, caller }: Work): Promise<Standing> {
  const at = isoInstant(context.services.clocks.wallNow());
  return toStanding(await context.services.accounts.read(standingStatement(caller, at)));
}

function notFound({ message, candidates }: FoundNothing, balance: number): Refusal {
  const nearest = candidates?.slice(0, CANDIDATES_MOST).map((one) => ({ ...one, name: clip(one.name, NAME_MOST) }));
  const near = nearest && nearest.length > 0 ? { candidates: nearest } : {};
  return new Refusal(404, 'not_found', message, {
    fields: { ...near, credits_charged: 0, credits_remaining: balance },
  });
}

function notEnough({ context, operation }: Work, standing: Standing, required: number): Refusal {
  const shortfall = findShortfall(standing, required);
  if (shortfall === 'stopped') return invalidKey('This API key no longer works.');
  const url = topUpUrl(context.services.settings);
  const fields = { action: operation.name, required, balance: standing.balance, top_up_url: url };
  if (shortfall === 'cap') {
    const message = `This key may spend ${standing.monthly_cap} credits a month and has spent ${standing.spent}; this call costs ${required}.`;
    return new Refusal(402, 'key_cap_reached', message, { fields });
  }
  const message = `This call costs ${required} credits and the balance is ${standing.balance}. Nothing was charged. Top up at ${url}`;
  return new Refusal(402, 'insufficient_credits', message, { fields });
}
