import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
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
  const publish = async (release: JsonObject) => {
    const { id, date } = release as { id: string; date: string };
    const page = read(packageOf([{ ...release, ocid: `ocds-h6vhtk-${id.slice(0, 6)}` }]));
    await storePage(catalogue, { source: 'find_a_tender', fetchedAt: date, before: [], after: [], ...page });
  };
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
