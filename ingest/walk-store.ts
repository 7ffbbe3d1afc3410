import { isoInstant } from '../schema/clocks.ts';
import type { Statement } from '../schema/database.ts';
import { sha256 } from './canonical.ts';
import { contactsOpenAt } from './contacts.ts';
import { nearNumbers, wantStatements } from './probe.ts';
import type { ReadPage } from './read-ocds.ts';
import {
  addCounts,
  countAsking,
  countRunStatement,
  moveCursorStatements,
  type WindowState,
  windowStatement,
} from './run-rows.ts';
import { storePage } from './store.ts';
import type { ReadWindow, UnreadableWindow } from './walk-read.ts';
import type { GatheredPage, Walk } from './walk-run.ts';
import type { Span } from './windows.ts';

/** Releases that one batch holds at most; a page of more is a batch of its own. Twice as many are no faster, and a third more memory. */
export const BATCH_RELEASES = 500;

/** Puts by what a window held, its row and the cursor behind its last page. */
export function gatherWindow(walk: Walk, span: Span, window: ReadWindow, state: WindowState): void {
  const { tools, source, runId } = walk;
  const pages = state === 'split' ? [] : window.pages;
  const run = { runId, source: source.id, at: isoInstant(tools.clocks.catalogueNow()) };
  const ends = { from: isoInstant(span.from), until: isoInstant(span.until) };
  const releases = pages.reduce((sum, page) => sum + page.releases.length, 0);
  const row = { state, requests: window.requests, releases, digest: digestPages(pages) };
  const moves = state !== 'split' && walk.contiguous ? moveCursorStatements(source.id, ends.until, run.at) : [];
  const near = state === 'unproved' ? wantNearStatements(walk, pages, run.at) : [];
  const last = [windowStatement(run, ends, row), ...near, ...moves];
  for (const page of pages) gather(walk, page, page === pages.at(-1) ? last : []);
  if (pages.length === 0) gather(walk, null, last);
}

/** What a window too full to be read whole may have left out is asked for by its number. */
function wantNearStatements({ source }: Walk, pages: readonly ReadPage[], noticedAt: string): Statement[] {
  if (!source.sequence) return [];
  const came = pages.flatMap(({ releases }) => releases.map(({ releaseId }) => releaseId));
  const ids = nearNumbers(source.sequence, came);
  return wantStatements({ source: source.id, reason: 'unproved_window', ids, noticedAt });
}

/** Puts by the bytes of a window that cannot be read. The cursor stays before it for the rest of the run. */
export function gatherUnreadable(walk: Walk, window: UnreadableWindow): void {
  const { reason, url, bytes } = window;
  walk.contiguous = false;
  walk.faults.push(`${reason} (${url})`);
  walk.tools.log.error({ url, reason }, 'an answer could not be read; its bytes go to quarantine');
  const page: ReadPage = {
    releases: [],
    quarantined: [{ kind: 'page', reason, url, bytes }],
    repairs: {},
    unknown: [],
    next: null,
    pageSha256: sha256(bytes),
  };
  gather(walk, page, []);
}

function gather(walk: Walk, page: ReadPage | null, after: Statement[]): void {
  if (page) countPage(walk, page);
  walk.gathered.push({ page, fetchedAt: isoInstant(walk.tools.clocks.wallNow()), after });
}

/** Whether a batch has no room for another page. */
export function isBatchFull({ gathered, source }: Walk): boolean {
  return countReleases(gathered) + source.pageRows > BATCH_RELEASES;
}

/** Stores everything that was put by, in the order of its windows: their rows and the cursor last in each batch. */
export async function storeGathered(walk: Walk): Promise<void> {
  // Taken off first: what a refused batch held is asked for again, never stored behind a hole.
  const gathered = walk.gathered.splice(0);
  for (const batch of cutBatches(gathered)) await storeBatch(walk, batch);
}

function cutBatches(gathered: readonly GatheredPage[]): GatheredPage[][] {
  const batches: GatheredPage[][] = [];
  let batch: GatheredPage[] = [];
  for (const each of gathered) {
    if (batch.length > 0 && countReleases([...batch, each]) > BATCH_RELEASES) {
      batches.push(batch);
      batch = [];
    }
    batch.push(each);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function countReleases(gathered: readonly GatheredPage[]): number {
  return gathered.reduce((sum, { page }) => sum + (page?.releases.length ?? 0), 0);
}

async function storeBatch(walk: Walk, batch: readonly GatheredPage[]): Promise<void> {
  const { tools, source, tally, runId } = walk;
  countAsking(tally, walk.reader.asker);
  const stored = await storePage(tools.catalogue, {
    source: source.id,
    fetchedAt: isoInstant(tools.clocks.wallNow()),
    releases: batch.flatMap(({ page, fetchedAt }) => {
      const { releases = [], pageSha256 = '' } = page ?? {};
      return releases.map((release) => ({ ...release, fetchedAt, pageSha256 }));
    }),
    quarantined: batch.flatMap(({ page }) => page?.quarantined ?? []),
    contactsOpenAt: contactsOpenAt(tools),
    before: tools.fence ? [tools.fence] : [],
    after: [countRunStatement(runId, tally), ...batch.flatMap(({ after }) => after)],
  });
  tally.stored += stored.stored;
  tally.unchanged += stored.unchanged;
  tally.releases -= stored.refused;
  tally.quarantined += stored.refused;
}

function countPage({ tally }: Walk, { releases, quarantined, repairs }: ReadPage): void {
  tally.releases += releases.length;
  tally.quarantined += quarantined.length;
  addCounts(tally.repairs, repairs);
}

/** One figure for what a window held, whatever the order in which it came. */
function digestPages(pages: readonly ReadPage[]): string {
  const digests = new Set(pages.flatMap((page) => page.releases.map((release) => release.digest)));
  return sha256([...digests].sort().join('\n'));
}
