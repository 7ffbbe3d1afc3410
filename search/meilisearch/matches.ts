import type { Matches, MatchList, MatchPlace, SearchQuery } from '../engine.ts';
import { SearchUnavailable } from '../engine.ts';
import { parseQuery } from '../query/parse.ts';
import { COUNT_MAX } from '../results/cursor.ts';
import { joinPrints } from '../results/match-prints.ts';
import { afterCondition, sortRules } from './filters.ts';
import { describeFound, toRequest } from './find.ts';
import type { RunSearches } from './run.ts';

/** By position, which no two documents share. */
const NEWEST_FIRST = { column: null, descending: true };

/**
 * Everything that a query matches. More than the server counts exactly are listed only where no other engine can do it, in
 * several requests.
 * @throws SearchUnavailable
 */
export async function matchAllWithMeilisearch(
  run: RunSearches,
  query: SearchQuery,
  isAlone: boolean,
): Promise<Matches> {
  const parsed = parseQuery(query.text);
  const request = { ...toRequest(query, parsed, NEWEST_FIRST), attributesToRetrieve: ['id'] };
  const [found] = await run([{ ...request, paging: { page: 1, hitsPerPage: COUNT_MAX } }]);
  if (!found) throw new Error('Meilisearch gave no result for a search');
  const total = found.totalHits ?? 0;
  const isMany = total > COUNT_MAX;
  if (isMany && !isAlone)
    throw new SearchUnavailable(`Meilisearch counts ${COUNT_MAX} matches at most`, { reason: 'many' });
  const start: MatchPlace = { engine: 'meilisearch', level: 'all', before: null };
  const meta = describeFound(query, parsed, []);
  if (!isMany) return { total, prints: joinPrints(found.hits.map(({ id }) => id)), start, meta };
  return { ...(await listAll(run, query, start)), start, meta };
}

async function listAll(run: RunSearches, query: SearchQuery, start: MatchPlace) {
  const prints: string[] = [];
  let total = 0;
  for (let from: MatchPlace | null = start; from; ) {
    const { ids, next }: MatchList = await listMatchesWithMeilisearch(run, query, from, COUNT_MAX);
    prints.push(joinPrints(ids));
    total += ids.length;
    from = next;
  }
  return { total, prints: prints.join('') };
}

/** Matches from a position on, newest first, at most this many. */
export async function listMatchesWithMeilisearch(
  run: RunSearches,
  query: SearchQuery,
  { engine, level, before }: MatchPlace,
  most: number,
): Promise<MatchList> {
  const request = toRequest(query, parseQuery(query.text), NEWEST_FIRST);
  const after = before === null ? [] : [afterCondition(NEWEST_FIRST, { value: null, place: before })];
  const [found] = await run([
    {
      ...request,
      attributesToRetrieve: ['id', 'place'],
      sort: sortRules(NEWEST_FIRST),
      filter: [...request.filter, ...after],
      paging: { limit: most },
    },
  ]);
  const hits = found?.hits ?? [];
  const last = hits.length < most ? undefined : hits.at(-1)?.place;
  return {
    ids: hits.map(({ id }) => id),
    next: last === undefined ? null : { engine, level, before: last },
  };
}
