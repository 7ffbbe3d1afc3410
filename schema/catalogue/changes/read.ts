import { isoInstant } from '../../config/clocks.ts';
import type { Database, SqlValue } from '../../db/interface.ts';
import { compareText } from '../../text/ids.ts';
import { CHANGE_KINDS, type ChangeKind } from './kinds.ts';
import { viewValue } from './triggers.ts';

/** The position of an entry in the log: everything up to and including it was read. Entries are in the order of seq, then kind, then id. */
export interface ChangePosition {
  seq: number;
  kind: string;
  id: string;
}

/** The values that filters read from a row, by the names of `LOGGED_KINDS`: columns as they are, and values from their JSON. */
export type FilterView = Readonly<Record<string, unknown>>;

/** One entry of the change log. */
export interface Change extends ChangePosition {
  kind: ChangeKind;
  /** When it became visible, ISO 8601 UTC; null before the log began. */
  at: string | null;
  change: 'new' | 'updated' | 'gone';
  /** Names of the fields that changed. */
  changed: string[];
  /** The values before it; null for a new row, and unknown where it was taken down. */
  before: FilterView | null | 'unknown';
  /** The values after it; null for a removed row. */
  after: FilterView | null | 'unknown';
  /** The present state of the row: 1 where it is gone, null where it was deleted. */
  row_gone: number | null;
  /** The row as it is now, if more of it was requested: its values under the names of `ReadOptions.of`, and others. */
  row?: unknown;
}

/** What else to read from a row `n` with its entry, as SQL; no name may be that of an entry's column. */
export interface RowColumns {
  columns: string;
  join?: string;
}

/** A condition on the values that filters read, as SQL. Both forms take the same arguments. */
export interface RowCondition {
  /** For the present row `n`. */
  ofRow: string;
  /** For the former values, a JSON text: `former` gives one by name. */
  ofFormer(former: string): string;
  args: readonly SqlValue[];
}

export interface ReadOptions {
  /** The last entry that was read. */
  after: ChangePosition;
  /** The last `seq` to read: the `head` of the log before the first page, so that reading ends. */
  upTo: number;
  kinds?: readonly ChangeKind[];
  limit: number;
  /** The rows whose entries are read; absent for all. */
  ids?: readonly string[];
  /**
   * By kind, a condition that every wanted row meets; others may meet it too. An entry is left out if its row does not meet it
   * now and did not just before the entry or at any time since. All entries of a kind without a condition are returned.
   */
  wanted?: Partial<Record<ChangeKind, RowCondition>>;
  /** False without filters: `before` and `after` then only say whether there is such a row, and for a notice whether it is a copy. */
  views?: boolean;
  /** By kind, what else is read from the row. It is read for every entry, so most of them should be wanted. */
  of?: Partial<Record<ChangeKind, RowColumns>>;
}

const OF_IDS = 'AND e.id IN (SELECT value FROM json_each(?))';
const afterSql = (kind: ChangeKind, ids?: readonly string[]) => `SELECT kind, seq, id FROM change e
  WHERE kind = '${kind}' AND (seq, id) > (?, ?) AND seq <= ? ${ids ? OF_IDS : ''}`;

/** The positions of the next entries, in order: one read of the index, which SQLite merges as it goes. */
async function readEnds(catalogue: Database, { after, upTo, kinds = CHANGE_KINDS, limit, ids }: ReadOptions) {
  const sql = `${kinds.map((kind) => afterSql(kind, ids)).join(' UNION ALL ')} ORDER BY seq, kind, id LIMIT ?`;
  const args = kinds.flatMap((kind) => [...startOf(after, kind), upTo, ...listOf(ids)]);
  return catalogue.read<ChangePosition & { kind: ChangeKind }>({ sql, args: [...args, limit] });
}

const LATER = 'FROM change l WHERE l.kind = e.kind AND l.id = e.id AND l.seq > e.seq AND l.former IS NOT NULL';
/** Leaves out entries of rows that do not meet the condition now and did not just before the entry or at any time since. */
const mayBeWanted = ({ ofRow, ofFormer }: RowCondition) =>
  `AND ((${ofRow}) OR n.id IS NULL OR e.former = 'null' OR (${ofFormer('e.former')})
    OR (n.seq > e.seq AND EXISTS (SELECT 1 ${LATER} AND (l.former = 'null' OR (${ofFormer('l.former')})))))`;
