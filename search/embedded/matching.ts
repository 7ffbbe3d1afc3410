import type { SqlValue } from '../../schema/database.ts';
import type { MatchLevel, SearchQuery } from '../engine.ts';
import type { ParsedQuery } from '../query.ts';
import type { Asked } from './counts.ts';
import { filterExpression, joined } from './expression.ts';
import type { Counted } from './remembered.ts';
import { dayNumber } from './store.ts';
import { DAY_SPAN, valueColumn } from './tables.ts';
import { EVERY_DOCUMENT, filterTokens, isEdge } from './tokens.ts';

/** What a level of a query matches; of the arguments the first is the FTS5 expression. */
export interface Matching extends Asked {
  level: MatchLevel;
  /** The part of the expression that is no word of the query. */
  filters: string | null;
  /** The part that is. */
  expression: string;
  /** What scores: words weighed against each other, or, where all are common, the places where they stand. */
  scoring: { by: 'weight' | 'place'; text: string };
  /** Whether any word scores; without one the newest come first. */
  scored: boolean;
  counted: Counted;
  /** Ranking by place looks at documents from this key on; 0 where at all. */
  bound: number;
  /** Only documents from this key on are looked at, where all words are very common; else 0. */
  reach: number;
  /** Whether words that are very common were left out of the scores. */
  unweighed: boolean;
  /** Keys found by the stricter levels before: they come first. */
  first: number[][];
}

/** The matching of a level, not counted yet. */
export function makeMatching(
  level: MatchLevel,
  expression: string | null,
  query: SearchQuery,
  parsed: ParsedQuery,
  reach: number,
): Matching {
  const tokens = filterTokens(query);
  const filters = filterExpression(expression === null && tokens.length === 0 ? EVERY_DOCUMENT : tokens);
  const { conditions, args } = comparisons(query);
  const scored = parsed.words.length + parsed.phrases.length > 0;
  const dates = publication(query, reach);
  return {
    level,
    // In an order that lets FTS5 lead: newest first or scored, with the comparisons after.
    from: conditions.length > 0 ? 'FROM entry CROSS JOIN facet ON facet.key = entry.rowid' : 'FROM entry',
    where: ['WHERE entry MATCH ?', ...dates.conditions, ...conditions].join(' AND '),
    args: [joined([expression, filters], 'AND'), ...dates.args, ...args],
    filters,
    expression: expression ?? '',
    scoring: { by: 'place', text: '' },
    scored,
    counted: NONE_COUNTED,
    bound: 0,
    reach,
    unweighed: false,
    first: [],
  };
}

const NONE_COUNTED: Counted = { count: 0, newest: 0, oldest: 0, keys: [] };

/** Days of publication are ranges of keys. */
function publication({ filters: { published_from: from, published_to: to } }: SearchQuery, reach: number): Comparisons {
  const first = Math.max(reach, from === undefined ? 0 : dayNumber(from) * DAY_SPAN);
  return {
    conditions: [...(first > 0 ? ['entry.rowid >= ?'] : []), ...(to === undefined ? [] : ['entry.rowid < ?'])],
    args: [...(first > 0 ? [first] : []), ...(to === undefined ? [] : [(dayNumber(to) + 1) * DAY_SPAN])],
  };
}

interface Comparisons {
  conditions: string[];
  args: SqlValue[];
}

/** What tokens cannot say exactly: amounts and instants. */
function comparisons({ scope, filters, now }: SearchQuery): Comparisons {
  const conditions: string[] = [];
  const args: SqlValue[] = [];
  const add = (condition: string, value: number | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    args.push(value);
  };
  // A bound that is the edge of a band is told by the tokens, unless the bounds cross: then there are none.
  const isTold = isEdge(filters.value_min) && (filters.value_max ?? Infinity) >= (filters.value_min ?? 0);
  add(`${valueColumn(scope)} >= ?`, isTold ? undefined : filters.value_min);
  add(`${valueColumn(scope)} <= ?`, filters.value_max);
  add('facet.deadline_day >= ?', filters.deadline_from === undefined ? undefined : dayNumber(filters.deadline_from));
  add('facet.deadline_day <= ?', filters.deadline_to === undefined ? undefined : dayNumber(filters.deadline_to));
  const status = scope === 'tenders' ? (filters.status ?? 'open') : 'any';
  const nowSeconds = now.getTime() / 1_000;
  if (status === 'open') add('facet.open_until > ?', nowSeconds);
  if (status === 'closed') add('(facet.open_until IS NULL OR facet.open_until <= ?)', nowSeconds);
  return { conditions, args };
}
