import type { SearchFilters } from '../filters/index.ts';
import { rowsOf, wantedBound, wantedValues } from '../filters/read.ts';
import type { BoundRow, ExactRow, FilterRow, PrefixRow } from '../filters/row.ts';
import { makePrintSet } from '../results/match-prints.ts';
import { readPounds } from './amounts.ts';
import { COLUMNS, type Column, type ColumnName, dayOf, type Names, NONE, namesOf } from './columns.ts';
import { type ColumnFile, readNames, readNumbers, readNumbersUnder } from './file.ts';
import type { NameLists, Pieces } from './pieces.ts';

/** What a contract must fulfil. */
export interface Condition {
  columns: readonly ColumnName[];
  /** For a bound: rows with a value outside these limits fail. */
  span?: readonly [least: number, most: number];
  /** Removes failing rows from those that are kept (1). */
  narrow(pieces: Pieces, keep: Uint8Array): void;
}

/** The rows that have a contract which fulfils every condition. */
export function wantedRows(pieces: Pieces, conditions: readonly Condition[]): Int32Array {
  const counted = pieces.counted as Int32Array;
  const keep = new Uint8Array(counted.length);
  for (let row = 0; row < counted.length; row++) keep[row] = Number(counted[row] !== NONE);
  for (const condition of conditions) condition.narrow(pieces, keep);
  const rows = new Int32Array(counted.length);
  let count = 0;
  // No branch, as an unpredictable one takes several times as long; likewise for the bounds below.
  for (let row = 0; row < keep.length; row++) {
    rows[count] = row;
    count += keep[row] as number;
  }
  return rows.subarray(0, count);
}

/** Whether a search matched a contract. @param prints as `Matches.prints` has them */
export function matchCondition(prints: string): Condition {
  const isMatch = makePrintSet(prints);
  return {
    columns: ['print'],
    narrow(pieces, keep) {
      const piece = pieces.print as Float64Array;
      for (let row = 0; row < keep.length; row++) if (keep[row] === 1 && !isMatch(piece[row] as number)) keep[row] = 0;
    },
  };
}

/** The column of a filter's field. @throws Error where there is none */
export function columnOf(field: string): ColumnName {
  if (!(field in COLUMNS)) throw new Error(`no column of the summary has the field ${field}`);
  return field as ColumnName;
}

/**
 * The conditions for filters of contracts, equal to those of an export's SQL. @param today London calendar date for conditions
 * that depend on the clock
 */
export async function conditionsOf(
  file: Pick<ColumnFile, 'database'>,
  filters: SearchFilters,
  today: string,
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const row of rowsOf('contracts')) {
    const made = await conditionOf(file, row, filters, today);
    if (made) conditions.push(...made);
  }
  // Lists take longest to scan, so they come last, when fewer rows are left.
  return mergeBounds(conditions).toSorted((one, other) => Number(hasLists(one)) - Number(hasLists(other)));
}

function hasLists({ columns }: Condition): boolean {
  return columns.some((column) => COLUMNS[column].kind === 'names');
}

async function conditionOf(
  file: Pick<ColumnFile, 'database'>,
  row: FilterRow,
  filters: SearchFilters,
  today: string,
): Promise<Condition[] | undefined> {
  const given = (filters as Readonly<Record<string, unknown>>)[row.name];
  if (given === undefined) return undefined;
  if (row.kind === 'clock') return statusConditions(file, String(given), today);
  if ('comparison' in row) return boundConditions(file, row, wantedBound(filters, row));
  if (row.kind === 'flag') return [flagCondition(columnOf(row.field), given === true)];
  if (row.kind === 'prefix') return [await codeCondition(file, row, wantedValues(filters, row) ?? [])];
  return [await exactCondition(file, row, wantedValues(filters, row) ?? [])];
}

async function exactCondition(file: Pick<ColumnFile, 'database'>, { field }: ExactRow, values: readonly string[]) {
  const column = columnOf(field);
  const numbers = await readNumbers(file, requireNames(column), values);
  return amongCondition(column, new Set(numbers.values()));
}

/** Unknown values are neither. */
function flagCondition(column: ColumnName, wanted: boolean): Condition {
  return {
    columns: [column],
    narrow(pieces, keep) {
      const piece = pieces[column] as Int32Array;
      for (let row = 0; row < keep.length; row++) if (piece[row] !== Number(wanted)) keep[row] = 0;
    },
  };
}

/** A code stands for everything that begins with it. Places are a code and a name; either finds them. */
async function codeCondition(file: Pick<ColumnFile, 'database'>, row: PrefixRow, values: readonly string[]) {
  const column = columnOf(row.field);
  if (!row.names) return amongCondition(column, new Set(await readNumbersUnder(file, requireNames(column), values)));
  const wanted = values.map((value) => value.toLowerCase());
  const known = await readNames(file, requireNames(column));
  const numbers = [...known].filter(([, text]) => isPlace(text, wanted)).map(([number]) => number);
  return amongCondition(column, new Set(numbers));
}