const argsOf = (wanted: RowCondition | undefined) => (wanted ? [...wanted.args, ...wanted.args, ...wanted.args] : []);
const listOf = (ids: readonly string[] | undefined) => (ids ? [JSON.stringify(ids)] : []);

/** What is read of one kind. */
interface OfKind {
  wanted: RowCondition | undefined;
  of: RowColumns | undefined;
  ids: readonly string[] | undefined;
}

// A row that has the seq of an entry has no later one.
const entriesSql = (kind: ChangeKind, view: string, { wanted, of, ids }: OfKind) =>
  `SELECT e.seq, e.id, e.change, e.changed, e.former,
    iif(n.seq = e.seq, NULL, (SELECT l.former ${LATER} ORDER BY l.seq LIMIT 1)) AS later,
    iif(n.id IS NULL, NULL, ${view}) AS view,
    (SELECT at FROM change_instant WHERE seq >= e.seq ORDER BY seq LIMIT 1) AS at, n.gone AS row_gone
    ${of ? `, ${of.columns}` : ''}
  FROM change e LEFT JOIN ${kind} n ON n.id = e.id ${of?.join ?? ''}
  WHERE e.kind = '${kind}' AND (e.seq, e.id) > (?, ?) AND (e.seq, e.id) <= (?, ?) ${ids ? OF_IDS : ''} ${wanted ? mayBeWanted(wanted) : ''}
  ORDER BY e.seq, e.id`;

/** The values without filters: a copy is not reported as a notice or framework. */
const COPY = "json_object('copy_of', n.copy_of)";
const UNFILTERED: Partial<Record<ChangeKind, string>> = { notice: COPY, framework: COPY };
const NOTHING = '{}';

/** The values that filters read from a row, as JSON; with `isFiltered` false, as few as possible. */
export function viewSql(kind: ChangeKind, isFiltered: boolean): string {
  return isFiltered ? viewValue(kind, 'n') : (UNFILTERED[kind] ?? `'${NOTHING}'`);
}

interface Entry extends Pick<Change, 'seq' | 'id' | 'change' | 'row_gone'> {
  at: number | null;
  changed: string;
  former: string | null;
  later: string | null;
  view: string | null;
}

/** Entries that follow each other in the log. */
interface Stretch {
  /** Those that may be wanted. */
  changes: Change[];
  /** The last entry of the stretch, wanted or not; absent where there is none. */
  last: ChangePosition | undefined;
  /** How many entries it has: fewer than the limit at the end of the log. */
  length: number;
}

/**
 * The next entries of the log after a position, oldest first. A batch takes its `seq` in the transaction that writes its
 * rows, and there is one writer at a time. So entries become visible in order, and nothing appears later before a position
 * that was read. Each entry is complete: its values before and after do not depend on later changes. One entry of a row
 * that has since been removed may still say `updated`.
 * @throws DatabaseAway if a server does not answer
 */
export async function readStretch(catalogue: Database, options: ReadOptions): Promise<Stretch> {
  const { after, wanted = {}, views = true, of = {}, ids } = options;
  const entries = await readEnds(catalogue, options);
  const ends = new Map(entries.map((entry) => [entry.kind, entry]));
  const read = [...ends].map(async ([kind, end]) => {
    const sql = entriesSql(kind, viewSql(kind, views), { wanted: wanted[kind], of: of[kind], ids });
    const args = [...startOf(after, kind), end.seq, end.id, ...listOf(ids), ...argsOf(wanted[kind])];
    const rows = await catalogue.read<Entry>({ sql, args });
    return rows.map((entry) => ({ ...toChange(kind, entry), ...(of[kind] && { row: entry }) }));
  });
  const changes = (await Promise.all(read)).flat().sort(comparePositions);
  return { changes, last: entries.at(-1), length: entries.length };
}

