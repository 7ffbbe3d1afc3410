import { cpvBranch } from '../../schema/reference/cpv.ts';
import { regionOfCode } from '../../schema/reference/regions.ts';
import { type ColumnName, type Names, NONE, PIECE_ROWS } from './columns.ts';
import { type ColumnFile, type ColumnState, readNames } from './file.ts';
import type { NameLists, Pieces } from './pieces.ts';

/** What contracts are grouped by. */
export const GROUPINGS = [
  'supplier',
  'buyer',
  'buyer_kind',
  'cpv',
  'region',
  'month',
  'quarter',
  'year',
  'end_year',
  'procedure',
  'direct_award_ground',
  'framework',
  'framework_role',
  'source',
  'nation',
  'sme',
  'vcse',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** One way of grouping: every contract is in one group, or (for suppliers) in several. */
interface Groups {
  column: ColumnName;
  /** Groups have numbers below this. */
  size: number;
  /** The groups of some rows of the pieces. */
  assign(pieces: Pieces, rows: Int32Array): NameLists;
  /** The key of a group: an id, a code or a span of time; null for contracts without one. */
  idsOf(numbers: readonly number[]): Promise<(string | null)[]>;
}

type Making = { file: Pick<ColumnFile, 'database'>; columnState: ColumnState; cpvLevel: number };

/** A column of names. With `isOnce`, of several names the first counts, so that groups add up to the total. */
interface NamedColumn {
  column: ColumnName;
  of: Names;
  isOnce?: true;
}

const NAMED: Partial<Record<Grouping, NamedColumn>> = {
  supplier: { column: 'company_ids', of: 'company' },
  buyer: { column: 'buyer_id', of: 'buyer' },
  buyer_kind: { column: 'buyer_kind', of: 'buyer_kind' },
  procedure: { column: 'procedure', of: 'procedure' },
  direct_award_ground: { column: 'direct_award_grounds', of: 'ground', isOnce: true },
  framework: { column: 'framework_id', of: 'framework' },
  framework_role: { column: 'framework_role', of: 'framework_role' },
  source: { column: 'source', of: 'source' },
  nation: { column: 'nation', of: 'nation' },
};

/** Each contract in one group. */
const ONE_EACH = Int32Array.from({ length: PIECE_ROWS }, (_, row) => row + 1);
const ALL_IN_ONE: NameLists = { ends: ONE_EACH, all: new Int32Array(PIECE_ROWS) };

/** All contracts as one group. */
export const ONE_GROUP: Groups = {
  column: 'counted',
  size: 1,
  assign: () => ALL_IN_ONE,
  idsOf: async (numbers) => numbers.map(() => null),
};

/** Digits of a region code directly below the whole country. */
const WIDE = 3;

/** The region directly below the whole country, or a place without a code by its name: as a filter it finds these contracts. */
function wideRegion(place: string): string {
  return regionOfCode(place) ? place.slice(0, WIDE) : place;
}

/** The groups for a way of grouping. @param making `cpvLevel` is how many digits of a CPV code make a group */
export async function makeGroups(grouping: Grouping, making: Making): Promise<Groups> {
  const named = NAMED[grouping];
  if (named) return namedGroups(named, making);
  if (grouping === 'cpv') return codeGroups('cpv', (code) => cpvBranch(code.slice(0, making.cpvLevel)), making);
  if (grouping === 'region') return codeGroups('region', wideRegion, making);
  if (grouping === 'sme' || grouping === 'vcse') return flagGroups(grouping);
  if (grouping === 'end_year') return timeGroups('ends', TIMES.year);
  return timeGroups('dated', TIMES[grouping as keyof typeof TIMES]);
}

/** Group 0 is for contracts without a name; a name's group is one more than its number. */
function namedGroups({ column, of, isOnce }: NamedColumn, { file, columnState }: Making): Groups {
  return {
    column,
    size: (columnState.names[of] ?? 0) + 1,
    assign(pieces, rows) {
      const piece = pieces[column] as Int32Array | NameLists;
      if (piece instanceof Int32Array) return assignEach(piece, rows, plusOne);
      return isOnce ? assignFirst(piece, rows) : assignLists(piece, rows);
    },
    async idsOf(numbers) {
      const names = await readNames(
        file,
        of,
        numbers.map((number) => number - 1),
      );
      return numbers.map((number) => names.get(number - 1) ?? null);
    },
  };
}

function plusOne(number: number): number {
  return number + 1;
}

function assignEach(piece: Int32Array, rows: Int32Array, groupOf: (number: number) => number): NameLists {
  const all = new Int32Array(rows.length);
  for (let index = 0; index < rows.length; index++) all[index] = groupOf(piece[rows[index] as number] as number);
  return { ends: ONE_EACH, all };
}

/** The first name of each row; rows without one are in group 0. */
function assignFirst({ ends, all: names }: NameLists, rows: Int32Array): NameLists {
  const all = new Int32Array(rows.length);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as number;
    const start = row === 0 ? 0 : (ends[row - 1] as number);
    all[index] = start === ends[row] ? 0 : (names[start] as number) + 1;
  }
  return { ends: ONE_EACH, all };
}

