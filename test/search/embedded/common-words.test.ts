import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { findEmbedded } from '../../../search/embedded/find.ts';
import { RANKED_MAX, WEIGHED_MAX } from '../../../search/embedded/layout/tables.ts';
import { filterTokens } from '../../../search/embedded/layout/tokens.ts';
import type { SearchDocument, SearchEngine, SearchHit, SearchQuery } from '../../../search/engine.ts';
import { openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { someDocument } from '../documents.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial, NOW, type Trial } from '../trial.ts';
import { emptyIndex } from './empty-index.ts';

/** More than are counted. */
const DOCUMENTS = 10_400;
const DAYS = 100;
/** No multiple of the days, so that they lie on all of them. */
const TITLED_EVERY = 397;

const PHRASED_EVERY = 401;
/** One of the days on which it stands so: each is a day after the last. */
const PHRASED_DAY = 15;
/** The most that are scored by the weight of their words. */
const SANDY = WEIGHED_MAX;

const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + (index % DAYS))).toISOString().slice(0, 10);
const documents = Array.from({ length: DOCUMENTS }, (_, index) =>
  someDocument({
    notice_id: `w-${index}`,
    title: index % TITLED_EVERY === 7 ? 'Granite kerbs' : 'Supply of goods',
    buyer: index % TITLED_EVERY === 13 ? 'Granite Borough Council' : 'A council',
    description: index % PHRASED_EVERY === 3 ? 'granite limestone' : 'granite and limestone',
    subjects: index < SANDY ? ['Sand'] : [],
    published: dayOf(index),
    stage: index % 2 === 0 ? 'tender' : 'award',
  }),
);

/** What is asked for with the common word, how many a page has, and what holds it. */
const RARER: [text: string, limit: number, isRarer: (document: SearchDocument) => boolean][] = [
  ['granite kerbs ', 10, ({ title }) => title.includes('kerbs')],
  ['granite sand ', 100, ({ subjects }) => subjects.includes('Sand')],
];

