import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, contractWarnings, noticeDocument, reference } from '../releases.ts';

const AWARD = { id: '1', status: 'active', date: '2026-02-27', suppliers: [reference(BRIGHT)] };
const parties = [COUNCIL, BRIGHT];
const PERIOD = { startDate: '2026-04-01', endDate: '2028-07-31' };

const releaseOf = (more: JsonObject, id = '000400-2026', date = '2026-03-01T09:00:00Z') =>
  actRelease(id, date, { tag: ['award'], parties, awards: [AWARD], ...more });
const compile = (more: JsonObject) => JSON.parse(JSON.stringify(compileOne([releaseOf(more)])));

/** The same period in each of its places. */
const PLACES: [string, (period: unknown) => JsonObject][] = [
  ['an award', (contractPeriod) => ({ awards: [{ ...AWARD, contractPeriod }] })],
  ['a contract', (period) => ({ contracts: [{ id: '1', awardID: '1', status: 'active', period }] })],
  ['a tender', (contractPeriod) => ({ tender: { contractPeriod } })],
  ['a lot', (contractPeriod) => ({ tender: { lots: [{ id: '1', contractPeriod }] } })],
  [
    'a framework',
    (period) => ({ tender: { techniques: { hasFrameworkAgreement: true, frameworkAgreement: { period } } } }),
  ],
];

describe.each(PLACES)('the period of %s', (_, within) => {
  it.each([
    '2026-04-01 to 2028-07-31',
    '2026-04-01/2028-07-31',
    '2026-04-01 - 2028-07-31',
    '01/04/2026 – 31/07/2028',
    '01.04.2026 to 31.07.2028',
    '1 April 2026 until 31 July 2028',
    'From 1 April 2026 to 31 July 2028',
  ])('is the same as a text: %s', (text) => {
    const [due, found] = [PERIOD, text].map((period) => compile(within(period)));
    for (const { contracts, notices, framework } of [due, found]) {
      const dates = [...contracts, ...notices.map(({ detail }: never) => (detail as JsonObject).dates), framework];
      expect(dates).toContainEqual(expect.objectContaining({ starts: '2026-04-01', ends: '2028-07-31' }));
    }
    expect(found.notices[0].detail.warnings).toEqual(due.notices[0].detail.warnings);
    expect(found.contracts[0].ends).toEqual(due.contracts[0].ends);
  });

  it.each([
    'TBC',
    '2026-04-01',
    'From 1 April 2026',
    '12 months from 1 April 2026',
    '24 + 12 months',
    'twelve months',
    '1.5 years',
    '12345 days',
    'Subject to contract',
    '24 months to 36 months',
    'P12345D',
    '12',
    `12 ${'- '.repeat(150_000)}x`,
    `1 to ${'1 to '.repeat(100_000)}`,
  ])('that cannot be read is none, and the notice says so: %s', (text) => {
    const { notices, contracts } = compile(within(text));
    const warning = `the published period is neither two days nor a length: ${text.replace(/\s+/g, ' ').trim().slice(0, 40)}`;
    expect([contracts[0].starts, contracts[0].ends]).toEqual([null, null]);
    expect(notices[0].detail.warnings).toEqual([warning]);
  });

  it.each([
    ['2026-04-01 to TBC', 'end', 'TBC'],
    ['02/27/2026 to 31/07/2028', 'start', '02/27/2026'],
    ['1 April 2026 to 31 February 2028', 'end', '31 February 2028'],
  ])('of which one day cannot be read has the other one: %s', (text, edge, word) => {
    expect(compile(within(text)).notices[0].detail.warnings).toContain(`the published ${edge} is not a date: ${word}`);
  });
});

