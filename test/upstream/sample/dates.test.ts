import { describe, expect, it } from 'vitest';
import { listBySource } from '../data.ts';
import { makeSample } from './make.ts';

/** Nothing in the sample may contradict itself: who reads it must not take a slip of ours for one of a public service. */
const sample = makeSample();
const asOf = sample.asOf.toISOString();

interface Period {
  startDate?: string;
  endDate?: string;
  maxExtentDate?: string;
}
interface Release {
  ocid: string;
  id: string;
  date: string;
  tag: string[];
  tender: {
    status: string;
    procurementMethodDetails?: string;
    tenderPeriod?: Period;
    enquiryPeriod?: Period;
    awardPeriod?: Period;
    contractPeriod?: Period;
    lots?: { contractPeriod?: Period }[];
    techniques?: { frameworkAgreement?: { period?: Period } };
  };
  awards?: {
    id: string;
    status?: string;
    date?: string;
    contractPeriod?: Period;
    standstillPeriod?: Period;
    milestones?: { type: string; dueDate: string }[];
    suppliers?: { id: string; name: string }[];
  }[];
  contracts?: {
    id: string;
    status?: string;
    dateSigned?: string;
    period?: Period;
    implementation?: { transactions?: { date: string }[] };
  }[];
  relatedProcesses?: { relationship: string[]; identifier?: string }[];
}
const releases = [...listBySource(sample).values()].flat().map(({ release, publishedAt }) => ({
  ...(release as unknown as Release),
  published: publishedAt.toISOString(),
}));
type Published = (typeof releases)[number];
const ms = (text: string | undefined) => (text === undefined ? Number.NaN : Date.parse(text));
const DAY_MS = 86_400_000;

/** Names the releases of which something is so. */
const those = (isOdd: (release: Published) => boolean) => releases.filter(isOdd).map(({ ocid, id }) => `${ocid} ${id}`);
const periodsOf = ({ tender, awards = [], contracts = [] }: Published): Period[] =>
  [
    tender.contractPeriod,
    tender.techniques?.frameworkAgreement?.period,
    ...(tender.lots ?? []).map(({ contractPeriod }) => contractPeriod),
    ...awards.map(({ contractPeriod }) => contractPeriod),
    ...contracts.map(({ period }) => period),
  ].flatMap((period) => period ?? []);

const byProcess = new Map<string, Published[]>();
for (const release of releases.toSorted((a, b) => ms(a.published) - ms(b.published)))
  byProcess.set(release.ocid, [...(byProcess.get(release.ocid) ?? []), release]);
/** The first release of a process; a defect empties the ocid of some, which are no process together. */
const firstOf = (release: Published) => (release.ocid.endsWith('-') ? release : byProcess.get(release.ocid)?.[0]);
/** Several buyers share the one ocid of their register, and a defect empties some. */
const ONE_PROCESS = [...byProcess.values()].filter(([first]) => !/ef0001$|-$/.test(first?.ocid ?? ''));

