import type { Database } from '../../schema/db/interface.ts';
import { appendCredits, type CheckedAnswer } from '../answer/cache.ts';
import { checkFields, clip, trimAnswer, trimText } from '../answer/trim.ts';
import {
  type Answer,
  type InputFault,
  Invalid,
  isForOperator,
  type Locate,
  Refusal,
  toAnswer,
  toDetails,
  toRefusal,
} from '../contract/errors.ts';
import {
  CANDIDATES_MAX,
  type Caller,
  type Found,
  type NameCall,
  type Nothing,
  type Operation,
  type Services,
  takesKey,
} from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import { firstOfEach, toFaults } from '../validation/faults.ts';
import { findTooLong, leaveOut, readMeant } from '../validation/inputs.ts';
import { assertAffordable, commitDebit, commitKnown, readAccountState } from './debit.ts';
import {
  type ClaimedCall,
  checkKey,
  claimKey,
  type IdempotencyKey,
  locateKey,
  makeFingerprint,
  underClaim,
} from './idempotency.ts';
import { underFreeKey } from './keyed-calls.ts';

/** One call of one operation, over either transport. */
export interface CallRequest {
  operation: Operation;
  /** Inputs by name, in the types of JSON. */
  given: Record<string, unknown>;
  /** Values that the transport adds for omitted inputs. They are not part of the request that an idempotency key names. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Faults that the transport found in the names of the inputs. */
  faults?: readonly InputFault[];
  locate: Locate;
  /** How the transport names other operations in a refusal. */
  nameCall: NameCall;
  idempotencyKey?: IdempotencyKey | undefined;
  requestId: string;
  /** Whether the client has disconnected. */
  isGone(): boolean;
}

/** A parsed call. */
interface Work {
  context: Context;
  caller: Caller;
  operation: Operation;
  input: Record<string, unknown>;
  /** The input without the transport's defaults, by which a repeated call is compared. */
  asked: Record<string, unknown>;
  requestId: string;
  /** Whether the client has disconnected; absent where the answer is stored for a retry. */
  isGone?: (() => boolean) | undefined;
}

/** The caller of a public operation without a key. */
const ANYONE: Caller = { accountId: '', keyId: '' };
/** Characters of a candidate's name in a refusal. */
const NAME_MAX = 160;

/**
 * The single path of every call, after authentication and rate limits: parse (422), replay or 409, afford (402), run, check the
 * output, debit, answer. `caller` is null for a public operation over REST. Never throws: an unexpected error becomes a 500
 * without its message.
 */
export async function call(context: Context, caller: Caller | null, request: CallRequest): Promise<Answer> {
  const { requestId, idempotencyKey } = request;
  try {
    const operation = await context.judgeOf(request.operation, request.given);
    if (!caller && !operation.public) throw new Error(`${operation.name} was called without a caller`);
    const work = readWork(context, caller ?? ANYONE, { ...request, operation });
    if (!caller) return await answerPublic(work);
    if (operation.credits === 0) return await answerFree(work, await underFreeKey(work, idempotencyKey, makeAnswer));
    return idempotencyKey ? await answerOnce(work, idempotencyKey) : (await answerCharged(work, null)).answer;
  } catch (error) {
    const refusal = toRefusal(locateKey(error, idempotencyKey), request.locate);
    if (isForOperator(error, refusal))
      context.log.error({ err: error, request_id: requestId, operation: request.operation.name }, 'a call failed');
    return toAnswer(refusal, requestId, request.nameCall);
  }
}

/** The parsed call. @throws Invalid 422. */
function readWork(context: Context, caller: Caller, request: CallRequest): Work {
  const { operation, given, defaults, requestId, idempotencyKey } = request;
  const input = parseInput(context, caller, request);
  const asked = defaults && idempotencyKey ? operation.input.parse(readMeant(operation, given)) : input;
  // A client that sent a key returns for the answer, so the work continues without it.
  const isGone = idempotencyKey ? undefined : request.isGone;
  const keyedCaller = operation.makesOnce && idempotencyKey ? { ...caller, once: idempotencyKey.key } : caller;
  return { context, caller: keyedCaller, operation, input, asked, requestId, isGone };
}

/** The parsed input. @throws Invalid 422 with every fault. */
function parseInput(context: Context, caller: Caller, request: CallRequest): Record<string, unknown> {
  const { operation, locate, idempotencyKey } = request;
  const tooLong = findTooLong(operation, request.given);
  const faults = [...(request.faults ?? []), ...tooLong];
  const given = readMeant(operation, { ...request.defaults, ...leaveOut(request.given, tooLong) });
  if (idempotencyKey && takesKey(operation)) checkKey(idempotencyKey.key, idempotencyKey.loc);
  const parsed = operation.input.safeParse(given);
  const found = parsed.success ? [] : toFaults(operation, firstOfEach(parsed.error.issues), given);
  const known = new Set(faults.map(({ path }) => path.join('\n')));
  const all = [...faults, ...found.filter(({ path }) => !known.has(path.join('\n')))];
  if (!parsed.success || all.length > 0) throw new Invalid(toDetails(all, locate));
  checkFields(operation, parsed.data);
  operation.check?.(parsed.data, context.services, caller);
  return parsed.data;
}

/** An answer without credit fields. */
async function answerPublic(work: Work): Promise<Answer> {
  const compiled = await readCompiled(work);
  if (compiled) return { status: 200, body: compiled.body };
  const found = await runOperation(work);
  if (found.kind === 'nothing') throw new Refusal(404, 'not_found', found.message);
  return { status: 200, body: toCheckedBody(work, found.body) };
}

