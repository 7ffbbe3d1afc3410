import { makeRetenders } from '../generated/retenders/make.ts';
import { publishRetenders } from '../generated/retenders/publish.ts';
import type { PublishedRelease, UpstreamData } from '../upstream/data.ts';
import { makeSample, makeSampleWorld, type SampleOptions } from '../upstream/sample/make.ts';
import { makeRandom } from '../upstream/sample/random.ts';

/** Different from any seed with which the rules for successions were tuned or are measured. */
const SEED = 1_120;
/** Procurements: nearly half of them are pairs in which one repeats the other's purchase. */
const PROCUREMENTS = 200;
/** Enough to fill every page, and ingested in less than half a minute. */
const SIZE = { notices: 1_500, buyers: 200, companies: 700 };
/** After the processes of the sample, so that no two share an ocid. */
const FIRST_INDEX = 50_000;
/** Find a Tender published nothing before. */
const FIRST_MS = Date.parse('2021-01-01T00:00:00Z');

/**
 * The generated sample, plus needs that its buyers bought some years ago and buy again now, and near misses: the same titles for
 * other places, parts of a work, changes of a contract.
 */
export function makeDemoSample(
  asked: SampleOptions = {},
): UpstreamData & { truth: [later: string, earlier: string][] } {
  const options = { ...SIZE, ...asked };
  const sample = makeSample(options);
  const world = makeSampleWorld(options);
  const drawn = makeRetenders(makeRandom(SEED, 'retenders'), world, PROCUREMENTS, FIRST_INDEX);
  const { notices, ocids } = publishRetenders(drawn, SEED, world.asOfMs);
  const of = (wanted: string): PublishedRelease[] =>
    notices.flatMap(({ source, at, release }) =>
      source === wanted && at >= FIRST_MS ? [{ release, publishedAt: new Date(at) }] : [],
    );
  return {
    ...sample,
    findATender: inOrder([...of('find_a_tender'), ...sample.findATender]),
    contractsFinder: inOrder([...of('contracts_finder'), ...sample.contractsFinder]),
    truth: drawn.truth.flatMap(({ later, earlier }) => {
      const [one, other] = [ocids.get(later), ocids.get(earlier)];
      return one && other ? [[one, other] as [string, string]] : [];
    }),
  };
}

function inOrder(releases: PublishedRelease[]): PublishedRelease[] {
  return releases.sort((one, other) => one.publishedAt.getTime() - other.publishedAt.getTime());
}
