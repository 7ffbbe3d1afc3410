import { expect, it } from 'vitest';
import type { PublishedRelease } from '../upstream/data.ts';
import { makeSample } from '../upstream/sample/make.ts';
import { makeDemoSample } from './retenders.ts';

const SMALL = { notices: 300, buyers: 30, companies: 120 };
const all = ({ findATender, contractsFinder }: ReturnType<typeof makeSample>) => [...findATender, ...contractsFinder];
const idsOf = (releases: readonly PublishedRelease[]) => releases.map(({ release }) => `${release.ocid} ${release.id}`);

it('the demo has needs that are bought again after years, next to the sample and apart from its numbers', () => {
  const [sample, demo] = [all(makeSample(SMALL)), makeDemoSample(SMALL)];
  const [known, whole] = [new Set(idsOf(sample)), idsOf(all(demo))];
  expect(whole.filter((id) => known.has(id))).toHaveLength(sample.length);
  expect(new Set(whole).size).toBe(whole.length - (sample.length - known.size));
  const ocids = new Set(sample.map(({ release }) => release.ocid));
  const added = all(demo).filter(({ release }) => !ocids.has(release.ocid));
  expect(added.length).toBe(whole.length - sample.length);
  expect(added.length).toBeGreaterThan(200);
  const firstOf = new Map(added.toReversed().map(({ release, publishedAt }) => [release.ocid, publishedAt.getTime()]));
  const years = demo.truth.map(([later, earlier]) => {
    const [to = Number.NaN, from = Number.NaN] = [firstOf.get(later), firstOf.get(earlier)];
    return (to - from) / (365.25 * 86_400_000);
  });
  expect(years.filter((each) => each > 1).length).toBeGreaterThan(20);
  expect(idsOf(all(makeDemoSample(SMALL)))).toEqual(whole);
});
