import { describe, expect, it } from 'vitest';
import { compileOcid } from '../../../../ingest/compile/ocid.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import {
  actRelease,
  BRIGHT,
  COUNCIL,
  compileOne,
  contractWarnings,
  noticeDocument,
  reference,
  stored,
  winnerNames,
} from '../releases.ts';
import { awardOf, guid, many, notice, OCID, type Published } from './notices.ts';

const compile = (...notices: JsonObject[]) => compileOne(notices, 'contracts_finder');
const values = (...notices: JsonObject[]) =>
  compile(...notices).contracts.map(({ value, valueClass }) => [value, valueClass]);
describe('a notice that corrects an earlier one of its process', () => {
  it('replaces its value: the contract counts once, under the first number, with what was said last', () => {
    const process = compile(notice(1), notice(2, { amount: 19_200 }));
    expect(process.contracts).toMatchObject([
      { id: `${OCID}-a-1`, awardIds: [`${OCID}-1`, `${OCID}-2`], value: 19_200, valueClass: 'sum', noticeId: guid(2) },
    ]);
    expect(process.contracts[0]?.detail).toMatchObject({
      also_published_as: [`${OCID}-a-2`],
      notice_ids: [guid(1), guid(2)],
      history: [
        { notice_id: guid(1), value: 18_500, suppliers: ['Tidy Hedges Ltd'] },
        { notice_id: guid(2), value: 19_200, suppliers: ['Tidy Hedges Ltd'] },
      ],
      warnings: ['corrected by a later notice, which counts: before, the value was 18500 GBP'],
    });
  });

  it.each([10, 100, 1_000])('is flagged and added to nothing where one value is %d times the other', (times) => {
    for (const amounts of [
      [18_500 * times, 18_500],
      [18_500, 18_500 * times],
    ]) {
      const process = compile(...amounts.map((amount, index) => notice(index + 1, { amount })));
      expect(process.contracts).toMatchObject([{ value: amounts[1], valueClass: 'absurd' }]);
      expect(contractWarnings(process)).toEqual([
        `corrected by a later notice, which counts: before, the value was ${amounts[0]} GBP`,
        `values a power of ten apart were published (${amounts[0]} and ${amounts[1]} GBP): none is believed`,
      ]);
    }
  });

  it('is flagged for pounds without their pence too', () => {
    expect(values(notice(1, { amount: 1_234_567 }), notice(2, { amount: 12_345 }))).toEqual([[12_345, 'absurd']]);
  });

  it('may name one supplier more, or one less', () => {
    for (const [before, after] of [
      [12, 13],
      [13, 12],
      [1, 2],
    ]) {
      const process = compile(notice(1, { suppliers: many(before ?? 0) }), notice(2, { suppliers: many(after ?? 0) }));
      expect(winnerNames(process)).toEqual([many(after ?? 0)]);
      expect(process.contracts[0]?.valueClass).toBe('shared');
      const said = before === 1 ? 'there was one supplier' : `there were ${before} suppliers`;
      expect(contractWarnings(process)).toEqual([`corrected by a later notice, which counts: before, ${said}`]);
    }
    const [fewer] = compile(notice(1, { suppliers: many(13) }), notice(2, { suppliers: many(12) })).contracts;
    expect(fewer?.detail.former_suppliers).toEqual(['Supplier M Ltd']);
  });

  it('may spell the supplier in another way, say what was left out, or say that it corrects', () => {
    expect(values(notice(1, { suppliers: ['Tidy Hegdes Limited'] }), notice(2))).toHaveLength(1);
    expect(values(notice(1, { award: { value: { amount: 0, currency: 'GBP' } } }), notice(2))).toEqual([
      [18_500, 'sum'],
    ]);
    expect(values(notice(1), notice(2, { award: { value: null } }))).toEqual([[18_500, 'sum']]);
    expect(values(notice(1, { award: { contractPeriod: {} } }), notice(2))).toHaveLength(1);
    expect(values(notice(1), notice(2, { title: 'CORRECTION: Hedge cutting', amount: 19_000 }))).toEqual([
      [19_000, 'sum'],
    ]);
    const corrected = { description: 'The value was corrected.', amount: 19_000 };
    expect(values(notice(1, { description: 'Hedges' }), notice(2, corrected))).toEqual([[19_000, 'sum']]);
  });

  it('may move one end of the period where the value is the same, and add to the title that it is an award', () => {
    const longer = { award: { contractPeriod: { startDate: '2022-04-01', endDate: '2024-03-31' } } };
    expect(contractWarnings(compile(notice(1), notice(2, longer)))).toEqual([
      'corrected by a later notice, which counts: before, it ran from 2022-04-01 to 2023-03-31',
    ]);
    expect(values(notice(1), notice(2, { ...longer, amount: 21_000 }))).toHaveLength(2);
    for (const title of ['Hedge cutting - AWARD', 'Contract Award Notice: Hedge cutting', 'Hedge cutting (award)'])
      expect(values(notice(1), notice(2, { title }))).toEqual([[18_500, 'sum']]);
  });

  it('may move both ends of the period by a little, or the year of its date, where the value is the same', () => {
    const period = (startDate: string, endDate: string) => ({ award: { contractPeriod: { startDate, endDate } } });
    const moved = period('2022-05-01', '2023-04-30');
    expect(values(notice(1), notice(2, moved))).toEqual([[18_500, 'sum']]);
    expect(values(notice(1), notice(2, { ...moved, amount: 21_000 }))).toHaveLength(2);
    expect(values(notice(1), notice(2, period('2022-09-01', '2023-08-31')))).toHaveLength(2);
    const year = { award: { date: '2021-02-20T00:00:00Z' } };
    expect(values(notice(1, year), notice(2))).toEqual([[18_500, 'sum']]);
    expect(values(notice(1, year), notice(2, { amount: 21_000 }))).toHaveLength(2);
    expect(values(notice(1, { award: { ...year.award, contractPeriod: {} } }), notice(2))).toHaveLength(2);
  });

  it.each([
    ['Grounds Maintenence of parks', 'Grounds Maintenance of parks'],
    ['Lift Mainteannce', 'Lift Maintenance'],
    ['Winter Service', 'Winter Services'],
    ['Re-roofing of Dane Court', 'Reroofing of Dane Court'],
    ['Condition Survey2024', 'Condition Survey 2024'],
    ['Ground & Tree Works', 'Ground and Tree Works'],
  ])('may mend a slip of its title where the value is the same: %s', (before, after) => {
    expect(values(notice(1, { title: before }), notice(2, { title: after }))).toEqual([[18_500, 'sum']]);
    const all = stored([notice(1, { title: before }), notice(2, { title: after })], 'contracts_finder');
    expect(compileOcid(OCID, all.toReversed())).toEqual(compileOcid(OCID, all));
  });

  it.each([
    ['School Transport Route 214', 'School Transport Route 241'],
    ['Dredging 1 2', 'Dredging 12'],
    ['Refurbishment of Block A', 'Refurbishment of Block B'],
    ['Catering at Marsh School', 'Catering at March School'],
    ['Resurfacing of Miller Road', 'Resurfacing of Tiller Road'],
    ['Northern Highways', 'Southern Highways'],
    ['Dredging Campaign II', 'Dredging Campaign III'],
    ['Supply of 4 Vans', 'Supply of 5 Vans'],
    ['Placement ref 1023', 'Placement ref 1024'],
  ])('stays beside one of another title, also at one price: %s', (before, after) => {
    expect(values(notice(1, { title: before }), notice(2, { title: after }))).toHaveLength(2);
  });

  it('stays beside one of a misspelt title at another price', () => {
    const other = notice(2, { title: 'Grounds Maintenance', amount: 21_000 });
    expect(values(notice(1, { title: 'Grounds Maintenence' }), other)).toHaveLength(2);
  });

  it('may come twice', () => {
    const chain = [1_850_000, 185_000, 18_500].map((amount, index) => notice(index + 1, { amount }));
    expect(values(...chain)).toEqual([[18_500, 'absurd']]);
    expect(compile(...chain).contracts[0]?.awardIds).toHaveLength(3);
  });

  it('corrects each of several awards by itself', () => {
    const two = (n: number, amount: number) =>
      notice(n, { amount, more: [awardOf(n + 10, { amount: 7_000, suppliers: ['Mossbank Ltd'] })] });
    expect(values(two(1, 18_500), two(2, 19_200))).toEqual([
      [19_200, 'sum'],
      [7_000, 'sum'],
    ]);
  });

  it('is the same in whatever order the notices came, and whichever number came first', () => {
    const all = stored(
      [notice(1, { amount: 1_850_000 }), notice(2), notice(3, { suppliers: many(2) })],
      'contracts_finder',
    );
    expect(compileOcid(OCID, all.toReversed())).toEqual(compileOcid(OCID, all));
    const [contract] = compile(notice(2, { at: '2022-03-01T08:00:00Z' }), notice(1, { amount: 19_200 })).contracts;
    expect(contract).toMatchObject({ id: `${OCID}-a-1`, value: 19_200, noticeId: guid(1) });
  });

  it('leaves a framework the suppliers that it names', () => {
    const framework = (n: number, count: number) => ({
      ...notice(n, { suppliers: many(count), title: 'Framework for hedge cutting' }),
    });
    const process = compile(framework(1, 13), framework(2, 12));
    expect(process.framework?.lots.map(({ supplierParties }) => supplierParties.length)).toEqual([12]);
  });
});

