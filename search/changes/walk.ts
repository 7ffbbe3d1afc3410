import type { ChangeKind } from '../../schema/catalogue/changes/kinds.ts';
import {
  type Change,
  type ChangePosition,
  comparePositions,
  type FilterView,
  readChangeBounds,
  readChanges,
  startOf,
} from '../../schema/catalogue/changes/read.ts';
import { viewValue } from '../../schema/catalogue/changes/triggers.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';
import { type BriefItem, ITEM_COLUMNS, type ItemRow, makeBriefItem } from './items.ts';
import { type ChangeFilters, matchesFilters } from './match.ts';

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

export interface WalkPage {
  changes: ToldChange[];
  next: WalkPosition;
  /** Whether everything that is visible was told. */
  isDone: boolean;
}

/** Entries that one page looks at, however few of them match: some tens of milliseconds. */
const SCANNED_MOST = 2_000;
/** Entries of one read: those of a thousand rows are a few megabytes. */
const READ_MOST = 500;
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

async function readLog(catalogue: Database, { position, kinds, filters, limit }: WalkAsk, head: number) {
  const isFiltered = Object.keys(filters).length > 0;
  const told = new Map<string, ToldChange>();
  let { at } = position;
  for (let scanned = 0; scanned < SCANNED_MOST && told.size < limit; ) {
    const most = Math.min(isFiltered ? READ_MOST : limit - told.size, SCANNED_MOST - scanned);
    const entries = await readChanges<ItemRow>(catalogue, {
      after: at,
      upTo: head,
      kinds,
      limit: most,
      rows: ITEM_COLUMNS,
      views: isFiltered,
    });
    for (const entry of entries) {
      if (told.size === limit && !told.has(keyOf(entry)))
        return { changes: [...told.values()], next: { at }, isDone: false };
      tell(told, entry, filters);
      at = positionOf(entry);
    }
    scanned += entries.length;
    if (entries.length < most) return { changes: [...told.values()], next: { at: endOf(head) }, isDone: true };
  }
  return { changes: [...told.values()], next: { at }, isDone: false };
}

type LoggedRow = Change & ItemRow;

const keyOf = ({ kind, id }: Pick<Change, 'kind' | 'id'>) => `${kind} ${id}`;
const positionOf = ({ seq, kind, id }: ChangePosition): ChangePosition => ({ seq, kind, id });
const endOf = (seq: number): ChangePosition => ({ seq, kind: LAST_KIND, id: '' });

/** Adds an entry to what a page tells; of several of one row the last counts, with what changed in all of them. */
function tell(told: Map<string, ToldChange>, entry: LoggedRow, filters: ChangeFilters): void {
  const change = changeFor(entry, filters);
  if (!change) return;
  const key = keyOf(entry);
  const before = told.get(key);
  told.delete(key);
  // What came and went within one page is no news to the reader.
  if (before?.change === 'new' && (change === 'left' || change === 'gone')) return;
  const isThere = change === 'new' || change === 'updated';
  const { kind, id, at } = entry;
  const stays = before?.change === 'new' ? 'new' : before && change === 'new' ? 'updated' : change;
  told.set(key, {
    ...{ kind, id, change: isThere ? stays : change, at },
    ...(isThere && { changed: [...new Set([...(before?.changed ?? []), ...entry.changed])], item: itemOf(entry) }),
  });
}

/** What an entry is to a reader with these filters; null where it is nothing, or a later entry says it. */
function changeFor(entry: LoggedRow, filters: ChangeFilters): ToldChange['change'] | null {
  const wants = (view: FilterView) => matchesFilters(entry.kind, view, filters);
  const mayHave = entry.before === 'unknown' || (entry.before !== null && wants(entry.before));
  if (entry.change === 'gone') return mayHave ? 'gone' : null;
  // The row has gone, or was taken down, since: its later entry tells it.
  if (entry.row_gone !== 0 || entry.after === 'unknown' || entry.after === null) return null;
  if (!wants(entry.after)) return mayHave ? 'left' : null;
  return mayHave ? 'updated' : 'new';
}

function itemOf({
  kind,
  seq: _s,
  change: _c,
  changed: _d,
  before: _b,
  after: _a,
  at: _t,
  row_gone: _g,
  ...row
}: LoggedRow) {
  return makeBriefItem(kind, row as ItemRow);
}

interface HeldRow extends ChangePosition {
  kind: ChangeKind;
  row_gone: number;
  view: string;
  at: number | null;
}

const rowsSql = (
  kind: ChangeKind,
) => `SELECT '${kind}' AS kind, n.seq, n.id, n.gone AS row_gone, ${viewValue(kind, 'n')} AS view,
    (SELECT at FROM change_instant WHERE seq >= n.seq AND EXISTS (SELECT 1 FROM change_instant WHERE seq <= n.seq)
      ORDER BY seq LIMIT 1) AS at, ${ITEM_COLUMNS[kind].columns}
  FROM ${kind} n ${ITEM_COLUMNS[kind].join ?? ''}
  WHERE (n.seq, n.id) > (?, ?) AND n.seq <= ? ORDER BY n.seq, n.id LIMIT ?`;

/** Rows by their own seq. One that changes meanwhile leaves this stretch, and the log behind it tells it. */
async function readRows(
  catalogue: Database,
  { position, kinds, filters, limit }: WalkAsk,
  rows: { from: number; upTo: number },
): Promise<WalkPage> {
  const changes: ToldChange[] = [];
  let { at } = position;
  for (let scanned = 0; scanned < SCANNED_MOST && changes.length < limit; ) {
    const most = Math.min(Object.keys(filters).length > 0 ? READ_MOST : limit, SCANNED_MOST - scanned);
    const read = kinds.map((kind) =>
      catalogue.read<HeldRow & ItemRow>({ sql: rowsSql(kind), args: [...startOf(at, kind), rows.upTo, most] }),
    );
    const found = (await Promise.all(read)).flat().sort(comparePositions).slice(0, most);
    for (const row of found) {
      if (changes.length === limit) return { changes, next: { at, rows }, isDone: false };
      changes.push(...tellRow(row, filters, rows.from));
      at = positionOf(row);
    }
    scanned += found.length;
    if (found.length < most) return { changes, next: { at: endOf(rows.upTo) }, isDone: false };
  }
  return { changes, next: { at, rows }, isDone: false };
}

function tellRow(
  { view, seq: _seq, row_gone, ...row }: HeldRow & ItemRow,
  filters: ChangeFilters,
  from: number,
): ToldChange[] {
  const { kind, id, at: seconds, ...own } = row;
  const at = seconds === null ? null : isoInstant(new Date(seconds * 1_000));
  const isNew = from < 0;
  if (row_gone === 1) return isNew ? [] : [{ kind, id, change: 'gone', at }];
  if (!matchesFilters(kind, JSON.parse(view) as FilterView, filters))
    return isNew ? [] : [{ kind, id, change: 'left', at }];
  return [{ kind, id, change: isNew ? 'new' : 'updated', at, item: makeBriefItem(kind, { ...own, id } as ItemRow) }];
}