/** The entries of such a stretch. */
export async function readChanges(catalogue: Database, options: Omit<ReadOptions, 'wanted'>): Promise<Change[]> {
  return (await readStretch(catalogue, options)).changes;
}

/** Where a kind is continued after a position: kinds of one `seq` are in the order of their names. */
export function startOf(after: ChangePosition, kind: ChangeKind): [seq: number, id: string] {
  if (kind === after.kind) return [after.seq, after.id];
  return [kind < after.kind ? after.seq + 1 : after.seq, ''];
}

/** Compares positions in the order of the log. Negative, zero or positive, as `sort` expects. */
export function comparePositions(a: ChangePosition, b: ChangePosition): number {
  return a.seq - b.seq || compareText(a.kind, b.kind) || compareText(a.id, b.id);
}

/** Fields by the names that answers give them. The `status` of an answer is that of the day, and no entry records its change. */
const STATED: Readonly<Record<string, string>> = { status: 'stated_status' };
const RENAMED: Partial<Record<ChangeKind, typeof STATED>> = { notice: STATED, contract: { ...STATED, sme: 'is_sme' } };

function toChange(kind: ChangeKind, entry: Entry): Change {
  const after = readView(entry.later ?? entry.view);
  const before = entry.former === null ? after : readView(entry.former);
  return {
    kind,
    seq: entry.seq,
    id: entry.id,
    at: entry.at === null ? null : isoInstant(new Date(entry.at * 1_000)),
    change: entry.change,
    changed: entry.changed === '' ? [] : entry.changed.split(' ').map((name) => RENAMED[kind]?.[name] ?? name),
    before: entry.change === 'new' ? null : before,
    after: entry.change === 'gone' ? null : after,
    row_gone: entry.row_gone,
  };
}

const NO_VIEW: FilterView = {};

/** Nothing is known about a row that was deleted or taken down. */
function readView(text: string | null): FilterView | 'unknown' {
  if (text === NOTHING) return NO_VIEW;
  return (text === null ? null : (JSON.parse(text) as FilterView | null)) ?? 'unknown';
}

/** Where the log begins and ends. */
interface ChangeBounds {
  /** Entries up to this `seq` were removed, or are from before the log began. */
  from: number;
  /** The last `seq`: every entry up to it is visible. */
  head: number;
}

const BOUNDS = `SELECT coalesce((SELECT value FROM counter WHERE name = 'changes_from'), 0) AS "from",
  coalesce((SELECT value FROM counter WHERE name = 'seq'), 0) AS head`;

/** The present bounds of the log. */
export async function readChangeBounds(catalogue: Pick<Database, 'read'>): Promise<ChangeBounds> {
  const [row] = await catalogue.read<ChangeBounds>({ sql: BOUNDS });
  return row ?? { from: 0, head: 0 };
}

/** The same where batches are written now: a copy here may be older than another machine's, and another machine may have followed a move first. */
export function readNewestBounds({ read, readNewest = read }: Database): Promise<ChangeBounds> {
  return readChangeBounds({ read: readNewest });
}

/** When the batch of a `seq` became visible, in seconds since 1970; null where that is not known. */
export async function readInstantOf(catalogue: Database, seq: number): Promise<number | null> {
  const [row] = await catalogue.read<{ at: number }>({
    sql: 'SELECT at FROM change_instant WHERE seq >= ? ORDER BY seq LIMIT 1',
    args: [seq],
  });
  return row?.at ?? null;
}

/** The last `seq` that was visible before an instant: everything later came after it. */
export async function readSeqBefore(catalogue: Database, instant: Date): Promise<number> {
  const [row] = await catalogue.read<{ seq: number | null }>({
    // With `+seq` SQLite reads the later batches from the index by `at`; otherwise all earlier ones, in the order of `seq`.
    sql: 'SELECT max(seq) AS seq FROM change_instant WHERE seq < coalesce((SELECT min(+seq) FROM change_instant WHERE at >= ?), 9e18)',
    args: [Math.floor(instant.getTime() / 1_000)],
  });
  return row?.seq ?? 0;
}
