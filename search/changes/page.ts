import { CHANGE_KINDS, type ChangeKind } from '../../schema/catalogue/changes/kinds.ts';
import {
  type Change,
  type ChangePosition,
  comparePositions,
  type FilterView,
  type RowColumns,
  readChangeBounds,
  readStretch,
} from '../../schema/catalogue/changes/read.ts';
import { readStoredStretch, type StoredRow } from '../../schema/catalogue/changes/stored.ts';
import type { Database } from '../../schema/db/interface.ts';
import { ITEM_COLUMNS, type ItemRow } from './columns.ts';
import { type BriefItem, makeBriefItem, type ReadItem, readBriefItems } from './items.ts';
import { type JudgedRow, judgeMarkets, type Markets } from './markets.ts';
import { type ChangeFilters, matchesFilters } from './match.ts';
import { wantedByKind } from './wanted.ts';

/** A reader's position in the changes. */
export interface ReaderPosition {
  /** Everything up to this was returned. */
  at: ChangePosition;
  /**
   * Set while the log does not reach back far enough: rows are returned by their own `seq`, up to `upTo`, where the log takes over.
   * `from` is the position that the reader came with; below zero it had nothing.
   */
  rows?: SeqSpan;
}

type SeqSpan = { from: number; upTo: number };

/** The beginning: every stored row is returned first. */
export const READER_START: ReaderPosition = { at: { seq: -1, kind: '', id: '' } };

export interface ChangesAsk {
  position: ReaderPosition;
  kinds: readonly ChangeKind[];
  /** Filters that every one of the kinds takes (`changeFilterNames`). */
  filters: ChangeFilters;
  limit: number;
}

/** How one row changed since the reader last received it. */
interface RowChange {
  kind: ChangeKind;
  id: string;
  change: 'new' | 'updated' | 'left' | 'gone';
  at: string | null;
  /** Names of the fields that changed; absent where the log does not reach back. */
  changed?: string[];
  /** The row as it is now; absent if it left or is gone. */
  item?: BriefItem;
}

/** A change, and the row of its item if both were read together. */
interface FoundChange {
  change: RowChange;
  row?: ItemRow | undefined;
}

/** What a page has so far, by row. */
interface Listed {
  found: Map<string, FoundChange>;
  /** Rows that came and have gone since, which do not count for the page's limit. */
  passing: Set<string>;
}

export interface ChangesPage {
  changes: RowChange[];
  next: ReaderPosition;
  /** Whether everything visible was returned. */
  isDone: boolean;
  /** Set where the catalogue here does not reach the position yet: a copy may be older than that of the machine that answered before. */
  isBehind?: true;
}

/** Entries that one page examines, however few of them match: about twenty milliseconds. */
const SCANNED_MAX = 2_000;
/** Entries in the first read of a filtered page; each later read doubles it. */
const FIRST_READ = 200;
/** Contracts that one page examines where filters depend on them. A single organisation may have more. */
const CONTRACTS_MAX = 5_000;
/** Sorts after every kind of a seq. */
const LAST_KIND = '~';

/**
 * The next page of changes after a position, in the order in which they became visible. A row appears once a page. A reader
 * that starts at `READER_START` and applies every change has exactly the rows that match. If the log does not reach back to
 * the position, rows are returned by their own `seq`. Every row that may have matched before is then returned as `left`.
 * @throws DatabaseAway if a server does not answer
 */
export async function readChangesPage(catalogue: Database, ask: ChangesAsk): Promise<ChangesPage> {
  const { from, head } = await readChangeBounds(catalogue);
  const { at, rows } = ask.position;
  if ((rows?.upTo ?? at.seq) > head) return { changes: [], next: ask.position, isDone: true, isBehind: true };
  // A reader who has rows from before the log gets each as it is by now: the log does not know what that reader had.
  if (rows) return readRows(catalogue, ask, rows.from < 0 ? rows : { ...rows, upTo: head });
  const isBefore = (seq: number) => comparePositions(at, endOf(seq)) < 0;
  const page = isBefore(from) ? null : await readLog(catalogue, ask, head);
  // Upkeep may have removed entries while they were read.
  if (page && !isBefore((await readChangeBounds(catalogue)).from)) return page;
  return readRows(catalogue, ask, { from: at.seq, upTo: head });
}

