import { describe, expect, it } from 'vitest';
import { type PublishedRelease, releaseBytes } from '../data.ts';
import { makeSample } from './make.ts';

const { findATender, contractsFinder, byMonth } = makeSample();
const open = (one: PublishedRelease) => (one.release.tag as string[]).some((tag) => /^tender(?:Update)?$/.test(tag));
const portals = [...byMonth.values()].flatMap((list) => [...list]);
/** The share of a list of releases whose text has a part, among those that invite bids. */
const share = (list: readonly PublishedRelease[], part: string) => {
  const texts = list.filter(open).map((one) => releaseBytes(one).toString());
  return texts.filter((text) => text.includes(part)).length / texts.length;
};
const act = [...findATender].filter((one) => releaseBytes(one).includes('"scheme":"UKPGA"'));

describe('the terms that tenders of the sample state', () => {
  it('are near their measured shares under the Act', () => {
    // Nearly the shares of 296 tenders of August 2026.
    const measured = [
      ['"sme":true', 0.7],
      ['"vcse":true', 0.35],
      ['"enquiryPeriod"', 0.8],
      ['"selectionCriteria"', 0.3],
      ['"specialRegime"', 0.17],
      ['"coveredBy"', 0.16],
      ['"reservedParticipationLocation"', 0.12],
      ['"options"', 0.1],
    ] as const;
    for (const [part, least] of measured) {
      expect(share(act, part), part).toBeGreaterThan(least * 0.6);
      expect(share(act, part), part).toBeLessThan(least * 1.6);
    }
  });

  it('are in the shapes of the forms before it and of the portals', () => {
    const before = [
      ...['"bidValidityPeriod":{"durationInDays"', '"bidValidityPeriod":{"endDate"', '"depositsGuarantees"'],
      ...['"performanceTerms"', '"minimum"', '"variantPolicy":"allowed"', '"invitationDate"', '"reservedExecution"'],
      ...['"maximumLotsBidPerSupplier":2147483647', '"maximumLotsAwardedPerSupplier"', '"hasOptions":true'],
    ];
    for (const part of before) expect(share(portals, part), part).toBeGreaterThan(0);
    expect(share([...contractsFinder], '"suitability":{"sme":true,"vcse":true}')).toBeGreaterThan(0.1);
  });
});