describe('an award published again under its own number', () => {
  const act = (id: string, day: string, amount: number) =>
    actRelease(id, `2026-03-${day}T09:00:00Z`, {
      tag: ['award'],
      parties: [COUNCIL, BRIGHT],
      awards: [
        {
          id: '1',
          status: 'active',
          value: { amount, currency: 'GBP' },
          suppliers: [reference(BRIGHT)],
          documents: [noticeDocument(id, 'UK6')],
        },
      ],
    });
  const of = (...releases: JsonObject[]) =>
    compileOne(releases).contracts.map(({ value, valueClass }) => [value, valueClass]);

  it('is flagged as well where the values are a power of ten apart', () => {
    expect(of(act('000200-2026', '01', 5_000_000), act('000201-2026', '02', 50_000))).toEqual([[50_000, 'absurd']]);
    expect(of(act('000200-2026', '01', 50_000), act('000201-2026', '02', 52_000))).toEqual([[52_000, 'sum']]);
  });
});

describe('notices alike that are awards of their own', () => {
  it.each<[string, Published, Published]>([
    ['another title: lots, regions', { title: 'Hedge cutting, north' }, { title: 'Hedge cutting, south' }],
    ['another title, at the very same price', { title: 'Lot 1' }, { title: 'Lot 2', amount: 18_500 }],
    ['a title of the award', { award: { title: 'Lot 1' } }, { award: { title: 'Lot 2' } }],
    ['another lot', { award: { relatedLots: ['1'] } }, { award: { relatedLots: ['2'] } }],
    ['another year', {}, { award: { contractPeriod: { startDate: '2023-04-01', endDate: '2024-03-31' } } }],
    [
      'another beginning, the end left out',
      { award: { contractPeriod: { startDate: '2022-04-01' } } },
      { award: { contractPeriod: { startDate: '2023-04-01' } } },
    ],
    ['a number of the award', { title: 'Award 1' }, { title: 'Award 2' }],
    ['another date: call-offs', {}, { award: { date: '2022-02-21T00:00:00Z' } }],
    ['no date', { award: { date: null } }, { award: { date: null } }],
    ['another supplier', {}, { suppliers: ['Mossbank Ltd'] }],
    ['one supplier in common', { suppliers: many(3) }, { suppliers: [...many(1), 'Mossbank Ltd', 'Yew & Sons'] }],
    ['another description and another value', { description: 'Parks' }, { description: 'Roads', amount: 21_000 }],
    ['one supplier more and another value', {}, { suppliers: ['Tidy Hedges Ltd', 'Mossbank Ltd'], amount: 21_000 }],
    ['thirty-one days between them', {}, { at: '2022-04-02T10:00:00Z', amount: 21_000 }],
    ['another currency', {}, { award: { value: { amount: 18_500, currency: 'EUR' } } }],
  ])('%s', (_, one, other) => {
    expect(compile(notice(1, one), notice(2, other)).contracts).toHaveLength(2);
  });

  it('three values that are no slip of each other', () => {
    const three = [18_500, 21_000, 26_400].map((amount, index) => notice(index + 1, { amount }));
    expect(values(...three)).toEqual([
      [18_500, 'sum'],
      [21_000, 'sum'],
      [26_400, 'sum'],
    ]);
    for (const warning of contractWarnings(compile(...three))) expect(warning).toContain('one of several awards');
  });

  it('awards of one notice, also where another has one like them', () => {
    const two = notice(1, { more: [awardOf(11, { amount: 21_000 })] });
    expect(compile(two).contracts).toHaveLength(2);
    expect(compile(two, notice(2, { amount: 23_000 })).contracts).toHaveLength(3);
  });
});