async function readLog(catalogue: Database, asked: ChangesAsk, head: number): Promise<ChangesPage> {
  const { kinds, filters, limit } = asked;
  const views = Object.keys(filters).length > 0;
  const wanted = wantedByKind(asked);
  const of = columnsOf(asked, wanted);
  const listed: Listed = { found: new Map(), passing: new Set() };
  const { found } = listed;
  const addAll = () => addItems(catalogue, [...found.values()]);
  const page = async (at: ChangePosition, isDone = false) => ({ changes: await addAll(), next: { at }, isDone });
  let { at } = asked.position;
  let room = CONTRACTS_MAX;
  for (let scanned = 0, round = 0; scanned < SCANNED_MAX && found.size < limit && room > 0; round++) {
    const most = Math.min(views ? FIRST_READ * 2 ** round : limit - found.size, SCANNED_MAX - scanned);
    const stretch = await readStretch(catalogue, { after: at, upTo: head, kinds, limit: most, wanted, views, of });
    const { changes } = stretch;
    const judged = () => changes.map((one) => judgedEntry(one, filters));
    const markets = await judgeMarkets(catalogue, judged, asked, room);
    for (const entry of changes.slice(0, markets.length)) {
      if (found.size === limit && !found.has(keyOf(entry))) return page(at);
      addChange(listed, entry, filters, markets);
      at = positionOf(entry);
    }
    if (markets.length < changes.length) return page(at);
    room -= markets.contracts;
    at = stretch.last ? positionOf(stretch.last) : at;
    scanned += stretch.length;
    if (stretch.length < most) return page(endOf(head), true);
  }
  return page(at);
}

/** Kinds whose items are read with the entries, because nearly every entry read is returned. */
function columnsOf({ kinds, filters }: ChangesAsk, wanted: Partial<Record<ChangeKind, unknown>>) {
  const isReturned = (kind: ChangeKind) => Object.keys(filters).length === 0 || wanted[kind] !== undefined;
  const read = kinds.filter(isReturned).map((kind): [ChangeKind, RowColumns] => [kind, ITEM_COLUMNS[kind]]);
  return Object.fromEntries(read) as Partial<Record<ChangeKind, RowColumns>>;
}

const keyOf = ({ kind, id }: Pick<Change, 'kind' | 'id'>) => `${kind} ${id}`;
const positionOf = ({ seq, kind, id }: ChangePosition): ChangePosition => ({ seq, kind, id });
const endOf = (seq: number): ChangePosition => ({ seq, kind: LAST_KIND, id: '' });

/** Adds an entry to a page. Several entries of one row become the last of them, with the changed fields of all. */
function addChange({ found, passing }: Listed, entry: Change, filters: ChangeFilters, markets: Markets): void {
  const change = changeFor(entry, filters, markets);
  if (!change) return;
  const key = keyOf(entry);
  const isLoss = change === 'left' || change === 'gone';
  // The row has gone since: a later entry covers that.
  if (!isLoss && entry.row_gone !== 0) return void (change === 'new' && passing.add(key));
  const before = found.get(key)?.change;
  found.delete(key);
  // The reader never had a row that came and went within one page.
  if (isLoss && (before ? before.change === 'new' : passing.has(key))) return;
  const { kind, id, at } = entry;
  if (isLoss) return void found.set(key, { change: { kind, id, change, at } });
  const later = before && change === 'new' ? 'updated' : change;
  const merged = before?.change === 'new' ? 'new' : later;
  const changed = before?.changed ? [...new Set([...before.changed, ...entry.changed])] : entry.changed;
  found.set(key, { change: { kind, id, change: merged, at, changed }, row: entry.row as ItemRow | undefined });
}

/** How an entry looks to a reader with these filters; null if it does not concern the reader, or a later entry covers it. */
function changeFor(entry: Change, filters: ChangeFilters, markets: Markets): RowChange['change'] | null {
  const { kind, before, after } = entry;
  const wants = (view: FilterView) => matchesFilters(kind, view, filters);
  const wantedBefore = before !== null && (before === 'unknown' || wants(before));
  const mayHave = wantedBefore && (before === 'unknown' || markets.mayHaveMatched(entry));
  if (entry.change === 'gone') return mayHave ? 'gone' : null;
  // The row was taken down: a later entry covers that.
  if (after === 'unknown' || after === null) return null;
  const isWanted = (after === before ? wantedBefore : wants(after)) && markets.matches(entry);
  if (!isWanted) return mayHave ? 'left' : null;
  return mayHave ? 'updated' : 'new';
}

