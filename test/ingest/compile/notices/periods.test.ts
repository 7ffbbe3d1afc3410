import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, compileOne } from '../releases.ts';

const period = (startDate: string, endDate: string, maxExtentDate?: string) => ({ startDate, endDate, maxExtentDate });
const BUSES = period('2027-04-05T00:00:00+01:00', '2032-04-04T23:59:59+01:00');
const SCHOOLS = period('2027-09-01T00:00:00+01:00', '2032-07-31T23:59:59+01:00');
const WHOLE = { starts: '2027-04-05', ends: '2032-07-31' };

const ofLots = (...periods: object[]): JsonObject => ({
  tender: { lots: periods.map((contractPeriod, n) => ({ id: `${n + 1}`, contractPeriod })) },
});
const ofAwards = (...periods: object[]): JsonObject => ({
  awards: periods.map((contractPeriod, n) => ({ id: `${n + 1}`, status: 'active', contractPeriod })),
});
const ofContracts = (...periods: object[]): JsonObject => ({
  contracts: periods.map((one, n) => ({ id: `${n + 1}`, awardID: `${n + 1}`, status: 'active', period: one })),
});

/** The days of a notice that states this. */
function datesOf(stated: JsonObject) {
  return compileOne([actRelease('000100-2026', '2026-08-10T09:00:00Z', stated)]).notices[0]?.detail.dates;
}

it('a lot states its length where that is published, and how it may be extended', () => {
  const lots = (...stated: object[]) =>
    compileOne([actRelease('000100-2026', '2026-08-10T09:00:00Z', { tender: { lots: stated } })]).notices[0]?.detail
      .lots;
  const renewal = { description: ' Two further periods\r\nof 12 months ' };
  const [days, months, none] = [{ durationInDays: 1440 }, { startDate: '2027-04-01', durationInMonths: 24 }, {}];
  expect(
    lots(
      { id: '1', title: 'North', contractPeriod: days, hasRenewal: true, renewal },
      { id: '2', title: 'South', contractPeriod: months, hasRenewal: false, renewal },
      { id: '3', title: 'East', contractPeriod: { durationInDays: 0 }, renewal: none },
    ),
  ).toEqual([
    { lot_id: '1', title: 'North', duration_days: 1440, renewal: 'Two further periods\nof 12 months' },
    { lot_id: '2', title: 'South', starts: '2027-04-01', duration_months: 24 },
    { lot_id: '3', title: 'East' },
  ]);
});

describe('the period of a notice', () => {
  it.each([
    ['lots', ofLots],
    ['awards', ofAwards],
    ['contracts', ofContracts],
  ])('is from the first start to the last end of its %s, in whatever order', (_, of) => {
    for (const periods of [
      [BUSES, SCHOOLS],
      [SCHOOLS, BUSES],
    ])
      expect(datesOf(of(...periods))).toMatchObject(WHOLE);
    expect(datesOf(of({ startDate: '2027-04-05' }, { startDate: 'TBC', endDate: '2032-07-31' }))).toMatchObject(WHOLE);
  });

  it('is that of its contracts, whatever its awards and lots state', () => {
    const later = period('2026-01-01', '2040-12-31');
    expect(datesOf({ ...ofLots(later), ...ofAwards(later), ...ofContracts(BUSES, SCHOOLS) })).toMatchObject(WHOLE);
  });

  it('can be extended to the last day on which any lot may run', () => {
    const [short, long] = [
      period('2027-01-15', '2030-01-14', '2032-01-14'),
      period('2027-04-01', '2029-03-31', '2031-03-31'),
    ];
    expect(datesOf(ofLots(long, short))).toEqual({
      starts: '2027-01-15',
      ends: '2030-01-14',
      extends_to: '2032-01-14',
    });
    const fixed = period('2027-04-01', '2033-03-31');
    expect(datesOf(ofLots(short, fixed))).toMatchObject({ ends: '2033-03-31', extends_to: '2033-03-31' });
    expect(datesOf(ofLots(BUSES, SCHOOLS))).not.toHaveProperty('extends_to');
  });
});

describe('the archive of Contracts Finder (2014 and 2015)', () => {
  const term = { startDate: '2015-04-01T00:00:00Z', endDate: '2030-03-31T00:00:00Z' };
  const undated = ['Contract start', 'Contract end'].map((title, n) => ({ id: n + 1, title, dueDate: null }));
  const archived = (tender: JsonObject, id = 'x-1', date = '2014-12-17T16:45:04Z') => ({
    ...{ ocid: 'ocds-b5fd17-11111111-2222-3333-4444-555555555555', id, date, tag: ['tender'] },
    ...{ buyer: { name: 'Moor Park Authority' } },
    tender: { title: 'Path repair', status: 'active', tenderPeriod: term, ...tender },
  });
  const compile = (...releases: JsonObject[]) => compileOne(releases, 'contracts_finder');
  const alike = { isSuitableForSme: false, isSuitableForVco: false, ojeuContractType: 'Works' };

  it('writes the term of the contract as the period for bids: no deadline is known, so it is closed', () => {
    const { notices, status } = compile(archived({ milestones: undated, xClassifications: alike }));
    const [notice] = notices;
    expect(notice).toMatchObject({ deadline: null, deadlineAt: null });
    expect(notice?.detail.dates).toEqual({ starts: '2015-04-01', ends: '2030-03-31' });
    expect(status).toBe('closed');
  });

  it('says in all of its releases that they are works and suit nobody, which is not believed', () => {
    const [notice] = compile(archived({ milestones: undated, xClassifications: alike })).notices;
    for (const field of ['category', 'suitable_for_sme', 'suitable_for_vcse'])
      expect(notice?.detail, field).not.toHaveProperty(field, expect.anything());
  });

  it('does not add the start of that term to a period for bids in a later notice', () => {
    const later = { tenderPeriod: { endDate: '2015-09-30T12:00:00Z' } };
    const { notices } = compile(archived({ milestones: undated }), archived(later, 'x-2', '2015-08-03T09:00:00Z'));
    expect(notices.at(-1)).toMatchObject({ deadline: '2015-09-30' });
    expect(notices[0]?.detail.dates).toEqual({ starts: '2015-04-01', ends: '2030-03-31' });
  });

  it.each([
    ['no milestones', {}],
    ['milestones with days', { milestones: undated.map((one) => ({ ...one, dueDate: '2031-01-01' })) }],
    ['another milestone', { milestones: [{ id: '1', title: 'Site visit' }] }],
    ['no start of its period', { milestones: undated, tenderPeriod: { endDate: term.endDate } }],
    ['a term of its own', { milestones: undated, contractPeriod: { startDate: '2031-01-01' } }],
    ['a date from 2016 on', { milestones: undated }, '2016-01-01T00:00:00Z'],
  ])('is known by its milestones and both days; with %s, it is a period for bids', (_, tender, date?: string) => {
    expect(compile(archived(tender, 'x-1', date)).notices[0]).toMatchObject({ deadline: '2030-03-31' });
  });

  it('is known where a term without days is stated', () => {
    const [notice] = compile(archived({ milestones: undated, contractPeriod: { startDate: null } })).notices;
    expect(notice?.detail.dates).toEqual({ starts: '2015-04-01', ends: '2030-03-31' });
  });
});
