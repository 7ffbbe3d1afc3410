import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { AnyHit, SearchEngine } from '../../../search/engine.ts';
import { readDocuments, readShown } from '../../../search/index/changed-rows.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { contractDetail } from '../../support/seed.ts';
import { makeTestEngine, makeTestServerEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';
import { startStandIn } from './meilisearch-stub.ts';
import { insertInto, notice, setSeq } from './notice-rows.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let engine: SearchEngine;

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  const { index, url } = await openIndex(folder.path);
  engine = makeTestEngine(index, { catalogue, url, readers: 1 });
});
afterAll(async () => {
  await engine.close();
  await catalogue.close();
  await folder.remove();
});

it('a hit shows what its row says now, and nothing of one that has gone, before the index has followed', async () => {
  const text = 'Painting of the viaduct & its <piers>';
  await catalogue.write([
    notice('1', 1, { title: 'Viaduct', description: text }),
    notice('2', 1, { title: 'Viaduct' }),
    setSeq(1),
  ]);
  await syncSearch(catalogue, engine);
  const find = async () => makeTrial(engine).find({ text: 'viaduct', highlight: true });
  expect((await find()).hits).toMatchObject([
    { notice_id: '2', extract: '', highlight: '<mark>Viaduct</mark>' },
    {
      notice_id: '1',
      extract: text,
      highlight: 'Painting of the <mark>viaduct</mark> &amp; its &lt;piers&gt;',
    },
  ]);
  await catalogue.write([
    notice('1', 2, { title: 'A bridge', description: 'Its piers' }),
    notice('2', 2, { title: 'Viaduct', gone: 1 }),
    setSeq(2),
  ]);
  const { hits, total } = await find();
  expect(total).toBe(2);
  expect(hits).toMatchObject([{ notice_id: '1', title: 'A bridge', extract: 'Its piers' }]);
  expect(hits[0]).not.toHaveProperty('highlight');
});

it('nor does a hit of Meilisearch show what its index alone still says', async () => {
  const server = await startStandIn();
  const find = () =>
    makeTrial(makeTestServerEngine({ catalogue, url: server.url })).find({ text: 'stand', highlight: true });
  await catalogue.write([notice('stand-in', 3, { title: 'Stand-in' })]);
  expect((await find()).hits).toMatchObject([{ notice_id: 'stand-in', highlight: '<mark>Stand</mark>-in' }]);
  await catalogue.write([notice('stand-in', 3, { title: 'Redacted' })]);
  const [redacted] = (await find()).hits;
  expect(redacted).toMatchObject({ title: 'Redacted' });
  expect(redacted).not.toHaveProperty('highlight');
  await catalogue.write([notice('stand-in', 3, { gone: 1 })]);
  expect(await find()).toMatchObject({ hits: [], total: 1 });
  await server.close();
});

it('a hit of a contract shows the beginning of a long description', async () => {
  const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
  const contracts = makeTestEngine<AnyHit>(index, { catalogue, url, collection: COLLECTIONS.contracts, readers: 1 });
  const description = `Viaduct ${'steel '.repeat(10_000)} rivets`;
  await catalogue.write([
    insertInto('contract', {
      id: 'c-1',
      process_id: 'p-1',
      ocid: 'p-1',
      source: 'find_a_tender',
      notice_id: '1',
      award_id: '1',
      title: 'Steel',
      suppliers: '[]',
      value_class: 'sum',
      status: 'active',
      sort_date: '2026-03-01',
      digest: '',
      seq: 3,
      detail: JSON.stringify({ ...contractDetail, description }),
    }),
    setSeq(3),
  ]);
  await syncSearch(catalogue, contracts);
  const { hits } = await makeTrial(contracts, 'contracts').find({ text: 'viaduct', highlight: true });
  expect(hits).toEqual([
    {
      id: 'c-1',
      notice_id: '1',
      title: 'Steel',
      extract: expect.stringMatching(/^Viaduct steel .{200,230}…$/),
      highlight: expect.stringMatching(/^<mark>Viaduct<\/mark> steel/),
    },
  ]);
  const [beyond] = (await makeTrial(contracts, 'contracts').find({ text: 'rivets', highlight: true })).hits;
  expect(beyond).toMatchObject({ id: 'c-1' });
  expect(beyond).not.toHaveProperty('highlight');
  await contracts.close();
});

it.each([
  ['what most notices have', {}],
  ['every digit of a value', { value: 33.333333333333336, currency: 'EUR' }],
  [
    'what only its detail says',
    {
      detail: JSON.stringify({
        bids_until: '2026-12-01T12:00:00Z',
        framework_id: 'f-1',
        dates: { tender_expected: '2027-02-28' },
      }),
    },
  ],
  ['a deadline without a time, and other services', { deadline: '2026-07-01', also_on: '["contracts_finder"]' }],
  ['its place', { regions: '[{"code":"UKI31","name":"Camden"}]', cpvs: '["90911300"]', nation: 'england' }],
])('a hit shows the same as the document of its row: %s', async (_what, given) => {
  await catalogue.write([notice('s', 9, { title: 'Piers', description: 'Of stone', ...given })]);
  const from = { catalogue, collection: COLLECTIONS.notices };
  const [{ document } = {}] = await readDocuments(from, ['n-s']);
  const [shown] = await readShown(from, ['n-s']);
  for (const name of [...COLLECTIONS.notices.shown, 'description'] as (keyof typeof shown)[]) {
    expect([name, shown?.[name]]).toEqual([name, document?.[name]]);
  }
});
