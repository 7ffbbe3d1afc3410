import type { Statement } from '../../schema/db/interface.ts';
import type { IngestContext, Progress, Sleep, Tally } from '../context.ts';
import type { HttpClient } from '../http/client.ts';
import type { ReadPage } from '../parse/page.ts';
import type { Quarantined } from '../parse/repair.ts';
import type { NoticesSource, WindowsSource } from '../source.ts';
import type { FetchedRelease } from '../store/releases.ts';
import type { Compiler } from '../workers/compiler.ts';

/** What a window is read with. */
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
  /** Releases in the answers, also those that were quarantined. */
  rows: number;
  /** More may be published in it than came. */
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
}

/** One run of a service that is asked window by window. */
export interface Crawl extends StoringRun {
  source: WindowsSource;
  reader: WindowReader;
  /** Whether everything up to the window read last is held or buffered, so that the cursor may move to its end. */
  contiguous: boolean;
  /** What could not be read: a run with any fails. */
  faults: string[];
  unreadable: number;
  /** How long the next window will be. */
  lengthMs: number;
  onProgress: ((progress: Progress) => void) | undefined;
}

/** A release that waits to be stored. There may be thousands, so each is kept as bytes and parsed again later. */
export type BufferedRelease = Omit<FetchedRelease, 'json' | 'body'> & {
  /** Its canonical JSON. */
  bytes: Uint8Array;
  /** What its buyer is called: the processes of one buyer are stored together. */
  buyer: string;
};

/** What was fetched and waits to be stored. */
export interface Buffered {
  /** When the first of it came (wall clock, milliseconds since the epoch). */
  sinceMs: number;
  releases: BufferedRelease[];
  quarantined: Quarantined[];
  /** Written after all of it: the rows of its windows in order of time, each with the cursor. */
  after: Statement[];
}
