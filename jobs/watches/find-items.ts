import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Delivered, readDelivered } from '../../schema/accounts/watches/delivered.ts';
import type { DueWatch, WatchPosition } from '../../schema/accounts/watches/outbox.ts';
import type { WatchRow } from '../../schema/accounts/watches/row.ts';
import { comparePositions } from '../../schema/catalogue/changes/read.ts';
import type { Database } from '../../schema/db/interface.ts';
import { type ReadItem, readBriefItems } from '../../search/changes/items.ts';
import { isInState, matchesFilters } from '../../search/changes/match.ts';
import { readMovedFilters, withPresentIdsInBefore } from '../../search/changes/moved-ids.ts';
import type { SearchQuery } from '../../search/engine.ts';
import { onDay } from '../../search/filters/within.ts';
import { withOriginal } from '../../search/names/notices.ts';
import type { JobsServices } from '../process/services.ts';
import { type ChangedDocuments, makeChangedDocuments } from './changed-documents.ts';
import { type Changes, changedAfter, holdRows, lastSeq, mergeByRow } from './changed-rows.ts';
import { type ChangedEntry, type ChangedRow, type Item, isBeyond, isThere, type Matched } from './compose.ts';
import { withFirstMatches } from './first-matches.ts';

/** Items of all watches that are held in memory. */
const ITEMS_MAX = 200_000;
/** Saved searches after which the lease's heartbeat and the other jobs can run. */
const SEARCHES_BETWEEN = 100;

/** What a run finds items with. */
export interface Finding {
  services: JobsServices;
  documents: ChangedDocuments;
  signal: AbortSignal;
  atOnce: { rows: number };
}

/** Watches at one position. */
interface Watching {
  kind: ChangedRow['kind'];
  watches: readonly DueWatch[];
}

/** What watches found, the content of each item by its id, and where the watches stand once all is delivered. */
export interface Found {
  found: readonly Matched[];
  contents: Map<string, object>;
  to: WatchPosition;
}

/**
 * The items that watches want among changes, each as its row is now. A row that has changed since it was matched is matched
 * again, so that what is delivered matches and is recorded as it was delivered.
 */
export async function findItems(run: Finding, watching: Watching, changes: Changes): Promise<Found> {
  const { catalogue, clocks } = run.services;
  const { kind } = watching;
  const { matched, rows, to } = await matchParts(run, watching, changes);
  const read = new Map<string, ReadItem>();
  for (let all = matched; ; ) {
    const found = await withFirstMatches(catalogue, upTo(to, all), { kind, now: clocks.wallNow() });
    const told = found.flatMap(({ items }) => items.filter(isThere));
    const findStale = () => new Set(told.filter(({ id, seq }) => read.get(id)?.seq !== seq).map(({ id }) => id));
    // What was read as it was matched is not read again: other rows would change in that time, again and again.
    for (const [id, item] of await readBriefItems(catalogue, kind, [...findStale()])) read.set(id, item);
    const stale = findStale();
    if (stale.size === 0) return { found, contents: new Map([...read].map(([id, { item }]) => [id, item])), to };
    const documents = makeChangedDocuments(run.services);
    const isStale = ({ id }: { id: string }) => stale.has(id);
    const again = await matchRows({ ...run, documents }, watching, rows.filter(isStale)).finally(documents.close);
    all = all.map(({ watch, items, passed }, number) => ({
      watch,
      items: [...items.filter((item) => !isStale(item)), ...(again[number]?.items ?? [])],
      passed: [...passed.filter(({ row }) => !isStale(row)), ...(again[number]?.passed ?? [])],
    }));
  }
}

/** Matches as many rows at once as are indexed in memory. It ends before the last where more items were found than are held. */
async function matchParts(
  run: Finding,
  watching: Watching,
  { rows, to }: Changes,
): Promise<Changes & { matched: Matched[] }> {
  const matched = watching.watches.map((watch): Matched => ({ watch, items: [], passed: [] }));
  const most = run.atOnce.rows;
  for (let at = 0, held = 0; at < rows.length; at += most) {
    const last = rows[at - 1];
    if (last && held >= ITEMS_MAX) return { matched, rows: rows.slice(0, at), to: { seq: last.seq, id: last.id } };
    const part = await matchRows(run, watching, rows.slice(at, at + most));
    for (const [number, { items, passed }] of part.entries()) {
      matched[number]?.items.push(...items);
      matched[number]?.passed.push(...passed);
      held += items.length;
    }
  }
  return { matched, rows, to };
}

/** What lies ahead of a position is left out. In the order of the log: a watch that cannot pay for all stands after the last that it paid for. */
function upTo(end: WatchPosition, matched: readonly Matched[]): Matched[] {
  return matched.map(({ items, ...one }) => ({
    ...one,
    items: items.filter(({ row }) => !isBeyond(row, end)).sort((a, b) => comparePositions(a.row, b.row)),
  }));
}

