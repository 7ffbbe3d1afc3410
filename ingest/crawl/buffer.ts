import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import { compareText } from '../../schema/text/ids.ts';
import { type JsonObject, objectOf, sha256, textOf } from '../../schema/text/json-values.ts';
import { groupBy } from '../../schema/text/memoise.ts';
import { contactsOpenAt } from '../contacts/personal-details.ts';
import type { ReadPage } from '../parse/page.ts';
import {
  addCounts,
  countAsking,
  countRunStatement,
  countStored,
  fenceOf,
  type WindowState,
  wantStatements,
  windowStatement,
} from '../runs/record.ts';
import { moveCursorStatements } from '../runs/spans.ts';
import type { Span, WindowsSource } from '../source.ts';
import type { Ahead } from '../store/changes.ts';
import { storePage } from '../store/page.ts';
import type { FetchedRelease } from '../store/releases.ts';
import type { Buffered, BufferedRelease, Crawl, ReadWindow, StoringRun, UnreadableWindow } from './types.ts';

/** Most releases in one batch; a larger process is a batch of its own. Larger batches are hardly faster, and most of a run's memory is what one batch compiles. */
export const BATCH_RELEASES = 400;

/** The most releases that wait, and for how long: a killed process has to read them again. */
const BUFFER_MAX = { releases: 3_000, waitMs: 5_000 };

/** From this many batches before the last one, other processes compile; fewer are stored before one has started. */
const BATCHES_AHEAD = 2;

/** An empty buffer. */
export function makeBuffer(): Buffered {
  return { sinceMs: 0, releases: [], quarantined: [], after: [] };
}

/** Buffers the contents of a window. Its row and the cursor follow its last page. */
export function bufferWindow(crawl: Crawl, span: Span, window: ReadWindow, state: WindowState): void {
  const { context, source, runId } = crawl;
  const pages = state === 'split' ? [] : window.pages;
  const run = { runId, source: source.id, at: isoInstant(context.clocks.catalogueNow()) };
  const ends = { from: isoInstant(span.from), until: isoInstant(span.until) };
  const releases = pages.reduce((sum, page) => sum + page.releases.length, 0);
  const row = { state, requests: window.requests, releases, digest: digestPages(pages) };
  const moves = state !== 'split' && crawl.contiguous ? moveCursorStatements(source.id, ends.until, run.at) : [];
  const near = state === 'unproved' ? wantNearStatements(crawl, pages, run.at) : [];
  const last = [windowStatement(run, ends, row), ...near, ...moves];
  for (const page of pages) bufferPage(crawl, page);
  crawl.buffered.after.push(...last);
}

/** Records the numbers that an overfull window may have left out, so that each is fetched by itself. */
function wantNearStatements({ source }: Crawl, pages: readonly ReadPage[], noticedAt: string): Statement[] {
  if (!source.sequence) return [];
  const came = pages.flatMap(({ releases }) => releases.map(({ releaseId }) => releaseId));
  const ids = nearNumbers(source.sequence, came);
  return wantStatements({ source: source.id, reason: 'unproved_window', ids, noticedAt });
}

/** Numbers further apart than a page can skip belong to other windows. */
const NEAR = 100;

/**
 * Numbers that a window too full to be read whole may lack: those between the received ones, and a hundred below the lowest.
 * Listings begin with the newest, so nothing above the highest is missing.
 */
export function nearNumbers(sequence: NonNullable<WindowsSource['sequence']>, ids: readonly string[]): string[] {
  const found = ids.flatMap((id) => sequence.parse(id) ?? []);
  const near: string[] = [];
  for (const year of new Set(found.map((each) => each.year))) {
    const numbers = [...new Set(found.filter((each) => each.year === year).map(({ number }) => number))];
    let above = Number.POSITIVE_INFINITY;
    for (const number of numbers.sort((a, b) => b - a)) {
      // Beyond a gap wider than that, another run begins; each run has a hundred numbers below it.
      if (above - number > NEAR) addBelow(near, sequence, { year, number: above });
      else for (let n = above - 1; n > number; n--) near.push(sequence.format({ year, number: n }));
      above = number;
    }
    addBelow(near, sequence, { year, number: above });
  }
  return near;
}

function addBelow(
  near: string[],
  { format }: NonNullable<WindowsSource['sequence']>,
  { year, number }: { year: number; number: number },
): void {
  if (!Number.isFinite(number)) return;
  for (let n = number - 1; n >= Math.max(1, number - NEAR); n--) near.push(format({ year, number: n }));
}

/** Buffers the bytes of an unreadable window for quarantine. The cursor stays before it for the rest of the run. */
export function bufferUnreadable(crawl: Crawl, window: UnreadableWindow): void {
  const { reason, url, bytes } = window;
  crawl.contiguous = false;
  crawl.faults.push(`${reason} (${url})`);
  crawl.context.log.error({ url, reason }, 'an answer could not be read; its bytes go to quarantine');
  bufferPage(crawl, unreadablePage({ reason, url, bytes }));
}

