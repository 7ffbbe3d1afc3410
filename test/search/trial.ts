import { DOCUMENT_VERSION } from '../../search/documents.ts';
import type { SearchAnswer, SearchDocument, SearchEngine, SearchQuery } from '../../search/engine.ts';

/** The instant at which every query of the suite is asked, unless it says otherwise. */
export const NOW = new Date('2026-06-01T12:00:00Z');

/** An engine of its own with what the suite does to it. */
export interface Trial {
  engine: SearchEngine;
  find(query?: Partial<SearchQuery>): Promise<SearchAnswer>;
  /** Notice ids of the hits, in order. */
  ids(query?: Partial<SearchQuery>): Promise<string[]>;
  /** Empties the index and fills it. */
  fill(documents: SearchDocument[]): Promise<void>;
  add(documents: SearchDocument[], gone?: string[]): Promise<void>;
}

export function makeTrial(engine: SearchEngine): Trial {
  let seq = 0;
  const find: Trial['find'] = (query = {}) =>
    engine.find({ scope: 'notices', filters: {}, limit: 25, now: NOW, ...query });
  const add: Trial['add'] = (documents, gone = []) =>
    engine.store({ documents, gone, cursor: { generation: 'trial', version: DOCUMENT_VERSION, seq: ++seq, id: 'x' } });
  return {
    engine,
    find,
    add,
    ids: async (query) => (await find(query)).hits.map(({ notice_id }) => notice_id),
    fill: async (documents) => {
      await engine.reset();
      await add(documents);
    },
  };
}
