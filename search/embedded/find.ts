import type { Database } from '../../schema/db/interface.ts';
import { collectionOf, type Order, orderOf } from '../collections/index.ts';
import { FACET_VALUES_MAX } from '../documents/facets.ts';
import type { Matches, MatchList, MatchPlace, SearchAnswer, SearchQuery } from '../engine.ts';
import type { FacetName } from '../filters/facets.ts';
import { describeSynonyms, type ParsedQuery, parseQuery } from '../query/parse.ts';
import { COUNT_MAX, makeCursor, parseCursor } from '../results/cursor.ts';
import { MATCH_CHARS } from '../results/match-prints.ts';
import { chooseLevel, type FixedByCursor } from './choose-level.ts';
import { countCodes, readFacetValues } from './layout/facet-codes.ts';
import { markExpression, type Term } from './match/expression.ts';
import { type Matching, narrow } from './match/matching.ts';
import { readKeys, refreshQueryCache } from './match/query-cache.ts';
import { readTerms } from './match/vocabulary.ts';
import { nextPlace, skipServed } from './rank/order.ts';

/** What the index says of a query: the ids of the rows to show, and the expression that marks the matches in their texts. */
export interface Found extends Omit<SearchAnswer, 'hits'> {
  ids: string[];
  /** Null where nothing is to be highlighted. */
  mark: string | null;
}

/**
 * Answers one query from the index file. Runs in a separate process, as every statement is synchronous.
 * @throws BadCursor if the cursor cannot be read or belongs to another query
 */
export async function findEmbedded(index: Database, query: SearchQuery): Promise<Found> {
  const collection = collectionOf(query);
  const position = query.cursor === undefined ? undefined : parseCursor(query.cursor, query);
  // A cursor of the other engine states what was served, but no position in this index.
  const own = position?.engine === 'embedded' ? position : undefined;
  const found = await readMatching(index, query, own);
  const { parsed, terms, matching } = found;
  const after = own && { key: Number(own.key), value: own.value, passed: own.passed ?? [], bound: own.bound };
  const page = await skipServed(index, matching, { ...query, limit: query.limit + 1 }, after, position?.seen);
  const ranked = page.slice(0, query.limit);
  const order = orderOf(query, matching.scored);
  const next = page.length > query.limit && nextPlace(ranked, after, order, matching);
  const served = (position?.served ?? 0) + ranked.length;
  const seen = position?.seen && { seen: position.seen };
  const facets = query.facets
    ? await readFacets(index, matching, { wanted: query.facets, facets: collection.facets })
    : undefined;
  return {
    ids: await readIds(
      index,
      ranked.map(({ key }) => key),
    ),
    mark: query.highlight ? markExpression(terms, parsed) : null,
    total: Math.min(matching.counted.count, COUNT_MAX),
    exact: matching.counted.count <= COUNT_MAX && matching.reach === 0,
    nextCursor: next
      ? makeCursor({ engine: 'embedded', served, level: matching.level, ...next, ...seen }, query)
      : null,
    ...(facets ? { facets } : {}),
    meta: { ...describeMatching(found), bounded: isBounded(matching, order, facets !== undefined) },
  };
}

/** Everything that a query matches, at the same level as its pages. The work grows with the number of matches. */
export async function matchAllEmbedded(index: Database, query: SearchQuery): Promise<Matches> {
  const found = await readMatching(index, query);
  const { from, where, args, level } = found.matching;
  // One long text, because the driver returns rows more slowly than the index finds them.
  const [row] = await index.read<{ prints: string | null }>({
    sql: `SELECT group_concat(substr(document.print, 1, ${MATCH_CHARS}), '') AS prints
      ${from} CROSS JOIN document ON document.key = entry.rowid WHERE ${where}`,
    args,
  });
  const prints = row?.prints ?? '';
  return {
    total: prints.length / MATCH_CHARS,
    prints,
    start: { engine: 'embedded', level, before: null },
    meta: { ...describeMatching(found), bounded: false },
  };
}

