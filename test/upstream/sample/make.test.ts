import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type Json,
  listBySource,
  type PublishedRelease,
  REGISTER_COLUMNS,
  releaseBytes,
  type UpstreamData,
} from '../data.ts';
import { describeSample, generateReleases, makeSample } from './make.ts';

const sample = makeSample();
const fts = [...sample.findATender];
const cf = [...sample.contractsFinder];
const all = [...listBySource(sample).values()].flat();

type Doc = Json & { noticeType?: string };
interface Release extends Json {
  ocid: string;
  id: string;
  tag: string[];
  buyer?: { id: string; name: string };
  parties: (Json & { id: string; name: string; roles: string[]; identifier?: { scheme?: string; id?: string } })[];
  planning?: { documents?: Doc[] };
  tender: Json & {
    title: string;
    status: string;
    lots?: Json[];
    documents?: Doc[];
    tenderPeriod?: { endDate: string };
    techniques?: Json;
  };
  awards?: (Json & { id: string; suppliers?: Json[]; documents?: Doc[] })[];
  contracts?: (Json & { documents?: Doc[] })[];
}
const releaseOf = ({ release }: PublishedRelease) => release as Release;
const share = (list: readonly PublishedRelease[], test: (release: Release) => boolean) =>
  list.filter((each) => test(releaseOf(each))).length / list.length;

function noticeTypes({ planning, tender, awards = [], contracts = [] }: Release): string[] {
  const documents = [planning, tender, ...awards, ...contracts].flatMap((part) => part?.documents ?? []);
  return [...new Set(documents.flatMap(({ noticeType }) => (noticeType ? [noticeType] : [])))];
}

function digest(data: UpstreamData): string {
  const hash = createHash('sha256');
  for (const each of [...listBySource(data).values()].flat())
    hash.update(releaseBytes(each)).update(each.publishedAt.toISOString());
  for (const row of data.bulk) hash.update(JSON.stringify(row));
  return hash.update(JSON.stringify([...data.profiles])).digest('hex');
}

