import type { IngestContext } from '../context.ts';
import type { RunParts } from '../runs/once.ts';
import type { RegisterSource } from '../source.ts';

/** One run of the register under way. */
export interface RegisterRun extends RunParts {
  context: IngestContext;
  source: RegisterSource;
  /** Kinds, and values no list names, that were judged in this run: each is counted once a run. */
  judged: Set<string>;
  /** Whether a company's number is listed for the first time in this run. */
  isFirstListed: (number: string) => boolean;
}

/** The most values kept in memory: a file may have another in every row. */
const MOST_JUDGED = 20_000;

/** Whether this is judged for the first time in the run. */
export function isFirstSight({ judged }: RegisterRun, kind: string): boolean {
  if (judged.has(kind) || judged.size >= MOST_JUDGED) return false;
  judged.add(kind);
  return true;
}
