import type {
  AnyDocument,
  AnyHit,
  Scope,
  SearchAnswer,
  SearchEngine,
  SearchHit,
  SearchQuery,
} from '../../search/engine.ts';

/** The instant at which every query of the suite is asked, unless it says otherwise. */
export const NOW = new Date('2026-06-01T12:00:00Z');

/** An engine of its own with what the suite does to it. */
export interface Trial<Hit extends AnyHit = SearchHit> {
  engine: SearchEngine<Hit>;
  find(query?: Partial<SearchQuery>): Promise<SearchAnswer<Hit>>;
  /** Notice ids of the hits, in order. */
  ids(query?: Partial<SearchQuery>): Promise<string[]>;
  /** Builds an index of these documents alone, and puts it in the place of the one before. */
  fill(documents: AnyDocument[]): Promise<void>;
  add(documents: AnyDocument[], gone?: string[]): Promise<void>;
}

export function makeTrial<Hit extends AnyHit>(engine: SearchEngine<Hit>, scope: Scope = 'notices'): Trial<Hit> {
  const cursor = () => ({ generation: 'trial', version: engine.version, seq: ++seq, id: 'x' });
  let seq = 0;
  const find: Trial<Hit>['find'] = (query = {}) => engine.find({ scope, filters: {}, limit: 25, now: NOW, ...query });
  const add: Trial<Hit>['add'] = (documents, gone = []) => engine.store({ documents, gone, cursor: cursor() });
  return {
    engine,
    find,
    add,
    ids: async (query) => (await find(query)).hits.map(({ notice_id }) => notice_id),
    fill: async (documents) => {
      const build = await engine.openBuild();
      await build.clear();
      await build.store({ documents, gone: [], cursor: cursor() });
      await build.goLive();
      await engine.tidy();
    },
  };
}