describe('dates of the sample', () => {
  it('end after they begin, with every option to extend last', () => {
    expect(those((release) => periodsOf(release).some((p) => ms(p.endDate) < ms(p.startDate)))).toEqual([]);
    expect(those((release) => periodsOf(release).some((p) => ms(p.maxExtentDate) < ms(p.endDate)))).toEqual([]);
  });

  it('of publication lie before its now', () => {
    expect(those(({ published }) => published > asOf)).toEqual([]);
  });

  it('leave time to bid, then to award, and end questions before bids', () => {
    const isOpen = ({ tag }: Published) => tag.some((one) => /^tender(?:Update|Amendment)?$/.test(one));
    expect(
      those((release) => {
        const { tenderPeriod, enquiryPeriod, awardPeriod, status } = release.tender;
        if (!isOpen(release) || status !== 'active') return false;
        const closes = ms(tenderPeriod?.endDate);
        return (
          closes <= ms(release.published) || ms(enquiryPeriod?.endDate) >= closes || ms(awardPeriod?.endDate) <= closes
        );
      }),
    ).toEqual([]);
  });

  it('award, stand still, sign and begin in this order', () => {
    const signed = new Map<string, number>();
    for (const { ocid, contracts = [] } of releases)
      for (const { dateSigned } of contracts) if (dateSigned) signed.set(ocid, ms(dateSigned));
    expect(
      those(({ ocid, awards = [], published, date: said }) =>
        awards.some(({ date, standstillPeriod, milestones = [], contractPeriod }) => {
          if (ocid.endsWith('ef0001')) return false;
          const signs = signed.get(ocid) ?? ms(milestones.find(({ type }) => type === 'futureSignatureDate')?.dueDate);
          return (
            ms(date) > Math.max(ms(published), ms(said)) ||
            ms(standstillPeriod?.endDate) < ms(published) ||
            ms(standstillPeriod?.endDate) > signs + DAY_MS ||
            signs < ms(date) ||
            ms(contractPeriod?.startDate) < signs - DAY_MS ||
            ms(contractPeriod?.startDate) < ms(date)
          );
        }),
      ),
    ).toEqual([]);
    expect(
      those(({ published, contracts = [] }) =>
        contracts.some(
          ({ dateSigned, period }) => ms(dateSigned) > ms(published) || ms(period?.startDate) < ms(dateSigned),
        ),
      ),
    ).toEqual([]);
  });

  it('of what happens to a contract lie in its life', () => {
    const odd = ONE_PROCESS.flatMap((process) => {
      const contract = process
        .flatMap(({ contracts = [] }) => contracts)
        .find(({ dateSigned }) => dateSigned !== undefined);
      const award = process
        .flatMap(({ awards = [] }) => awards)
        .find(({ contractPeriod }) => contractPeriod !== undefined);
      const period = contract?.period ?? award?.contractPeriod;
      if (!period) return [];
      return process.filter(({ tag, published, contracts = [] }) => {
        if (!tag.some((one) => /^(?:contractAmendment|contractTermination|implementation)$/.test(one))) return false;
        const paid = contracts.flatMap(({ implementation }) => implementation?.transactions ?? []);
        return (
          ms(published) > ms(period.maxExtentDate ?? period.endDate) ||
          ms(published) < ms(period.startDate) ||
          contracts.some((one) => ms(one.period?.endDate) < ms(one.period?.startDate)) ||
          paid.some(({ date }) => ms(date) < ms(contract?.dateSigned ?? period.startDate) || ms(date) > ms(published))
        );
      });
    });
    expect(odd.map(({ ocid, id, tag }) => `${ocid} ${id} ${tag}`)).toEqual([]);
  });

  it('of a call-off lie in the life of its framework', () => {
    const periods = new Map<string, Period>();
    for (const { ocid, tender, awards = [] } of releases) {
      const period = tender.techniques?.frameworkAgreement?.period ?? awards[0]?.contractPeriod;
      if (period && !periods.has(ocid)) periods.set(ocid, period);
    }
    const named = ({ relatedProcesses = [] }: Published) =>
      relatedProcesses.find(({ relationship }) => relationship.includes('framework'))?.identifier;
    expect(
      those((release) => {
        const period = periods.get(named(release) ?? '');
        const first = ms(firstOf(release)?.published);
        return period !== undefined && (first < ms(period.startDate) || first > ms(period.endDate));
      }),
    ).toEqual([]);
    const calledOff = releases.filter((release) => named(release) !== undefined);
    expect(calledOff.length).toBeGreaterThan(20);
    // What only says so in its text, and the other service, tell it by the reference.
    const references = new Map<string, string>();
    for (const { ocid, tender } of releases) {
      const { id } = tender as unknown as { id: string };
      if (periods.has(ocid)) references.set(id, ocid);
    }
    expect(
      those((release) => {
        const { description = '' } = release.tender as { description?: string };
        const told = /Call-off under .*\(([^)]+)\)\./.exec(description)?.[1];
        const period = periods.get(references.get(told ?? '') ?? '');
        return (
          period !== undefined &&
          (ms(firstOf(release)?.published) < ms(period.startDate) || ms(release.published) > ms(period.endDate))
        );
      }),
    ).toEqual([]);
  });
});
