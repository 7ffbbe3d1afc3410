import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseAway } from '../../../schema/db/interface.ts';
import { BadCursor, type SearchEngine } from '../../../search/engine.ts';
import { withFallback } from '../../../search/index/failover.ts';
import { openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { someDocument } from '../documents.ts';
import { makeTestEngine, makeTestServerEngine } from '../test-engine.ts';
import { makeTrial, type Trial } from '../trial.ts';
import { inOrderOfId } from './in-order-of-id.ts';
import { type Manner, startStandIn } from './meilisearch-stub.ts';

/** The deadline where the server hangs. Elsewhere it has time: a busy machine is not to count as a slow server. */
const DEADLINE_MS = 400;
const NUMBERS = 'one two three four five six seven eight nine';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let standIn: Awaited<ReturnType<typeof startStandIn>>;
let embedded: SearchEngine;
let both: Trial;
let now = 0;
/** More than one engine alone serves, told apart by how often they say it. */
const PIERS = Array.from({ length: 230 }, (_, index) =>
  someDocument({ notice_id: `pier-${index}`, title: 'Pier', description: 'pier '.repeat((index * 7) % 11) }),
);
const lags = { meilisearch: 0, embedded: 0 };
/** The database with the rows, from which a lag is read. */
let catalogueAnswers = true;

beforeAll(async () => {
  folder = await makeFolder();
  standIn = await startStandIn();
  const { index, url } = await openIndex(folder.path);
  embedded = makeTestEngine(index, { url, readers: 1 });
  const rows = Array.from({ length: 30 }, (_, index) =>
    someDocument({ notice_id: `e-${index}`, title: 'Quay works', description: `${NUMBERS} RM61007` }),
  );
  await makeTrial(embedded).fill([...rows, ...PIERS]);
});
afterAll(async () => {
  await embedded.close();
  await standIn.close();
  await folder.remove();
});
beforeEach(() => {
  Object.assign(standIn.state, { manner: 'answers', searches: 0, total: 10 });
  Object.assign(lags, { meilisearch: 0, embedded: 0 });
  catalogueAnswers = true;
  now = 0;
  both = connect();
});

function connect(deadlineMs = LIMITS_MS.wait): Trial {
  const options = {
    lagRowsMax: 100,
    readLag: async ({ name }: Pick<SearchEngine, 'name'>) => {
      if (!catalogueAnswers) throw new DatabaseAway('the catalogue is away');
      return lags[name];
    },
    readMs: () => now,
  };
  return makeTrial(withFallback(makeTestServerEngine({ url: standIn.url, deadlineMs }), embedded, options));
}

const meta = async () => (await both.find({ text: 'quay' })).meta;
/** The clock moves, as a server that is only busy may be late once. */
const isUsedAgain = () =>
  vi.waitFor(
    async () => {
      now += 60_000;
      const { engine, failover } = await meta();
      expect([engine, failover]).toEqual(['meilisearch', undefined]);
    },
    { timeout: LIMITS_MS.wait },
  );

describe('while Meilisearch', () => {
  it.each<[Manner, string]>([
    ['hangs', 'slow'],
    ['hangs half-way', 'slow'],
    ['answers 500', 'failing'],
    ['resets', 'down'],
    ['is no JSON', 'failing'],
    ['is other JSON', 'failing'],
  ])('%s, the embedded engine answers, says why, and gives way when it is back', async (manner, reason) => {
    if (reason === 'slow') both = connect(DEADLINE_MS);
    await isUsedAgain();
    standIn.state.manner = manner;
    standIn.state.searches = 0;
    for (let time = 0; time < 5; time++) {
      const { hits, meta } = await both.find({ text: 'quay' });
      expect(hits.length).toBe(25);
      expect(meta).toMatchObject({ engine: 'embedded', failover: { engine: 'meilisearch', reason } });
    }
    // One query paid for finding out.
    expect(standIn.state.searches).toBe(1);
    standIn.state.manner = 'answers';
    await isUsedAgain();
  });

  it('failed just before the clock was set back an hour, it is used again as soon as otherwise', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const first = makeTestServerEngine({ url: standIn.url, deadlineMs: LIMITS_MS.wait });
    const readLag = async ({ name }: Pick<SearchEngine, 'name'>) => lags[name];
    const engine = makeTrial(withFallback(first, embedded, { lagRowsMax: 100, readLag }));
    standIn.state.manner = 'resets';
    expect((await engine.find({ text: 'quay' })).meta.engine).toBe('embedded');
    standIn.state.manner = 'answers';
    vi.setSystemTime(Date.now() - 3_600_000);
    const engines = new Set<string>();
    for (let minutes = 0; minutes < 20 && !engines.has('meilisearch'); minutes++) {
      vi.advanceTimersByTime(60_000);
      engines.add((await engine.find({ text: 'quay' })).meta.engine);
      // It is tried in the background.
      await pause(20);
    }
    expect([...engines]).toContain('meilisearch');
  });

  it('refuses one query, it is asked the next', async () => {
    await isUsedAgain();
    standIn.state.manner = 'has no index';
    expect((await meta()).failover?.reason).toBe('failing');
    standIn.state.manner = 'answers';
    expect((await meta()).engine).toBe('meilisearch');
  });

  it('still hangs when it is tried again, no query waits for it', async () => {
    both = connect(DEADLINE_MS);
    await isUsedAgain();
    standIn.state.manner = 'hangs';
    await meta();
    for (let time = 0; time < 3; time++) {
      now += 60_000;
      expect((await meta()).failover?.reason).toBe('slow');
    }
    standIn.state.manner = 'answers';
    await isUsedAgain();
  });

  it('would not read a query to its last word, the embedded engine answers it whole', async () => {
    await isUsedAgain();
    const many = `quay works ${NUMBERS}`;
    const { hits, meta } = await both.find({ text: many });
    expect(meta).toMatchObject({ engine: 'embedded', ignoredWords: 0, failover: { reason: 'long' } });
    expect(hits.length).toBe(25);
    expect((await both.find({ text: `"a b" "c d" ${many}` })).meta.failover?.reason).toBe('long');
  });

  it('finds few, the embedded engine finds more', async () => {
    await isUsedAgain();
    standIn.state.total = 9;
    const { hits, meta } = await both.find({ text: 'quay works' });
    expect(meta).toMatchObject({ engine: 'embedded', failover: { reason: 'few' } });
    expect(hits.length).toBe(25);
    for (const text of ['"quay works"', 'RM6100', 'quays'])
      expect((await both.find({ text })).meta.failover?.reason).toBe('few');
    const nothingMore = await both.find({ text: 'ostrich zebra' });
    expect(nothingMore.meta).toMatchObject({ engine: 'meilisearch', matched: 'all' });
  });

  it('is asked for any of several words, the embedded engine answers', async () => {
    await isUsedAgain();
    const asked = standIn.state.searches;
    const { total, meta } = await both.find({ text: 'quay zebra', match: 'any' });
    expect([total, meta.failover?.reason]).toEqual([30, 'any']);
    expect(standIn.state.searches).toBe(asked);
    expect((await both.find({ text: 'quay OR zebra' })).meta.failover?.reason).toBe('any');
    expect((await both.find({ text: 'quay', match: 'any' })).meta.engine).toBe('meilisearch');
  });

  it('is behind by more than is allowed, and the embedded engine is not', async () => {
    lags.meilisearch = 101;
    expect(await meta()).toMatchObject({ engine: 'embedded', failover: { engine: 'meilisearch', reason: 'behind' } });
    lags.meilisearch = 100;
    await isUsedAgain();
    Object.assign(lags, { meilisearch: 101, embedded: 101 });
    for (let time = 0; time < 3; time++) {
      now += 10_000;
      expect((await meta()).engine).toBe('meilisearch');
    }
  });
});

