import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference } from '../releases.ts';

const TITLE = 'Process chemicals';
const lotsOf = (lots: JsonObject[], awards: JsonObject[] = []) =>
  compileOne([
    actRelease('000100-2026', '2026-01-05T09:00:00Z', {
      parties: [COUNCIL, BRIGHT, OAKES],
      tender: { title: TITLE, techniques: { hasFrameworkAgreement: true }, lots },
      awards,
    }),
  ]).framework?.lots;

it('a lot published by its length keeps it, in days or months', () => {
  const lots = lotsOf([
    { id: '1', title: 'Pipes', contractPeriod: { durationInDays: 720 } },
    { id: '2', title: 'Taps', contractPeriod: { durationInMonths: 48 } },
  ]);
  expect(lots?.map(({ durationDays, durationMonths, starts }) => [durationDays, durationMonths, starts])).toEqual([
    [720, null, null],
    [null, 48, null],
  ]);
});

it('a lot keeps no length of before where a later notice states when it ends', () => {
  const notice = (id: string, date: string, contractPeriod: JsonObject) =>
    actRelease(id, date, {
      tender: { techniques: { hasFrameworkAgreement: true }, lots: [{ id: '1', title: 'Pipes', contractPeriod }] },
    });
  const { framework } = compileOne([
    notice('000100-2026', '2026-01-05T09:00:00Z', { durationInDays: 1_440 }),
    notice('000200-2026', '2026-06-05T09:00:00Z', { startDate: '2026-07-01', endDate: '2028-06-30' }),
  ]);
  expect(framework?.lots).toMatchObject([{ starts: '2026-07-01', ends: '2028-06-30', durationDays: null }]);
});

it('says how many suppliers it takes, unless the number stands for no limit', () => {
  const mostOf = (maximumParticipants: unknown) =>
    compileOne([
      actRelease('000100-2026', '2026-01-05T09:00:00Z', {
        tender: {
          title: TITLE,
          techniques: { hasFrameworkAgreement: true, frameworkAgreement: { maximumParticipants } },
        },
      }),
    ]).framework?.detail.max_suppliers;
  expect([1, 150, '12', 1e6].map(mostOf)).toEqual([1, 150, 12, 1e6]);
  expect([7.9228162514264338e28, 2147483647, 0, -3, 0.5].map(mostOf)).toEqual(Array(5).fill(undefined));
});

it('says of an open framework that it is one of several in turn', () => {
  const isOpen = (frameworkAgreement: JsonObject, kind: JsonObject = { hasFrameworkAgreement: true }) =>
    compileOne([
      actRelease('000100-2026', '2026-01-05T09:00:00Z', {
        tender: { title: TITLE, techniques: { ...kind, frameworkAgreement } },
      }),
    ]).framework?.detail.open_framework;
  const openFrameworkSchemeEndDate = '2034-01-31T23:59:59Z';
  const shapes = [{ isOpenFrameworkScheme: true }, { isOpenFrameworkScheme: 'Yes' }, { openFrameworkSchemeEndDate }];
  expect(shapes.map((one) => isOpen(one))).toEqual([true, true, true]);
  const isOpenFrameworkScheme = false;
  const closed = [
    {},
    { type: 'open' },
    { isOpenFrameworkScheme },
    { isOpenFrameworkScheme, openFrameworkSchemeEndDate },
    { openFrameworkSchemeEndDate: 'N/A' },
  ];
  expect(closed.map((one) => isOpen(one))).toEqual(Array(5).fill(undefined));
  expect(isOpen({ isOpenFrameworkScheme: true }, { hasDynamicPurchasingSystem: true })).toBeUndefined();
});

it('lots that all have the title of the whole are distinguished by their ids', () => {
  const lots = ['1 - Caustic Soda', '2: Phosphoric Acid'].map((id) => ({ id, title: TITLE }));
  expect(lotsOf(lots)?.map(({ title }) => title)).toEqual(['Lot 1 - Caustic Soda', 'Lot 2: Phosphoric Acid']);
  expect(lotsOf([{ id: '1', title: TITLE }])?.map(({ title }) => title)).toEqual([TITLE]);
  expect(lotsOf([{ id: '1' }])?.map(({ title }) => title)).toEqual([TITLE]);
});

