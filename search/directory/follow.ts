import type { Database } from '../../schema/db/interface.ts';
import { bySize, type Entry } from './entries.ts';

/** Rows that one statement brings: a page of them is a few megabytes. */
const PAGE_ROWS = 5_000;

/** How the entries of a list are read from their table. */
export interface Listing<R, E extends Entry> {
  /** Rows behind a position: its arguments are seq, id and how many. */
  rows: string;
  toEntry(row: R): E;
}

/** The entries of one table of a catalogue, in memory. */
export interface Directory<E extends Entry> {
  /** In the order of `bySize`. */
  sorted(): readonly E[];
  /** Puts entries in the place of those with their ids. */
  replace(entries: readonly E[]): void;
}

interface Followed {
  entries: Map<string, Entry>;
  sorted: Entry[] | null;
  seq: number;
  id: string;
  /** The reading that runs; those that ask meanwhile wait for it. */
  reading: Promise<void> | null;
}

const known = new WeakMap<Database, Map<object, Followed>>();

/**
 * The entries as they stand now: all rows the first time, later those that changed since. Each row that changes gets a higher
 * `seq`, and one that went stays as `gone`, so what was read before and what changed are together all there is.
 */
export async function directoryOf<R extends { id: string; seq: number; gone: number }, E extends Entry>(
  catalogue: Database,
  listing: Listing<R, E>,
): Promise<Directory<E>> {
  const lists = known.get(catalogue) ?? new Map<object, Followed>();
  known.set(catalogue, lists);
  const list = lists.get(listing) ?? { entries: new Map(), sorted: null, seq: -1, id: '', reading: null };
  lists.set(listing, list);
  list.reading ??= readOn(catalogue, listing, list).finally(() => {
    list.reading = null;
  });
  await list.reading;
  return {
    sorted() {
      list.sorted ??= [...list.entries.values()].sort(bySize);
      return list.sorted as E[];
    },
    replace(entries) {
      for (const entry of entries) if (list.entries.has(entry.id)) list.entries.set(entry.id, entry);
      if (entries.length > 0) list.sorted = null;
    },
  };
}

async function readOn<R extends { id: string; seq: number; gone: number }, E extends Entry>(
  catalogue: Database,
  { rows: sql, toEntry }: Listing<R, E>,
  list: Followed,
): Promise<void> {
  for (;;) {
    const rows = await catalogue.read<R>({ sql, args: [list.seq, list.id, PAGE_ROWS] });
    for (const row of rows) {
      if (row.gone === 1) list.entries.delete(row.id);
      else list.entries.set(row.id, toEntry(row));
    }
    const last = rows.at(-1);
    if (last) Object.assign(list, { seq: last.seq, id: last.id, sorted: null });
    if (rows.length < PAGE_ROWS) return;
  }
}