/** The items of each watch among some changed rows, in no order, whether or not the watch wants such changes. */
async function matchRows(
  { services, documents, signal }: Finding,
  { kind, watches }: Watching,
  changed: readonly ChangedRow[],
): Promise<Matched[]> {
  const { accounts, catalogue, clocks } = services;
  const { rows, there, seqs, percolator } = await holdRows({ catalogue, documents }, kind, changed);
  const delivered = await readDelivered(accounts, idsOf(watches), idsOf(rows));
  const stored = watches.map(({ filters }) => filters);
  const moved = await readMovedFilters(catalogue, stored);
  const logged = byId(rows);
  const present = moved.size === 0 ? logged : byId(await withPresentIds(catalogue, rows));
  const several = rows.filter(({ entries }) => entries.length > 1);
  const seqOf = (row: ChangedRow) => seqs.get(row.id) ?? lastSeq(row);
  const found = new Map<string, ReadonlySet<string>>();
  const matched: Matched[] = [];
  for (const [number, watch] of watches.entries()) {
    const now = clocks.catalogueNow();
    const searchAt = await readSearch(catalogue, watch, moved.get(watch.filters) ?? watch.filters);
    const known = found.get(watch.filters) ?? (await percolator?.match(searchAt(now))) ?? NONE;
    found.set(watch.filters, known);
    const own = delivered.get(watch.id) ?? NOTHING;
    const byNow = moved.has(watch.filters) ? present : logged;
    // A watch may have been told of changes that lie ahead of where it stands: only those after them count.
    const rowOf = (id: string) => changedAfter(byNow.get(id), own.get(id)?.seq ?? 0);
    const items: Item[] = [];
    const add = (row: ChangedRow, change: Item['change']) =>
      items.push({ id: row.id, change, row, seq: seqOf(row), delivered: own.get(row.id) });
    for (const id of known) {
      const row = rowOf(id);
      const change = row && changeFor(row, searchAt, now);
      if (change && change !== 'gone') add(row, change);
    }
    for (const [id, { gone }] of own) {
      const row = gone === 0 && !known.has(id) ? rowOf(id) : undefined;
      if (row) add(row, there.has(id) ? 'left' : 'gone');
    }
    const varied = several.flatMap(({ id }) => rowOf(id) ?? []).filter((row) => variedBetween(row, searchAt, now));
    matched.push({ watch, items, passed: varied.map((row) => ({ row, seq: seqOf(row) })) });
    if (number % SEARCHES_BETWEEN === 0) {
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
  }
  return matched;
}

const NONE: ReadonlySet<string> = new Set();
const NOTHING: ReadonlyMap<string, Delivered> = new Map();
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);
const byId = (rows: readonly ChangedRow[]) => new Map(rows.map((row) => [row.id, row]));

/** A row that was found by a former id is not new. */
async function withPresentIds(catalogue: Database, rows: readonly ChangedRow[]): Promise<ChangedRow[]> {
  const entries = rows.flatMap((row) => row.entries);
  return mergeByRow(await withPresentIdsInBefore(catalogue, entries));
}

/** How a row that matches a watch changed for it: it is new if the search would not have found it just before, otherwise updated. */
function changeFor(row: ChangedRow, searchAt: SavedSearch, now: Date): ChangedRow['change'] {
  const { change, before } = row;
  if (change === 'gone' || before === 'unknown') return change;
  return matchedBefore(row, searchAt, now) ? 'updated' : 'new';
}

/** Whether a row met the filters between two of its changes, and now does not, or the reverse. */
function variedBetween({ kind, after, entries }: ChangedRow, searchAt: SavedSearch, now: Date): boolean {
  const isNow = isMet(kind, after, searchAt(now));
  return entries.slice(1).some((entry) => matchedBefore(entry, searchAt, now) !== isNow);
}

/** Whether the search would have found a row just before an entry. */
function matchedBefore({ kind, since, before }: ChangedEntry, searchAt: SavedSearch, now: Date): boolean {
  // A digest comes days later: by then what was open may have closed. The clock of the catalogue may be fixed.
  const then = since !== null && new Date(since) < now ? new Date(since) : now;
  return isMet(kind, before, searchAt(then));
}

const isMet = (kind: ChangedRow['kind'], view: ChangedEntry['before'], query: SearchQuery): boolean =>
  view !== null && view !== 'unknown' && isInState(view, query) && matchesFilters(kind, view, query.filters);

/** A saved search, asked at an instant. */
type SavedSearch = (now: Date) => SearchQuery;

async function readSearch(catalogue: Database, { collection: scope }: WatchRow, filters: string): Promise<SavedSearch> {
  const { query, ...saved } = JSON.parse(filters) as SearchQuery['filters'] & { query?: string };
  const asked = query === undefined ? {} : { text: await withOriginal(catalogue, query) };
  return (now) => ({ scope, filters: onDay(saved, now), ...asked, limit: 1, now });
}