it('suppliers stand in the lots of their standing awards, and beside them where no lot is said', () => {
  const award = (id: string, supplier: JsonObject, more: JsonObject) => ({
    id,
    status: 'active',
    suppliers: [reference(supplier)],
    ...more,
  });
  const lots = lotsOf(
    [
      { id: '1', title: 'Pipes', value: { amount: 0, amountGross: 120, currency: 'GBP' } },
      { id: '2', title: 'Taps' },
    ],
    [
      award('1', BRIGHT, { relatedLots: ['1', '2'] }),
      award('2', OAKES, { relatedLots: ['2'], status: 'unsuccessful' }),
      award('3', OAKES, {}),
    ],
  );
  expect(lots?.map(({ title, value, supplierParties }) => [title, value, supplierParties])).toEqual([
    ['Pipes', 120, ['GB-COH-01234567']],
    ['Taps', null, ['GB-COH-01234567']],
    ['Lot not stated', null, ['GB-COH-07654321']],
  ]);
});

const FOUR_YEARS = { startDate: '2026-04-01', durationInMonths: 48 };
const FIVE_YEARS = { startDate: '2026-04-01', endDate: '2031-03-31' };
it.each<[string, JsonObject]>([
  ['its own', { tender: { techniques: { frameworkAgreement: { period: FOUR_YEARS } } } }],
  ['that of its lots', { tender: { lots: [{ id: '1', contractPeriod: FOUR_YEARS }] } }],
  ['that of its award', { awards: [{ id: '1', status: 'active', contractPeriod: FOUR_YEARS }] }],
  [
    'that of the award that stands',
    {
      awards: [
        { id: '1', status: 'cancelled', contractPeriod: FIVE_YEARS },
        { id: '2', status: 'active', contractPeriod: FOUR_YEARS },
      ],
    },
  ],
])('has the term that a start and a length state: %s', (_, { tender, ...more }) => {
  const title = 'Framework agreement for process chemicals';
  const stating = { ...more, tender: { title, ...(tender as JsonObject | undefined) } };
  const { framework } = compileOne([actRelease('000100-2026', '2026-01-05T09:00:00Z', stating)]);
  expect(framework).toMatchObject({ starts: '2026-04-01', ends: '2030-03-31' });
});

const PERIOD = { startDate: '2026-01-01', endDate: '2029-12-31' };
const notice = (number: number, type: string, contracts: JsonObject[], more: JsonObject = {}) =>
  actRelease(`00010${number}-2026`, `2026-0${number}-05T09:00:00Z`, {
    tag: ['contract'],
    parties: [COUNCIL, BRIGHT, OAKES],
    tender: {
      techniques: { hasFrameworkAgreement: true, frameworkAgreement: { period: PERIOD } },
      documents: [noticeDocument(`00010${number}-2026`, type)],
    },
    contracts,
    ...more,
  });
const awards = [BRIGHT, OAKES].map((one, at) => ({ id: `${at + 1}`, status: 'active', suppliers: [reference(one)] }));
const ids = (...all: string[]) => all.map((id) => ({ id, awardID: id }));
const SIGNED = notice(
  1,
  'UK7',
  ids('1', '2').map((one) => ({ ...one, status: 'active', period: PERIOD })),
  { awards },
);

it('ends when its contracts do, once a change extends one or a termination ends the last', () => {
  const endOf = (...later: JsonObject[]) => compileOne([SIGNED, ...later]).framework?.ends;
  expect(endOf()).toBe('2029-12-31');
  const extended = notice(2, 'UK10', [{ id: '1', awardID: '1', period: { endDate: '2031-12-31' } }]);
  expect(endOf(extended)).toBe('2031-12-31');
  expect(endOf(notice(2, 'UK10', [{ id: '1', awardID: '1', period: { endDate: '2028-12-31' } }]))).toBe('2029-12-31');
  expect(endOf(notice(3, 'UK11', ids('1')))).toBe('2029-12-31');
  const over = [notice(3, 'UK11', ids('1')), notice(4, 'UK11', ids('2'))];
  expect(endOf(extended, ...over)).toBe('2026-04-05');
  const extends_to = '2033-12-31';
  const scheme = (release: JsonObject) => {
    const tender = release.tender as JsonObject;
    const frameworkAgreement = { period: PERIOD, openFrameworkSchemeEndDate: extends_to };
    return { ...release, tender: { ...tender, techniques: { hasFrameworkAgreement: true, frameworkAgreement } } };
  };
  expect(compileOne([SIGNED].map(scheme)).framework?.detail).toMatchObject({ extends_to });
  expect(compileOne([SIGNED, ...over].map(scheme)).framework?.detail.extends_to).toBeUndefined();
});

