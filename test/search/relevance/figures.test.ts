import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Match } from '../../../search/engine.ts';
import { ROOT } from '../../support/source-files.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { type Collection, readRecordedCollection, readSampleCollection } from './documents.ts';
import { inBestOrder, judgeSearcher, type Score, score } from './judge.ts';
import { makeQueries } from './queries.ts';
import { openEmbedded } from './searchers.ts';
import { misspell, otherNumber } from './words.ts';

const LOSS_MAX = 0.02;
/** What a change may not fall behind by more than LOSS_MAX; better figures are written down by hand. */
const FIGURES = JSON.parse(readFileSync(join(ROOT, 'test/search/relevance/figures.json'), 'utf8')) as Record<
  Collection['of'],
  Record<Collection['name'], Record<Match, Score>>
>;

// Some 240 queries on each.
describe.each(['notices', 'contracts'] as const)('the relevance of the search for %s', (of) => {
  it('is no worse on the generated sample than it was', { timeout: LIMITS_MS.long }, async () => {
    await expectNoLoss(readSampleCollection(of));
  });

  it('is no worse on the recordings than it was', { timeout: LIMITS_MS.long }, async ({ skip }) => {
    const collection = await readRecordedCollection(of);
    if (!collection) {
      skip();
      return;
    }
    await expectNoLoss(collection);
  });
});

describe('the judgement', () => {
  const grades = new Map([
    ['a', 3],
    ['b', 1],
  ] as const);

  it('is 1 for the best order, less for another, 0 for none', () => {
    expect(score(['a', 'b'], grades)).toEqual({ ndcg: 1, recall: 1 });
    expect(score(['b', 'a'], grades).ndcg).toBeCloseTo((1 + 7 / Math.log2(3)) / (7 + 1 / Math.log2(3)));
    expect(score(['x', 'b'], grades)).toMatchObject({ recall: 0 });
    expect(score([], grades)).toEqual({ ndcg: 0, recall: 0 });
    expect(inBestOrder(['x', 'b', 'a'], grades)).toEqual(['a', 'b', 'x']);
  });

  it('makes slips that change a word, and the other number of it', () => {
    for (const word of ['cleaning', 'vehicle', 'committee', 'aaaaaaaa']) {
      expect(misspell(word)).not.toBe(word);
      expect(Math.abs(misspell(word).length - word.length)).toBeLessThanOrEqual(1);
    }
    expect(['roads', 'bus', 'city', 'survey', 'bodies', 'glass'].map(otherNumber)).toEqual([
      'road',
      'bu',
      'cities',
      'surveys',
      'body',
      'glasss',
    ]);
  });
});

async function expectNoLoss(collection: Collection): Promise<void> {
  const searcher = await openEmbedded(collection);
  try {
    // Those that the weights were not chosen by; `npm run bench -- relevance` judges these too.
    const queries = makeQueries(collection, 'held out');
    for (const match of ['all', 'any'] as const) {
      const { overall } = await judgeSearcher(searcher.by(match), collection.name, queries);
      const before = FIGURES[collection.of][collection.name][match];
      const sentence = `by ${match} of the words of the held out queries on the ${collection.of} of the ${collection.name}`;
      expect(queries.length, sentence).toBeGreaterThanOrEqual(200);
      expect(overall.ndcg, `nDCG@10 ${sentence}`).toBeGreaterThanOrEqual(before.ndcg - LOSS_MAX);
      expect(overall.recall, `recall@100 ${sentence}`).toBeGreaterThanOrEqual(before.recall - LOSS_MAX);
    }
  } finally {
    await searcher.close();
  }
}
