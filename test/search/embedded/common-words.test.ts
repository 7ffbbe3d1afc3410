import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { editDistance, lettersOf, mayBeNear, slipsOf } from '../../../schema/names/spelling.ts';
import { findEmbedded } from '../../../search/embedded/find.ts';
import { countCodes } from '../../../search/embedded/layout/facet-codes.ts';
import { RANKED_MAX } from '../../../search/embedded/layout/tables.ts';
import { readTerms } from '../../../search/embedded/match/vocabulary.ts';
import type { SearchEngine, SearchHit, SearchQuery } from '../../../search/engine.ts';
import { FACETS } from '../../../search/filters/facets.ts';
import { openIndex } from '../../../search/open.ts';
import { parseQuery } from '../../../search/query/parse.ts';
import { makeFolder } from '../../support/databases.ts';
import { someDocument } from '../documents.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial, type Trial } from '../trial.ts';
import { emptyIndex } from './empty-index.ts';

/** More than are counted. */
const DOCUMENTS = 10_400;
const DAYS = 100;
/** No multiple of the days, so that they lie on all of them. */
const TITLED_EVERY = 397;

const PHRASED_EVERY = 401;

const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + (index % DAYS))).toISOString().slice(0, 10);
const documents = Array.from({ length: DOCUMENTS }, (_, index) =>
  someDocument({
    notice_id: `w-${index}`,
    title: index % TITLED_EVERY === 7 ? 'Granite kerbs' : 'Supply of goods',
    buyer: index % TITLED_EVERY === 13 ? 'Granite Borough Council' : 'A council',
    description: index % PHRASED_EVERY === 3 ? 'granite limestone' : 'granite and limestone',
    published: dayOf(index),
    stage: index % 2 === 0 ? 'tender' : 'award',
  }),
);

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
    const { total, exact, meta } = await trial.find({ text: '"granite limestone" ' });
    expect(total).toBe(documents.filter(({ description }) => description === 'granite limestone').length);
    expect([exact, meta.bounded]).toEqual([true, true]);
  });

  it('bounds nothing beside a word that few documents hold', async () => {
    const { total, exact, meta } = await trial.find({ text: 'granite kerbs ' });
    expect([total, exact]).toEqual([documents.filter(({ title }) => title.includes('kerbs')).length, true]);
    expect(meta.matched).toBe('all');
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

  it('is counted by facet over the newest', async () => {
    const { facets, meta } = await trial.find({ text: 'granite ', sort: '-published', facets: ['stage', 'buyer_id'] });
    expect(Object.values(facets?.stage ?? {}).reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(facets?.buyer_id).toEqual({});
    expect(meta.bounded).toBe(true);
    expect((await trial.find({ text: 'granite ', sort: '-published' })).meta.bounded).toBe(false);
  });
});

describe('words that more documents hold than are searched together', () => {
  /** Granite is in half of them, marble in the other half, and both are in one in twenty. */
  const STORED = 50_000;
  const BOTH = STORED / 20;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let index: Database;

  beforeAll(async () => {
    folder = await makeFolder();
    index = await openDatabase({ url: `file:${folder.path}/words.db`, durability: 'normal' });
    await emptyIndex(index);
    const rows = `WITH RECURSIVE one (key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM one WHERE key < ${STORED})`;
    const text = "CASE WHEN key % 20 = 0 THEN 'granite marble' WHEN key % 2 = 0 THEN 'granite' ELSE 'marble' END";
    for (const insert of [
      "document (key, print, id) SELECT key, 'print ' || key, 'w-' || key",
      "facet (key, facets) SELECT key, ''",
      `entry (rowid, title, buyer, supplier, subject, description, tokens) SELECT key, '', '', '', '', ${text}, 'zzsn'`,
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
      ...{ scope: 'notices', text: 'granite marble ', filters: {}, limit: 100, now: new Date('2026-11-20') },
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

  it.each<Partial<SearchQuery>>([{ sort: '-published' }, { facets: ['stage'] }])(
    'are counted in all where their number is what matters: %j',
    async (more) => {
      const { total, exact } = await find(more);
      expect([total, exact]).toEqual([BOTH, true]);
    },
  );
});

describe('what spares work', () => {
  it('tallies codes by facet, the most frequent first', () => {
    const { length } = FACETS;
    const [stage, source] = [length + FACETS.indexOf('stage'), length + FACETS.indexOf('source')];
    // A value among hundreds of thousands, as suppliers are, and a document without any.
    const late = 100_000 * length + stage;
    const text = [late, stage, source, '', stage + length, stage, late, source, late].join(',');
    const asked = { wanted: ['stage' as const], facets: FACETS };
    expect(countCodes(text, asked, 2)).toEqual(
      new Map([
        [
          'stage',
          [
            [late, 3],
            [stage, 2],
          ],
        ],
      ]),
    );
    expect(countCodes('', asked, 1)).toEqual(new Map([['stage', []]]));
    // Every document without any but one, and as many codes as a text can hold.
    const few = countCodes(`${','.repeat(5_000)}${stage}`, asked, 1);
    expect(few).toEqual(new Map([['stage', [[stage, 1]]]]));
    const all = Array.from({ length: 3_000 }, (_, place) => length * (place + 1) + FACETS.indexOf('stage'));
    const counted = countCodes([...all, ...all].join(','), asked, 5_000).get('stage');
    expect(counted).toEqual(all.map((code) => [code, 2]));
  });

  it('tells words apart by their letters only where they are not near', () => {
    for (const slip of slipsOf('harbour')) {
      expect(editDistance('harbour', slip, 1)).toBe(1);
      expect(mayBeNear(lettersOf('harbour'), lettersOf(slip), 1)).toBe(true);
    }
    expect(mayBeNear(lettersOf('harbour'), lettersOf('kitchen'), 2)).toBe(false);
    expect(slipsOf('harbour', 2).every((slip) => slip.endsWith('bour'))).toBe(true);
  });
});

/** An index that holds nothing, and notes for which beginnings its vocabulary was read. */
function notingIndex(asked: unknown[]): Database {
  return {
    async read({ sql, args }: { sql: string; args: unknown[] }) {
      if (sql.includes('BETWEEN')) asked.push(args[0]);
      return sql.startsWith('SELECT count(*)') ? [{ count: 0, newest: 0, oldest: 0, keys: '[]' }] : [];
    },
  } as unknown as Database;
}

it('of the words that no text holds eight are corrected, however many a query has', async () => {
  const letters = 'bcdfghjklmnpqrstvwxz';
  const words = [...letters].map((one, at) => `${one}uqyxvuqy${letters[at + 1] ?? 'b'}uq`);
  const asked: unknown[] = [];
  const { terms } = await readTerms(notingIndex(asked), parseQuery(`${words.join(' ')} end`));
  // Four beginnings of each word: the first three letters, and where one of these may be wrong.
  expect(asked).toHaveLength(4 * 8);
  expect(terms.map(({ words: [word] }) => word)).toEqual([...words, 'end']);
});