function isPlace(text: string, wanted: readonly string[]): boolean {
  const [code, name] = (JSON.parse(text) as (string | null)[]).map((part) => part?.toLowerCase());
  return wanted.some((one) => name === one || code?.startsWith(one));
}

/** @throws Error where the column has no names */
function requireNames(column: ColumnName): Names {
  const names = namesOf(column);
  if (names === undefined) throw new Error(`the column ${column} has no names`);
  return names;
}

/** Whether a name is wanted, by its number. */
function amongCondition(column: ColumnName, numbers: ReadonlySet<number>): Condition {
  let most = NONE;
  for (const number of numbers) most = Math.max(most, number);
  // Numbers are shifted by one, so that `NONE` is the first; the last stands for all above.
  const wanted = new Uint8Array(most + 3);
  for (const number of numbers) wanted[number + 1] = 1;
  return {
    columns: [column],
    narrow(pieces, keep) {
      const piece = pieces[column];
      if (piece instanceof Int32Array) narrowNames(piece, wanted, keep);
      else narrowLists(piece as NameLists, wanted, keep);
    },
  };
}

function narrowNames(piece: Int32Array, wanted: Uint8Array, keep: Uint8Array): void {
  const last = wanted.length - 1;
  for (let row = 0; row < keep.length; row++) {
    const number = Math.min((piece[row] as number) + 1, last);
    keep[row] = (keep[row] as number) & (wanted[number] as number);
  }
}

/** One of several is enough. */
function narrowLists({ ends, all }: NameLists, wanted: Uint8Array, keep: Uint8Array): void {
  const last = wanted.length - 1;
  let at = 0;
  for (let row = 0; row < keep.length; row++) {
    const end = ends[row] as number;
    if (keep[row] === 1) {
      let found = 0;
      for (; at < end; at++) found |= wanted[Math.min((all[at] as number) + 1, last)] as number;
      keep[row] = found;
    }
    at = end;
  }
}

/** Values are in pounds; a ceiling, or an amount that is not believed, counts as none. */
async function boundConditions(
  file: Pick<ColumnFile, 'database'>,
  { field, kind, comparison }: BoundRow,
  bound: number | string | undefined,
): Promise<Condition[]> {
  const limit = kind === 'date' ? dayOf(String(bound)) : Number(bound);
  const within = boundCondition(columnOf(field), comparison, limit);
  if (field !== 'value') return [within];
  return [within, amongCondition('counted', await readPounds(file))];
}

/** Unknown values are on neither side of a bound. */
function boundCondition(column: ColumnName, comparison: '>=' | '<=', limit: number): Condition {
  const [least, most] = comparison === '>=' ? [limit, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, limit];
  const { kind }: Column = COLUMNS[column];
  const from = kind === 'real' ? least : Math.max(least, NONE + 1);
  return betweenCondition(column, from, most);
}

/** The greatest value of an `Int32Array`: comparing whole numbers with infinity would take longer. */
const WHOLE_MAX = 2 ** 31 - 1;

/** Both bounds are inclusive. */
function betweenCondition(column: ColumnName, least: number, most: number): Condition {
  return {
    columns: [column],
    span: [least, most],
    narrow(pieces, keep) {
      const piece = pieces[column] as Int32Array | Float64Array;
      narrowNumbers(piece, least, piece instanceof Int32Array ? Math.min(most, WHOLE_MAX) : most, keep);
    },
  };
}

/** What is not a number compares as false. */
function narrowNumbers(piece: Int32Array | Float64Array, least: number, most: number, keep: Uint8Array): void {
  for (let row = 0; row < keep.length; row++) {
    const value = piece[row] as number;
    keep[row] = (keep[row] as number) & Number(value >= least) & Number(value <= most);
  }
}

/** The bounds of a column as one: both ends are tested together. */
function mergeBounds(conditions: readonly Condition[]): Condition[] {
  const merged = new Map<ColumnName, [least: number, most: number]>();
  for (const { columns, span } of conditions) {
    const [column] = columns;
    if (!span || !column) continue;
    const [least, most] = merged.get(column) ?? span;
    merged.set(column, [Math.max(least, span[0]), Math.min(most, span[1])]);
  }
  const others = conditions.filter(({ span }) => !span);
  return [...[...merged].map(([column, [least, most]]) => betweenCondition(column, least, most)), ...others];
}

/** The state of a contract by the clock: `active`, `ended` or `terminated`; `any` excludes nothing. */
async function statusConditions(file: Pick<ColumnFile, 'database'>, status: string, today: string) {
  if (status === 'any') return [];
  const known = await readNames(file, 'status');
  const numbers = [...known].filter(([, text]) => (text === 'terminated') === (status === 'terminated'));
  const stated = amongCondition('status', new Set(numbers.map(([number]) => number)));
  if (status === 'terminated') return [stated];
  const day = dayOf(today);
  return [stated, boundCondition('ends', status === 'active' ? '>=' : '<=', status === 'active' ? day : day - 1)];
}