/** Rows without a name are in group 0. */
function assignLists({ ends, all }: NameLists, rows: Int32Array): NameLists {
  const groups = new Int32Array(all.length + rows.length);
  const groupEnds = new Int32Array(rows.length);
  let to = 0;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as number;
    const end = ends[row] as number;
    let at = row === 0 ? 0 : (ends[row - 1] as number);
    if (at === end) groups[to++] = 0;
    while (at < end) groups[to++] = (all[at++] as number) + 1;
    groupEnds[index] = to;
  }
  return { ends: groupEnds, all: groups };
}

/** Codes in one group share its number. */
async function codeGroups(
  column: 'cpv' | 'region',
  groupOf: (code: string) => string,
  { file, columnState }: Making,
): Promise<Groups> {
  const ids: (string | null)[] = [null];
  const numbers = new Map<string, number>();
  const table = new Int32Array((columnState.names[column] ?? 0) + 1);
  for (const [number, code] of await readNames(file, column)) {
    const group = groupOf(code);
    const known = numbers.get(group) ?? ids.push(group) - 1;
    numbers.set(group, known);
    table[number] = known;
  }
  return {
    column,
    size: ids.length,
    assign: (pieces, rows) =>
      assignEach(pieces[column] as Int32Array, rows, (number) => (number === NONE ? 0 : (table[number] as number))),
    idsOf: async (wanted) => wanted.map((number) => ids[number] ?? null),
  };
}

/** Spans of time: numbered from the year 0; 0 is for contracts without a day. */
const TIMES = {
  month: { each: 12, spanOf: (month: number) => month, write: (span: number) => `-${String(span).padStart(2, '0')}` },
  quarter: { each: 4, spanOf: (month: number) => Math.ceil(month / 3), write: (span: number) => `-Q${span}` },
  year: { each: 1, spanOf: () => 1, write: () => '' },
};

const YEARS = 10_000;

/** By the values of a flag, which a filter takes. */
function flagGroups(column: 'sme' | 'vcse'): Groups {
  const ids = [null, 'false', 'true'];
  return {
    column,
    size: ids.length,
    assign: (pieces, rows) => assignEach(pieces[column] as Int32Array, rows, plusOne),
    idsOf: async (numbers) => numbers.map((number) => ids[number] ?? null),
  };
}

function timeGroups(column: 'dated' | 'ends', { each, spanOf, write }: (typeof TIMES)[keyof typeof TIMES]): Groups {
  const spans = Int32Array.from({ length: 100 }, (_, month) => Math.min(each, Math.max(1, spanOf(month))));
  return {
    column,
    size: YEARS * each + 1,
    assign: (pieces, rows) =>
      assignEach(pieces[column] as Int32Array, rows, (day) => {
        if (day === NONE) return 0;
        const month = Math.floor(day / 100);
        return Math.floor(month / 100) * each + (spans[month % 100] as number);
      }),
    async idsOf(numbers) {
      return numbers.map((number) => {
        if (number === 0) return null;
        const year = Math.floor((number - 1) / each);
        return String(year).padStart(4, '0') + write(number - year * each);
      });
    },
  };
}