/** A page for an answer that cannot be read: no releases, and its bytes for quarantine. */
export function unreadablePage(answer: { reason: string; url: string; bytes: Uint8Array }): ReadPage {
  return {
    releases: [],
    // Last, as an answer may have a kind of its own.
    quarantined: [{ ...answer, kind: 'page' }],
    repairs: {},
    unknown: [],
    next: null,
    pageSha256: sha256(answer.bytes),
  };
}

/** Buffers the releases of a page and its quarantined records. */
export function bufferPage(crawl: StoringRun, page: ReadPage): void {
  countPage(crawl, page);
  const now = crawl.context.clocks.wallNow();
  if (isBufferEmpty(crawl)) crawl.buffered.sinceMs = now.getTime();
  const { releases, quarantined } = crawl.buffered;
  for (const { json, body, ...release } of page.releases)
    releases.push({
      bytes: Buffer.from(body),
      ...release,
      buyer: buyerNamed(json),
      fetchedAt: isoInstant(now),
      pageSha256: page.pageSha256,
    });
  quarantined.push(...page.quarantined);
}

function buyerNamed({ buyer }: JsonObject): string {
  const { name, id } = objectOf(buyer) ?? {};
  return textOf(name) ?? textOf(id) ?? '';
}

/** Whether the buffer holds nothing. */
export function isBufferEmpty({ buffered: { releases, quarantined, after } }: StoringRun): boolean {
  return releases.length + quarantined.length + after.length === 0;
}

/** Whether the buffer has no room for another page of so many rows, or has waited long enough. */
export function isFull(
  { buffered: { sinceMs, releases, quarantined }, context }: StoringRun,
  pageRows: number,
): boolean {
  const rows = releases.length + quarantined.length + pageRows;
  const waitedMs = context.clocks.wallNow().getTime() - sinceMs;
  return rows > BUFFER_MAX.releases || waitedMs > BUFFER_MAX.waitMs;
}

/**
 * Stores everything in the buffer. It is cut by process, so that each is compiled once. The rows of its windows and the cursor,
 * which prove that it is stored, come last.
 */
export async function storeBuffered(crawl: StoringRun): Promise<void> {
  if (isBufferEmpty(crawl)) return;
  const { releases, ...rest } = crawl.buffered;
  // Emptied first: if a batch is refused, its releases are fetched again, and nothing is stored beyond the gap.
  crawl.buffered = makeBuffer();
  const batches = cutBatches(releases);
  const last = batches.pop() ?? [];
  const compiler = batches.length < BATCHES_AHEAD ? undefined : crawl.compiler;
  const compiled = compiler?.compileBatches(crawl.context.catalogue, [...batches, last]);
  for (const batch of batches) {
    await storeBatch(crawl, { releases: batch, quarantined: [], after: [] }, (await compiled?.next())?.value);
    // Local reads and writes are synchronous: the lease's heartbeat gets its turn between batches.
    await yieldToEventLoop();
  }
  await storeBatch(crawl, { ...rest, releases: last }, (await compiled?.next())?.value);
}

async function storeBatch(
  crawl: StoringRun,
  { releases, quarantined, after }: Omit<Buffered, 'sinceMs'>,
  ahead: Ahead | undefined,
): Promise<void> {
  const { context, source, tally, runId, signal } = crawl;
  countAsking(tally, crawl.client);
  const now = isoInstant(context.clocks.wallNow());
  const stored = await storePage(context.catalogue, {
    source: source.id,
    fetchedAt: now,
    now,
    releases: releases.map(readAgain),
    quarantined,
    contactsOpenAt: contactsOpenAt(context),
    ahead,
    before: fenceOf(context),
    after: [countRunStatement(runId, tally), ...after],
    signal,
  });
  countStored(tally, stored);
}

function readAgain({ bytes, buyer: _, ...release }: BufferedRelease): FetchedRelease {
  const body = Buffer.from(bytes).toString();
  return { body, json: JSON.parse(body) as JsonObject, ...release };
}

function countPage({ tally }: StoringRun, { releases, quarantined, repairs }: ReadPage): void {
  tally.releases += releases.length;
  tally.quarantined += quarantined.length;
  addCounts(tally.repairs, repairs);
}

/** One digest of what a window contained, in any order. */
function digestPages(pages: readonly ReadPage[]): string {
  return digestOf(pages.flatMap((page) => page.releases.map((release) => release.digest)));
}

/** One digest of several, in any order. */
export function digestOf(digests: readonly string[]): string {
  return sha256([...new Set(digests)].sort().join('\n'));
}

/**
 * Cuts releases into batches. Those of one process stay in their order of arrival. The processes of one buyer are together,
 * because a batch reads every contract of its buyers again.
 */
function cutBatches(releases: readonly BufferedRelease[]): BufferedRelease[][] {
  const processes = groupBy(releases, ({ ocid }) => ocid);
  const batches: BufferedRelease[][] = [];
  for (const process of [...processes.values()].toSorted(byBuyer)) {
    const batch = batches.at(-1);
    if (batch && batch.length + process.length <= BATCH_RELEASES) batch.push(...process);
    else batches.push(process);
  }
  return batches;
}

function byBuyer([a]: readonly BufferedRelease[], [b]: readonly BufferedRelease[]): number {
  return compareText(a?.buyer ?? '', b?.buyer ?? '');
}
