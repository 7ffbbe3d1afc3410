import type { SearchFilters } from '../filters/index.ts';
import { amountsOf, OF_AMOUNTS, readWords } from './amounts.ts';
import { type ColumnName, NONE, PIECE_ROWS } from './columns.ts';
import { type Condition, conditionsOf, matchCondition, wantedRows } from './conditions.ts';
import type { ColumnFile, ColumnState } from './file.ts';
import { type Grouping, makeGroups, ONE_GROUP } from './groups.ts';
import { makePairs, type Pairs } from './pairs.ts';
import { makeRoom, type Pieces } from './pieces.ts';
import { spansOf } from './spans.ts';
import { addAmounts, countContracts, growTally, makeTally, type Sums, sumsOf, type Tally } from './tally.ts';

/** What is asked. */
export interface SummaryQuery {
  /** One or two. */
  groupBy: readonly Grouping[];
  /** How many digits of a CPV code make a group. */
  cpvLevel: number;
  filters: SearchFilters;
  /** The contracts that a search matched, as its `Matches.prints`; absent: all. */
  matches?: string;
  /** What orders the groups. */
  measure: Measure;
  limit: number;
  /** London calendar date for conditions that depend on the clock. */
  today: string;
}

export type Measure = 'value' | 'count';

/** A group with its key in each way of grouping, null where it has none. */
export interface GroupSums extends Sums {
  ids: (string | null)[];
}

export interface SummaryAnswer {
  groups: GroupSums[];
  /** How many groups there are, including those that are not listed. */
  groupCount: number;
  /** The sum of the groups that are not listed. */
  others: Sums;
  /** Every contract once. */
  total: Sums;
}

/** Adds up in one pass over the columns. */
export async function summarise(
  file: ColumnFile,
  columnState: ColumnState,
  query: SummaryQuery,
): Promise<SummaryAnswer> {
  const words = await readWords(file);
  const conditions = await conditionsOf(file, query.filters, query.today);
  if (query.matches !== undefined) conditions.push(matchCondition(query.matches));
  const making = { file, columnState, cpvLevel: query.cpvLevel };
  const ways = await Promise.all(query.groupBy.map((by) => makeGroups(by, making)));
  const [first = ONE_GROUP, second] = ways;
  const pairs = second && makePairs(second.size);
  const total = makeTally(1, words.names);
  const byGroup = makeTally(pairs ? 0 : first.size, words.names);
  const needed = [...ways.map(({ column }) => column), ...conditions.flatMap(({ columns }) => columns)];
  const columns = [...new Set<ColumnName>([...OF_AMOUNTS, ...needed])];
  const readWanted = makeWantedReader(file, columns, conditions);
  const spans = spansOf(file, columnState, conditions);
  for (let piece = 0; piece * PIECE_ROWS < columnState.rows; piece++) {
    if (!spans.mayHold(piece)) continue;
    const { pieces, rows } = await readWanted(piece);
    spans.note(piece, pieces);
    if (rows.length === 0) continue;
    const amounts = amountsOf(pieces, rows, words);
    addAmounts(total, amounts, ONE_GROUP.assign(pieces, rows));
    const ones = first.assign(pieces, rows);
    const groups = second && pairs ? pairs.pairUp(rows.length, ones, second.assign(pieces, rows)) : ones;
    if (pairs) growTally(byGroup, pairs.size);
    addAmounts(byGroup, amounts, groups);
  }
  const listed = listGroups(byGroup, query);
  const ids = await Promise.all(
    ways.map((way, index) => way.idsOf(listed.first.map((group) => groupOf(group, pairs, index)))),
  );
  return {
    groups: listed.first.map((group, at) => ({
      ids: ids.map((each) => each[at] ?? null),
      ...sumsOf(byGroup, [group]),
    })),
    groupCount: listed.count,
    others: sumsOf(byGroup, listed.others),
    total: sumsOf(total, [0]),
  };
}

/** Reads the filtered columns first, and the rest only where rows remain. The next piece overwrites a piece. */
function makeWantedReader(file: ColumnFile, columns: readonly ColumnName[], conditions: readonly Condition[]) {
  const narrowing: readonly ColumnName[] = ['counted', ...conditions.flatMap((condition) => condition.columns)];
  const first = conditions.length === 0 ? columns : columns.filter((name) => narrowing.includes(name));
  const then = columns.filter((name) => !first.includes(name));
  const room = makeRoom();
  return async (piece: number): Promise<{ pieces: Pieces; rows: Int32Array }> => {
    const pieces = await file.readPieces(piece, first, room);
    const rows = wantedRows(pieces, conditions);
    if (rows.length > 0 && then.length > 0) Object.assign(pieces, await file.readPieces(piece, then, room));
    return { pieces, rows };
  };
}

function groupOf(group: number, pairs: Pairs | undefined, way: number): number {
  return pairs ? (pairs.of(group)[way] ?? 0) : group;
}

/** The groups with a contract or a place: the first ones, and the rest. */
interface Listed {
  first: number[];
  others: Int32Array;
  count: number;
}

/** By pounds or by contracts, then by the other measure, then in the order of their numbers. */
function listGroups(tally: Tally, { measure, limit }: SummaryQuery): Listed {
  const contracts = countContracts(tally);
  const [by, then] = measure === 'value' ? [tally.pence, contracts] : [contracts, tally.pence];
  const order = (one: number, other: number) =>
    (by[other] as number) - (by[one] as number) || (then[other] as number) - (then[one] as number) || one - other;
  const first: number[] = [];
  const others = new Int32Array(contracts.length);
  let count = 0;
  for (let group = 0; group < contracts.length; group++) {
    if (contracts[group] === NONE) continue;
    const last = first[limit - 1];
    if (last !== undefined && order(group, last) > 0) others[count++] = group;
    else {
      const at = first.findIndex((other) => order(group, other) < 0);
      first.splice(at < 0 ? first.length : at, 0, group);
      if (first.length > limit) others[count++] = first.pop() as number;
    }
  }
  return { first, others: others.subarray(0, count), count: count + first.length };
}
