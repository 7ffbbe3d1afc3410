import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { type Matching, makeMatching, narrow } from '../../../search/embedded/match/matching.ts';
import { countNewest } from '../../../search/embedded/match/query-cache.ts';
import { type RankedKey, readByTier } from '../../../search/embedded/rank/field-tiers.ts';
import { storeDocuments } from '../../../search/embedded/store/statements.ts';
import { parseQuery } from '../../../search/query/parse.ts';
import { makeFolder } from '../../support/databases.ts';
import { someDocument } from '../documents.ts';
import { emptyIndex } from './empty-index.ts';

const DOCUMENTS = 60;
const TEXT = '"granite kerbs"';
/** One in three says it in its title, one in five by its buyer alone, the others in their descriptions. */
const documents = Array.from({ length: DOCUMENTS }, (_, index) =>
  someDocument({
    notice_id: `g-${index}`,
    title: index % 3 === 0 ? 'Granite kerbs' : 'Supply of goods',
    buyer: index % 5 === 0 ? 'Granite kerbs council' : 'A council',
    description: 'granite kerbs',
    published: `2026-0${1 + (index % 9)}-11`,
  }),
);

describe('pages of what is ranked by place', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let index: Database;
  let all: number[];

  beforeAll(async () => {
    folder = await makeFolder();
    index = await openDatabase({ url: `file:${folder.path}/places.db`, durability: 'normal' });
    await emptyIndex(index);
    const cursor = { generation: 'g', version: 'v', seq: 1, id: '' };
    await storeDocuments(index, { documents, gone: [], cursor }, COLLECTIONS.notices);
    all = (await matchingFrom(0, 0)).counted.keys ?? [];
  });
  afterAll(async () => {
    await index.close();
    await folder.remove();
  });

  async function matchingFrom(bound: number, reach: number): Promise<Matching> {
    const query = { scope: 'notices' as const, text: TEXT, filters: {}, limit: 4, now: new Date('2026-11-20') };
    const matching = makeMatching('all', TEXT, query, parseQuery(TEXT), { since: 0, before: Infinity });
    const counted = await countNewest(index, narrow(matching, TEXT, { since: reach }));
    return { ...matching, counted, bound, reach, scoring: { by: 'place', text: TEXT } };
  }

  async function readPages(pageOf: (page: number) => Matching): Promise<number[]> {
    const keys: number[] = [];
    for (let after: RankedKey | undefined, page = 0; ; page++) {
      const ranked = await readByTier(index, pageOf(page), 4, after);
      keys.push(...ranked.map(({ key }) => key));
      after = ranked.at(-1);
      if (!after) return keys;
    }
  }

  it('hold all of it once: what is older than is looked at comes last, the newest first', async () => {
    const bound = all[25] ?? 0;
    const whole = await matchingFrom(bound, 0);
    const inPart = await matchingFrom(bound, bound);
    const unknown = { ...whole, counted: { ...whole.counted, keys: null } };
    const keys = await readPages(() => whole);
    expect(keys.toSorted((a, b) => b - a)).toEqual(all);
    expect(keys.slice(26)).toEqual(all.slice(26));
    expect(keys.slice(0, 26)).not.toEqual(all.slice(0, 26));
    expect(inPart.counted.count).toBe(26);
    expect(await readPages(() => inPart)).toEqual(keys);
    expect(await readPages(() => unknown)).toEqual(keys);
    // What was few enough to be known may be too many by the next page.
    expect(await readPages((page) => (page % 2 ? unknown : whole))).toEqual(keys);
  });
});
