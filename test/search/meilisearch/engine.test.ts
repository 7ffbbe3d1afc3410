import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Meilisearch } from 'meilisearch';
import { describe, expect, it } from 'vitest';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { type AnyHit, type FillableIndex, type SearchEngine, SearchUnavailable } from '../../../search/engine.ts';
import { withFallback } from '../../../search/index/failover.ts';
import { finishTask, TaskFailed } from '../../../search/meilisearch/tasks.ts';
import { openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { describeContracts } from '../contract/contracts.ts';
import { describeContract } from '../contract/suite.ts';
import { someDocument } from '../documents.ts';
import { makeTestEngine, makeTestServerEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';

const url = process.env.MEILI_URL;
const key = process.env.MEILI_KEY;
if (!url) console.warn('skipped: the search contract on Meilisearch needs MEILI_URL (a server to test on)');

describe.skipIf(!url)('with a Meilisearch server', () => {
  const address = url ?? '';
  const prefix = `test-${randomBytes(4).toString('hex')}-`;
  const client = () => new Meilisearch({ host: address, ...(key ? { apiKey: key } : {}) });

  describeContract('the Meilisearch engine', async () => ({
    engine: makeTestServerEngine({ url: address, key, prefix }),
    remove: async () => {
      for (const name of ['notices', 'notices_state']) await client().deleteIndexIfExists(`${prefix}${name}`);
    },
  }));

  describeContracts('the Meilisearch engine', async () => ({
    engine: makeTestServerEngine<AnyHit>({ url: address, key, prefix, collection: COLLECTIONS.contracts }),
    remove: async () => {
      for (const name of ['contracts', 'contracts_state']) await client().deleteIndexIfExists(`${prefix}${name}`);
    },
  }));

  describeContract('the Meilisearch engine with the embedded one behind it', async () => {
    const folder = await makeFolder();
    const { index, url: file } = await openIndex(folder.path);
    const first = makeTestServerEngine({ url: address, key, prefix: `${prefix}both-`, deadlineMs: LIMITS_MS.wait });
    const second = makeTestEngine(index, { url: file, readers: 1 });
    return {
      engine: fillBoth(withFallback(first, second), second),
      remove: async () => {
        for (const name of ['notices', 'notices_state']) await client().deleteIndexIfExists(`${prefix}both-${name}`);
        await folder.remove();
      },
    };
  });

  it('reports a task that failed', async () => {
    const failing = client()
      .index(`${prefix}bad`)
      .addDocuments([{ id: 'no spaces allowed' }], { primaryKey: 'id' });
    await expect(finishTask(failing)).rejects.toBeInstanceOf(TaskFailed);
    await client().deleteIndexIfExists(`${prefix}bad`);
  });
});

/** An engine that stores to the one behind it too, as sync does. */
function fillBoth(engine: SearchEngine, second: SearchEngine): SearchEngine {
  const each = async (run: (one: FillableIndex) => Promise<void>, ...ones: FillableIndex[]) => {
    for (const one of ones) await run(one);
  };
  return {
    ...engine,
    store: (batch) => each((one) => one.store(batch), engine, second),
    async openBuild() {
      const builds = [await engine.openBuild(), await second.openBuild()] as const;
      const [build, next] = builds;
      return {
        ...build,
        store: (batch) => each((one) => one.store(batch), build, next),
        clear: async () => {
          for (const one of builds) await one.clear();
        },
        goLive: async () => {
          for (const one of builds) await one.goLive();
        },
      };
    },
  };
}

describe('without a Meilisearch server', () => {
  it('is unavailable, not at fault', async () => {
    const engine = makeTestServerEngine({ url: 'http://127.0.0.1:9', deadlineMs: 500 });
    await expect(makeTrial(engine).find({ text: 'bridge' })).rejects.toBeInstanceOf(SearchUnavailable);
    await expect(engine.readCursor()).rejects.toBeInstanceOf(SearchUnavailable);
  });

  it('nor is what fills it at fault, whether nothing is there or something else', async () => {
    const other = createServer((_request, response) => response.writeHead(404).end('no such page'));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    for (const address of ['http://127.0.0.1:9', `http://127.0.0.1:${port}`]) {
      const engine = makeTestServerEngine({ url: address });
      const build = await engine.openBuild();
      const batch = {
        documents: [someDocument({})],
        gone: [],
        cursor: { seq: 1, id: '', generation: 'g', version: 'v' },
      };
      for (const fill of [() => engine.store(batch), build.clear, () => build.store(batch), build.goLive])
        await expect(fill(), address).rejects.toBeInstanceOf(SearchUnavailable);
    }
    await expect(makeTestServerEngine({ url: 'http://127.0.0.1:9' }).tidy()).rejects.toThrow('does not answer');
    other.close();
  });

  const STEPS = ['notices/documents', 'notices/documents/delete-batch', 'notices_state/documents'];
  it.each(STEPS)('sends nothing after a task of %s that fails: the cursor is stored last', async (failing) => {
    const sent: string[] = [];
    const server = createServer(({ method, url: path = '' }, response) => {
      if (method === 'POST') sent.push(path.replace('/indexes/', ''));
      const status = sent.at(-1) === failing ? 'failed' : 'succeeded';
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ taskUid: 1, uid: 1, status }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const engine = makeTestServerEngine({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const cursor = { seq: 1, id: '', generation: 'g', version: 'v' };
    const stored = engine.store({ documents: [someDocument({})], gone: ['p-1'], cursor });
    await expect(stored).rejects.toBeInstanceOf(TaskFailed);
    expect(sent).toEqual(STEPS.slice(0, STEPS.indexOf(failing) + 1));
    server.close();
  });

  it('removes the cursor of a pair before its documents: half a pair counts as none', async () => {
    const removed: string[] = [];
    const server = createServer(({ method, url: path = '' }, response) => {
      if (method === 'DELETE') removed.push(path.replace('/indexes/', ''));
      const task = { taskUid: 1, uid: 1, status: removed.length > 0 ? 'failed' : 'succeeded' };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(task));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const engine = makeTestServerEngine({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    await expect(engine.tidy()).rejects.toBeInstanceOf(TaskFailed);
    expect(removed).toEqual(['notices_state_new']);
    server.close();
  });

  it('is not filled by an index that has not taken the place of the other, whatever the server says', async () => {
    const server = createServer(({ url: path = '' }, response) => {
      const stored = { seq: path.includes('_new/documents') ? 2 : 1 };
      const task = { taskUid: 1, uid: 1, status: 'succeeded' };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...task, ...stored }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const engine = makeTestServerEngine({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    await expect((await engine.openBuild()).goLive()).rejects.toThrow('Meilisearch did not swap the indexes');
    server.close();
  });
});