describe('while the catalogue is away', () => {
  it('Meilisearch keeps answering, as nothing says that it fails', async () => {
    catalogueAnswers = false;
    for (let time = 0; time < 3; time++) {
      expect(await meta()).toMatchObject({ engine: 'meilisearch' });
      expect(await meta()).not.toHaveProperty('failover');
      now += 60_000;
    }
  });
});

describe('pages over a failover', () => {
  const page = (cursor?: string | null) => both.find({ text: 'quay', limit: 10, ...(cursor ? { cursor } : {}) });

  it('go on where they began, also when Meilisearch is back', async () => {
    await isUsedAgain();
    standIn.state.manner = 'resets';
    const first = await page();
    standIn.state.manner = 'answers';
    await isUsedAgain();
    const second = await page(first.nextCursor);
    expect(second.meta).toMatchObject({ engine: 'embedded', failover: { reason: 'continued' } });
    const third = await page(second.nextCursor);
    const ids = [first, second, third].flatMap(({ hits }) => hits.map(({ id }) => id));
    expect(new Set(ids).size).toBe(30);
    expect(third.nextCursor).toBeNull();
  });

  it.each([25, 30, 70, 100])('hold every document once where the first engine serves 100, %i a page', async (limit) => {
    const engine = withFallback(inOrderOfId(embedded, PIERS), embedded);
    const ids: string[] = [];
    const engines: string[] = [];
    let cursor: string | null | undefined;
    do {
      const asked = { scope: 'notices' as const, text: 'pier', filters: {}, limit, now: new Date() };
      const answer = await engine.find({ ...asked, ...(cursor ? { cursor } : {}) });
      ids.push(...answer.hits.map(({ id }) => id));
      engines.push(answer.meta.engine);
      cursor = answer.nextCursor;
      expect(cursor?.length ?? 0).toBeLessThanOrEqual(777);
    } while (cursor);
    expect(ids.toSorted()).toEqual(PIERS.map(({ id }) => id).toSorted());
    const served = Math.floor(100 / limit);
    expect(engines.map((name) => name === 'meilisearch')).toEqual(engines.map((_, page) => page < served));
  });

  it('list the matches of the engine that found them, also when Meilisearch is back', async () => {
    await isUsedAgain();
    standIn.state.manner = 'resets';
    const query = { scope: 'notices' as const, text: 'quay', filters: {}, limit: 1, now: new Date() };
    const { total, start } = await both.engine.matchAll(query);
    standIn.state.manner = 'answers';
    const { ids } = await both.engine.listMatches(query, start, 100);
    expect([total, new Set(ids).size]).toEqual([30, 30]);
  });

  it('refuse what is no cursor, with either engine', async () => {
    await expect(page('x')).rejects.toBeInstanceOf(BadCursor);
    standIn.state.manner = 'resets';
    await meta();
    await expect(page('x')).rejects.toBeInstanceOf(BadCursor);
  });
});
