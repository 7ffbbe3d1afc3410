import type { Services } from '../../contract/operation.ts';
import { findHits, type Query, type Results, type Scope } from '../queries/hits.ts';
import { type Counts, KINDS, PAGE_FACETS } from './groups.ts';

/**
 * What the results have in common, counted. Under a filter its own facet would only count what is chosen already: it is
 * counted without that filter, so that the other values can be chosen too.
 */
export async function countFacets(services: Services, scope: Scope, query: Query, results: Results): Promise<Counts> {
  const under = PAGE_FACETS[scope].filter((name) => KINDS[name].filters.some((filter) => filter in query));
  const counted = await Promise.all(
    under.map(async (name) => {
      const without = { limit: 1, facets: [name] };
      const found = await findHits(services, scope, withoutFilters(query, KINDS[name].filters), without);
      return found.results?.facets ?? {};
    }),
  );
  return Object.assign({ ...results.facets }, ...counted);
}

function withoutFilters(query: Query, filters: readonly string[]): Query {
  const kept = Object.entries(query).filter(([name]) => !filters.includes(name) && name !== 'cursor');
  return Object.fromEntries(kept);
}
