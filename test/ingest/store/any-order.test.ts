import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReleaseToStore } from '../../../ingest/store/page.ts';
import { makeCatalogues, market, shuffle, storeBatches } from './any-order.ts';
import { catalogueDigest, readSeq } from './catalogue-digest.ts';

let catalogues: Awaited<ReturnType<typeof makeCatalogues>>;
beforeAll(async () => {
  catalogues = await makeCatalogues();
});
afterAll(() => catalogues.remove());

async function digestOf(batches: readonly ReleaseToStore[][]) {
  const catalogue = await catalogues.make();
  try {
    await storeBatches(catalogue, batches);
    const digest = await catalogueDigest(catalogue);
    const seq = await readSeq(catalogue);
    await storeBatches(catalogue, [batches.flat()]);
    expect([await catalogueDigest(catalogue), await readSeq(catalogue)]).toEqual([digest, seq]);
    return digest;
  } finally {
    await catalogue.close();
  }
}

describe('releases of a market', () => {
  it('in any order, in any batches, some of them twice, make the same catalogue, and again change nothing', async () => {
    const twice = market.chain((releases) => fc.tuple(shuffle(releases), shuffle(releases)));
    await fc.assert(
      fc.asyncProperty(twice, async ([one, other]) => {
        expect(await digestOf(other)).toEqual(await digestOf(one));
      }),
      { numRuns: 12, seed: 4 },
    );
  });
});
