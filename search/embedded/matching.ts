import type { Database, SqlValue } from '../../schema/database.ts';
import type { MatchLevel, SearchQuery } from '../engine.ts';
import type { ParsedQuery } from '../query.ts';
import { COUNT_MAX, type Counted, countNewest } from './counts.ts';
import {
  exactly,
  filterExpression,
  joined,
  levelExpression,
  quote,
  scoringExpression,
  type Telling,
  type Term,
} from './expression.ts';
import { dayNumber } from './store.ts';
import { DAY_SPAN, RANKED_MAX, valueColumn, WEIGHED_MAX } from './tables.ts';
import { EVERY_DOCUMENT, filterTokens, isEdge } from './tokens.ts';

/** With fewer documents than this for all words, most of them will do. */
const TOO_FEW = 10;
/** Of words that are all very common, so many documents of the rarest are looked at, about. */
const LOOKED_AT_MAX = 60_000;
const LEVELS: readonly MatchLevel[] = ['all', 'prefix', 'most', 'any'];

/** What a level of a query matches, as SQL: `FROM … WHERE …` with its arguments. */
export interface Matching {
  level: MatchLevel;
  where: string;
  /** The first is the FTS5 expression. */
  args: SqlValue[];
  /** The part of the expression that is no word of the query. */
  filters: string | null;
  /** The part that is. */
  expression: string;
  /** What scores: words weighed against each other, or, where all are common, the places where they stand. */
  scoring: { by: 'weight' | 'place'; text: string };
  /** Whether a condition needs the `facet` table. */
  compares: boolean;
  /** Whether any word scores; without one the newest come first. */
  scored: boolean;
  count: number;
  /** Ranking by place looks at documents from this key on; 0 where at all. */
  bound: number;
  /** Only documents from this key on are looked at, where all words are very common; else 0. */
  reach: number;
  /** Whether words that are very common were left out of the scores. */
  unweighed: boolean;
  /** Keys found by the stricter levels before: they come first. */
  first: number[][];
}

/** What a cursor holds on to, so that all pages of a query are made alike. */
export interface Kept {
  level: MatchLevel;
  /** Set where the pages are ranked by place. */
  bound?: number | undefined;
}

/** The matching of the first level that finds enough, or of the level that a cursor names. */
export async function chooseLevel(
  index: Database,
  query: SearchQuery,
  parsed: ParsedQuery,
  terms: Term[],
  kept?: Kept,
): Promise<Matching> {
  const reach = await readReach(index, query, parsed, terms);
  const first: number[][] = [];
  let best: { matching: Matching; counted: Counted } | undefined;
  for (const level of LEVELS) {
    const expression = levelExpression(level, terms, parsed);
    if (expression === null && level !== 'all') continue;
    const matching = makeMatching(level, expression, query, parsed, reach);
    const counted = await countNewest(index, fromEntry(matching), matching.where, matching.args);
    matching.count = counted.count;
    matching.first = [...first];
    if (!best || counted.count > best.counted.count || level === kept?.level) best = { matching, counted };
    if (kept ? level === kept.level : counted.count >= TOO_FEW) break;
    first.push(counted.count < COUNT_MAX ? await readKeys(index, matching) : []);
  }
  if (!best) throw new Error('a query without a level');
  const { matching, counted } = best;
  return { ...matching, ...chooseScoring(matching, counted, scoringExpression(matching.level, terms, parsed), kept) };
}

/**
 * Very common words that seldom stand together take long to find together, as every document of the rarest is looked at.
 * Where each is very common, and the filters are, the newest documents of the rarest are: its frequency tells how far back.
 */
async function readReach(index: Database, query: SearchQuery, parsed: ParsedQuery, terms: Term[]): Promise<number> {
  if (parsed.identifiers.length > 0 || terms.length + parsed.phrases.flat().length < 2) return 0;
  const asked = [...parsed.phrases.flat().map((word) => quote([word])), ...terms.map(exactly)];
  let reach = Number.MAX_SAFE_INTEGER;
  for (const expression of [...asked, filterExpression(filterTokens(query))]) {
    if (expression === null) continue;
    const { count, newest, oldest } = await countNewest(index, 'FROM entry', 'WHERE entry MATCH ?', [expression]);
    if (count <= COUNT_MAX) return 0;
    reach = Math.min(reach, Math.ceil(newest - ((newest - oldest) * LOOKED_AT_MAX) / count));
  }
  return Math.max(0, reach);
}

/** A few matches are weighed by their words; many, and those of common words alone, are ranked by where the words stand. */
function chooseScoring(
  { expression }: Matching,
  { count, newest, oldest }: Counted,
  telling: Telling | null,
  kept: Kept | undefined,
): Pick<Matching, 'scoring' | 'bound' | 'unweighed'> {
  const weighs = kept ? kept.bound === undefined : count <= WEIGHED_MAX;
  if (telling && weighs) {
    return { scoring: { by: 'weight', text: telling.text }, bound: 0, unweighed: !telling.whole };
  }
  // Notices come evenly enough for an estimate of where the newest matches begin.
  const bound = count > RANKED_MAX ? Math.ceil(newest - ((newest - oldest) * RANKED_MAX) / count) : 0;
  return { scoring: { by: 'place', text: expression }, bound: kept?.bound ?? bound, unweighed: false };
}

/** The tables in an order that lets FTS5 lead: newest first or scored, with the comparisons after. */
export function fromEntry({ compares }: Matching): string {
  return compares ? 'FROM entry CROSS JOIN facet ON facet.key = entry.rowid' : 'FROM entry';
}

function makeMatching(
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
    where: ['WHERE entry MATCH ?', ...dates.conditions, ...conditions].join(' AND '),
    args: [joined([expression, filters], 'AND'), ...dates.args, ...args],
    filters,
    expression: expression ?? '',
    scoring: { by: 'place', text: '' },
    compares: conditions.length > 0,
    scored,
    count: 0,
    bound: 0,
    reach,
    unweighed: false,
    first: [],
  };
}

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

async function readKeys(index: Database, matching: Matching): Promise<number[]> {
  const sql = `SELECT entry.rowid AS key ${fromEntry(matching)} ${matching.where}`;
  return (await index.read<{ key: number }>({ sql, args: matching.args })).map(({ key }) => key);
}