describe('the generated sample', () => {
  it('is the same for the same seed and another for another', () => {
    expect(digest(makeSample())).toBe(digest(sample));
    expect(digest(makeSample({ seed: 2, notices: 200 }))).not.toBe(digest(makeSample({ seed: 3, notices: 200 })));
  });

  it('has the requested size', () => {
    expect(all.length).toBe(3000);
    const buyers = new Set(
      all.flatMap((each) =>
        releaseOf(each)
          .parties.filter(({ roles }) => roles.includes('buyer'))
          // Some bodies add their abbreviation, and not everywhere.
          .map(({ name }) => name.replace(/ \([A-Za-z]+\)$/, '')),
      ),
    );
    expect(buyers.size).toBeGreaterThan(285);
    expect(buyers.size).toBeLessThanOrEqual(300);
    expect([...sample.bulk].length).toBeGreaterThan(1000);
    expect(
      Object.keys([...sample.bulk][0] ?? {}).every((name) => (REGISTER_COLUMNS as readonly string[]).includes(name)),
    ).toBe(true);
  });

  it('lies before its own now and grows denser towards it', () => {
    const asOfMs = sample.asOf.getTime();
    const ages = all.map(({ publishedAt }) => (asOfMs - publishedAt.getTime()) / 86_400_000);
    expect(Math.min(...ages)).toBeGreaterThan(0);
    expect(ages.filter((age) => age < 60).length).toBeGreaterThan(
      ages.filter((age) => age > 300 && age < 360).length * 1.5,
    );
  });

  it('has many live tenders', () => {
    const live = [...fts, ...cf].filter((each) => {
      const { tender } = releaseOf(each);
      return tender.status === 'active' && Date.parse(tender.tenderPeriod?.endDate ?? '') > sample.asOf.getTime();
    });
    expect(new Set(live.map((each) => releaseOf(each).ocid)).size).toBeGreaterThan(80);
  });

  it('has every UK notice type and both regimes', () => {
    const types = new Set(fts.flatMap((each) => noticeTypes(releaseOf(each))));
    for (let n = 1; n <= 17; n++) expect(types).toContain(`UK${n}`);
    expect(share(fts, ({ tender }) => (tender.legalBasis as Json)?.scheme === 'CELEX')).toBeGreaterThan(0.05);
  });

  it('has the tags in about their measured proportions', () => {
    const tagged = (tag: string) => share(fts, ({ tag: tags }) => tags.includes(tag));
    expect(tagged('award')).toBeGreaterThan(0.48);
    expect(tagged('award')).toBeLessThan(0.66);
    expect(tagged('tender')).toBeLessThan(0.24);
    for (const tag of [
      'planning',
      'tenderUpdate',
      'awardUpdate',
      'planningUpdate',
      'tenderCancellation',
      'contractAmendment',
      'contractTermination',
      'implementation',
    ])
      expect(tagged(tag), tag).toBeGreaterThan(0);
  });

  it('says of contracts how they may be extended, who bid, and why there was no competition', () => {
    const texts = [...fts, ...cf].map((each) => releaseBytes(each).toString());
    const parts = [
      'Two further periods of 12 months.',
      'with an option to extend for a further 24 months',
      '"maxExtentDate"',
      '"smeBids"',
      '"smeFinalStageBids"',
      '"procurementMethodRationaleClassifications"',
      'Award under framework',
      '"deliveryLocation"',
      '"noAgreedMetricsRationale"',
      '"noEngagementNoticeRationale"',
    ];
    for (const part of parts) expect(texts.filter((text) => text.includes(part)).length, part).toBeGreaterThan(3);
    expect(texts.some((text) => text.includes('Office for Civic Standards (OCS)'))).toBe(true);
  });

  it('has the measured defects', () => {
    const texts = fts.map((each) => releaseBytes(each).toString());
    expect(share(fts, ({ buyer }) => !buyer)).toBeGreaterThan(0.01);
    expect(share(fts, ({ buyer }) => !buyer)).toBeLessThan(0.04);
    expect(texts.filter((text) => text.includes('"buyerID":[]')).length / fts.length).toBeGreaterThan(0.35);
    for (const part of ['1e9999', ': 000,', '"description":null', '"deliveryAddresses":{"1":', '<br/>', '99999999999'])
      expect(
        texts.some((text) => text.includes(part)),
        part,
      ).toBe(true);
    const cfTexts = cf.map((each) => releaseBytes(each).toString());
    for (const part of [
      'http://Contract Finder',
      '"ocid":"ocds-b5fd17-"',
      'Â£',
      '"value":{"amount":0,',
      '<p>',
      '&amp;',
    ])
      expect(
        cfTexts.some((text) => text.includes(part)),
        part,
      ).toBe(true);
    expect(cf.some(({ latin1 }) => latin1)).toBe(true);
    const numbers = [...fts, ...cf]
      .flatMap((each) => releaseOf(each).parties.map(({ identifier }) => identifier))
      .filter((identifier) => identifier?.scheme === 'GB-COH');
    expect(
      numbers.filter((identifier) => !/^([A-Z]{2}|\d{2})\d{5}[\dA-Z]$/.test(identifier?.id ?? '')).length,
    ).toBeGreaterThan(10);
  });

  it('has frameworks, call-offs, markets, deltas, consortia and a register of several buyers', () => {
    const of = (test: (release: Release) => boolean) => fts.filter((each) => test(releaseOf(each))).map(releaseOf);
    expect(
      of(({ tender }) => tender.techniques !== undefined && 'hasFrameworkAgreement' in tender.techniques).length,
    ).toBeGreaterThan(20);
    expect(
      of(({ tender }) => tender.techniques !== undefined && 'hasDynamicPurchasingSystem' in tender.techniques).length,
    ).toBeGreaterThan(4);
    const related = of(({ relatedProcesses }) => Array.isArray(relatedProcesses));
    const ocids = new Set(fts.map((each) => releaseOf(each).ocid));
    expect(
      related.filter(({ relatedProcesses }) => ocids.has(String((relatedProcesses as Json[])[0]?.identifier))).length,
    ).toBeGreaterThan(20);
    expect(related.some(({ relatedProcesses }) => (relatedProcesses as Json[])[0]?.identifier === undefined)).toBe(
      true,
    );
    expect(
      of(
        ({ awards = [] }) =>
          awards.length > 3 && awards.every((award) => Object.keys(award).join() === 'id,amendments'),
      ).length,
    ).toBeGreaterThan(3);
    expect(of(({ awards = [] }) => awards.some(({ suppliers = [] }) => suppliers.length > 1)).length).toBeGreaterThan(
      20,
    );
    const shared = of(({ ocid }) => ocid === 'ocds-h6vhtk-ef0001');
    expect(new Set(shared.map(({ buyer, parties }) => buyer?.name ?? parties[0]?.name)).size).toBeGreaterThan(1);
    const owners = new Map<string, Set<string>>();
    for (const { id, ocid } of fts.map(releaseOf)) owners.set(id, (owners.get(id) ?? new Set()).add(ocid));
    expect([...owners.values()].some((each) => each.size > 1)).toBe(true);
  });

  it('has suppliers that are mostly in the register, and edits of one Contracts Finder notice', () => {
    const held = new Set([...sample.bulk].map(({ CompanyNumber }) => CompanyNumber));
    const suppliers = fts.flatMap((each) => releaseOf(each).parties.filter(({ roles }) => roles.includes('supplier')));
    const known = suppliers.filter(({ identifier }) => identifier?.id !== undefined && held.has(identifier.id));
    expect(known.length / suppliers.length).toBeGreaterThan(0.5);
    const edits = new Map<string, number>();
    for (const { id } of cf.map(releaseOf)) edits.set(id.slice(0, 36), (edits.get(id.slice(0, 36)) ?? 0) + 1);
    expect(Math.max(...edits.values())).toBeGreaterThan(4);
  });

  it('says that it is invented', () => {
    expect(describeSample()).toMatch(/invented/);
    expect(sample.about).toBe(describeSample());
  });
});

describe('the generator for a million', () => {
  it('gives exactly as many as requested, without keeping them, and the same again', () => {
    const hash = () => {
      const digestOf = createHash('sha256');
      let count = 0;
      for (const each of generateReleases({ count: 1000 })) {
        digestOf.update(releaseBytes(each));
        count += 1;
      }
      return `${count} ${digestOf.digest('hex')}`;
    };
    const first = hash();
    expect(first).toMatch(/^1000 /);
    expect(hash()).toBe(first);
  });

  it('gives keys of its own to each release but the few twins', () => {
    const keys = new Set<string>();
    let count = 0;
    for (const { release } of generateReleases({ count: 5000 })) {
      keys.add(`${release.ocid} ${release.id}`);
      count += 1;
    }
    expect(keys.size).toBe(count);
  });
});
