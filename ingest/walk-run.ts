import type { Statement } from '../schema/database.ts';
import type { ReadPage } from './read-ocds.ts';
import type { Tally } from './run-rows.ts';
import type { WindowsSource } from './source.ts';
import type { IngestTools, Progress } from './tools.ts';
import type { WindowReader } from './walk-read.ts';

/** A page that was read and not stored yet; none where a window's row is all there is to store. */
export interface GatheredPage {
  page: ReadPage | null;
  /** Instant of fetch, ISO 8601 UTC. */
  fetchedAt: string;
  /** To be written behind it: the row of the window that ends with it, and the cursor. */
  after: readonly Statement[];
}

/** One run of a procurement source under way. */
export interface Walk {
  tools: IngestTools;
  source: WindowsSource;
  reader: WindowReader;
  runId: string;
  tally: Tally;
  /** What was read and waits to be stored, in the order of time. */
  gathered: GatheredPage[];
  /** Whether everything up to the window read last is held or gathered, so that the cursor may move to its end. */
  contiguous: boolean;
  /** What could not be read: a run with any fails. */
  faults: string[];
  unreadable: number;
  /** How long the next window will be. */
  lengthMs: number;
  onProgress: ((progress: Progress) => void) | undefined;
}
