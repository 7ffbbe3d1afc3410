import { setTimeout } from 'node:timers/promises';
import { HOUR_MS, isoInstant } from '../../schema/config/clocks.ts';
import { type HttpResponse, UpstreamRefused } from '../http/client.ts';
import { type ReadPage, readOcdsPage } from '../parse/page.ts';
import { UnreadablePage } from '../parse/repair.ts';
import { nextLengthMs, splitSpan, takeSpan } from '../runs/spans.ts';
import type { Span, WindowsSource } from '../source.ts';
import { bufferUnreadable, bufferWindow, isBufferEmpty, isFull, storeBuffered } from './buffer.ts';
import type { Crawl, ReadWindow, UnreadableWindow, WindowReader } from './types.ts';

const REREAD_WAIT_MS = 5_000;
/** Pages of one request that are followed by their cursor. */
const PAGES_MAX = 100;

/** Reads the answers for one span, one request at a time. An unreadable answer is requested once more before the span is given up. */
async function readWindow(reader: WindowReader, span: Span): Promise<ReadWindow | UnreadableWindow> {
  const { source, baseUrl } = reader;
  const pages: ReadPage[] = [];
  const fullRows = cutSpan(source, span) ? source.pageRows : undefined;
  let requests = 0;
  for (const url of source.listRequests(baseUrl, span)) {
    const answer = await readPage(reader, url, fullRows);
    requests += answer.requests;
    if (answer.kind === 'unreadable') return { ...answer, requests };
    pages.push(answer.page);
  }
  const full = pages.some((page) => countRows([page]) >= source.pageRows || page.next !== null);
  return { kind: 'read', pages, rows: countRows(pages), full, requests };
}

/** Follows the cursors of a full window that cannot be split. Paging loses rows (measured), so it proves nothing. */
async function followCursor(reader: WindowReader, window: ReadWindow): Promise<ReadWindow | UnreadableWindow> {
  const pages: ReadPage[] = [];
  let { requests } = window;
  for (const first of window.pages) {
    pages.push(first);
    const asked = new Set<string>();
    let url = ontoBase(first.next, reader.baseUrl);
    // A cursor that was followed before would lead round for ever.
    while (url !== null && !asked.has(url) && asked.size < PAGES_MAX - 1) {
      asked.add(url);
      const more = await readPage(reader, url);
      requests += more.requests;
      if (more.kind === 'unreadable') return { ...more, requests };
      pages.push(more.page);
      url = ontoBase(more.page.next, reader.baseUrl);
    }
  }
  return { ...window, pages, requests, rows: countRows(pages) };
}

function countRows(pages: readonly ReadPage[]): number {
  const ofPage = ({ releases, quarantined, skipped = 0 }: ReadPage) => releases.length + quarantined.length + skipped;
  return pages.reduce((sum, page) => sum + ofPage(page), 0);
}

function cutSpan(source: WindowsSource, span: Span): [Span, Span] | null {
  return splitSpan(span, source.clock, source.shortestSpanSeconds);
}

/**
 * The services name their public host in `links.next`; requests still go to the configured host. Null where it names no
 * address.
 */
function ontoBase(next: string | null, baseUrl: string): string | null {
  if (next === null || !URL.canParse(next, baseUrl)) return null;
  const { pathname, search } = new URL(next, baseUrl);
  return `${baseUrl}${pathname}${search}`;
}

type PageAnswer = { kind: 'page'; page: ReadPage; requests: number } | UnreadableWindow;

async function readPage(reader: WindowReader, url: string, fullRows?: number): Promise<PageAnswer> {
  const first = await readOnce(reader, url, fullRows);
  if (first.kind === 'page') return first;
  await reader.sleep(REREAD_WAIT_MS, reader.signal);
  const second = await readOnce(reader, url, fullRows);
  return { ...second, requests: first.requests + second.requests };
}

async function readOnce(reader: WindowReader, url: string, fullRows: number | undefined): Promise<PageAnswer> {
  const { client, source, signal } = reader;
  const response: HttpResponse | null = await client.fetch({ url, signal });
  if (!response) throw new UpstreamRefused(`${url}: nothing is served at this address (404)`, 404);
  const { bytes, requests } = response;
  try {
    return {
      kind: 'page',
      page: readOcdsPage(bytes, { source: source.id, url, fullRows, adapt: source.adapt }),
      requests,
    };
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error;
    return { kind: 'unreadable', reason: error.message, url, bytes, requests };
  }
}

/** How many unreadable answers are split in half, so that one bad record does not lose its whole window. */
const ISOLATED_MAX = 40;
/** How many unreadable answers end the run: so many mean a faulty service, not a faulty record. */
const UNREADABLE_MAX = 60;
/** How many unproved windows end the run: a service has few full seconds in years, so many mean that it ignores the times asked for. */
const UNPROVED_MAX = 20;
/** An answer within this time did not wait for the limiter. */
const AT_ONCE_MS = 500;

/** Too many answers could not be read. */
class TooManyUnreadable extends Error {
  override name = 'TooManyUnreadable';
}

