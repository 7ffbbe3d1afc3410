import { type HeldRow, readHeldStretch } from '../../schema/catalogue/changes/held.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../schema/catalogue/changes/kinds.ts';
import {
  type Change,
  type ChangePosition,
  type FilterView,
  type RowColumns,
  type RowCondition,
  readChangeBounds,
  readStretch,
} from '../../schema/catalogue/changes/read.ts';
import type { Database } from '../../schema/db/interface.ts';
import { ITEM_COLUMNS, type ItemRow } from './columns.ts';
import { type BriefItem, makeBriefItem, readBriefItems } from './items.ts';
import { type JudgedRow, judgeMarkets, type Markets } from './markets.ts';
import { type ChangeFilters, matchesFilters } from './match.ts';
import { wantedRows } from './wanted.ts';

/** Where a walk stands. */
export interface WalkPosition {
  /** Everything up to this was told. */
  at: ChangePosition;
  /**
   * Set while rows are told by their own `seq`, as no log says how they came: up to `upTo`, where the log continues. `from` is
   * what the reader had: below zero nothing.
   */
  rows?: { from: number; upTo: number };
}

/** Before everything: all that is held is told first. */
export const WALK_START: WalkPosition = { at: { seq: -1, kind: '', id: '' } };

export interface WalkAsk {
  position: WalkPosition;
  kinds: readonly ChangeKind[];
  /** Those that every kind takes (`changeFilterNames`). */
  filters: ChangeFilters;
  limit: number;
}

/** What became of one row since the reader was last told of it. */
export interface ToldChange {
  kind: ChangeKind;
  id: string;
  change: 'new' | 'updated' | 'left' | 'gone';
  at: string | null;
  /** Names of the fields that changed; absent where no log says. */
  changed?: string[];
  /** The row as it is now; absent for what left or is gone. */
  item?: BriefItem;
}

/** A change, and the row of its item where that was read with it. */
interface Told {
  change: ToldChange;
  row?: ItemRow | undefined;
}

export interface WalkPage {
  changes: ToldChange[];
  next: WalkPosition;
  /** Whether everything that is visible was told. */
  isDone: boolean;
}

/** Entries that one page looks at, however few of them match: some twenty milliseconds. */
const SCANNED_MOST = 2_000;
/** Entries of the first read of a filtered page; each that follows takes twice as many. */
const FIRST_READ = 200;
/** Contracts of buyers and suppliers that one page looks at, where filters ask of them; of one they may be more. */
const CONTRACTS_MOST = 5_000;
/** Behind every kind of a seq. */
const LAST_KIND = '~';

/**
 * The next page of a walk: what is new, changed or gone behind a position, in the order in which it became visible, each row
 * once a page. A reader that keeps what it is told, from `WALK_START` on, has every row that matches and no other. Where the
 * log does not reach back to the position, rows are told by their own `seq`, and whatever may have matched before is said
 * to have left.
 * @throws DatabaseAway where a server does not answer
 */
export async function walkChanges(catalogue: Database, ask: WalkAsk): Promise<WalkPage> {
  const { from, head } = await readChangeBounds(catalogue);
  const { at, rows } = ask.position;
  if (rows) return readRows(catalogue, ask, rows);
  if (at.seq < from) return readRows(catalogue, ask, { from: at.seq, upTo: head });
  return readLog(catalogue, ask, head);
}

