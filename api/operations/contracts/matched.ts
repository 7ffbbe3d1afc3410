import type { z } from 'zod';
import type { Matches, SearchAnswer, SearchQuery } from '../../../search/engine.ts';
import { withOriginal } from '../../../search/names/notices.ts';
import { saysNothing } from '../../../search/query/parse.ts';
import type { Services } from '../../contract/operation.ts';
import { searchMeta } from '../search/shapes.ts';
import { queryWords } from '../shared/inputs.ts';

/** How the words of a query were understood, as their search reports it. */
export const matchedWords = searchMeta
  .pick({
    query: true,
    engine: true,
    failover: true,
    match_level: true,
    ignored_words: true,
    corrections: true,
    synonyms: true,
  })
  .partial();

/** The contracts that a search finds by words and filters. */
export interface Matched extends Pick<Matches, 'prints'> {
  said: z.input<typeof matchedWords>;
}

/** Everything that words and filters find; null without words, as filters alone then decide. @throws SearchUnavailable */
export async function matchContracts(
  { catalogue, search: { contracts }, clocks }: Pick<Services, 'catalogue' | 'search' | 'clocks'>,
  asked: string | undefined,
  filters: SearchQuery['filters'],
): Promise<Matched | null> {
  const query = queryWords(asked);
  if (query === undefined) return null;
  // No contract contains only signs; an engine would treat them as an empty query and find everything.
  if (saysNothing(query)) return { prints: '', said: { query, engine: contracts.name, corrections: [] } };
  const now = clocks.catalogueNow();
  const text = await withOriginal(catalogue, query);
  const { prints, meta } = await contracts.matchAll({ scope: 'contracts', text, filters, limit: 1, now });
  return { prints, said: say(query, meta) };
}

function say(
  query: string,
  { engine, failover, matched, ignoredWords, corrections, synonyms }: SearchAnswer['meta'],
): Matched['said'] {
  return {
    query,
    engine,
    ...(failover && { failover }),
    match_level: matched,
    ...(ignoredWords > 0 && { ignored_words: ignoredWords }),
    corrections,
    ...(synonyms && { synonyms }),
  };
}
