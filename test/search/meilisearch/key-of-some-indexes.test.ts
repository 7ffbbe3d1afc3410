import { randomBytes } from 'node:crypto';
import { type Key, Meilisearch } from 'meilisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { someDocument } from '../documents.ts';
import { makeTestServerEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';

const { MEILI_URL: url = '', MEILI_KEY: key = '' } = process.env;
if (!url || !key)
  console.warn(
    'skipped: a key of some indexes needs MEILI_URL and MEILI_KEY (a server to test on, and its master key)',
  );

describe.skipIf(!url || !key)('a key of Meilisearch for the indexes of one prefix', () => {
  const prefix = `test-${randomBytes(4).toString('hex')}-`;
  let client: Meilisearch;
  let own: Key;

  beforeAll(async () => {
    client = new Meilisearch({ host: url, apiKey: key });
    const actions: Key['actions'] = ['search', 'documents.*', 'indexes.*', 'settings.*', 'tasks.get', 'stats.get'];
    own = await client.createKey({ actions, indexes: [`${prefix}*`], expiresAt: null });
  });
  afterAll(async () => {
    await client.deleteKey(own.key);
    for (const name of ['notices', 'notices_state']) await client.deleteIndex(`${prefix}${name}`);
  });

  it('is enough to build an index and to put another one in its place', async () => {
    const trial = makeTrial(makeTestServerEngine({ url, key: own.key, prefix, deadlineMs: LIMITS_MS.wait }));
    await trial.fill([someDocument({ notice_id: 'first' })]);
    expect(await trial.ids()).toEqual(['first']);
    await trial.fill([someDocument({ notice_id: 'second' })]);
    expect(await trial.ids()).toEqual(['second']);
  });
});
