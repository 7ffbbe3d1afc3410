import type { SearchAnswer, SearchDocument, SearchEngine, SearchHit, SearchQuery } from '../../../search/engine.ts';
import { makeCursor, parseCursor } from '../../../search/results/cursor.ts';
import { NONE_SERVED, printOf } from '../../../search/results/served-hits.ts';

/** An engine whose order is its own, with cursors as Meilisearch has them. */
export function inOrderOfId(base: SearchEngine, documents: readonly SearchDocument[]): SearchEngine {
  const ordered = documents.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const find = async (query: SearchQuery): Promise<SearchAnswer> => {
    const position = query.cursor === undefined ? undefined : parseCursor(query.cursor, query);
    const start = position?.served ?? 0;
    const hits = ordered.slice(start, start + query.limit) as unknown as SearchHit[];
    const seen = (position?.seen ?? NONE_SERVED).with(hits.map(({ id }) => id));
    const key = printOf(hits.at(-1)?.id ?? '');
    const next = { engine: 'meilisearch', served: start + hits.length, level: 'all', key, value: null, seen } as const;
    const meta = { engine: 'meilisearch', bounded: false, corrections: [], matched: 'all', ignoredWords: 0 };
    const nextCursor = next.served < ordered.length ? makeCursor(next, query) : null;
    return { hits, total: documents.length, exact: true, nextCursor, meta } as SearchAnswer;
  };
  return { ...base, name: 'meilisearch', find };
}
