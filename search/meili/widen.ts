import type { MultiSearchResult, SearchParams } from 'meilisearch';
import type { ParsedQuery } from '../query.ts';

/** Fewer words leave too little, more would ask too much. */
const WORDS = { least: 3, most: 8 };

/** The queries with one word less each; none where the words are too few or too many. */
export function withoutOne(parsed: ParsedQuery): ParsedQuery[] {
  const { words } = parsed;
  if (words.length < WORDS.least || words.length > WORDS.most) return [];
  return words.map((left) => ({ ...parsed, words: words.filter((word) => word !== left) }));
}

/**
 * The question that most of the words make: where some documents have all words, any may follow that lack the last ones; where
 * none has, the one word is left out without which most documents are found. Null where that leads nowhere either.
 * The server's own ways leave out the last words, or the commonest, whichever word it is that nothing holds.
 */
export async function chooseMost<A extends Omit<SearchParams, 'q'> & { q: string }>(
  run: (queries: A[]) => Promise<MultiSearchResult<object>[]>,
  strict: A,
  wider: A[],
): Promise<A | null> {
  const counting = { page: 1, hitsPerPage: 1, attributesToRetrieve: ['id'] };
  const counted = await run([strict, ...wider].map((asked) => ({ ...asked, ...counting })));
  const [all = 0, ...totals] = counted.map(({ totalHits }) => totalHits ?? 0);
  if (all > 0) return { ...strict, matchingStrategy: 'last' };
  const most = Math.max(0, ...totals);
  return most > 0 ? (wider[totals.indexOf(most)] ?? null) : null;
}
