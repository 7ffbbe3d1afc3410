import type { Outcome, Statement } from '../../schema/db/interface.ts';
import type { Readiness } from '../../schema/process/operator-answers.ts';
import type { Answer, Ask } from '../../search/embedded/reader.ts';
import type { Answer as SummaryAnswer, Ask as SummaryAsk } from '../../search/summary/reader.ts';
import type { Fault } from '../concurrency/peer.ts';
import type { LongReadAnswer, LongReadAsk } from '../find/readers.ts';
import type { SentWrite } from '../metering/groupings.ts';
import type { RowAnswer, RowAsk } from '../reads/export-rows/counter.ts';
import type { Metric } from '../server.ts';

/** Questions from a worker to the primary. */
export interface OfPrimary {
  /** From now on the worker answers calls at this address. */
  answering: [{ url: string }, null];
  share: [{ name: string; most: number; windowSeconds: number; id: string; returned: Returned | null }, Share];
  /** Answered when it is the worker's turn; false where too many wait. */
  turn: [{ place: string; waitingMost: number }, boolean];
  endTurn: [{ place: string }, null];
  search: [Ask, Answer];
  rows: [RowAsk, RowAnswer];
  longReads: [LongReadAsk, LongReadAnswer];
  summaries: [SummaryAsk, SummaryAnswer];
  /** One atomic batch for the accounts. */
  write: [readonly Statement[], Outcome[]];
  /** What calls write to the accounts, together with those of the other workers: what became of each. */
  writeGroup: [readonly SentWrite[], ({ value: unknown } | { fault: Fault })[]];
}

/** What is left of a worker's former share of the window that ends then. */
export interface Returned {
  requests: number;
  endsMs: number;
}

/** Questions from the primary to a worker. */
export interface OfWorker {
  /** How much of its share of an id's allowance the worker has not used, and returns. */
  giveBack: [{ name: string; id: string }, number];
  readiness: [null, Readiness];
  /** Answered as soon as the event loop turns. */
  alive: [null, null];
  metrics: [null, Metric[]];
  /** Answered once running calls have ended and everything is closed. */
  stop: [null, null];
}

/** A part of an id's allowance that one worker may use without asking again. */
export interface Share {
  /** 0: nobody has any left. */
  requests: number;
  /** Requests not yet given to any worker. */
  rest: number;
  /** When it expires, in milliseconds since 1970. */
  endsMs: number;
}
