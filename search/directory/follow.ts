import { readChangeBounds } from '../../schema/catalogue/changes/read.ts';
import { hiddenId } from '../../schema/catalogue/changes/remove.ts';
import type { Database } from '../../schema/db/interface.ts';
import { textAt } from './columns.ts';
import { type Change, type Entry, emptyList, type Listed, mergeListed, type OwnColumns } from './listed.ts';

/** Rows in one statement: a page of them is a few megabytes. */
const PAGE_ROWS = 5_000;

/**
 * A takedown removes rows whose ids spell a name, so no row remains as evidence. The change log has them: by id at first, and
 * soon only by a digest of it.
 */
const removedSql = (table: 'buyer' | 'company') => `SELECT seq, id FROM change c WHERE kind = '${table}' AND seq >= ?
  AND change = 'gone' AND (id GLOB 'sha256:*' OR (id GLOB 'name-*' AND NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = c.id)))`;

/** Changes that are buffered before they are merged: as objects they take many times the memory. */
const BUFFERED_MAX = 25_000;

/** How the organisations of a list are read from their table. */
interface Listing<R, E extends Entry, C> {
  table: 'buyer' | 'company';
  /** Rows after a position: its arguments are seq, id and how many. */
  rows: string;
  toEntry(row: R): E;
  columns: OwnColumns<E, C>;
}

/** The organisations of one table of a catalogue, in memory. */
interface Directory<E extends Entry, C> {
  /** The same list until something changes. */
  listed(): Listed<C>;
  /** The `seq` of the catalogue before the first reading: the list has everything up to it, of other tables too. */
  began: number;
  /** Replaces the data of those organisations that it has. */
  replace(entries: readonly E[]): void;
}

interface Followed<E extends Entry, C> {
  listed: Listed<C>;
  /** What changed since `listed` was built, by id. */
  changes: Map<string, Change<E>>;
  seq: number;
  id: string;
  /** As in `Directory`. */
  began: number;
  /** Rows that takedowns removed since the first reading: `seq` and id, as the change log names them. */
  removed: Set<string>;
  /** The `seq` from which the change log has to be read for more of them: a reading may fail after its rows. */
  removedFrom: number;
  /** The reading in progress; callers that come meanwhile wait for it. */
  reading: Promise<void> | null;
}

const known = new WeakMap<Database, Map<object, unknown>>();

/**
 * The organisations as they are now: all rows the first time, later only changed ones. Each changed row gets a higher
 * `seq`, and a removed one stays as `gone` or is in the change log. So earlier rows and later changes together are
 * complete.
 */
export async function directoryOf<R extends { id: string; seq: number; gone: number }, E extends Entry, C>(
  catalogue: Database,
  listing: Listing<R, E, C>,
): Promise<Directory<E, C>> {
  const lists = known.get(catalogue) ?? new Map<object, unknown>();
  known.set(catalogue, lists);
  const list = (lists.get(listing) as Followed<E, C> | undefined) ?? {
    listed: emptyList(listing.columns),
    changes: new Map(),
    seq: -1,
    id: '',
    began: 0,
    removed: new Set(),
    removedFrom: 0,
    reading: null,
  };
  lists.set(listing, list);
  list.reading ??= readOn(catalogue, listing, list).finally(() => {
    list.reading = null;
  });
  await list.reading;
  return {
    listed: () => listedOf(list, listing),
    began: list.began,
    replace(entries) {
      for (const entry of entries) {
        const known = list.changes.get(entry.id);
        if (known?.entry !== null) list.changes.set(entry.id, { entry, isUpdate: known?.isUpdate ?? true });
      }
      if (list.changes.size > BUFFERED_MAX) listedOf(list, listing);
    },
  };
}

function listedOf<R, E extends Entry, C>(list: Followed<E, C>, { columns }: Listing<R, E, C>): Listed<C> {
  if (list.changes.size === 0) return list.listed;
  list.listed = mergeListed(list.listed, list.changes, columns);
  list.changes = new Map();
  return list.listed;
}

async function readOn<R extends { id: string; seq: number; gone: number }, E extends Entry, C>(
  catalogue: Database,
  listing: Listing<R, E, C>,
  list: Followed<E, C>,
): Promise<void> {
  const { table, rows: sql, toEntry } = listing;
  if (list.seq < 0) {
    list.began = (await readChangeBounds(catalogue)).head;
    // What was removed before the first reading was never in the list.
    list.removedFrom = list.began;
  }
  for (let isMore = true; isMore; ) {
    const rows = await catalogue.read<R>({ sql, args: [list.seq, list.id, PAGE_ROWS] });
    for (const row of rows) list.changes.set(row.id, { entry: row.gone === 1 ? null : toEntry(row), isUpdate: false });
    if (list.changes.size > BUFFERED_MAX) listedOf(list, listing);
    const last = rows.at(-1);
    if (last) Object.assign(list, { seq: last.seq, id: last.id });
    isMore = rows.length === PAGE_ROWS;
  }
  const removed = await catalogue.read<{ seq: number; id: string }>({
    sql: removedSql(table),
    args: [list.removedFrom],
  });
  const fresh = removed.filter(({ seq, id }) => !list.removed.has(`${seq} ${id}`));
  if (fresh.length > 0) {
    for (const id of await findRemoved(catalogue, table, listedOf(list, listing), fresh))
      list.changes.set(id, { entry: null, isUpdate: false });
  }
  for (const { seq, id } of fresh) list.removed.add(`${seq} ${id}`);
  list.removedFrom = Math.max(list.seq, list.began);
}

/** Ids of a list that takedowns removed. Where one came again since, its row is there: a digest of its id does not tell. */
async function findRemoved<C>(
  catalogue: Database,
  table: 'buyer' | 'company',
  { ids }: Listed<C>,
  fresh: readonly { id: string }[],
): Promise<string[]> {
  const removed = new Set(fresh.map(({ id }) => id));
  const found: string[] = [];
  for (let row = 0; row < ids.ends.length; row++) {
    const id = textAt(ids, row);
    if (id.startsWith('name-') && (removed.has(id) || removed.has(hiddenId(id)))) found.push(id);
  }
  const sql = `SELECT id FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`;
  const rows = await catalogue.read<{ id: string }>({ sql, args: [JSON.stringify(found)] });
  const there = new Set(rows.map(({ id }) => id));
  return found.filter((id) => !there.has(id));
}