/** At most `most` matches from a position on, newest first. */
export async function listMatchesEmbedded(
  index: Database,
  query: SearchQuery,
  { level, before }: MatchPlace,
  most: number,
): Promise<MatchList> {
  const { matching } = await readMatching(index, query, { level });
  const range = before === null ? {} : { before };
  const keys = await readKeys(index, narrow(matching, matching.expression, range), {
    sql: 'ORDER BY entry.rowid DESC LIMIT ?',
    args: [most],
  });
  const ids = await readIds(index, keys);
  const last = keys.length < most ? undefined : keys.at(-1);
  return { ids, next: last === undefined ? null : { engine: 'embedded', level, before: last } };
}

/** As one text, because the driver returns rows more slowly than the index finds them. */
const READ_IDS = `SELECT json_group_array(id) AS ids FROM (SELECT document.id AS id FROM json_each(?) wanted
  CROSS JOIN document ON document.key = wanted.value ORDER BY wanted.key)`;

/** The ids of the documents with some keys, in the same order. */
async function readIds(index: Database, keys: readonly number[]): Promise<string[]> {
  const [row] = await index.read<{ ids: string }>({ sql: READ_IDS, args: [JSON.stringify(keys)] });
  return JSON.parse(row?.ids ?? '[]') as string[];
}

/** A query as the engine reads it. */
interface Understood {
  parsed: ParsedQuery;
  terms: Term[];
  corrections: SearchAnswer['meta']['corrections'];
  matching: Matching;
}

/** How a query is understood, and what it matches at the first level that finds enough or at that of the cursor. */
async function readMatching(index: Database, query: SearchQuery, kept?: FixedByCursor): Promise<Understood> {
  const parsed = parseQuery(query.text);
  await refreshQueryCache(index);
  const { terms, corrections } = await readTerms(index, parsed);
  return { parsed, terms, corrections, matching: await chooseLevel(index, query, parsed, terms, kept) };
}

/** How the query was understood, as an answer reports it. */
function describeMatching({ parsed, corrections, matching }: Understood) {
  return {
    engine: 'embedded' as const,
    corrections,
    ...describeSynonyms(parsed),
    matched: matching.level,
    ignoredWords: parsed.ignoredWords,
  };
}

/** Whether only the newest matches were searched, ranked or counted by facet, or scores ignore very common words. */
function isBounded(
  { counted: { count }, scoring, unweighed, bound, reach }: Matching,
  order: Order | null,
  byFacet: boolean,
): boolean {
  if (reach > 0 || (byFacet && count > COUNT_MAX)) return true;
  return order === null && (scoring.by === 'place' ? bound > 0 : unweighed);
}

/** Counts by facet over the newest matches, which are all matches if the total is exact. */
async function readFacets(
  index: Database,
  matching: Matching,
  asked: { wanted: readonly FacetName[]; facets: readonly FacetName[] },
): Promise<NonNullable<SearchAnswer['facets']>> {
  const { where, args } = narrow(matching, matching.expression, { since: matching.reach });
  // One long text instead of thousands of rows, because the driver returns rows more slowly than the index finds them.
  const sql = `SELECT group_concat(facets) AS facets FROM (SELECT facet.facets AS facets
    FROM entry CROSS JOIN facet ON facet.key = entry.rowid WHERE ${where} ORDER BY entry.rowid DESC LIMIT ${COUNT_MAX})`;
  const [row] = await index.read<{ facets: string | null }>({ sql, args });
  const counted = countCodes(row?.facets ?? '', asked, FACET_VALUES_MAX);
  const codes = [...counted.values()].flatMap((counts) => counts.map(([code]) => code));
  const values = await readFacetValues(index, codes);
  return Object.fromEntries([...counted].map(([name, counts]) => [name, sortCounts(counts, values)]));
}

/** Sorts by count, then by value. Only values with the same count are compared, which is quick. */
function sortCounts(counts: [number, number][], values: ReadonlyMap<number, string>): Record<string, number> {
  const sorted: Record<string, number> = {};
  for (let from = 0; from < counts.length; ) {
    const count = counts[from]?.[1] ?? 0;
    let to = from;
    while (counts[to]?.[1] === count) to += 1;
    const equals = counts.slice(from, to).map(([code]) => values.get(code) ?? '');
    for (const value of equals.sort()) sorted[value] = count;
    from = to;
  }
  return sorted;
}