async function readLog(catalogue: Database, asked: WalkAsk, head: number): Promise<WalkPage> {
  const { kinds, filters, limit } = asked;
  const views = Object.keys(filters).length > 0;
  const wanted = conditionsOf(asked);
  const of = columnsOf(asked, wanted);
  const told = new Map<string, Told>();
  const page = async (next: ChangePosition, isDone = false): Promise<WalkPage> => {
    return { changes: await addItems(catalogue, [...told.values()]), next: { at: next }, isDone };
  };
  let { at } = asked.position;
  let room = CONTRACTS_MOST;
  for (let scanned = 0, round = 0; scanned < SCANNED_MOST && told.size < limit && room > 0; round++) {
    const most = Math.min(views ? FIRST_READ * 2 ** round : limit - told.size, SCANNED_MOST - scanned);
    const stretch = await readStretch(catalogue, { after: at, upTo: head, kinds, limit: most, wanted, views, of });
    const { changes } = stretch;
    const judged = () => changes.map((one) => judgedEntry(one, filters));
    const markets = await judgeMarkets(catalogue, judged, asked, room);
    for (const entry of changes.slice(0, markets.length)) {
      if (told.size === limit && !told.has(keyOf(entry))) return page(at);
      tell(told, entry, filters, markets);
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

/** What can be said in SQL of the rows that are wanted. */
function conditionsOf({ kinds, filters }: WalkAsk): Partial<Record<ChangeKind, RowCondition>> {
  const conditions = kinds.flatMap((kind) => {
    const condition = wantedRows(kind, filters);
    return condition ? [[kind, condition]] : [];
  });
  return Object.fromEntries(conditions);
}

/** Kinds that are read with their items, as nearly every entry that is read is told. */
function columnsOf({ kinds, filters }: WalkAsk, wanted: Partial<Record<ChangeKind, unknown>>) {
  const isTold = (kind: ChangeKind) => Object.keys(filters).length === 0 || wanted[kind] !== undefined;
  const read = kinds.filter(isTold).map((kind): [ChangeKind, RowColumns] => [kind, ITEM_COLUMNS[kind]]);
  return Object.fromEntries(read) as Partial<Record<ChangeKind, RowColumns>>;
}

const keyOf = ({ kind, id }: Pick<Change, 'kind' | 'id'>) => `${kind} ${id}`;
const positionOf = ({ seq, kind, id }: ChangePosition): ChangePosition => ({ seq, kind, id });
const endOf = (seq: number): ChangePosition => ({ seq, kind: LAST_KIND, id: '' });

/** Adds an entry to what a page tells; of several of one row the last counts, with what changed in all of them. */
function tell(told: Map<string, Told>, entry: Change, filters: ChangeFilters, markets: Markets): void {
  const change = changeFor(entry, filters, markets);
  if (!change) return;
  const key = keyOf(entry);
  const before = told.get(key)?.change;
  told.delete(key);
  // What came and went within one page is no news to the reader.
  if (before?.change === 'new' && (change === 'left' || change === 'gone')) return;
  const { kind, id, at } = entry;
  if (change === 'left' || change === 'gone') {
    told.set(key, { change: { kind, id, change, at } });
    return;
  }
  const stays = before?.change === 'new' ? 'new' : before && change === 'new' ? 'updated' : change;
  const changed = before?.changed ? [...new Set([...before.changed, ...entry.changed])] : entry.changed;
  told.set(key, { change: { kind, id, change: stays, at, changed }, row: entry.row as ItemRow | undefined });
}

/** What an entry is to a reader with these filters; null where it is nothing, or a later entry says it. */
function changeFor(entry: Change, filters: ChangeFilters, markets: Markets): ToldChange['change'] | null {
  const { kind, before, after } = entry;
  const wants = (view: FilterView) => matchesFilters(kind, view, filters);
  const wantedBefore = before !== null && (before === 'unknown' || wants(before));
  const mayHave = wantedBefore && (before === 'unknown' || markets.mayHaveMatched(entry));
  if (entry.change === 'gone') return mayHave ? 'gone' : null;
  // The row has gone, or was taken down, since: its later entry tells it.
  if (entry.row_gone !== 0 || after === 'unknown' || after === null) return null;
  const isWanted = (after === before ? wantedBefore : wants(after)) && markets.matches(entry);
  if (!isWanted) return mayHave ? 'left' : null;
  return mayHave ? 'updated' : 'new';
}

/** An entry as it is judged by contracts; null where these do not matter. */
function judgedEntry({ kind, id, seq, before, after }: Change, filters: ChangeFilters): JudgedRow | null {
  if (kind !== 'buyer' && kind !== 'company') return null;
  const isWanted = [before, after].some(
    (view) => typeof view === 'object' && view && matchesFilters(kind, view, filters),
  );
  return isWanted ? { kind, id, seq } : null;
}

/** Adds the items of what is there. What has gone since it was read of is left to its later entry. */
async function addItems(catalogue: Database, told: readonly Told[]): Promise<ToldChange[]> {
  const isThere = ({ change: { change } }: Told) => change === 'new' || change === 'updated';
  const items = new Map<ChangeKind, ReadonlyMap<string, BriefItem>>();
  const read = CHANGE_KINDS.map(async (kind) => {
    const missing = told.filter((one) => one.change.kind === kind && isThere(one) && !one.row);
    const ids = missing.map(({ change }) => change.id);
    if (ids.length > 0) items.set(kind, await readBriefItems(catalogue, kind, ids));
  });
  await Promise.all(read);
  return told.flatMap((one) => {
    const { change, row } = one;
    if (!isThere(one)) return [change];
    const item = row ? makeBriefItem(change.kind, row) : items.get(change.kind)?.get(change.id);
    return item ? [{ ...change, item }] : [];
  });
}

/** Rows by their own seq. One that changes meanwhile leaves this stretch, and the log behind it tells it. */
async function readRows(catalogue: Database, asked: WalkAsk, rows: { from: number; upTo: number }): Promise<WalkPage> {
  const { kinds, filters, limit } = asked;
  const views = Object.keys(filters).length > 0;
  const isNew = rows.from < 0;
  // What a reader has that is not wanted now, or has gone, is told as well.
  const wanted = isNew ? conditionsOf(asked) : {};
  const of = columnsOf(asked, wanted);
  const changes: Told[] = [];
  const page = async (next: WalkPosition): Promise<WalkPage> => {
    return { changes: await addItems(catalogue, changes), next, isDone: false };
  };
  let { at } = asked.position;
  let room = CONTRACTS_MOST;
  for (let scanned = 0, round = 0; scanned < SCANNED_MOST && changes.length < limit && room > 0; round++) {
    const most = Math.min(views ? FIRST_READ * 2 ** round : limit, SCANNED_MOST - scanned);
    const stretch = await readHeldStretch(catalogue, {
      after: at,
      upTo: rows.upTo,
      kinds,
      limit: most,
      wanted,
      views,
      of,
    });
    // Contracts are read as they were where the log continues, which tells what they did since.
    const judged = ({ kind, id }: HeldRow): JudgedRow => ({ kind, id, seq: rows.upTo });
    const isOwnWanted = (row: HeldRow) => row.gone === 0 && matchesFilters(row.kind, row.view, filters);
    const list = () => stretch.rows.map((row) => (isOwnWanted(row) ? judged(row) : null));
    const markets = await judgeMarkets(catalogue, list, asked, room);
    for (const row of stretch.rows.slice(0, markets.length)) {
      if (changes.length === limit) return page({ at, rows });
      changes.push(...tellRow(row, isOwnWanted(row) && markets.matches(judged(row)), isNew));
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

function tellRow({ kind, id, at, gone, row }: HeldRow, isWanted: boolean, isNew: boolean): Told[] {
  if (gone === 1) return isNew ? [] : [{ change: { kind, id, change: 'gone', at } }];
  if (!isWanted) return isNew ? [] : [{ change: { kind, id, change: 'left', at } }];
  return [{ change: { kind, id, change: isNew ? 'new' : 'updated', at }, row: row as ItemRow | undefined }];
}
