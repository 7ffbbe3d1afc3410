import { randomBytes } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import { describe, expect, it } from 'vitest';
import { SearchUnavailable } from '../../search/engine.ts';
import { finishTask, TaskFailed } from '../../search/meili/tasks.ts';
import { makeMeilisearchEngine } from '../../search/meilisearch.ts';
import { describeContract } from './contract.ts';
import { makeTrial } from './trial.ts';

const url = process.env.MEILI_URL;
const key = process.env.MEILI_KEY;
if (!url) console.warn('skipped: the search contract on Meilisearch needs MEILI_URL (a server to test on)');

describe.skipIf(!url)('with a Meilisearch server', () => {
  const address = url ?? '';
  const prefix = `test-${randomBytes(4).toString('hex')}-`;
  const client = () => new Meilisearch({ host: address, ...(key ? { apiKey: key } : {}) });

  describeContract(
    'the Meilisearch engine',
    async () => ({
      engine: makeMeilisearchEngine({ url: address, key, prefix }),
      remove: async () => {
        for (const name of ['notices', 'notices_state']) await client().deleteIndexIfExists(`${prefix}${name}`);
      },
    }),
    { any: false },
  );

  it('is told of a task that failed', async () => {
    const failing = client()
      .index(`${prefix}bad`)
      .addDocuments([{ id: 'no spaces allowed' }], { primaryKey: 'id' });
    await expect(finishTask(failing)).rejects.toBeInstanceOf(TaskFailed);
    await client().deleteIndexIfExists(`${prefix}bad`);
  });
});

describe('without a Meilisearch server', () => {
  it('is unavailable, not at fault', async () => {
    const engine = makeMeilisearchEngine({ url: 'http://127.0.0.1:9', deadlineMs: 500 });
    await expect(makeTrial(engine).find({ text: 'bridge' })).rejects.toBeInstanceOf(SearchUnavailable);
    await expect(engine.readCursor()).rejects.toBeInstanceOf(SearchUnavailable);
  });
});
