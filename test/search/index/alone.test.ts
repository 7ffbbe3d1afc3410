import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toRefusal } from '../../../api/contract/errors.ts';
import { IndexOutdated, type SearchEngine, SearchUnavailable } from '../../../search/engine.ts';
import { withFallback } from '../../../search/index/failover.ts';
import { indexUrl, openIndex } from '../../../search/open.ts';
import { MATCH_CHARS } from '../../../search/results/match-prints.ts';
import { makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { someDocument } from '../documents.ts';
import { makeTestEngine, makeTestServerEngine } from '../test-engine.ts';
import { makeTrial, type Trial } from '../trial.ts';
import { inOrderOfId } from './in-order-of-id.ts';
import { startStandIn } from './meilisearch-stub.ts';

const NUMBERS = 'one two three four five six seven eight nine';
const PIERS = Array.from({ length: 230 }, (_, index) => someDocument({ notice_id: `pier-${index}`, title: 'Pier' }));

let folder: Awaited<ReturnType<typeof makeFolder>>;
let empty: Awaited<ReturnType<typeof makeFolder>>;
let standIn: Awaited<ReturnType<typeof startStandIn>>;
let embedded: SearchEngine;
let absent: SearchEngine;
let alone: Trial;
let both: Trial;
let now = 0;
/** How many rows the index of Meilisearch lacks. */
let lag = 0;

beforeAll(async () => {
  [folder, empty, standIn] = await Promise.all([makeFolder(), makeFolder(), startStandIn()]);
  const { index, url } = await openIndex(folder.path);
  embedded = makeTestEngine(index, { url, readers: 1 });
  await makeTrial(embedded).fill(PIERS);
  absent = makeTestEngine(null, { url: indexUrl(empty.path), readers: 1 });
});
afterAll(async () => {
  await Promise.all([embedded.close(), absent.close(), standIn.close()]);
  await Promise.all([folder.remove(), empty.remove()]);
});
beforeEach(() => {
  Object.assign(standIn.state, { manner: 'answers', searches: 0, documents: 1 });
  now = 0;
  lag = 0;
  const readLag = async ({ name }: Pick<SearchEngine, 'name'>) =>
    name === 'embedded' ? absent.readCursor().then(() => 0) : lag;
  const first = makeTestServerEngine({ url: standIn.url, deadlineMs: LIMITS_MS.wait });
  const options = { lagRowsMax: 100, readLag, readMs: () => now };
  alone = makeTrial(withFallback(first, absent, options));
  both = makeTrial(withFallback(first, embedded, options));
});

describe('where no embedded index stands behind it, Meilisearch', () => {
  it('answers a query of more words than it reads, and says how many it left out', async () => {
    const { meta } = await alone.find({ text: `quay works ${NUMBERS}` });
    expect(meta).toMatchObject({ engine: 'meilisearch', ignoredWords: 1 });
    expect(meta).not.toHaveProperty('failover');
  });

  it('answers although its index is behind', async () => {
    lag = 101;
    expect((await alone.find({ text: 'quay' })).meta.engine).toBe('meilisearch');
  });

  it('answers a query for any of several words, and says how many it left out', async () => {
    const { total, meta } = await alone.find({ text: 'quay OR zebra' });
    expect(total).toBe(1);
    expect(meta).toMatchObject({ engine: 'meilisearch', matched: 'all', ignoredWords: 0 });
    const any = await alone.find({ text: `quay works ${NUMBERS}`, match: 'any' });
    expect(any.meta).toMatchObject({ engine: 'meilisearch', matched: 'any', ignoredWords: 1 });
  });

  it('is slow, not down, where it does not say in time where it stands', async () => {
    standIn.state.manner = 'hangs';
    const engine = makeTestServerEngine({ url: standIn.url, deadlineMs: 50 });
    await expect(engine.readCursor()).rejects.toMatchObject({ name: 'SearchUnavailable', reason: 'slow' });
  });

  it('is unavailable to all queries while it has no index', async () => {
    standIn.state.manner = 'has no index';
    for (const text of ['quay', `quay works ${NUMBERS}`])
      await expect(alone.find({ text })).rejects.toBeInstanceOf(SearchUnavailable);
  });

  it('says that its index is of an older version only where that lacks what is asked for', async () => {
    const cursor = { name: 'cursor', generation: 'g', version: 'of the program before', seq: 1, id: 'x' };
    Object.assign(standIn.state, { manner: 'has an old index', cursor });
    const filters = { above_threshold: true };
    await expect(alone.find({ text: 'quay', filters })).rejects.toBeInstanceOf(IndexOutdated);
    standIn.state.manner = 'answers';
    expect((await alone.find({ text: 'quay' })).meta.engine).toBe('meilisearch');
    expect(toRefusal(new IndexOutdated('of an older version'))).toMatchObject({
      status: 503,
      message: expect.stringContaining(
        'The search index is being rebuilt after an upgrade, and lacks a filter or facet',
      ),
      headers: { 'Retry-After': '60' },
    });
  });

  it('is unavailable, not at fault, where its index is lost before all matches are listed', async () => {
    const query = { scope: 'notices' as const, text: 'quay', filters: {}, limit: 1, now: new Date() };
    const { start } = await alone.engine.matchAll(query);
    standIn.state.manner = 'has no index';
    await expect(alone.engine.listMatches(query, start, 1)).rejects.toBeInstanceOf(SearchUnavailable);
  });

  it.each([10_000, 10_001, 20_000, 25_003])('lists all of %d matches', async (documents) => {
    standIn.state.documents = documents;
    const query = { scope: 'notices' as const, text: 'quay', filters: {}, limit: 1, now: new Date() };
    const { total, prints, meta } = await alone.engine.matchAll(query);
    expect([total, meta.engine]).toEqual([documents, 'meilisearch']);
    const listed = Array.from({ length: prints.length / MATCH_CHARS }, (_, index) =>
      prints.slice(index * MATCH_CHARS, (index + 1) * MATCH_CHARS),
    );
    expect(new Set(listed).size).toBe(documents);
  });

  it('is tried again a second after it failed, and by the query that comes then', async () => {
    await alone.find({ text: 'quay' });
    standIn.state.manner = 'resets';
    standIn.state.searches = 0;
    for (let time = 0; time < 3; time++) {
      await expect(alone.find({ text: 'quay' })).rejects.toBeInstanceOf(SearchUnavailable);
      now += 1_000;
    }
    // None of them asked it twice.
    expect(standIn.state.searches).toBe(3);
    standIn.state.manner = 'answers';
    expect((await alone.find({ text: 'quay' })).meta.engine).toBe('meilisearch');
  });

  it('pages on past what a cursor can tell, and keeps those pages when an embedded index is there', async () => {
    const readPages = async (behind: () => SearchEngine) => {
      const ids: string[] = [];
      const engines = new Set<string>();
      let cursor: string | null | undefined;
      do {
        const engine = withFallback(inOrderOfId(absent, PIERS), ids.length > 150 ? behind() : absent);
        const asked = { scope: 'notices' as const, text: 'pier', filters: {}, limit: 60, now: new Date() };
        const answer = await engine.find({ ...asked, ...(cursor ? { cursor } : {}) });
        ids.push(...answer.hits.map(({ id }) => id));
        engines.add(answer.meta.engine);
        cursor = answer.nextCursor;
      } while (cursor);
      return { ids, engines };
    };
    for (const second of [() => absent, () => embedded]) {
      const { ids, engines } = await readPages(second);
      expect(ids.toSorted()).toEqual(PIERS.map(({ id }) => id).toSorted());
      expect([...engines]).toEqual(['meilisearch']);
    }
  });
});

it('Meilisearch is left alone for longer each time that it fails, until it answers', async () => {
  const { state } = standIn;
  const find = async () => (await both.find({ text: 'pier' })).meta.engine;
  const failTwice = async () => {
    Object.assign(state, { manner: 'answers 500', searches: 0 });
    expect(await find()).toBe('embedded');
    now += 5_000;
    expect(await find()).toBe('embedded');
    // It is tried in the background.
    await expect.poll(() => state.searches).toBe(2);
  };
  await failTwice();
  for (const seconds of [6, 3]) {
    now += seconds * 1_000;
    expect(await find()).toBe('embedded');
  }
  expect(state.searches).toBe(2);
  Object.assign(state, { manner: 'answers', total: 230 });
  now += 60_000;
  await expect.poll(find).toBe('meilisearch');
  await failTwice();
});
