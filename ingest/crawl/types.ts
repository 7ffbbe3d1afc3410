import type { Statement } from '../../schema/db/interface.ts';
import type { IngestContext, Progress, Sleep, Tally } from '../context.ts';
import type { HttpClient } from '../http/client.ts';
import type { ReadPage } from '../parse/page.ts';
import type { Quarantined } from '../parse/repair.ts';
import type { NoticesSource, WindowsSource } from '../source.ts';
import type { FetchedRelease } from '../store/releases.ts';
import type { Compiler } from '../workers/compiler.ts';

/** What reading a window needs. */
export interface WindowReader {
  client: HttpClient;
  source: WindowsSource;
  baseUrl: string;
  sleep: Sleep;
  signal: AbortSignal | undefined;
}

export interface ReadWindow {
  kind: 'read';
  pages: ReadPage[];
  /** Releases in the answers, including quarantined ones. */
  rows: number;
  /** More may have been published in it than was returned. */
  full: boolean;
  requests: number;
}

export interface UnreadableWindow {
  kind: 'unreadable';
  reason: string;
  url: string;
  bytes: Uint8Array;
  requests: number;
}

/** A run that stores releases in batches while it reads them. */
export interface StoringRun {
  context: IngestContext;
  source: NoticesSource;
  client: HttpClient;
  runId: string;
  tally: Tally;
  buffered: Buffered;
  compiler: Compiler | undefined;
  signal: AbortSignal | undefined;
}

/** One run of a service that is asked window by window. */
export interface Crawl extends StoringRun {
  source: WindowsSource;
  reader: WindowReader;
  /** Whether everything up to the last window is stored or buffered, so that the cursor may move to its end. */
  contiguous: boolean;
  /** What could not be read; any entry fails the run. */
  faults: string[];
  unreadable: number;
  /** How many windows were still full when they could not be split further. */
  unproved: number;
  /** The length of the next window. */
  lengthMs: number;
  onProgress: ((progress: Progress) => void) | undefined;
}

/** A release that waits to be stored. There may be thousands, so each is kept as bytes and parsed again later. */
export type BufferedRelease = Omit<FetchedRelease, 'json' | 'body'> & {
  /** Its canonical JSON. */
  bytes: Uint8Array;
  /** Its buyer's name: the processes of one buyer are stored together. */
  buyer: string;
};

/** Fetched data that waits to be stored. */
export interface Buffered {
  /** When the first of it arrived (wall clock, milliseconds since the epoch). */
  sinceMs: number;
  releases: BufferedRelease[];
  quarantined: Quarantined[];
  /** Written last: the rows of its windows in order of time, each with the cursor. */
  after: Statement[];
}
