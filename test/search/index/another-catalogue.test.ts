import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import type { Searches } from '../../../search/engine.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openSearch } from '../../../search/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { makeTrial } from '../trial.ts';
import { startStandIn } from './meilisearch-stub.ts';
import { notice, setSeq } from './notice-rows.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let standIn: Awaited<ReturnType<typeof startStandIn>>;
let catalogue: Database;
let search: Searches;

beforeEach(async () => {
  [folder, standIn] = await Promise.all([makeFolder(), startStandIn()]);
  catalogue = await makeDatabase(folder.path, 'catalogue');
  const settings = {
    DATA_DIR: folder.path,
    MEILI_URL: standIn.url,
    MEILI_KEY: undefined,
    MEILI_INDEX_PREFIX: '',
    MEILI_DEADLINE_SECONDS: LIMITS_MS.wait / 1_000,
    MEILI_LAG_ROWS: 5_000,
  };
  search = await openSearch(settings, catalogue, 'writer');
  await catalogue.write([notice('1', 1), setSeq(1)]);
  await syncSearch(catalogue, search.fallback ?? expect.fail('no engine behind it'));
});
afterEach(async () => {
  await search.close();
  await Promise.all([catalogue.close(), standIn.close()]);
  await folder.remove();
});

it.each([
  ['another catalogue', { generation: 'another' }],
  ['another version', { version: 'another' }],
])('an index of %s is behind, in a small catalogue too', async (_name, other) => {
  standIn.state.cursor = { ...(await search.fallback?.readCursor()), version: search.version, ...other };
  const { hits, meta } = await makeTrial(search).find();
  expect(meta.failover).toEqual({ engine: 'meilisearch', reason: 'behind' });
  expect(hits.map(({ notice_id }) => notice_id)).toEqual(['1']);
});

it('an index of this catalogue and version answers', async () => {
  standIn.state.cursor = { ...(await search.fallback?.readCursor()), version: search.version };
  expect((await makeTrial(search).find()).meta).not.toHaveProperty('failover');
});
