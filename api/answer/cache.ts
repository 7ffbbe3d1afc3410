import { LRUCache } from 'lru-cache';
import type { Database } from '../../schema/db/interface.ts';
import type { Found, Operation } from '../contract/operation.ts';

type FoundAnswer = Extract<Found<unknown>, { kind: 'answer' }>;

/** What an operation found, checked: its JSON text without credit fields, and its price. */
export interface CheckedAnswer {
  body: string;
  /** 0 where it is free. */
  credits: number;
  alongside: FoundAnswer['alongside'];
  creditsRemaining: FoundAnswer['creditsRemaining'];
  abandon?: FoundAnswer['abandon'];
}

/** Answers that are reused while the catalogue is unchanged. */
export interface AnswerCache {
  /** The cached answer to this input, or undefined where there is none. */
  find(operation: Operation, input: Record<string, unknown>): CheckedAnswer | undefined;
  /** Makes an answer and caches it, unless the catalogue changed meanwhile or the operation's answers do not last. */
  make(
    operation: Operation,
    input: Record<string, unknown>,
    make: () => Promise<CheckedAnswer>,
  ): Promise<CheckedAnswer>;
}

/** Keeps at most `megabytes` of text (0: nothing), the least used dropped first. A server's catalogue cannot be watched and keeps none. */
export function makeAnswerCache(catalogue: Database, megabytes: number): AnswerCache {
  if (megabytes === 0) return { find: () => undefined, make: (_operation, _input, make) => make() };
  const kept = new LRUCache<string, CheckedAnswer>({
    maxSize: megabytes * 1024 * 1024,
    sizeCalculation: ({ body }, key) => body.length + key.length,
  });
  let version: string | undefined;
  let isLooked = false;

  // One check serves every call of one turn of the event loop.
  const watch = () => {
    if (isLooked) return version;
    isLooked = true;
    setImmediate(() => {
      isLooked = false;
    });
    const now = catalogue.version?.();
    if (now !== version) kept.clear();
    version = now;
    return now;
  };
  return {
    find(operation, input) {
      if (!operation.lasting || watch() === undefined) return undefined;
      return kept.get(nameOf(operation, input));
    },
    async make(operation, input, make) {
      const before = operation.lasting ? watch() : undefined;
      const answer = await make();
      if (before !== undefined && watch() === before) kept.set(nameOf(operation, input), answer);
      return answer;
    },
  };
}

/** Inputs come parsed, in the order of their schema. */
function nameOf({ name }: Operation, input: Record<string, unknown>): string {
  return `${name} ${JSON.stringify(input)}`;
}

/** The credit fields of an answer. */
export interface Credits {
  charged: number;
  remaining: number;
  chargeId?: string | undefined;
}

/** Appends the credit fields to the JSON text of an object. The same text and credits always give the same bytes. */
export function appendCredits(body: string, { charged, remaining, chargeId }: Credits): string {
  const head = body === '{}' ? '{' : `${body.slice(0, -1)},`;
  const charge = chargeId === undefined ? '' : `,"charge_id":${JSON.stringify(chargeId)}`;
  return `${head}"credits_charged":${charged},"credits_remaining":${remaining}${charge}}`;
}