describe('a length as a text', () => {
  it.each([
    ['12 months', { durationInMonths: 12 }],
    ['12 Months', { durationInMonths: 12 }],
    ['1 year', { durationInMonths: 12 }],
    ['2 years', { durationInMonths: 24 }],
    ['365 days', { durationInDays: 365 }],
    ['26 weeks', { durationInDays: 182 }],
    ['P2Y', { durationInMonths: 24 }],
    ['P18M', { durationInMonths: 18 }],
    ['P90D', { durationInDays: 90 }],
  ])('is that length: %s', (text, length) => {
    const lots = (contractPeriod: unknown) => ({
      tender: { techniques: { hasFrameworkAgreement: true }, lots: [{ id: '1', contractPeriod }] },
    });
    expect(compile(lots(text))).toEqual(compile(lots(length)));
    expect(compile(lots(text)).notices[0].detail.warnings).toEqual([]);
  });

  it('within a period counts from its start', () => {
    const of = (durationInDays: unknown) =>
      compile({ awards: [{ ...AWARD, contractPeriod: { startDate: '2026-04-01', durationInDays } }] }).contracts[0]
        .ends;
    expect([of(365), of('365')]).toEqual(['2027-03-31', '2027-03-31']);
  });
});

describe('a period for bids', () => {
  it('that is a bare date, or two, ends the time for bids', () => {
    const of = (tenderPeriod: unknown) =>
      compile({ tag: ['tender'], awards: [], tender: { status: 'active', tenderPeriod } }).notices[0].deadline;
    expect(of('30 June 2026')).toBe('2026-06-30');
    expect(of('2026-05-01 to 2026-06-30')).toBe('2026-06-30');
    expect(of('TBC')).toBeNull();
  });
});

describe('a later notice with a period as a text', () => {
  const document = (id: string, type: string) => ({ documents: [noticeDocument(id, type)] });
  const contract = (period: unknown) => ({ contracts: [{ id: '1', awardID: '1', status: 'active', period }] });
  const stating = (period: unknown) => releaseOf({ ...contract(period), tender: document('000400-2026', 'UK7') });
  const first = stating(PERIOD);
  const later = (period: unknown, type: string) =>
    releaseOf({ ...contract(period), tender: document('000401-2026', type) }, '000401-2026', '2026-05-01T09:00:00Z');

  it.each(['UK7', 'UK10'])(
    'changes what was stated (%s), and one that cannot be read leaves it, and says so',
    (type) => {
      const changed = compileOne([first, later('1 April 2026 to 31 July 2029', type)]);
      expect(changed.contracts).toMatchObject([{ starts: '2026-04-01', ends: '2029-07-31' }]);
      expect(contractWarnings(changed)).toEqual([]);
      const unread = compileOne([first, later('TBC', type)]);
      expect(unread.contracts).toMatchObject([{ starts: '2026-04-01', ends: '2028-07-31' }]);
      expect(contractWarnings(unread)).toEqual(['the published period is neither two days nor a length: TBC']);
    },
  );

  it('leaves a text that can be read, where it cannot be read itself', () => {
    const words = stating('1 April 2026 to 31 July 2028');
    for (const unread of ['TBC', '24 months with an option to extend'])
      expect(compileOne([words, later(unread, 'UK7')]).contracts).toMatchObject([
        { starts: '2026-04-01', ends: '2028-07-31' },
      ]);
    const bids = (tenderPeriod: unknown, id: string, day: string) =>
      releaseOf({ tag: ['tender'], awards: [], tender: { tenderPeriod } }, id, `${day}T09:00:00Z`);
    const { notices } = compileOne([
      bids('30 June 2026', '000400-2026', '2026-03-01'),
      bids('TBC', '000401-2026', '2026-05-01'),
    ]);
    expect(notices.map(({ deadline }) => deadline)).toEqual(['2026-06-30', '2026-06-30']);
  });

  it('has the one length that was stated last, though the first was a text', () => {
    const due = { startDate: '2026-04-01', durationInDays: 700 };
    for (const before of ['12 months', { durationInMonths: 12 }])
      expect(compileOne([stating(before), later(due, 'UK7')]).contracts).toMatchObject([{ ends: '2028-02-29' }]);
  });
});
