import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { makeEmbeddedEngine } from '../../../search/embedded/engine.ts';
import { openPercolator, type Percolator } from '../../../search/embedded/percolate.ts';
import type { SearchEngine, SearchQuery } from '../../../search/engine.ts';
import { openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import { someContract } from '../contract/contracts.ts';
import { someDocument } from '../documents.ts';
import { randomDocuments, randomQuery } from '../meilisearch/random-queries.ts';
import { makeTrial, NOW } from '../trial.ts';

const SEED = 20_261_123;

describe('saved searches matched with changed documents', () => {
  const random = makeRandom(SEED);
  const documents = randomDocuments(random, 300);
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let engine: SearchEngine;
  let percolator: Percolator;
  beforeAll(async () => {
    folder = await makeFolder();
    const { index, url } = await openIndex(folder.path);
    engine = makeEmbeddedEngine(index, { url, readers: 1 });
    await makeTrial(engine).fill(documents);
    percolator = await openPercolator(COLLECTIONS.notices, documents);
  });
  afterAll(async () => {
    await percolator.close();
    await engine.close();
    await folder.remove();
  });

  async function search(query: SearchQuery): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const answer = await engine.find({ ...query, limit: 100, ...(cursor === null ? {} : { cursor }) });
      ids.push(...answer.hits.map(({ id }) => id));
      cursor = answer.nextCursor;
      if (cursor === null) return ids.sort();
    }
  }

  it('finds what a search of them finds, over 150 random searches', async () => {
    let found = 0;
    for (let number = 0; number < 150; number++) {
      const query = randomQuery(random);
      const ids = [...(await percolator.match(query))].sort();
      found += ids.length;
      expect(ids, `query ${number} of seed ${SEED}: ${JSON.stringify(query)}`).toEqual(await search(query));
    }
    expect(found).toBeGreaterThan(150);
  });
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
