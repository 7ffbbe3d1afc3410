import { expect } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { EmbeddedEngine } from '../../../search/embedded/engine.ts';
import type { AnyHit } from '../../../search/engine.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { packageOf, read } from '../../ingest/compile/releases.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial, type Trial } from '../trial.ts';

/** A catalogue of published releases, and a search over it. */
export interface Published {
  catalogue: Database;
  trial: Trial;
  /** Stores a release, fetched on its own date, as one of a process of its own; the search is told by `syncSearch`. */
  publish(release: JsonObject): Promise<void>;
  close(): Promise<void>;
}

/** Publishes releases and indexes them. */
export async function openPublished(releases: readonly JsonObject[]): Promise<Published> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const publish = (release: JsonObject) => store(catalogue, release);
  for (const release of releases) await publish(release);
  const { index, url } = await openIndex(folder.path);
  const trial = makeTrial(makeTestEngine(index, { catalogue, url }));
  await syncSearch(catalogue, trial.engine, {});
  return {
    catalogue,
    trial,
    publish,
    async close() {
      await trial.engine.close();
      await catalogue.close();
      await folder.remove();
    },
  };
}

async function store(catalogue: Database, release: JsonObject): Promise<void> {
  const { id, date } = release as { id: string; date: string };
  const page = read(packageOf([{ ...release, ocid: `ocds-h6vhtk-${id.slice(0, 6)}` }]));
  await storePage(catalogue, { source: 'find_a_tender', fetchedAt: date, before: [], after: [], ...page });
}

/** A catalogue of published awards, and a search over their contracts. */
export interface PublishedContracts extends Pick<Published, 'catalogue' | 'publish' | 'close'> {
  engine: EmbeddedEngine<AnyHit>;
  /** The notices whose contracts a search finds, once it is up to date, and exports and changes have them too. */
  find(filters: SearchFilters): Promise<string[]>;
  changesAfter(filters: SearchFilters, position?: typeof READER_START): ReturnType<typeof readChangesPage>;
}

/** Publishes releases with awards. */
export async function openPublishedContracts(releases: readonly JsonObject[]): Promise<PublishedContracts> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  for (const release of releases) await store(catalogue, release);
  const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
  const engine = makeTestEngine<AnyHit>(index, { catalogue, url, collection: COLLECTIONS.contracts });
  const changesAfter = (filters: SearchFilters, position = READER_START) =>
    readChangesPage(catalogue, { position, kinds: ['contract'], filters, limit: 100 });
  return {
    catalogue,
    engine,
    changesAfter,
    publish: (release) => store(catalogue, release),
    async find(filters) {
      await syncSearch(catalogue, engine, {});
      const { hits } = await engine.find({ scope: 'contracts', filters, limit: 10, now: new Date() });
      const ids = hits.map(({ notice_id }) => notice_id).toSorted();
      const { changes } = await changesAfter(filters);
      expect(await countRows(catalogue, makeKeyQuery('contracts', filters, new Date()))).toBe(ids.length);
      expect(changes.map(({ item }) => item?.notice_id).toSorted()).toEqual(ids);
      return ids;
    },
    async close() {
      await engine.close();
      await catalogue.close();
      await folder.remove();
    },
  };
}
