import type { Logger } from 'pino';
import type { Clocks } from '../schema/config/clocks.ts';
import type { Settings } from '../schema/config/settings.ts';
import type { Database, Statement } from '../schema/db/interface.ts';

/** Pauses; ends early with the signal's reason when aborted. */
export type Sleep = (waitMs: number, signal?: AbortSignal) => Promise<void>;

/** Whose requests go first where several wait for one budget: nightly (scheduled) work, then probes, then backfill. */
export type Priority = 'nightly' | 'probe' | 'backfill';

/** What every part of ingest is handed by its front door. */
export interface IngestContext {
  catalogue: Database;
  clocks: Clocks;
  settings: Settings;
  log: Logger;
  /** The statement that refuses a batch when the lease was lost; null where nothing is leased. */
  fence: Statement | null;
  /** Whether a person asked for this: who may try a closed source once. */
  byHand?: boolean;
  /** What a run is judged by instead of the source's own expectation, which a loopback upstream cannot meet. */
  expected?: { least: number; most: number };
  /** Real time unless a test keeps its own. */
  sleep?: Sleep;
}

export interface Progress {
  source: string;
  requests: number;
  /** Releases read so far; for a register, rows. */
  releases: number;
  /** Pieces still to ask, as far as is known. */
  windowsLeft: number;
  /** Share of the work done, 0 to 1. */
  fraction: number;
}

/**
 * What a run is for: `ingest`, a source's turn from its cursor to now; `rewalk`, the last days once more (some notices
 * become visible late); `backfill`, an explicit span. Only the first says when the source last succeeded.
 */
export type RunJob = 'ingest' | 'rewalk' | 'backfill';

export interface RunOptions {
  /** Where it is not said, a run over an explicit span is a `backfill`, any other an `ingest`. */
  job?: RunJob | undefined;
  /** Start of an explicit span; without it the run starts at the cursor. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Asks also for what is held as complete. */
  again?: boolean;
  onProgress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export type RunState = 'succeeded' | 'empty' | 'failed' | 'abandoned';

/** The counts of a run so far. */
export interface Tally {
  requests: number;
  /** Requests that were refused upstream because there had been too many. */
  refused: number;
  /** How long it waited for its turn to ask, and after what went wrong, in milliseconds. */
  waitedMs: number;
  releases: number;
  /** Releases (or rows) that were new or changed. */
  stored: number;
  unchanged: number;
  quarantined: number;
  repairs: Record<string, number>;
  /** What was out of the ordinary though nothing failed, for the operator to read. */
  warning: string | null;
}

export interface RunReport extends Tally {
  runId: string;
  source: string;
  state: RunState;
  error: string | null;
}
