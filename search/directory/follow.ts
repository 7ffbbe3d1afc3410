import { readChangeBounds } from '../../schema/catalogue/changes/read.ts';
import { hiddenId } from '../../schema/catalogue/changes/remove.ts';
import type { Database } from '../../schema/db/interface.ts';
import { bySize, type Entry } from './entries.ts';

/** Rows in one statement: a page of them is a few megabytes. */
const PAGE_ROWS = 5_000;

/**
 * A takedown removes rows whose ids spell a name, so no row remains as evidence. The change log has them: by id at first, and
 * soon only by a digest of it.
 */
const removedSql = (table: 'buyer' | 'company') => `SELECT seq, id FROM change c WHERE kind = '${table}' AND seq >= ?
  AND change = 'gone' AND (id GLOB 'sha256:*' OR (id GLOB 'name-*' AND NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = c.id)))`;

/** How the entries of a list are read from their table. */
export interface Listing<R, E extends Entry> {
  table: 'buyer' | 'company';
  /** Rows after a position: its arguments are seq, id and how many. */
  rows: string;
  toEntry(row: R): E;
}

/** The entries of one table of a catalogue, in memory. */
export interface Directory<E extends Entry> {
  /** In the order of `bySize`; the same list until something changes. */
  sorted(): readonly E[];
  /** Replaces the entries with the same ids. */
  replace(entries: readonly E[]): void;
}

interface Followed {
  entries: Map<string, Entry>;
  sorted: readonly Entry[];
  /** Ids of what changed since `sorted` was made. */
  changed: Set<string>;
  seq: number;
  id: string;
  /** Rows that takedowns removed since the first reading: `seq` and id, as the change log names them. */
  removed: Set<string>;
  /** The reading in progress; callers that come meanwhile wait for it. */
  reading: Promise<void> | null;
}

const known = new WeakMap<Database, Map<object, Followed>>();

/**
 * The entries as they are now: all rows the first time, later only changed ones. Each changed row gets a higher `seq`, and a
 * removed one stays as `gone` or is in the change log, so earlier rows and later changes together are complete.
 */
export async function directoryOf<R extends { id: string; seq: number; gone: number }, E extends Entry>(
  catalogue: Database,
  listing: Listing<R, E>,
): Promise<Directory<E>> {
  const lists = known.get(catalogue) ?? new Map<object, Followed>();
  known.set(catalogue, lists);
  const list = lists.get(listing) ?? {
    entries: new Map(),
    sorted: [],
    changed: new Set(),
    seq: -1,
    id: '',
    removed: new Set(),
    reading: null,
  };
  lists.set(listing, list);
  list.reading ??= readOn(catalogue, listing, list).finally(() => {
    list.reading = null;
  });
  await list.reading;
  return {
    sorted: () => sortedOf(list) as readonly E[],
    replace(entries) {
      for (const entry of entries) if (list.entries.has(entry.id)) setEntry(list, entry.id, entry);
    },
  };
}

function setEntry(list: Followed, id: string, entry: Entry | null): void {
  list.changed.add(id);
  if (entry) list.entries.set(id, entry);
  else list.entries.delete(id);
}

/** Changes are merged into the sorted rest, which takes far less time than sorting everything again. */
function sortedOf(list: Followed): readonly Entry[] {
  if (list.changed.size === 0) return list.sorted;
  const kept = list.sorted.filter(({ id }) => !list.changed.has(id));
  const changed = [...list.changed].flatMap((id) => list.entries.get(id) ?? []).sort(bySize);
  const merged: Entry[] = [];
  let at = 0;
  for (const entry of changed) {
    while (at < kept.length && bySize(kept[at] as Entry, entry) < 0) merged.push(kept[at++] as Entry);
    merged.push(entry);
  }
  while (at < kept.length) merged.push(kept[at++] as Entry);
  list.sorted = merged;
  list.changed = new Set();
  return merged;
}

async function readOn<R extends { id: string; seq: number; gone: number }, E extends Entry>(
  catalogue: Database,
  { table, rows: sql, toEntry }: Listing<R, E>,
  list: Followed,
): Promise<void> {
  // What was removed before the first reading was never in the list.
  const from = list.seq < 0 ? (await readChangeBounds(catalogue)).head : list.seq;
  for (let isMore = true; isMore; ) {
    const rows = await catalogue.read<R>({ sql, args: [list.seq, list.id, PAGE_ROWS] });
    for (const row of rows) setEntry(list, row.id, row.gone === 1 ? null : toEntry(row));
    const last = rows.at(-1);
    if (last) Object.assign(list, { seq: last.seq, id: last.id });
    isMore = rows.length === PAGE_ROWS;
  }
  const rows = await catalogue.read<{ seq: number; id: string }>({ sql: removedSql(table), args: [from] });
  const fresh = rows.filter(({ seq, id }) => !list.removed.has(`${seq} ${id}`));
  if (fresh.length === 0) return;
  const removed = new Set(fresh.map(({ id }) => id));
  for (const id of [...list.entries.keys()])
    if (id.startsWith('name-') && (removed.has(id) || removed.has(hiddenId(id)))) setEntry(list, id, null);
  for (const { seq, id } of fresh) list.removed.add(`${seq} ${id}`);
}
