import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Delivered, readDelivered } from '../../schema/accounts/watches/delivered.ts';
import type { DueWatch } from '../../schema/accounts/watches/outbox.ts';
import type { WatchRow } from '../../schema/accounts/watches/row.ts';
import { comparePositions } from '../../schema/catalogue/changes/read.ts';
import type { Database } from '../../schema/db/interface.ts';
import { isInState, matchesFilters } from '../../search/changes/match.ts';
import { readMovedFilters, withPresentIdsInBefore } from '../../search/changes/moved-ids.ts';
import type { SearchQuery } from '../../search/engine.ts';
import { onDay } from '../../search/filters/within.ts';
import { withOriginal } from '../../search/names/notices.ts';
import type { JobsServices } from '../process/services.ts';
import { changedAfter, mergeByRow, type Part } from './changed-rows.ts';
import type { ChangedRow, Matched } from './compose.ts';

/** Saved searches after which the lease's heartbeat and the other jobs can run. */
const SEARCHES_BETWEEN = 100;

/** In the order of the log: a watch that cannot pay for all stands after the last that it paid for. */
export const inOrder = (one: { row: ChangedRow }, other: { row: ChangedRow }) => comparePositions(one.row, other.row);

/** The items of each watch among the changed rows, in order, whether or not the watch wants such changes. */
export async function matchAll(
  services: JobsServices,
  { watches, rows, there, percolator }: Part & { watches: readonly DueWatch[] },
  signal: AbortSignal,
): Promise<Matched[]> {
  const { accounts, catalogue, clocks } = services;
  if (watches.length === 0) return [];
  const delivered = await readDelivered(accounts, idsOf(watches), idsOf(rows));
  const stored = watches.map(({ filters }) => filters);
  const moved = await readMovedFilters(catalogue, stored);
  const logged = byId(rows);
  const present = moved.size === 0 ? logged : byId(await withPresentIds(catalogue, rows));
  const found = new Map<string, ReadonlySet<string>>();
  const matched: Matched[] = [];
  for (const [number, watch] of watches.entries()) {
    const now = clocks.catalogueNow();
    const searchAt = await readSearch(catalogue, watch, moved.get(watch.filters) ?? watch.filters);
    const known = found.get(watch.filters) ?? (await percolator?.match(searchAt(now))) ?? NONE;
    found.set(watch.filters, known);
    const own = delivered.get(watch.id) ?? NOTHING;
    const changed = moved.has(watch.filters) ? present : logged;
    // A watch that stopped after one row had the later changes of those before it, too.
    const rowOf = (id: string) => changedAfter(changed.get(id), own.get(id)?.seq ?? 0);
    const items: Matched['items'] = [];
    for (const id of known) {
      const row = rowOf(id);
      const change = row && changeFor(row, searchAt, now);
      if (change && change !== 'gone') items.push({ id, change, row });
    }
    for (const [id, { gone }] of own) {
      const row = gone === 0 && !known.has(id) ? rowOf(id) : undefined;
      if (row) items.push({ id, change: there.has(id) ? 'left' : 'gone', row });
    }
    matched.push({ watch, items: items.sort(inOrder) });
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

/** What was found by a former id is nothing new. */
async function withPresentIds(catalogue: Database, rows: readonly ChangedRow[]): Promise<ChangedRow[]> {
  const entries = rows.flatMap((row) => row.entries);
  return mergeByRow(await withPresentIdsInBefore(catalogue, entries));
}

/** How a row that matches a watch changed for it: it is new if the search would not have found it just before, otherwise updated. */
function changeFor(row: ChangedRow, searchAt: SavedSearch, now: Date): ChangedRow['change'] {
  const { kind, change, since, before } = row;
  if (change === 'gone' || before === 'unknown') return change;
  if (before === null) return 'new';
  // A digest comes days later: by then what was open may have closed. The clock of the catalogue may be fixed.
  const then = since !== null && new Date(since) < now ? new Date(since) : now;
  const query = searchAt(then);
  return isInState(before, query) && matchesFilters(kind, before, query.filters) ? 'updated' : 'new';
}

/** A saved search, asked at an instant. */
type SavedSearch = (now: Date) => SearchQuery;

async function readSearch(catalogue: Database, { collection: scope }: WatchRow, filters: string): Promise<SavedSearch> {
  const { query, ...saved } = JSON.parse(filters) as SearchQuery['filters'] & { query?: string };
  const asked = query === undefined ? {} : { text: await withOriginal(catalogue, query) };
  return (now) => ({ scope, filters: onDay(saved, now), ...asked, limit: 1, now });
}
