import type { Database } from '../../schema/db/interface.ts';
import type { SearchAnswer, SearchQuery, SearchSort } from '../engine.ts';
import { parseQuery, toldSynonyms } from '../query/parse.ts';
import { makeCursor, parseCursor } from '../results/cursor.ts';
import { chooseLevel } from './choose-level.ts';
import { COUNT_MAX } from './match/counts.ts';
import { markExpression } from './match/expression.ts';
import type { Matching } from './match/matching.ts';
import { refreshRemembered } from './match/query-cache.ts';
import { readTerms } from './match/vocabulary.ts';
import { readFacets } from './rank/facets.ts';
import { readHits } from './rank/hits.ts';
import { effectiveSort, nextPlace } from './rank/order.ts';
import { readUnseen } from './rank/skip-served.ts';

/**
 * Answers one query from the index file. Runs in a process of its own, as every statement is synchronous.
 * @throws BadCursor
 */
export async function findEmbedded(index: Database, scratch: Database, query: SearchQuery): Promise<SearchAnswer> {
  const position = query.cursor === undefined ? undefined : parseCursor(query.cursor, query);
  // Of a cursor of the other engine it is known what was served, not where this one stands.
  const own = position?.engine === 'embedded' ? position : undefined;
  const parsed = parseQuery(query.text);
  await refreshRemembered(index);
  const { terms, corrections } = await readTerms(index, parsed);
  const matching = await chooseLevel(index, query, parsed, terms, own);
  const after = own && { key: Number(own.key), value: own.value, passed: own.passed ?? [], bound: own.bound };
  const page = await readUnseen(index, matching, { ...query, limit: query.limit + 1 }, after, position?.seen);
  const placed = page.slice(0, query.limit);
  const sort = effectiveSort(query.sort, matching);
  const next = page.length > query.limit && nextPlace(placed, after, sort, matching);
  const served = (position?.served ?? 0) + placed.length;
  const seen = position?.seen && { seen: position.seen };
  const facets = query.facets ? await readFacets(index, matching, query.facets) : undefined;
  return {
    hits: await readHits(index, scratch, placed, query.highlight ? markExpression(terms, parsed) : null),
    total: Math.min(matching.counted.count, COUNT_MAX),
    exact: matching.counted.count <= COUNT_MAX && matching.reach === 0,
    nextCursor: next
      ? makeCursor({ engine: 'embedded', served, level: matching.level, ...next, ...seen }, query)
      : null,
    ...(facets ? { facets } : {}),
    meta: {
      engine: 'embedded',
      bounded: isBounded(matching, sort, facets !== undefined),
      corrections,
      ...toldSynonyms(parsed),
      matched: matching.level,
      ignoredWords: parsed.ignoredWords,
    },
  };
}

/** Whether only the newest were looked at, ranked or counted by facet, or very common words were left out of the scores. */
function isBounded(
  { counted: { count }, scoring, unweighed, bound, reach }: Matching,
  sort: SearchSort,
  byFacet: boolean,
): boolean {
  if (reach > 0 || (byFacet && count > COUNT_MAX)) return true;
  return sort === 'relevance' && (scoring.by === 'place' ? bound > 0 : unweighed);
}