/** The entry if contracts decide whether it matches; else null. */
function judgedEntry({ kind, id, seq, before, after }: Change, filters: ChangeFilters): JudgedRow | null {
  if (kind !== 'buyer' && kind !== 'company') return null;
  const isWanted = [before, after].some((one) => typeof one === 'object' && one && matchesFilters(kind, one, filters));
  return isWanted ? { kind, id, seq } : null;
}

/** Adds the items of rows that exist. A row that has gone meanwhile is left out: a later entry covers it. */
async function addItems(catalogue: Database, found: readonly FoundChange[]): Promise<RowChange[]> {
  const exists = ({ change: { change } }: FoundChange) => change === 'new' || change === 'updated';
  const items = new Map<ChangeKind, ReadonlyMap<string, ReadItem>>();
  const readMissing = async (kind: ChangeKind) => {
    const missing = found.filter((one) => one.change.kind === kind && exists(one) && !one.row);
    const ids = missing.map(({ change }) => change.id);
    if (ids.length > 0) items.set(kind, await readBriefItems(catalogue, kind, ids));
  };
  await Promise.all(CHANGE_KINDS.map(readMissing));
  return found.flatMap((one) => {
    const { change, row } = one;
    if (!exists(one)) return [change];
    const item = row ? makeBriefItem(change.kind, row) : items.get(change.kind)?.get(change.id)?.item;
    return item ? [{ ...change, item }] : [];
  });
}

/**
 * Rows by their own seq. The stretch of a first copy ends where it began to read: a row that changes meanwhile leaves it, and the
 * log has the change. The stretch of others ends at the newest row: such a row is met again further on.
 */
async function readRows(catalogue: Database, asked: ChangesAsk, rows: SeqSpan): Promise<ChangesPage> {
  const { kinds, filters, limit } = asked;
  const views = Object.keys(filters).length > 0;
  const isNew = rows.from < 0;
  // Rows that the reader may have are also read if they no longer match or have gone.
  const wanted = isNew ? wantedByKind(asked) : {};
  const of = columnsOf(asked, wanted);
  const changes: FoundChange[] = [];
  const addAll = () => addItems(catalogue, changes);
  const page = async (next: ReaderPosition): Promise<ChangesPage> => ({ changes: await addAll(), next, isDone: false });
  let { at } = asked.position;
  let room = CONTRACTS_MAX;
  for (let scanned = 0, round = 0; scanned < SCANNED_MAX && changes.length < limit && room > 0; round++) {
    const most = Math.min(views ? FIRST_READ * 2 ** round : limit, SCANNED_MAX - scanned);
    const stretch = await readStoredStretch(catalogue, { after: at, ...rows, kinds, limit: most, wanted, views, of });
    // Contracts are judged as they were where the log takes over; the log has their later changes.
    const judged = ({ kind, id }: StoredRow): JudgedRow => ({ kind, id, seq: rows.upTo });
    const isOwnWanted = (row: StoredRow) => row.gone === 0 && matchesFilters(row.kind, row.view, filters);
    const list = () => stretch.rows.map((row) => (isOwnWanted(row) ? judged(row) : null));
    const markets = await judgeMarkets(catalogue, list, asked, room);
    for (const row of stretch.rows.slice(0, markets.length)) {
      if (changes.length === limit) return page({ at, rows });
      changes.push(...changesOfRow(row, isOwnWanted(row) && markets.matches(judged(row)), isNew));
      at = positionOf(row);
    }
    if (markets.length < stretch.rows.length) return page({ at, rows });
    room -= markets.contracts;
    at = stretch.last ? positionOf(stretch.last) : at;
    scanned += stretch.length;
    if (stretch.length < most) return page({ at: endOf(rows.upTo) });
  }
  return page({ at, rows });
}

function changesOfRow({ kind, id, at, gone, row }: StoredRow, isWanted: boolean, isNew: boolean): FoundChange[] {
  if (gone !== 1 && isWanted)
    return [{ change: { kind, id, change: isNew ? 'new' : 'updated', at }, row: row as ItemRow | undefined }];
  if (isNew) return [];
  return [{ change: { kind, id, change: gone === 1 ? 'gone' : 'left', at } }];
}
