import type { SqlValue } from '../../../schema/db/interface.ts';
import { collectionOf, comparisonsOf, wantedBounds } from '../../collections/index.ts';
import { decidedByTokens } from '../../collections/tokens.ts';
import { dayNumber } from '../../documents/days.ts';
import type { MatchLevel, SearchQuery } from '../../engine.ts';
import { asksForWords, type ParsedQuery } from '../../query/parse.ts';
import { DAY_SPAN } from '../layout/tables.ts';
import { EVERY_DOCUMENT, filterTokens } from '../layout/tokens.ts';
import { excludedExpression, filterExpression, joined } from './expression.ts';
import type { Counted, KeyQuery } from './query-cache.ts';

/** What a query matches at one level. The first of the arguments is the FTS5 expression. */
export interface Matching extends KeyQuery {
  level: MatchLevel;
  /** The part of the expression that comes from filters. */
  filters: string | null;
  /** What no match may contain. */
  excluded: string | null;
  /** The part of the expression that comes from words of the query. */
  expression: string;
  range: KeyRange;
  comparisons: Comparisons;
  /** Whether matches score by the weight of their words or by where the words are, and the expression for that. */
  scoring: { by: 'weight' | 'place'; text: string };
  /** Whether any word scores. Otherwise the newest come first. */
  scored: boolean;
  counted: Counted;
  /** Documents from this key on are ranked by where the words are; 0 if all are. */
  bound: number;
  /** Only documents from this key on were counted, because the words of a phrase are very common; otherwise 0. */
  reach: number;
  /** Whether very common words were left out of the scores. */
  unweighed: boolean;
  /** Keys found by the stricter levels, which come first. */
  first: number[][];
}

/** Keys from `since` on and below `before`. */
export interface KeyRange {
  since: number;
  before: number;
}

interface Comparisons {
  conditions: string[];
  args: SqlValue[];
}

/** What a query matches at a level within a range of keys, not counted yet. */
export function makeMatching(
  level: MatchLevel,
  expression: string | null,
  query: SearchQuery,
  parsed: ParsedQuery,
  within: KeyRange,
): Matching {
  const tokens = filterTokens(query);
  const filters = filterExpression(expression === null && tokens.length === 0 ? EVERY_DOCUMENT : tokens);
  const matched = {
    filters,
    excluded: excludedExpression(parsed),
    range: daysOf(query, within),
    comparisons: comparisons(query),
  };
  // The spreads do not come first: V8 (Node 20) would give each matching its own hidden class.
  return {
    level,
    ...matched,
    ...narrow(matched, expression),
    expression: expression ?? '',
    scoring: { by: 'place', text: '' },
    scored: asksForWords(parsed),
    counted: NONE_COUNTED,
    bound: 0,
    reach: 0,
    unweighed: false,
    first: [],
  };
}

type Narrowed = Pick<Matching, 'filters' | 'excluded' | 'range' | 'comparisons'>;

/**
 * The SQL for the matches of an expression with keys in a range. The driver passes integers as real numbers, with which FTS5
 * ignores the range and reads everything. Cast to integers they save most of the time (measured).
 */
export function narrow(
  { filters, excluded, range, comparisons: { conditions, args } }: Narrowed,
  expression: string | null,
  { since, before }: Partial<KeyRange> = {},
): KeyQuery {
  const matched = joined([expression, filters], 'AND');
  const first = Math.max(range.since, since ?? 0);
  const end = Math.min(range.before, before ?? Infinity);
  const bounds = [
    ...(first > 0 ? ['entry.rowid >= CAST(? AS INTEGER)'] : []),
    ...(end < Infinity ? ['entry.rowid < CAST(? AS INTEGER)'] : []),
  ];
  return {
    // The order lets FTS5 lead, with the newest first or scored, and the comparisons after it.
    from: conditions.length > 0 ? 'FROM entry CROSS JOIN facet ON facet.key = entry.rowid' : 'FROM entry',
    where: ['entry MATCH ?', ...bounds, ...conditions].join(' AND '),
    args: [
      excluded === null ? matched : `${matched} NOT ${excluded}`,
      ...(first > 0 ? [first] : []),
      ...(end < Infinity ? [end] : []),
      ...args,
    ],
  };
}

const NONE_COUNTED: Counted = { count: 0, newest: 0, oldest: 0, keys: [] };

/** The range of keys for the days of a query. */
function daysOf(query: SearchQuery, range: KeyRange): KeyRange {
  const { field } = collectionOf(query).day;
  let { since, before } = range;
  for (const { row, bound } of wantedBounds(query)) {
    if (row.field !== field) continue;
    const day = dayNumber(String(bound));
    if (row.comparison === '>=') since = Math.max(since, day * DAY_SPAN);
    else before = Math.min(before, (day + 1) * DAY_SPAN);
  }
  return { since, before };
}

/** The filters that tokens cannot express exactly: amounts and instants. */
function comparisons(query: SearchQuery): Comparisons {
  const compared = comparisonsOf(query, decidedByTokens(query.filters));
  return {
    conditions: compared.map(({ column, operator, orNone }) => {
      const condition = `facet.${column} ${operator} ?`;
      return orNone ? `(facet.${column} IS NULL OR ${condition})` : condition;
    }),
    args: compared.map(({ value }) => value),
  };
}
