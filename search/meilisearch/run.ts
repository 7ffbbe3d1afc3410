import type { Meilisearch, MultiSearchResult, SearchParams } from 'meilisearch';
import { SearchUnavailable } from '../engine.ts';
import type { IndexedDocument } from './documents.ts';

export type Found = MultiSearchResult<IndexedDocument>;

/** A text that is searched, with conditions of its own. */
interface Wording {
  q: string;
  filter: string[];
  weight: number;
}

/** One search: what any of its wordings finds under its conditions, each document once. */
export type SearchRequest = Omit<SearchParams, 'q' | 'filter' | 'facets' | keyof Paging> & {
  wordings: Wording[];
  filter: string[];
  facets?: string[];
};

/** Which of the results are wanted. By number of page, they are counted exactly. */
type Paging = { limit?: number; offset?: number } & { page?: number; hitsPerPage?: number };

/** Runs several searches of one index; as many answers as searches. */
export type RunSearches = (searches: (SearchRequest & { paging: Paging })[]) => Promise<Found[]>;

/** `RunSearches` over an index of a server. It throws SearchUnavailable where the answer is not one of Meilisearch. */
export function runSearches(client: Meilisearch, index: string, signal: AbortSignal): RunSearches {
  const runTogether: RunSearches = async (searches) => {
    const queries = searches.map(({ wordings: [only], filter, paging, ...search }) => ({
      ...search,
      ...paging,
      indexUid: index,
      q: only?.q ?? '',
      filter: [...filter, ...(only?.filter ?? [])],
    }));
    const request = { queries };
    const answer = await client.multiSearch<typeof request, IndexedDocument>(request, { signal });
    return answer?.results ?? [];
  };
  const runMerged = async ({ wordings, filter, facets, paging, ...search }: Parameters<RunSearches>[0][number]) => {
    const request = {
      federation: { ...paging, ...(facets ? { facetsByIndex: { [index]: facets } } : {}) },
      queries: wordings.map(({ q, weight, filter: own }) => ({
        ...search,
        indexUid: index,
        q,
        filter: [...filter, ...own],
        federationOptions: { weight },
      })),
    };
    const answer = await client.multiSearch<typeof request, IndexedDocument>(request, { signal });
    return { ...answer, facetDistribution: answer.facetsByIndex?.[index]?.distribution } as unknown as Found;
  };
  return async (searches) => {
    const isPlain = searches.every(({ wordings }) => wordings.length === 1);
    const results = isPlain ? await runTogether(searches) : await Promise.all(searches.map(runMerged));
    // A proxy in between may answer instead.
    const sound = results.length === searches.length && results.every(({ hits }) => Array.isArray(hits));
    if (!sound)
      throw new SearchUnavailable('Meilisearch did not answer with a list of hits for each search', {
        reason: 'failing',
      });
    return results;
  };
}