it('loses the suppliers of a contract that was terminated, and keeps those that it had once it is over', () => {
  const first = notice(3, 'UK11', ids('1'));
  const second = notice(4, 'UK11', ids('2'));
  const suppliersOf = (...later: JsonObject[]) =>
    compileOne([SIGNED, ...later]).framework?.lots.map(({ supplierParties }) => supplierParties);
  const both = [['GB-COH-01234567', 'GB-COH-07654321']];
  expect(suppliersOf()).toEqual(both);
  expect(suppliersOf(first)).toEqual([['GB-COH-07654321']]);
  expect(suppliersOf(first, second)).toEqual(both);
});

it('ends when its dynamic market ceases, whatever status its tender has then; its members were admitted', () => {
  const established = {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
    tender: {
      status: 'active',
      techniques: { hasDynamicPurchasingSystem: true, frameworkAgreement: { period: { endDate: '2032-03-31' } } },
      documents: [noticeDocument('000100-2026', 'UK14')],
    },
  };
  const ceased = (tender: JsonObject) =>
    compileOne([
      actRelease('000100-2026', '2026-03-05T09:00:00Z', established),
      actRelease('000900-2026', '2026-09-05T09:00:00Z', {
        tender: { ...tender, documents: [noticeDocument('000900-2026', 'UK16', 'tenderCancellationNotice')] },
      }),
    ]);
  for (const status of ['complete', 'withdrawn', 'cancelled', undefined]) {
    const { framework, ...process } = ceased({ status, finalStatusDate: '2026-08-31T00:00:00+01:00' });
    expect([process.status, framework?.ends]).toEqual(['complete', '2026-08-31']);
    expect(framework?.lots.map(({ supplierParties }) => supplierParties)).toEqual([['GB-COH-01234567']]);
  }
  expect(ceased({}).framework?.ends).toBe('2026-09-05');
});

it('says that it was never set up where its procurement was given up for good', () => {
  const techniques = { hasFrameworkAgreement: true };
  const publish = (n: number, type: string, tender: JsonObject) =>
    actRelease(`00010${n}-2026`, `2026-0${n}-05T09:00:00Z`, {
      tag: [type === 'UK12' ? 'tenderCancellation' : 'tender'],
      tender: { techniques, ...tender, documents: [noticeDocument(`00010${n}-2026`, type)] },
    });
  const invited = publish(1, 'UK4', { status: 'active', tenderPeriod: { endDate: '2026-02-01T12:00:00Z' } });
  const warned = (...more: JsonObject[]) => compileOne([invited, ...more]).framework?.detail.warnings;
  expect(warned()).toEqual([]);
  for (const status of ['cancelled', 'withdrawn'])
    expect(warned(publish(2, 'UK12', { status }))).toEqual([`it was not set up: its procurement is ${status}`]);
  expect(warned(publish(2, 'UK4', { status: 'unsuccessful' }))).toEqual([]);
  const again = publish(3, 'UK4', { status: 'active', tenderPeriod: { endDate: '2026-12-01T12:00:00Z' } });
  expect(warned(publish(2, 'UK12', { status: 'cancelled' }), again)).toEqual([]);
});

it('is set up where a lot alone says so, not where the lots say that they set up none', () => {
  const techniques = { hasFrameworkAgreement: true, frameworkAgreement: { period: { endDate: '2030-03-31' } } };
  const of = (lot: JsonObject, whole?: JsonObject, other?: JsonObject) => {
    const lots = [
      { id: '1', techniques: other },
      { id: '2', techniques: lot },
    ];
    const tender = { title: TITLE, techniques: whole, lots };
    return compileOne([actRelease('000100-2026', '2026-01-05T09:00:00Z', { tender })]).framework;
  };
  for (const whole of [undefined, {}, { hasFrameworkAgreement: false }])
    expect(of(techniques, whole)).toMatchObject({ kind: 'framework', ends: '2030-03-31' });
  expect(of({ hasDynamicPurchasingSystem: 'true' })).toMatchObject({ kind: 'dynamic_market' });
  expect(of({ hasFrameworkAgreement: false, hasElectronicAuction: true })).toBeNull();
  expect(of(techniques, undefined, { hasFrameworkAgreement: false })).toBeNull();
});
