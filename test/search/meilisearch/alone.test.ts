import { randomBytes } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MatchList, MatchPlace, SearchEngine } from '../../../search/engine.ts';
import { withFallback } from '../../../search/index/failover.ts';
import { indexUrl } from '../../../search/open.ts';
import { MATCH_CHARS } from '../../../search/results/match-prints.ts';
import { makeFolder } from '../../support/databases.ts';
import { someDocument } from '../documents.ts';
import { makeTestEngine, makeTestServerEngine } from '../test-engine.ts';
import { makeTrial, type Trial } from '../trial.ts';

const url = process.env.MEILI_URL ?? '';
const key = process.env.MEILI_KEY;
if (!url)
  console.warn('skipped: Meilisearch on a machine without an embedded index needs MEILI_URL (a server to test on)');

/** Twelve words that a document has: two more than Meilisearch reads. */
const TWELVE =
  'reconstruction slipway harbour dredging breakwater pontoon fender bollard gangway capstan mooring lantern';
const PIERS = Array.from({ length: 230 }, (_, index) => someDocument({ notice_id: `pier-${index}`, title: 'Pier' }));
const QUAYS = Array.from({ length: 10_230 }, (_, index) => someDocument({ notice_id: `quay-${index}`, title: 'Quay' }));
const SLIPWAY = someDocument({ notice_id: 'slipway', title: 'Slipway', description: TWELVE });

describe.skipIf(!url)('a Meilisearch server without an embedded index behind it', () => {
  const prefix = `test-${randomBytes(4).toString('hex')}-`;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let absent: SearchEngine;
  let alone: Trial;

  beforeAll(async () => {
    folder = await makeFolder();
    const server = makeTestServerEngine({ url, key, prefix, deadlineMs: 10_000 });
    await makeTrial(server).fill([...PIERS, ...QUAYS, SLIPWAY]);
    absent = makeTestEngine(null, { url: indexUrl(folder.path), readers: 1 });
    alone = makeTrial(withFallback(server, absent));
  });
  afterAll(async () => {
    await absent.close();
    const client = new Meilisearch({ host: url, ...(key ? { apiKey: key } : {}) });
    for (const name of ['notices', 'notices_state']) await client.deleteIndexIfExists(`${prefix}${name}`);
    await folder.remove();
  });

  it('answers a query of twelve words by the first ten, and says how many it left out', async () => {
    const { hits, meta } = await alone.find({ text: TWELVE });
    expect(hits.map(({ notice_id }) => notice_id)).toEqual(['slipway']);
    expect(meta).toMatchObject({ engine: 'meilisearch', ignoredWords: 2 });
  });

  it('answers pages past the hundredth result, each notice once', async () => {
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const answer = await alone.find({ text: 'pier', limit: 60, ...(cursor ? { cursor } : {}) });
      expect(answer.meta.engine).toBe('meilisearch');
      ids.push(...answer.hits.map(({ id }) => id));
      cursor = answer.nextCursor;
    }
    expect(ids.toSorted()).toEqual(PIERS.map(({ id }) => id).toSorted());
  });

  it('counts facets of any of several words, and reads ten of the alternatives', async () => {
    const { total, exact, facets } = await alone.find({ text: 'pier slipway', match: 'any', facets: ['stage'] });
    expect([total, exact, facets]).toEqual([231, true, { stage: { tender: 231 } }]);
    const either = await alone.find({ text: `zebra OR ${TWELVE.split(' ').toReversed().join(' OR ')}` });
    expect(either.hits.map(({ notice_id }) => notice_id)).toEqual(['slipway']);
    expect(either.meta.ignoredWords).toBe(3);
  });

  it.each(['relevance', 'published'] as const)('pages through any of several words by %s', async (sort) => {
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { text: 'slipway OR pier', sort, limit: 100 };
      const answer = await alone.find({ ...query, ...(cursor ? { cursor } : {}) });
      expect(answer.total).toBe(231);
      ids.push(...answer.hits.map(({ id }) => id));
      cursor = answer.nextCursor;
    }
    expect(ids.toSorted()).toEqual([...PIERS, SLIPWAY].map(({ id }) => id).toSorted());
  });

  it.each(['quay', 'quay OR zebra'])('matches and lists more than it counts of %s', async (text) => {
    const query = { scope: 'notices' as const, text, filters: {}, limit: 1, now: new Date() };
    const { total, prints, start } = await alone.engine.matchAll(query);
    expect([total, prints.length]).toEqual([QUAYS.length, QUAYS.length * MATCH_CHARS]);
    const ids: string[] = [];
    for (let from: MatchPlace | null = start; from; ) {
      const listed: MatchList = await alone.engine.listMatches(query, from, 5_000);
      ids.push(...listed.ids);
      from = listed.next;
    }
    expect(ids.toSorted()).toEqual(QUAYS.map(({ id }) => id).toSorted());
  });

  it('lists all matches of any of several words', async () => {
    const query = { scope: 'notices' as const, text: 'slipway OR pier', filters: {}, limit: 1, now: new Date() };
    const { total, start } = await alone.engine.matchAll(query);
    const { ids, next } = await alone.engine.listMatches(query, start, 200);
    const rest = await alone.engine.listMatches(query, next ?? expect.fail('no more'), 200);
    expect([total, new Set([...ids, ...rest.ids]).size]).toEqual([231, 231]);
  });
});
