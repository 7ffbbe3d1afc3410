import { overlongStatement } from '../../schema/accounts/watches/deliveries.ts';
import { nextDigest } from '../../schema/accounts/watches/lifecycle.ts';
import {
  AFTER_ALL,
  type DueAt,
  type DueGroup,
  type DueWatch,
  nextDigestStatement,
  readDueGroups,
  readDueWatches,
  skipStatement,
} from '../../schema/accounts/watches/outbox.ts';
import { WATCH_RHYTHMS } from '../../schema/accounts/watches/row.ts';
import { readNewestBounds } from '../../schema/catalogue/changes/read.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import { readBriefItems } from '../../search/changes/items.ts';
import type { Holding } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';
import { type ChangedDocuments, makeChangedDocuments } from './changed-documents.ts';
import { kindOf, mergeByRow, mergeRows, type Part, readPart } from './changed-rows.ts';
import { type ChangedEntry, composeDeliveries, type Matched, type Refused, storeDeliveries } from './compose.ts';
import { inOrder, matchAll } from './find-items.ts';
import { withFirstMatches } from './first-matches.ts';
import { historyStatements } from './matched.ts';
import { withoutRepeats } from './repeats.ts';
import { PAUSE_MOST_MS } from './send.ts';

/** A digest ends before the head only where more changed, or all together found more items, than are held in memory. */
const DIGEST_CHANGES_MOST = 20_000;
const DIGEST_ITEMS_MOST = 200_000;
/** Watches read at once. */
const WATCHES_AT_ONCE = 500;
/** How long a run takes up groups between the first and the one furthest behind. What comes meanwhile is not to wait for these. */
const RUN_MS = 60_000;

/** What a run of matching did. */
export interface MatchReport {
  /** Changed rows; a row counts once for each position of the watches. */
  changes: number;
  /** Watches that were advanced. */
  watches: number;
  deliveries: number;
  items: number;
}

/**
 * Matches due watches with what changed since each was last matched, and puts their items into the outbox. A watch costs one
 * look at the changed rows; equal searches share one. Killed, or after its time, the next run continues where it was.
 */
export async function matchWatches(services: JobsServices, { fence, signal }: Holding): Promise<MatchReport> {
  const { accounts, catalogue, clocks, settings } = services;
  const report: MatchReport = { changes: 0, watches: 0, deliveries: 0, items: 0 };
  // Watches that another process has matched over a move are not ahead: they must not be brought back.
  const { head, from } = await readNewestBounds(catalogue);
  const begun = clocks.wallNow();
  const history = await historyStatements(services, head, isoInstant(begun));
  await accounts.write([fence, ...history, overlongStatement(begun.getTime(), PAUSE_MOST_MS)]);
  const documents = makeChangedDocuments(services);
  const run: MatchRun = { services, fence, signal, refused: new Set(), report, documents };
  try {
    const isOver = () => clocks.wallNow().getTime() >= begun.getTime() + RUN_MS;
    for (let isDone = false; !isDone; ) {
      const due: DueAt = { at: isoInstant(clocks.wallNow()), perHour: settings.WATCH_DELIVERIES_PER_HOUR };
      isDone = true;
      const groups = await readDueGroups(accounts, { ...due, head });
      for (const group of groups) {
        signal.throwIfAborted();
        if (isOver() && group !== groups[0] && group !== groups.at(-1)) continue;
        const moved = await matchGroup(run, group, { due, head, from });
        if (moved > 0) isDone = false;
      }
      if (isOver()) break;
    }
  } finally {
    await documents.close();
  }
  const now = clocks.wallNow();
  const digests = WATCH_RHYTHMS.flatMap((every) => {
    const next = nextDigest(every, now, settings.WATCH_DIGEST_HOUR);
    return next ? [nextDigestStatement(every, { head, at: isoInstant(now), dueAt: isoInstant(next) })] : [];
  });
  await accounts.write([fence, ...digests]);
  return report;
}

interface MatchRun {
  services: JobsServices;
  fence: Statement;
  signal: AbortSignal;
  refused: Refused;
  report: MatchReport;
  documents: ChangedDocuments;
}

