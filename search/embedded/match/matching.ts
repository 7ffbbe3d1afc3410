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

/** What a level of a query matches; the FTS5 expression is the first argument. */
export interface Matching extends KeyQuery {
  level: MatchLevel;
  /** The part of the expression that is not words of the query. */
  filters: string | null;
  /** What no match may contain. */
  excluded: string | null;
  /** The part of the expression that is words of the query. */
  expression: string;
  range: KeyRange;
  comparisons: Comparisons;
  /** How matches score: words weighed against each other, or, where all are common, by where they are. */
  scoring: { by: 'weight' | 'place'; text: string };
  /** Whether any word scores; without one the newest come first. */
  scored: boolean;
  counted: Counted;
  /** Ranking by position starts at this key; 0 where it covers everything. */
  bound: number;
  /** Only documents from this key on were counted, where the words of a phrase are very common; otherwise 0. */
  reach: number;
  /** Whether words that are very common were left out of the scores. */
  unweighed: boolean;
  /** Keys found by the stricter levels, which come first. */
  first: number[][];
}

/** Keys from one on, up to before another. */
export interface KeyRange {
  since: number;
  before: number;
}

interface Comparisons {
  conditions: string[];
  args: SqlValue[];
}

/** The matching of a level, not counted yet, within a range of keys. */
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
  return {
    ...matched,
    ...narrow(matched, expression),
    level,
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
 * The SQL of a matching with an expression and a key in a range. Integers reach the index as fractions, with which FTS5 bounds
 * nothing and reads everything (measured); cast to integers they save most of the time.
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
    // In an order that lets FTS5 lead: newest first or scored, with the comparisons afterwards.
    from: conditions.length > 0 ? 'FROM entry CROSS JOIN facet ON facet.key = entry.rowid' : 'FROM entry',
    where: ['WHERE entry MATCH ?', ...bounds, ...conditions].join(' AND '),
    args: [
      excluded === null ? matched : `${matched} NOT ${excluded}`,
      ...(first > 0 ? [first] : []),
      ...(end < Infinity ? [end] : []),
      ...args,
    ],
  };
}

const NONE_COUNTED: Counted = { count: 0, newest: 0, oldest: 0, keys: [] };

/** Days are ranges of keys. */
function daysOf(query: SearchQuery, range: KeyRange): KeyRange {
  const { field } = collectionOf(query).day;
  return wantedBounds(query).reduce(({ since, before }, { row, bound }) => {
    if (row.field !== field) return { since, before };
    const day = dayNumber(String(bound));
    return row.comparison === '>='
      ? { since: Math.max(since, day * DAY_SPAN), before }
      : { since, before: Math.min(before, (day + 1) * DAY_SPAN) };
  }, range);
}

/** What tokens cannot express exactly: amounts and instants. */
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
