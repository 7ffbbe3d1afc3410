import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listServices } from '../../../ingest/sources/index.ts';
import type { ReleaseToStore } from '../../../ingest/store/page.ts';
import { makeCatalogues, market, readSample, shuffle, storeBatches } from './any-order.ts';
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

/** Releases apart by service. */
const ofServices = (releases: readonly ReleaseToStore[]): ReleaseToStore[][] =>
  listServices()
    .map(({ id }) => releases.filter(({ source }) => source === id))
    .filter(({ length }) => length > 0);

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

  it('of every service do so too, an original before its copy or after it', async () => {
    const releases = readSample();
    expect(new Set(releases.map(({ source }) => source))).toEqual(new Set(listServices().map(({ id }) => id)));
    // Each batch is one service's.
    const orders = shuffle(releases).map((batches) => batches.flatMap(ofServices));
    const due = await digestOf(ofServices(releases));
    await fc.assert(
      fc.asyncProperty(orders, async (batches) => {
        expect(await digestOf(batches)).toEqual(due);
      }),
      { numRuns: 4, seed: 4 },
    );
  });
});