/** Matches the watches at one position with the next changes; returns how many it advanced. */
async function matchGroup(
  run: MatchRun,
  group: DueGroup,
  { due, head, from }: { due: DueAt; head: number; from: number },
): Promise<number> {
  const { accounts } = run.services;
  // Changes older than the log are not delivered: such a watch was paused for longer than that.
  const start = group.position < from ? { seq: from, id: AFTER_ALL } : { seq: group.position, id: group.position_id };
  const contents = new Map<string, object>();
  let moved = 0;
  for (let id = ''; ; ) {
    const watches = await readDueWatches(accounts, group, { ...due, after: id, limit: WATCHES_AT_ONCE });
    const fresh = watches.filter((watch) => !run.refused.has(watch.id));
    const ofRuns = fresh.filter(({ every }) => every === 'run');
    const digests = fresh.filter(({ every }) => every !== 'run');
    // Again for each page: digests of the one before it may have had other documents indexed in place of these.
    const page = { group, contents, ...(await readPart(run, kindOf(group), { start, head })) };
    if (id === '') run.report.changes += page.rows.length;
    const found = await matchAll(run.services, { ...page, watches: ofRuns }, run.signal);
    moved += await deliverPage(run, { ...page, watches: ofRuns }, found);
    moved += await matchDigests(run, { ...page, watches: digests }, head);
    id = watches.at(-1)?.id ?? id;
    if (watches.length < WATCHES_AT_ONCE) return moved;
  }
}

/** Matches digests with everything up to the head, part by part: each is one mail of all that it found, paid by the 25 items. */
async function matchDigests(run: MatchRun, page: Page, head: number): Promise<number> {
  if (page.watches.length === 0) return 0;
  const found = page.watches.map((watch) => ({ watch, items: new Map<string, Matched['items'][number]>() }));
  const there = new Set<string>();
  const entries: ChangedEntry[] = [];
  let part = page;
  for (let held = 0; ; ) {
    for (const [at, { items }] of (await matchAll(run.services, part, run.signal)).entries()) {
      held += items.length;
      for (const item of items) {
        const { change, row } = found[at]?.items.get(item.id) ?? item;
        // An item is told as it first changed: what was new and then changed is new.
        found[at]?.items.set(item.id, { ...item, change, row: mergeRows(row, item.row) });
      }
    }
    for (const id of part.there) there.add(id);
    for (const row of part.rows) entries.push(...row.entries);
    if (!part.isCut || held >= DIGEST_ITEMS_MOST || entries.length >= DIGEST_CHANGES_MOST) break;
    part = { ...page, ...(await readPart(run, kindOf(page.group), { start: part.to, head })) };
    run.report.changes += part.rows.length;
  }
  const all = found.map(({ watch, items }) => ({ watch, items: [...items.values()].sort(inOrder) }));
  return deliverPage(run, { ...part, there, rows: mergeByRow(entries) }, all);
}

interface Page extends Part {
  group: DueGroup;
  watches: DueWatch[];
  /** Brief items that an earlier page wanted, by id. */
  contents: Map<string, object>;
}

/** Puts into the outbox what the watches of a page found; returns how many were advanced. */
async function deliverPage(run: MatchRun, page: Page, found: readonly Matched[]): Promise<number> {
  const { accounts, clocks } = run.services;
  const { group, watches, rows, to } = page;
  if (watches.length === 0) return 0;
  const now = clocks.wallNow();
  const asked = await withFirstMatches(run.services, found, { kind: kindOf(group), now });
  const wanted = new Set(asked.flatMap(({ items }) => items.map(({ id }) => id)));
  const unread = [...wanted].filter((id) => page.there.has(id) && !page.contents.has(id));
  const read = await readBriefItems(run.services.catalogue, kindOf(group), unread);
  for (const [id, item] of read) page.contents.set(id, item);
  // A document that the run holds may have gone since: what comes after the head tells of that.
  const isThere = ({ id }: { id: string }) => !page.there.has(id) || page.contents.has(id);
  const present = asked.map(({ watch, items }) => ({ watch, items: items.filter(isThere) }));
  const matched = await withoutRepeats(accounts, present, page.contents);
  const empty = matched.filter(({ items }) => items.length === 0).map(({ watch }) => watch.id);
  if (empty.length > 0) await accounts.write([run.fence, skipStatement(empty, group, to)]);
  const full = matched.filter(({ items }) => items.length > 0);
  const deliveries = composeDeliveries(full, { rows, contents: page.contents, to, now, refused: run.refused });
  const done = await storeDeliveries(run.services, deliveries, { fence: run.fence, now, refused: run.refused });
  const moved = watches.filter(({ id }) => !run.refused.has(id)).length;
  run.report.watches += moved;
  run.report.deliveries += done.deliveries;
  run.report.items += done.items;
  return moved;
}
