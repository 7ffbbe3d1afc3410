import { passedStatements } from '../../schema/accounts/watches/delivered.ts';
import { overlongStatement } from '../../schema/accounts/watches/deliveries.ts';
import { nextDigest } from '../../schema/accounts/watches/lifecycle.ts';
import {
  AFTER_ALL,
  type DueAt,
  type DueGroup,
  nextDigestStatement,
  readDueGroups,
  readDueWatches,
  skipStatement,
  waitAgainStatement,
  waitForProgramStatement,
} from '../../schema/accounts/watches/outbox.ts';
import { WATCH_RHYTHMS, type WatchRow } from '../../schema/accounts/watches/row.ts';
import { readNewestBounds } from '../../schema/catalogue/changes/read.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import { groupBy } from '../../schema/text/memoise.ts';
import { filterNames } from '../../search/filters/read.ts';
import type { Holding } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';
import { makeChangedDocuments } from './changed-documents.ts';
import { type Changes, readRows } from './changed-rows.ts';
import { composeDeliveries, type Matched, passedBy, type Refused, storeDeliveries } from './compose.ts';
import { type Finding, type Found, findItems } from './find-items.ts';
import { recordMatched } from './matched.ts';
import { withoutRepeats } from './repeats.ts';
import { PAUSE_MS_MAX } from './send.ts';

interface AtOnce {
  /** Rows that are matched at once: their documents are indexed in memory. */
  rows: number;
  /** How many changes are matched before what they found is delivered. */
  ofRun: number;
  /** A digest is one delivery of all that it found: it ends before the head only where more changed than is held in memory. */
  ofDigest: number;
}
const AT_ONCE: AtOnce = { rows: 2_000, ofRun: 2_000, ofDigest: 20_000 };

/** Watches read at once. */
const WATCHES_AT_ONCE = 500;
/** How long a run takes up groups between the first and the one furthest behind. What comes meanwhile is not to wait for these. */
const RUN_MS = 60_000;

/** What a run of matching did. */
export interface MatchReport {
  /** Changed rows; a row counts once for each position of the watches, and again for digests there. */
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
export async function matchWatches(
  services: JobsServices,
  { fence, signal }: Holding,
  atOnce = AT_ONCE,
): Promise<MatchReport> {
  const { accounts, catalogue, clocks, settings } = services;
  const report: MatchReport = { changes: 0, watches: 0, deliveries: 0, items: 0 };
  // Watches that another process has matched over a move are not ahead: they must not be brought back.
  const { head, from } = await readNewestBounds(catalogue);
  const begun = clocks.wallNow();
  await recordMatched(services, head, { fence, now: isoInstant(begun) });
  const perHour = settings.WATCH_DELIVERIES_PER_HOUR;
  await accounts.write([
    fence,
    overlongStatement(begun.getTime(), PAUSE_MS_MAX),
    waitAgainStatement({ at: isoInstant(begun), perHour }),
  ]);
  const documents = makeChangedDocuments(services);
  const run: MatchRun = { services, fence, signal, refused: new Set(), report, documents, atOnce, recorded: head };
  try {
    const isOver = () => clocks.wallNow().getTime() >= begun.getTime() + RUN_MS;
    for (let isDone = false; !isDone; ) {
      const due: DueAt = { at: isoInstant(clocks.wallNow()), perHour };
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

interface MatchRun extends Finding {
  fence: Statement;
  refused: Refused;
  report: MatchReport;
  atOnce: AtOnce;
  /** The `seq` up to which watches are recorded to have been told of batches. */
  recorded: number;
}

/** Matches the watches at one position with the next changes; returns how many it advanced. */
async function matchGroup(
  run: MatchRun,
  group: DueGroup,
  { due, head, from }: { due: DueAt; head: number; from: number },
): Promise<number> {
  const { accounts, catalogue } = run.services;
  const kind = group.collection === 'contracts' ? 'contract' : 'notice';
  // Changes older than the log are not delivered: such a watch was paused for longer than that.
  const start = group.position < from ? { seq: from, id: AFTER_ALL } : { seq: group.position, id: group.position_id };
  const read = new Map<number, Changes>();
  let moved = 0;
  for (let id = ''; ; ) {
    const watches = await readDueWatches(accounts, group, { ...due, after: id, limit: WATCHES_AT_ONCE });
    const understood = watches.filter(isUnderstood);
    await waitForProgram(
      run,
      group,
      watches.filter((watch) => !understood.includes(watch)),
    );
    const fresh = understood.filter((watch) => !run.refused.has(watch.id));
    const byMost = groupBy(fresh, ({ every }) => (every === 'run' ? run.atOnce.ofRun : run.atOnce.ofDigest));
    for (const [most, some] of byMost) {
      const changes = read.get(most) ?? (await readRows(catalogue, kind, { start, head, most }));
      if (!read.has(most)) run.report.changes += changes.rows.length;
      read.set(most, changes);
      moved += await deliver(run, group, await findItems(run, { kind, watches: some }, changes));
    }
    id = watches.at(-1)?.id ?? id;
    if (watches.length < WATCHES_AT_ONCE) return moved;
  }
}

/** Whether this program knows every filter of a watch. One that a newer program made waits for it: too much would match. */
function isUnderstood({ collection, filters }: WatchRow): boolean {
  const known = new Set<string>(['query', 'ends_within', ...filterNames(collection)]);
  return Object.keys(JSON.parse(filters) as object).every((name) => known.has(name));
}

async function waitForProgram(
  { services: { accounts, log }, fence }: MatchRun,
  group: DueGroup,
  watches: readonly WatchRow[],
): Promise<void> {
  if (watches.length === 0) return;
  const ids = watches.map(({ id }) => id);
  const [, waiting] = await accounts.write([fence, waitForProgramStatement(ids, group)]);
  if (waiting?.changes) log.warn({ watches: waiting.changes }, 'watches have filters that only a newer program knows');
}

/** Puts into the outbox what watches of a group found; returns how many were advanced. */
async function deliver(run: MatchRun, group: DueGroup, { found, contents, to }: Found): Promise<number> {
  const { accounts, clocks } = run.services;
  const now = clocks.wallNow();
  const matched = await withoutRepeats(accounts, found, contents);
  await recordLater(run, matched);
  const empty = matched.filter(({ items }) => items.length === 0);
  const at = isoInstant(now);
  const passed = empty.flatMap((one) => passedStatements(one.watch.id, passedBy(to, one.passed), { to, at }));
  const ids = empty.map(({ watch }) => watch.id);
  if (ids.length > 0) await accounts.write([run.fence, skipStatement(ids, group, to), ...passed]);
  const full = matched.filter(({ items }) => items.length > 0);
  const deliveries = composeDeliveries(full, { contents, to, now, refused: run.refused });
  const done = await storeDeliveries(run.services, deliveries, { fence: run.fence, now, refused: run.refused });
  const moved = matched.filter(({ watch }) => !run.refused.has(watch.id)).length;
  run.report.watches += moved;
  run.report.deliveries += done.deliveries;
  run.report.items += done.items;
  return moved;
}

/** Records the batches that came during a run before a row is told as they left it: the catalogue may be restored to just before them. */
async function recordLater(run: MatchRun, matched: readonly Matched[]): Promise<void> {
  const { services, fence, recorded } = run;
  if (!matched.some(({ items, passed }) => [...items, ...passed].some(({ seq }) => seq > recorded))) return;
  const { head } = await readNewestBounds(services.catalogue);
  await recordMatched(services, head, { fence, now: isoInstant(services.clocks.wallNow()) });
  run.recorded = head;
}
