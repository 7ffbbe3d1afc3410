import type { SearchEngine, Searches } from '../../search/engine.ts';
import { joinPrints } from '../../search/results/match-prints.ts';

type Matching = Pick<SearchEngine, 'matchAll' | 'listMatches'>;

/** An engine that stands in for that of notices and for that of contracts. */
export function standInForBoth<Engine extends Omit<SearchEngine, 'collection' | keyof Matching>>(
  engine: Engine,
): Engine & Searches {
  const whole = withMatches(engine);
  return { ...whole, collection: 'notices', contracts: { ...whole, collection: 'contracts' } };
}

/** A stand-in that matches what its first page holds. */
export function withMatches<Engine extends Pick<SearchEngine, 'name' | 'find'>>(engine: Engine): Engine & Matching {
  const { name, find } = engine;
  return {
    ...engine,
    async matchAll(query) {
      const { hits, meta } = await find(query);
      const start = { engine: name, level: meta.matched, before: null };
      return { total: hits.length, prints: joinPrints(hits.map(({ id }) => id)), start, meta };
    },
    listMatches: async (query) => ({ ids: (await find(query)).hits.map(({ id }) => id), next: null }),
  };
}
