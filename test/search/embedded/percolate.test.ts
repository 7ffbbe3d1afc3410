import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../schema/db/open.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { openPercolator } from '../../../search/embedded/percolate.ts';
import type { SearchQuery } from '../../../search/engine.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import { someContract } from '../contract/contracts.ts';
import { CONTRACTS } from '../differential/contracts.ts';
import { NOTICES } from '../differential/notices.ts';
import { reckon, type World } from '../differential/reckon.ts';
import { someDocument } from '../documents.ts';
import { NOW } from '../trial.ts';

const SEED = 20_261_123;
const QUERIES = 150;

it.each([NOTICES, CONTRACTS] as unknown as World[])(
  'saved searches find of changed $collection.name what is reckoned document by document',
  async (world) => {
    const random = makeRandom(SEED);
    const documents = world.makeDocuments(random, 300);
    const percolator = await openPercolator(world.collection, documents.slice(0, 150));
    await percolator.add(documents.slice(150));
    let found = 0;
    for (let number = 0; number < QUERIES; number++) {
      const query = world.makeQuery(random);
      const ids = [...(await percolator.match(query))].sort();
      const expected = reckon(world, documents, query).groups.flatMap((group) => group.ids);
      expect({ number, seed: SEED, query, ids }).toEqual({ number, seed: SEED, query, ids: expected.sort() });
      found += ids.length;
    }
    await percolator.close();
    expect(found).toBeGreaterThan(QUERIES);
  },
);

it('documents that are added one by one are merged, as a match reads every segment of the index', async () => {
  const folder = await makeFolder();
  const url = `file:${join(folder.path, 'index.db')}`;
  const percolator = await openPercolator(COLLECTIONS.notices, [], url);
  for (let number = 0; number < 100; number++) await percolator.add([someDocument({ title: `Bridge ${number}` })]);
  const index = await openDatabase({ url, durability: 'normal', readOnly: true });
  const [{ segments } = { segments: 0 }] = await index.read<{ segments: number }>({
    sql: 'SELECT count(DISTINCT segid) AS segments FROM entry_idx',
  });
  expect(segments).toBeLessThan(20);
  await index.close();
  await percolator.close();
  await folder.remove();
});

describe('the words of a saved search', () => {
  async function match(texts: readonly string[], text: string): Promise<string[]> {
    const documents = texts.map((title) => someDocument({ title }));
    const percolator = await openPercolator(COLLECTIONS.notices, documents);
    const found = await percolator.match({ scope: 'notices', filters: {}, text, limit: 1, now: NOW });
    await percolator.close();
    return documents.filter(({ id }) => found.has(id)).map(({ title }) => title);
  }

  it('are found in their other forms and wordings', async () => {
    expect(await match(['Repair of bridges', 'Cleaning'], 'bridge repairs')).toEqual(['Repair of bridges']);
    expect(await match(['Information technology support', 'Tea'], 'IT support')).toEqual([
      'Information technology support',
    ]);
  });

  it('are all wanted, and neither corrected nor completed from what happens to have changed', async () => {
    expect(await match(['Fridge repair'], 'bridge')).toEqual([]);
    expect(await match(['Bridges'], 'bri')).toEqual([]);
    expect(await match(['Bridge repair'], 'bridge cleaning')).toEqual([]);
  });

  it('may be phrases, choices and exclusions, as in a search', async () => {
    const titles = ['Fire safety training', 'Safety of fire engines', 'Fire safety doors'];
    expect(await match(titles, '"fire safety"')).toEqual(['Fire safety training', 'Fire safety doors']);
    expect(await match(titles, '"fire safety" -training')).toEqual(['Fire safety doors']);
    expect(await match(titles, 'doors OR engines')).toEqual(['Safety of fire engines', 'Fire safety doors']);
  });

  it.each(['***', '.', '"', 'OR'])('find nothing where there are none, as in a search: %s', async (text) => {
    expect(await match(['Bridge repair'], text)).toEqual([]);
    expect(await match(['Bridge repair'], '*')).toEqual(['Bridge repair']);
  });
});

it('matches contracts by the name of a supplier and by their filters', async () => {
  const contracts = [
    someContract({ id: 'a', title: 'Windows', suppliers: ['Bright Panes Ltd'], value: 5_000, currency: 'GBP' }),
    someContract({ id: 'b', title: 'Doors', suppliers: ['Bright Panes Ltd'], value: 50_000, currency: 'GBP' }),
  ];
  const percolator = await openPercolator(COLLECTIONS.contracts, contracts);
  const query: SearchQuery = {
    scope: 'contracts',
    filters: { value_min: 10_000 },
    text: 'bright panes',
    limit: 1,
    now: NOW,
  };
  expect([...(await percolator.match(query))]).toEqual(['b']);
  await percolator.close();
});
