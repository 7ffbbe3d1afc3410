import { isoInstant } from '../schema/clocks.ts';
import type { Statement } from '../schema/database.ts';
import { sha256 } from './canonical.ts';
import type { ReadPage } from './read-ocds.ts';
import { addCounts, countRunStatement, moveCursorStatements, type WindowState, windowStatement } from './run-rows.ts';
import { storePage } from './store.ts';
import type { ReadWindow, UnreadableWindow } from './walk-read.ts';
import type { Walk } from './walk-run.ts';
import type { Span } from './windows.ts';

/** Stores what a window held, with its row and the cursor in the batch of its last page. */
export async function storeWindow(walk: Walk, span: Span, window: ReadWindow, state: WindowState): Promise<void> {
  const { tools, source, runId, tally } = walk;
  const pages = state === 'split' ? [] : window.pages;
  for (const page of pages) {
    tally.releases += page.releases.length;
    tally.quarantined += page.quarantined.length;
    addCounts(tally.repairs, page.repairs);
  }
  tally.requests = walk.reader.asker.requests();
  const run = { runId, source: source.id, at: isoInstant(tools.clocks.catalogueNow()) };
  const ends = { from: isoInstant(span.from), until: isoInstant(span.until) };
  const releases = pages.reduce((sum, page) => sum + page.releases.length, 0);
  const row = { state, requests: window.requests, releases, digest: digestPages(pages) };
  const moves = state !== 'split' && walk.contiguous ? moveCursorStatements(source.id, ends.until, run.at) : [];
  const last = [countRunStatement(runId, tally), windowStatement(run, ends, row), ...moves];
  if (pages.length === 0) {
    await tools.catalogue.write([...fenceOf(walk), ...last]);
    return;
  }
  for (const page of pages) await storeOne(walk, page, page === pages.at(-1) ? last : []);
}

/** Keeps the bytes of a window that cannot be read. The cursor stays before it for the rest of the run. */
export async function quarantinePage(walk: Walk, window: UnreadableWindow): Promise<void> {
  const { reason, url, bytes } = window;
  walk.contiguous = false;
  walk.faults.push(`${reason} (${url})`);
  walk.tally.quarantined += 1;
  walk.tools.log.error({ url, reason }, 'an answer could not be read; its bytes are in quarantine');
  const page: ReadPage = {
    releases: [],
    quarantined: [{ kind: 'page', reason, url, bytes }],
    repairs: {},
    unknown: [],
    next: null,
    pageSha256: sha256(bytes),
  };
  await storeOne(walk, page, []);
}

async function storeOne(walk: Walk, page: ReadPage, after: Statement[]): Promise<void> {
  const { tools, source, tally } = walk;
  const { releases, quarantined, unknown, pageSha256 } = page;
  const stored = await storePage(tools.catalogue, {
    source: source.id,
    fetchedAt: isoInstant(tools.clocks.wallNow()),
    releases,
    quarantined,
    unknown,
    pageSha256,
    before: fenceOf(walk),
    after,
  });
  tally.stored += stored.stored;
  tally.unchanged += stored.unchanged;
}

function fenceOf({ tools }: Walk): Statement[] {
  return tools.fence ? [tools.fence] : [];
}

/** One figure for what a window held, whatever the order in which it came. */
function digestPages(pages: readonly ReadPage[]): string {
  const digests = new Set(pages.flatMap((page) => page.releases.map((release) => release.digest)));
  return sha256([...digests].sort().join('\n'));
}
