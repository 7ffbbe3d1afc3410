import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clocks } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import type { Found, Operation } from '../contract/operation.ts';

type FoundAnswer = Extract<Found<unknown>, { kind: 'answer' }>;

/** A checked result of an operation: its JSON text without credit fields, and its price. */
export interface CheckedAnswer {
  body: string;
  /** 0 where it is free. */
  credits: number;
  alongside: FoundAnswer['alongside'];
  creditsRemaining: FoundAnswer['creditsRemaining'];
  abandon?: FoundAnswer['abandon'];
  isFinal?: FoundAnswer['isFinal'];
}

/** Answers that are reused for as long as their source rows in the catalogue are unchanged. */
export interface AnswerCache {
  /** The cached answer to this input, or undefined where none is still valid. @throws what `Database.read` throws. */
  find(operation: Operation, input: Record<string, unknown>): Promise<CheckedAnswer | undefined>;
  /** The result of `make`, which reads the catalogue that it receives. Cached for operations whose answers last. */
  make<Made extends CheckedAnswer | undefined>(
    operation: Operation,
    input: Record<string, unknown>,
    make: (catalogue: Database) => Promise<Made>,
  ): Promise<Made>;
}

/** A statement that an answer was read with, and a digest of its rows. */
interface RecordedRead {
  statement: Statement;
  digest: string;
}

interface Kept {
  answer: CheckedAnswer;
  /** The catalogue's time when it was made, in milliseconds since the epoch. */
  madeMs: number;
  /** The statements that it was read with; null where there are too many to read again. */
  reads: readonly RecordedRead[] | null;
  /** The version of the catalogue for which `holds` says whether the answer is valid. */
  version: string;
  holds: Promise<boolean>;
}

const HOLDS = Promise.resolve(true);

/**
 * Caches at most `megabytes` of text (0: nothing), and drops the least used first. After a commit to the catalogue an answer is
 * reused once its statements have been read again and gave the same rows. A catalogue on a server cannot be watched, and caches
 * nothing. What was final by a clock that was ahead is not reused after it is set back.
 */
export function makeAnswerCache(
  catalogue: Database,
  megabytes: number,
  catalogueNow: Clocks['catalogueNow'],
): AnswerCache {
  if (megabytes === 0) return { find: async () => undefined, make: (_operation, _input, make) => make(catalogue) };
  const kept = new LRUCache<string, Kept>({ maxSize: megabytes * 1024 * 1024, sizeCalculation: sizeOf });
  const watch = makeWatch(catalogue);

  return {
    async find(operation, input) {
      const version = operation.lasting || operation.becomesFinal ? watch() : undefined;
      if (version === undefined) return undefined;
      const name = nameOf(operation, input);
      const known = kept.get(name);
      if (!known || (!operation.lasting && known.madeMs > catalogueNow().getTime())) return undefined;
      // Calls that come meanwhile wait for the same check.
      if (known.version !== version) Object.assign(known, { version, holds: readAgain(catalogue, known) });
      try {
        return (await known.holds) ? known.answer : undefined;
      } catch (error) {
        // Otherwise each call until the next commit would meet the same fault.
        kept.delete(name);
        throw error;
      }
    },
    async make(operation, input, make) {
      const version = operation.lasting || operation.becomesFinal ? watch() : undefined;
      if (version === undefined) return make(catalogue);
      const madeMs = catalogueNow().getTime();
      const recorder = recordReads(catalogue);
      const answer = await make(recorder.catalogue);
      if (!answer || (!operation.lasting && !answer.isFinal)) return answer;
      const reads = recorder.take();
      // An answer from before a commit is checked again before it is reused, where that is possible.
      if (reads || watch() === version)
        kept.set(nameOf(operation, input), { answer, madeMs, reads, version, holds: HOLDS });
      return answer;
    },
  };
}

/** The catalogue's version. One check serves every call of one turn of the event loop. */
function makeWatch(catalogue: Database): () => string | undefined {
  let version: string | undefined;
  let isLooked = false;
  return () => {
    if (isLooked) return version;
    isLooked = true;
    setImmediate(() => {
      isLooked = false;
    });
    version = catalogue.version?.();
    return version;
  };
}

/** A look-up by id reads a dozen statements at most. A name takes hundreds, which yield to other calls in between. */
const READS_MAX = 16;

/** A catalogue that reads like `catalogue` and records its reads: statements, and digests of their rows. */
function recordReads(catalogue: Database) {
  let reads: RecordedRead[] | null = [];
  return {
    catalogue: {
      ...catalogue,
      async read<T>(statement: Statement): Promise<T[]> {
        const rows = await catalogue.read<T>(statement);
        reads?.push({ statement, digest: digestOf(rows) });
        if (reads && reads.length > READS_MAX) reads = null;
        return rows;
      },
    },
    /** The reads so far; null where they are more than is worth repeating. */
    take: (): readonly RecordedRead[] | null => reads,
  };
}

/**
 * Whether every statement gives the same rows as before. An answer made only from these rows would then be the same now: each
 * later statement depends on earlier rows, so no others would be read. Stops at the first difference.
 */
async function readAgain(catalogue: Database, { reads }: Kept): Promise<boolean> {
  if (reads === null) return false;
  for (const { statement, digest } of reads) {
    if (digestOf(await catalogue.read(statement)) !== digest) return false;
  }
  return true;
}

function digestOf(rows: readonly unknown[]): string {
  return rows.length === 0 ? '' : hash('sha1', JSON.stringify(rows), 'base64');
}

/** Bytes of a digest and its container. */
const READ_BYTES = 150;

function sizeOf({ answer, reads }: Kept, name: string): number {
  return answer.body.length + name.length + (reads ?? []).length * READ_BYTES;
}

/** Inputs come parsed, in the order of their schema. */
function nameOf({ name }: Operation, input: Record<string, unknown>): string {
  return `${name} ${JSON.stringify(input)}`;
}

/** The credit fields of an answer. */
interface Credits {
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