/** Too many of the shortest windows were full. */
class TooManyFull extends Error {
  override name = 'TooManyFull';
}

/** Requests every part of the gaps, oldest first, and stores what it read in time order, each window with its cursor. */
export async function crawlGaps(crawl: Crawl, gaps: readonly Span[]): Promise<void> {
  const totalMs = gaps.reduce((sum, gap) => sum + lengthOf(gap), 0);
  let aheadMs = totalMs;
  try {
    for (const gap of gaps) {
      aheadMs -= lengthOf(gap);
      await crawlGap(crawl, gap, (leftMs, pieces) => {
        const windowsLeft = pieces + Math.ceil(aheadMs / crawl.lengthMs);
        report(crawl, windowsLeft, 1 - (leftMs + aheadMs) / totalMs);
      });
    }
  } finally {
    await storeBuffered(crawl);
  }
}

function report(crawl: Crawl, windowsLeft: number, fraction: number): void {
  crawl.onProgress?.({
    source: crawl.source.id,
    requests: crawl.reader.client.requests(),
    releases: crawl.tally.releases,
    windowsLeft,
    fraction,
  });
}

async function crawlGap(crawl: Crawl, gap: Span, onLeft: (leftMs: number, pieces: number) => void): Promise<void> {
  const { source } = crawl;
  const limits = { pageRows: source.pageRows, longestMs: source.longestWindowHours * HOUR_MS };
  // Halves of full windows, the earlier one on top: windows are stored in time order.
  const halves: Span[] = [];
  let rest: Span | null = gap;
  for (;;) {
    let span = halves.pop();
    if (!span && rest) {
      const cut = takeSpan(rest, crawl.lengthMs, source.clock);
      span = cut.head;
      rest = cut.rest;
    }
    if (!span) return;
    const answer = await askMeanwhileStore(crawl, span);
    await takeAnswer(crawl, span, answer, halves);
    if (answer.kind === 'read') crawl.lengthMs = nextLengthMs(crawl.lengthMs, answer, limits);
    const left = rest ? [...halves, rest] : halves;
    const leftMs = left.reduce((sum, part) => sum + lengthOf(part), 0);
    onLeft(leftMs, halves.length + (rest ? Math.ceil(lengthOf(rest) / crawl.lengthMs) : 0));
  }
}

/**
 * Requests one span and stores earlier windows while it waits. If the answer comes at once and the buffer has room, many
 * windows are stored together. If requests are spaced, every window is stored before the next request.
 */
async function askMeanwhileStore(crawl: Crawl, span: Span): Promise<ReadWindow | UnreadableWindow> {
  const asked = readWindow(crawl.reader, span);
  const come = asked.then(
    () => true,
    () => true,
  );
  if (
    !isBufferEmpty(crawl) &&
    (isFull(crawl, crawl.source.pageRows) ||
      !(await Promise.race([come, setTimeout(AT_ONCE_MS, false, { ref: false })])))
  ) {
    await storeBuffered(crawl);
  }
  return asked;
}

/** Buffers the contents of one span; a full or unreadable one is split in half if possible. */
async function takeAnswer(
  crawl: Crawl,
  span: Span,
  answer: ReadWindow | UnreadableWindow,
  halves: Span[],
): Promise<void> {
  const cut = cutSpan(crawl.source, span);
  if (answer.kind === 'unreadable') {
    if (mayIsolate(crawl, answer) && cut) halves.push(cut[1], cut[0]);
    else bufferUnreadable(crawl, answer);
  } else if (!answer.full) {
    bufferWindow(crawl, span, answer, 'complete');
  } else if (cut) {
    halves.push(cut[1], cut[0]);
    bufferWindow(crawl, span, answer, 'split');
  } else {
    const followed = await followCursor(crawl.reader, answer);
    if (followed.kind === 'unreadable') bufferUnreadable(crawl, followed);
    else bufferUnproved(crawl, span, followed);
  }
}

/** @throws TooManyFull, with the window stored: the next run continues after it, or before it while the overlap covers it. */
function bufferUnproved(crawl: Crawl, span: Span, window: ReadWindow): void {
  bufferWindow(crawl, span, window, 'unproved');
  crawl.unproved += 1;
  if (crawl.unproved < UNPROVED_MAX) return;
  const [from, until] = [isoInstant(span.from), isoInstant(span.until)];
  throw new TooManyFull(
    `${crawl.unproved} windows too short to split were full, the last from ${from} to ${until}: ${crawl.source.title} seems to ignore the times asked for`,
  );
}

function mayIsolate(crawl: Crawl, { reason }: UnreadableWindow): boolean {
  crawl.unreadable += 1;
  if (crawl.unreadable > UNREADABLE_MAX) {
    throw new TooManyUnreadable(`${crawl.unreadable} answers could not be read; the last: ${reason}`);
  }
  return crawl.unreadable <= ISOLATED_MAX;
}

function lengthOf(span: Span): number {
  return span.until.getTime() - span.from.getTime();
}
