import type { z } from 'zod';
import { checkFields } from '../answer/trim.ts';
import type { NameCall } from '../contract/call-names.ts';
import {
  type Answer,
  Invalid,
  isForOperator,
  type Locate,
  toAnswer,
  toDetails,
  toRefusal,
} from '../contract/errors.ts';
import type { InputFault } from '../contract/invalid-input.ts';
import type { Caller, Operation } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import { findTooLong } from '../validation/bounds.ts';
import { toFaults } from '../validation/faults.ts';
import { inputHints, inputTypes, readMeant } from '../validation/types.ts';
import { answerFree, answerMetered, answerPublic } from './debit.ts';
import { checkKey } from './idempotency.ts';

/** One call of one operation, however it arrived. */
export interface Ask {
  operation: Operation;
  /** Inputs by name, of JSON's types. */
  given: Record<string, unknown>;
  /** What this door takes an input to be that is left out: no part of what was asked, which is one request over both doors. */
  presumed?: Readonly<Record<string, unknown>>;
  /** What the door itself found wrong with the inputs' names. */
  faults?: readonly InputFault[];
  locate: Locate;
  /** How this transport names another operation, of which a refusal may speak. */
  nameCall: NameCall;
  idempotencyKey?: { key: string; loc: (string | number)[] } | undefined;
  requestId: string;
  /** Whether the client has gone away. */
  isGone(): boolean;
}

/** Who calls where no key is asked for. */
const ANYONE: Caller = { accountId: '', keyId: '' };

/**
 * Where both doors meet, for a caller who is known and within the limits: parse (422), replay or 409, afford (402),
 * the work, its output checked, the debit, the answer. `caller` is null where nobody needs to be known: at a public operation over REST.
 * Never throws: what nobody foresaw leaves as a 500 without its message.
 */
export async function call(context: Context, caller: Caller | null, ask: Ask): Promise<Answer> {
  const { operation, requestId } = ask;
  try {
    const who = caller ?? ANYONE;
    const input = parseInput(context, who, ask);
    if (operation.public && !caller)
      return await answerPublic({ context, caller: who, operation, input, asked: input, requestId });
    if (!caller) throw new Error(`${operation.name} was asked by nobody`);
    // Who sent a key comes back for the answer.
    const isGone = ask.idempotencyKey ? undefined : ask.isGone;
    const asked = ask.presumed && ask.idempotencyKey ? operation.input.parse(readMeant(operation, ask.given)) : input;
    const work = { context, caller, operation, input, asked, requestId, isGone };
    return operation.credits === 0 ? await answerFree(work) : await answerMetered(work, ask.idempotencyKey);
  } catch (error) {
    const refusal = toRefusal(error, ask.locate);
    if (isForOperator(error, refusal))
      context.log.error({ err: error, request_id: requestId, operation: operation.name }, 'a call failed');
    return toAnswer(refusal, requestId, ask.nameCall);
  }
}

/** The input as its schema has it, every fault told at once. @throws Invalid 422. */
function parseInput(context: Context, caller: Caller, ask: Ask): Record<string, unknown> {
  const { operation, locate, idempotencyKey } = ask;
  const tooLong = findTooLong(operation, ask.given);
  const faults = [...(ask.faults ?? []), ...tooLong];
  const given = readMeant(operation, { ...ask.presumed, ...leaveOut(ask.given, tooLong) });
  if (idempotencyKey && operation.credits > 0) checkKey(idempotencyKey.key, idempotencyKey.loc);
  const parsed = operation.input.safeParse(given);
  const told = parsed.success
    ? []
    : toFaults(firstOfEach(parsed.error.issues), given, inputTypes(operation), inputHints(operation));
  const known = new Set(faults.map(({ path }) => path.join('\n')));
  const all = [...faults, ...told.filter(({ path }) => !known.has(path.join('\n')))];
  if (!parsed.success || all.length > 0) throw new Invalid(toDetails(all, locate));
  checkFields(operation, parsed.data);
  operation.check?.(parsed.data, context.services, caller);
  return parsed.data;
}

/** The inputs but those of the faults, which are looked at no further. */
function leaveOut(given: Record<string, unknown>, faults: readonly InputFault[]): Record<string, unknown> {
  if (faults.length === 0) return given;
  const names = new Set(faults.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));
}

/** One fault of each input: what a wrong type is also too short for is noise. Unknown names stand together in one. */
function firstOfEach(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const first = new Map<string, z.core.$ZodIssue>();
  for (const issue of issues) {
    const of = JSON.stringify(issue.path);
    const before = first.get(of);
    if (!before || isSafeRange(before)) first.set(of, issue);
  }
  return [...first.values()];
}

/** Zod's own bounds of whole numbers come before those of the input, which say more. */
function isSafeRange(issue: z.core.$ZodIssue): boolean {
  return (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int';
}
