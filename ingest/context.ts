import type { Logger } from 'pino';
import type { Clocks } from '../schema/config/clocks.ts';
import type { Settings } from '../schema/config/settings.ts';
import type { Database, Statement } from '../schema/db/interface.ts';

/** Pauses; ends early with the signal's reason when aborted. */
export type Sleep = (waitMs: number, signal?: AbortSignal) => Promise<void>;

/** Whose requests go first if several wait for one budget: nightly (scheduled) work, then probes, then backfill. */
export type Priority = 'nightly' | 'probe' | 'backfill';

/** What every part of ingest receives from its front door. */
export interface IngestContext {
  catalogue: Database;
  clocks: Clocks;
  settings: Settings;
  log: Logger;
  /** The statement that refuses a batch once the lease is lost; null where nothing is leased. */
  fence: Statement | null;
  /** Whether a person started this: a person may try a closed source once. */
  byHand?: boolean;
  /** Replaces the source's own expectation when a run is judged; a loopback upstream cannot meet that one. */
  expected?: { least: number; most: number };
  /** Real time unless a test supplies its own. */
  sleep?: Sleep;
}

export interface Progress {
  source: string;
  requests: number;
  /** Releases read so far; for a register, rows. */
  releases: number;
  /** Requests still to send, as far as is known. */
  windowsLeft: number;
  /** Share of the work done, 0 to 1. */
  fraction: number;
}

/**
 * The purpose of a run. `ingest`: a source's scheduled run from its cursor to now. `rewalk`: the last days again, as some
 * notices become visible late. `backfill`: an explicit span. Only `ingest` updates when the source last succeeded.
 */
export type RunJob = 'ingest' | 'rewalk' | 'backfill';

export interface RunOptions {
  /** By default, a run over an explicit span is a `backfill`, any other an `ingest`. */
  job?: RunJob | undefined;
  /** Start of an explicit span; without it the run starts at the cursor. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Requests stored spans again. */
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
  /** How long it waited for its turn and after faults, in milliseconds. */
  waitedMs: number;
  releases: number;
  /** Releases (or rows) that were new or changed. */
  stored: number;
  unchanged: number;
  quarantined: number;
  repairs: Record<string, number>;
  /** Anything unusual although nothing failed, for the operator to read. */
  warning: string | null;
}

export interface RunReport extends Tally {
  runId: string;
  source: string;
  state: RunState;
  error: string | null;
}
