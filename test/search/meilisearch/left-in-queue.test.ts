import { randomBytes } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import type { SearchEngine } from '../../../search/engine.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { startProxy } from '../../support/proxy.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { notice, setSeq } from '../index/notice-rows.ts';
import { makeTestServerEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';

const { MEILI_URL: url = '', MEILI_KEY: key } = process.env;
if (!url)
  console.warn('skipped: what a killed run left in the queue of Meilisearch needs MEILI_URL (a server to test on)');

/** So many tasks of another program that a swap behind them still waits when the next run begins. */
const CROWD = 8;

describe.skipIf(!url)('a swap that waits in the queue of Meilisearch', () => {
  const prefix = `test-${randomBytes(4).toString('hex')}-`;
  const crowd = Array.from({ length: CROWD }, (_, number) => `${prefix}crowd-${number}`);
  let client: Meilisearch;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let catalogue: Database;
  let proxy: Awaited<ReturnType<typeof startProxy>>;

  beforeEach(async () => {
    client = new Meilisearch({ host: url, ...(key ? { apiKey: key } : {}) });
    folder = await makeFolder();
    catalogue = await makeDatabase(folder.path, 'catalogue');
    proxy = await startProxy(new URL(url));
  });
  afterEach(async () => {
    await proxy.close();
    await catalogue.close();
    await folder.remove();
    for (const name of [`${prefix}notices`, `${prefix}notices_state`, ...crowd]) await client.deleteIndex(name);
  });

  const open = (address: string) => makeTestServerEngine({ url: address, key, prefix, deadlineMs: LIMITS_MS.wait });
  /** Its swap comes behind the tasks of another program, and the run hears no answer. */
  const losesSwap = (engine: SearchEngine, before: () => Promise<unknown> = async () => undefined): SearchEngine => ({
    ...engine,
    async openBuild() {
      const build = await engine.openBuild();
      return {
        ...build,
        async goLive() {
          await before();
          await Promise.all(crowd.map((name) => client.index(name).addDocuments([{ id: 1 }])));
          proxy.become((asked) => (asked.startsWith('POST /swap-indexes') ? 'cut' : 'pass'));
          await build.goLive();
        },
      };
    },
  });

  it('is not made twice by the next run, which would bring the old index back', async () => {
    await catalogue.write([notice('1', 1, { title: 'One' }), notice('2', 1, { title: 'Two' }), setSeq(1)]);
    await syncSearch(catalogue, { ...open(url), version: 'older' });
    await catalogue.write([notice('1', 2, { title: 'Changed' }), setSeq(2)]);
    await expect(syncSearch(catalogue, losesSwap(open(proxy.url)))).rejects.toThrow();
    await catalogue.write([notice('2', 3, { title: 'Later' }), setSeq(3)]);
    const engine = open(url);
    await syncSearch(catalogue, engine);
    const { hits } = await makeTrial(engine).find();
    expect(hits.map(({ title }) => title).toSorted()).toEqual(['Changed', 'Later']);
    expect(await engine.readCursor()).toMatchObject({ version: engine.version, seq: 3 });
  });

  it('does not take rows away that reached the old index after the last batch of the new one', async () => {
    await catalogue.write([notice('1', 1, { title: 'One' }), notice('2', 1, { title: 'Two' }), setSeq(1)]);
    const engine = open(url);
    await syncSearch(catalogue, engine);
    const killed = losesSwap(open(proxy.url), async () => {
      await catalogue.write([notice('1', 2, { title: 'Changed' }), setSeq(2)]);
      await syncSearch(catalogue, { ...engine, tidy: async () => undefined });
    });
    await expect(syncSearch(catalogue, killed, { rebuild: true })).rejects.toThrow();
    await catalogue.write([notice('2', 3, { title: 'Later' }), setSeq(3)]);
    await syncSearch(catalogue, engine);
    const found = await client.index(`${prefix}notices`).getDocuments<{ title: string }>();
    expect(found.results.map(({ title }) => title).toSorted()).toEqual(['Changed', 'Later']);
    expect(await engine.readCursor()).toMatchObject({ seq: 3 });
  });
});