describe('a word that more documents hold than are counted', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let engine: SearchEngine;
  let trial: Trial;

  beforeAll(async () => {
    folder = await makeFolder();
    const { index, url } = await openIndex(folder.path);
    engine = makeTestEngine(index, { url, readers: 1 });
    trial = makeTrial(engine);
    await trial.fill(documents);
  });
  afterAll(async () => {
    await engine.close();
    await folder.remove();
  });

  const placeOf = ({ title, buyer }: SearchHit) => [title, buyer].findIndex((text) => text?.startsWith('Granite'));

  it('is ranked by where it stands, the newest first, among the newest', async () => {
    const { hits, total, exact, meta } = await trial.find({ text: 'granite ', limit: 100 });
    expect([total, exact, meta.bounded]).toEqual([10_000, false, true]);
    const titled = hits.filter((hit) => placeOf(hit) === 0);
    const named = hits.filter((hit) => placeOf(hit) === 1);
    const share = (RANKED_MAX / DOCUMENTS) * (DOCUMENTS / TITLED_EVERY);
    expect(titled.length).toBeGreaterThan(share / 2);
    expect(hits.slice(0, titled.length + named.length)).toEqual([...titled, ...named]);
    for (const list of [titled, named, hits.slice(titled.length + named.length)]) {
      const days = list.map(({ published }) => published);
      expect(days).toEqual([...days].sort().reverse());
    }
  });

  it('is looked for beside another such word in all documents, and ranked among the newest', async () => {
    const { hits, total, exact, meta } = await trial.find({ text: 'granite limestone ', limit: 100 });
    expect([total, exact, meta.bounded]).toEqual([10_000, false, true]);
    const [oldest] = hits.map(({ published }) => published).sort();
    expect(oldest && oldest > dayOf(DAYS / 10)).toBe(true);
  });

  it('is counted exactly where few have it side by side with another, and ranked among the newest', async () => {
    const phrased = documents.filter(({ description }) => description === 'granite limestone').length;
    const { total, exact, meta } = await trial.find({ text: '"granite limestone" ' });
    expect([total, exact, meta.bounded]).toEqual([phrased, true, true]);
    // What is excluded is in no place among them.
    const steps = someDocument({ title: 'Granite limestone steps', published: dayOf(PHRASED_DAY) });
    await trial.add([steps]);
    const without = await trial.find({ text: '"granite limestone" -steps', limit: 100 });
    expect([without.total, without.hits.length]).toEqual([phrased, phrased]);
    expect(without.hits.map(({ id }) => id)).not.toContain(steps.id);
    await trial.add([], [steps.id]);
  });

  it('bounds nothing beside a word that few documents hold', async () => {
    const { total, exact, meta } = await trial.find({ text: 'granite kerbs ' });
    expect([total, exact]).toEqual([documents.filter(({ title }) => title.includes('kerbs')).length, true]);
    expect(meta.matched).toBe('all');
  });

  it('comes after everything that holds a rarer word too where any of them is enough, however old, each once', async () => {
    for (const [text, limit, isRarer] of RARER) {
      const rarer = documents.filter(isRarer).map(({ id }) => id);
      const seen: SearchHit[] = [];
      for (let cursor: string | null = ''; cursor !== null && seen.length < rarer.length + 100; ) {
        const answer = await trial.find({ text, match: 'any', limit, ...(cursor && { cursor }) });
        seen.push(...answer.hits);
        cursor = answer.nextCursor;
      }
      const ids = seen.map(({ id }) => id);
      expect(ids.slice(0, rarer.length).toSorted()).toEqual(rarer.toSorted());
      expect(new Set(ids).size).toBe(seen.length);
      const rest = seen.slice(rarer.length).map(placeOf);
      expect(rest.length).toBeGreaterThanOrEqual(100);
      expect(rest.filter((place) => place === 1).length).toBeGreaterThan(RANKED_MAX / TITLED_EVERY / 2);
      expect(rest).toEqual([0, 1, -1].flatMap((place) => rest.filter((one) => one === place)));
    }
    const rare = someDocument({ title: 'Supply of goods', description: 'Pebbles', published: '2025-01-01' });
    await trial.add([rare]);
    expect((await trial.find({ text: 'granite pebbles ', match: 'any', limit: 1 })).hits[0]?.id).toBe(rare.id);
    const [newest] = (await trial.find({ text: 'granite limestone ', match: 'any', limit: 1 })).hits;
    expect(newest?.published).toBe(dayOf(DAYS - 1));
  });

  it.each(['granite ', 'granite limestone '])(
    '%s is paged through once, as deep as pages go, also while others arrive',
    async (text) => {
      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const answer = await trial.find({ text, limit: 100, ...(cursor ? { cursor } : {}) });
        seen.push(...answer.hits.map(({ id }) => id));
        cursor = answer.nextCursor;
        if (seen.length === 300)
          await trial.add([someDocument({ title: `Granite kerbs, ${text}`, published: '2026-05-01' })]);
      }
      expect(seen.length).toBe(5_000);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  it('is ranked on every page as on the first, though it became that common meanwhile', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await trial.find({ text: 'sand ', limit: 100, ...(cursor && { cursor }) });
      if (!cursor) await trial.add([someDocument({ title: 'Sand', published: '2026-05-02' })]);
      seen.push(...answer.hits.map(({ id }) => id));
      cursor = answer.nextCursor;
    }
    expect(seen.toSorted()).toEqual(
      documents
        .slice(0, SANDY)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('is counted by facet over the newest', async () => {
    const { facets, meta } = await trial.find({ text: 'granite ', sort: '-published', facets: ['stage', 'buyer_id'] });
    expect(Object.values(facets?.stage ?? {}).reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(facets?.buyer_id).toEqual({});
    expect(meta.bounded).toBe(true);
    expect((await trial.find({ text: 'granite ', sort: '-published' })).meta.bounded).toBe(false);
  });
});

describe('words that more documents hold than are searched together', () => {
  /** Granite is in half of them, marble in the other half, and both are in one in twenty; so are an award and a source. */
  const STORED = 50_000;
  const filters = { stage: ['award'], source: ['find_a_tender'] };
  const BOTH = STORED / 20;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let index: Database;

  beforeAll(async () => {
    folder = await makeFolder();
    index = await openDatabase({ url: `file:${folder.path}/words.db`, durability: 'normal' });
    await emptyIndex(index);
    const rows = `WITH RECURSIVE one (key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM one WHERE key < ${STORED})`;
    const either = (one: string, other: string) =>
      `CASE WHEN key % 20 = 0 THEN '${one} ${other}' WHEN key % 2 = 0 THEN '${one}' ELSE '${other}' END`;
    const tokens = filterTokens({ scope: 'notices', filters, limit: 1, now: NOW }).flat();
    const [stage = '', source = ''] = tokens.map(({ text }) => text);
    for (const insert of [
      "document (key, print, id) SELECT key, 'print ' || key, 'w-' || key",
      "facet (key, facets) SELECT key, ''",
      `entry (rowid, title, buyer, supplier, subject, description, tokens) SELECT key, '', '', '', '', ${either('granite', 'marble')}, 'zzsn ' || ${either(stage, source)}`,
    ]) {
      await index.write([{ sql: `INSERT INTO ${insert.replace('SELECT', `${rows} SELECT`)} FROM one` }]);
    }
  });
  afterAll(async () => {
    await index.close();
    await folder.remove();
  });

  const find = (more: Partial<SearchQuery>) =>
    findEmbedded(index, {
      scope: 'notices',
      text: 'granite marble ',
      filters: {},
      limit: 100,
      now: NOW,
      ...more,
    });

  it('are counted in the newest, and found in all', async () => {
    const { total, exact, meta } = await find({});
    expect(total).toBeGreaterThan(BOTH / 2);
    expect(total).toBeLessThan(BOTH);
    expect([exact, meta.bounded]).toEqual([false, true]);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await find(cursor ? { cursor } : {});
      expect(page.total).toBe(total);
      seen.push(...page.ids);
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(BOTH);
    expect(seen.length).toBe(BOTH);
  });

  it.each<Partial<SearchQuery>>([{ sort: '-published' }, { facets: ['stage'] }, { text: '', filters }])(
    'are counted in all where their number is what matters: %j',
    async (more) => {
      const { total, exact } = await find(more);
      expect([total, exact]).toEqual([BOTH, true]);
    },
  );
});