/** A metered call with an idempotency key: the remembered answer, or the one call that may be charged under this key. */
async function answerOnce(work: Work, idempotencyKey: IdempotencyKey): Promise<Answer> {
  const { context, caller, operation } = work;
  const { accounts, clocks } = context.services;
  const fingerprint = makeFingerprint(operation.name, work.asked);
  const keyed = { ...idempotencyKey, accountId: caller.accountId, fingerprint };
  const known = await findKnown(work);
  if (known && known.credits > 0 && !known.alongside) return commitKnown(work, known, keyed);
  const now = clocks.wallNow();
  // The claim comes first: a new key, as nearly all are, then needs no read of remembered answers. And it comes before the balance, as
  // the call that spent the last credits may be finishing in another process.
  const claim = await claimKey({ accounts, committer: context.committer }, keyed, now);
  if (!('token' in claim)) return claim;
  const { answer } = await underClaim(work, claim, () => answerCharged(work, { keyed, claim }));
  return answer;
}

/** An answer that needs no work: cached, or compiled by ingest. */
async function findKnown(work: Work): Promise<CheckedAnswer | undefined> {
  const { context, operation, input } = work;
  const kept = await context.answerCache.find(operation, input);
  if (kept || !operation.readText) return kept;
  return context.answerCache.make(operation, input, (catalogue) => readCompiled(work, catalogue));
}

/** Affords, runs and debits. A cached answer skips the first two: the debit itself decides what the caller can afford. */
async function answerCharged(work: Work, claimed: ClaimedCall | null): Promise<{ answer: Answer; charged: boolean }> {
  const { context, operation, input, caller } = work;
  const cached = await context.answerCache.find(operation, input);
  if (!cached)
    await assertAffordable(work, operation.creditsNeeded?.(input, context.services, caller) ?? operation.credits);
  const checked = cached ?? (await makeAnswer(work));
  if (checked.credits === 0) return { answer: await answerFree(work, checked), charged: false };
  try {
    const answer = await commitDebit(work, checked, claimed);
    if (answer.replayed) await abandon(work, checked.abandon);
    return { answer, charged: true };
  } catch (error) {
    await abandon(work, checked.abandon);
    throw error;
  }
}

/** Runs the operation and checks its output. @throws Refusal 404 where nothing is found, 402. */
function makeAnswer(work: Work): Promise<CheckedAnswer> {
  const { context, operation, input } = work;
  return context.answerCache.make(operation, input, async (catalogue) => {
    const compiled = await readCompiled(work, catalogue);
    if (compiled) return compiled;
    const found = await runOperation(work, catalogue);
    if (found.kind === 'nothing') throw notFound(found, (await readAccountState(work)).balance);
    const { charge, credits = operation.credits, prepare, alongside, creditsRemaining, isFinal } = found;
    const body = toCheckedBody(work, found.body);
    if (prepare) {
      await assertAffordable(work, credits);
      try {
        await prepare();
      } catch (error) {
        await abandon(work, found.abandon);
        throw error;
      }
    }
    const price = charge === 'none' ? 0 : credits;
    return { body, credits: price, alongside, creditsRemaining, isFinal, abandon: found.abandon };
  });
}

/** Runs the operation on a catalogue that may record its reads. */
function runOperation(work: Work, catalogue?: Database): Promise<Found<unknown>> {
  const { caller, operation, input, isGone } = work;
  return operation.run(input, servicesOn(work, catalogue), caller, isGone);
}

/** The answer if ingest compiled its text, which was checked when it was written. */
async function readCompiled(work: Work, catalogue?: Database): Promise<CheckedAnswer | undefined> {
  const { operation, input } = work;
  const text = await operation.readText?.(input, servicesOn(work, catalogue));
  if (!text) return undefined;
  const body = trimText(operation, text, input);
  return { body, credits: operation.credits, alongside: undefined, creditsRemaining: undefined };
}

function servicesOn({ context: { services } }: Work, catalogue = services.catalogue): Services {
  return catalogue === services.catalogue ? services : { ...services, catalogue };
}

/** The answer as JSON, without fields that the schema does not declare. @throws Error where it breaks the schema. */
function toCheckedBody({ operation, input }: Work, body: unknown): string {
  const checked = operation.output.safeParse(body);
  if (!checked.success) throw new Error(`${operation.name} answered against its schema`, { cause: checked.error });
  return JSON.stringify(trimAnswer(operation, checked.data, input));
}

async function answerFree(work: Work, { body, creditsRemaining }: CheckedAnswer): Promise<Answer> {
  const remaining = creditsRemaining ?? (await readAccountState(work)).balance;
  return { status: 200, body: appendCredits(body, { charged: 0, remaining }) };
}

/** Removes what a refused call had prepared. Upkeep removes it later where this fails, so the refusal stays the answer. */
async function abandon({ context, requestId }: Work, remove: CheckedAnswer['abandon']): Promise<void> {
  try {
    await remove?.();
  } catch (error) {
    context.log.warn({ err: error, request_id: requestId }, 'what a refused call had prepared was left for upkeep');
  }
}

function notFound({ message, candidates }: Nothing, balance: number): Refusal {
  const nearest = candidates?.slice(0, CANDIDATES_MAX).map((one) => ({ ...one, name: clip(one.name, NAME_MAX) }));
  const near = nearest && nearest.length > 0 ? { candidates: nearest } : {};
  return new Refusal(404, 'not_found', message, {
    fields: { ...near, credits_charged: 0, credits_remaining: balance },
  });
}
