import type { SearchEngine, Searches } from '../../search/engine.ts';

/** An engine that stands in for that of notices and for that of contracts. */
export function standInForBoth<Engine extends Omit<SearchEngine, 'collection'>>(engine: Engine): Engine & Searches {
  return { ...engine, collection: 'notices', contracts: { ...engine, collection: 'contracts' } };
}
