import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { type AnyHit, type CollectionName, type SearchEngine, SearchUnavailable } from '../../../search/engine.ts';
import { withFallback } from '../../../search/index/failover.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { contractRows, supplier } from '../../support/seed.ts';
import { withMatches } from '../both-engines.ts';
import { makeSharedReaders } from '../shared-readers.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';
import { notice, setSeq } from './notice-rows.ts';

/** One process for the indexes of all tests. */
const readers = makeSharedReaders();
afterAll(() => readers.close());

const acme = supplier('GB-COH-01234567', 'Acme Lifts Ltd');
const down = async () => {
  throw new SearchUnavailable('down');
};
const broken = (collection: CollectionName): SearchEngine<AnyHit> =>
  withMatches({
    name: 'meilisearch' as const,
    collection,
    find: down,
    readCursor: down,
    version: '1',
    store: down,
    openBuild: down,
    tidy: down,
    close: async () => undefined,
  });
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let notices: SearchEngine<AnyHit>;
let contracts: SearchEngine<AnyHit>;

beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  const open = async (name: CollectionName) => {
    const { index, url } = await openIndex(folder.path, COLLECTIONS[name]);
    const behind = makeTestEngine<AnyHit>(index, { catalogue, url, collection: COLLECTIONS[name], shared: readers });
    return withFallback(broken(name), behind);
  };
  [notices, contracts] = await Promise.all([open('notices'), open('contracts')]);
});
afterEach(async () => {
  await notices.close();
  await contracts.close();
  await catalogue.close();
  await folder.remove();
});

describe('while Meilisearch is down, the engine behind it', () => {
  it('is filled and answers, and says so', async () => {
    await catalogue.write([notice('1', 1), setSeq(1)]);
    await expect(syncSearch(catalogue, notices)).rejects.toBeInstanceOf(SearchUnavailable);
    const { hits, meta } = await makeTrial(notices).find({ text: 'window' });
    expect(hits.length).toBe(1);
    expect(meta.engine).toBe('embedded');
  });

  it('is filled with contracts too', async () => {
    await catalogue.write([notice('1', 1), ...contractRows('p-1/1', [acme], { notice_id: '1' }), setSeq(1)]);
    const both = { ...(notices as SearchEngine), contracts };
    await expect(syncSearch(catalogue, both)).rejects.toBeInstanceOf(SearchUnavailable);
    expect(await makeTrial(contracts, 'contracts').ids({ text: 'acme' })).toEqual(['1']);
  });
});
