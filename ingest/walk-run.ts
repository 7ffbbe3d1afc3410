import type { Tally } from './run-rows.ts';
import type { WindowsSource } from './source.ts';
import type { IngestTools, Progress } from './tools.ts';
import type { WindowReader } from './walk-read.ts';

/** One run of a procurement source under way. */
export interface Walk {
  tools: IngestTools;
  source: WindowsSource;
  reader: WindowReader;
  runId: string;
  tally: Tally;
  /** Whether everything up to the window being stored is held, so that the cursor may move to its end. */
  contiguous: boolean;
  /** What could not be read: a run with any fails. */
  faults: string[];
  unreadable: number;
  /** How long the next window will be. */
  lengthMs: number;
  onProgress: ((progress: Progress) => void) | undefined;
}
