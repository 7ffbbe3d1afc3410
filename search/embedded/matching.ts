import type { Database, SqlValue } from '../../schema/database.ts';
import type { MatchLevel, SearchQuery } from '../engine.ts';
import type { ParsedQuery } from '../query.ts';
import { filterExpression, joined, levelExpression, scoringExpression, type Term } from './expression.ts';
import { dayNumber } from './store.ts';
import { DAY_SPAN, RANKED_MAX, valueColumn } from './tables.ts';
import { EVERY_DOCUMENT, filterTokens } from './tokens.ts';

/** `total` is exact up to here. */
export const COUNT_MAX = 10_000;
/** With fewer documents than this for all words, most of them will do. */
const TOO_FEW = 10;
const LEVELS: readonly MatchLevel[] = ['all', 'prefix', 'most', 'any'];

/** What a level of a query matches, as SQL: `FROM … WHERE …` with its arguments. */
export interface Matching {
  level: MatchLevel;
  where: string;
  args: SqlValue[];
  /** What scores: words weighed against each other, or, where all are common, the places where they stand. */
  scoring: { by: 'weight' | 'place'; text: string };
  /** Whether a condition needs the `facet` table. */
  compares: boolean;
  /** Whether any word scores; without one the newest come first. */
  scored: boolean;
  count: number;
  /** Keys found by the stricter levels before: they come first. */
  first: number[][];
}

/** The matching of the first level that finds enough, or of the level that a cursor names. */
export async function chooseLevel(
  index: Database,
  query: SearchQuery,
  parsed: ParsedQuery,
  terms: Term[],
  wanted?: MatchLevel,
): Promise<Matching> {
  const first: number[][] = [];
  let best: Matching | undefined;
  for (const level of LEVELS) {
    const expression = levelExpression(level, terms, parsed);
    if (expression === null && level !== 'all') continue;
    const matching = makeMatching(level, expression, query, parsed);
    matching.count = await countMatches(index, matching);
    const telling = matching.count > RANKED_MAX ? null : scoringExpression(level, terms, parsed);
    matching.scoring = { by: telling ? 'weight' : 'place', text: telling ?? expression ?? '' };
    matching.first = [...first];
    if (!best || matching.count > best.count || level === wanted) best = matching;
    if (wanted ? level === wanted : matching.count >= TOO_FEW) break;
    first.push(matching.count < COUNT_MAX ? await readKeys(index, matching) : []);
  }
  if (!best) throw new Error('a query without a level');
  return best;
}

/** The tables in an order that lets FTS5 lead: newest first or scored, with the comparisons after. */
export function fromEntry({ compares }: Matching): string {
  return compares ? 'FROM entry CROSS JOIN facet ON facet.key = entry.rowid' : 'FROM entry';
}

function makeMatching(level: MatchLevel, expression: string | null, query: SearchQuery, parsed: ParsedQuery): Matching {
  const tokens = filterTokens(query);
  const filters = filterExpression(expression === null && tokens.length === 0 ? EVERY_DOCUMENT : tokens);
  const { conditions, args } = comparisons(query);
  const scored = parsed.words.length + parsed.phrases.length > 0;
  const { published_from: from, published_to: to } = query.filters;
  const bounds = [
    from === undefined ? 0 : dayNumber(from) * DAY_SPAN,
    to === undefined ? Number.MAX_SAFE_INTEGER : (dayNumber(to) + 1) * DAY_SPAN - 1,
  ];
  return {
    level,
    where: ['WHERE entry MATCH ? AND entry.rowid BETWEEN ? AND ?', ...conditions].join(' AND '),
    args: [joined([expression, filters], 'AND'), ...bounds, ...args],
    scoring: { by: 'place', text: '' },
    compares: conditions.length > 0,
    scored,
    count: 0,
    first: [],
  };
}

/** What tokens cannot say exactly: amounts and instants. */
function comparisons({ scope, filters, now }: SearchQuery): { conditions: string[]; args: SqlValue[] } {
  const conditions: string[] = [];
  const args: SqlValue[] = [];
  const add = (condition: string, value: number | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    args.push(value);
  };
  add(`${valueColumn(scope)} >= ?`, filters.value_min);
  add(`${valueColumn(scope)} <= ?`, filters.value_max);
  add('facet.deadline_day >= ?', filters.deadline_from === undefined ? undefined : dayNumber(filters.deadline_from));
  add('facet.deadline_day <= ?', filters.deadline_to === undefined ? undefined : dayNumber(filters.deadline_to));
  const status = scope === 'tenders' ? (filters.status ?? 'open') : 'any';
  const nowSeconds = now.getTime() / 1_000;
  if (status === 'open') add('facet.open_until > ?', nowSeconds);
  if (status === 'closed') add('(facet.open_until IS NULL OR facet.open_until <= ?)', nowSeconds);
  return { conditions, args };
}

async function countMatches(index: Database, matching: Matching): Promise<number> {
  const sql = `SELECT count(*) AS count FROM (SELECT 1 ${fromEntry(matching)} ${matching.where} LIMIT ${COUNT_MAX + 1})`;
  const [row] = await index.read<{ count: number }>({ sql, args: matching.args });
  return row?.count ?? 0;
}

async function readKeys(index: Database, matching: Matching): Promise<number[]> {
  const sql = `SELECT entry.rowid AS key ${fromEntry(matching)} ${matching.where}`;
  return (await index.read<{ key: number }>({ sql, args: matching.args })).map(({ key }) => key);
}
