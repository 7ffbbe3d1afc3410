import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, OAKES, reference, winnerNames } from './releases.ts';

const AWARD = {
  id: '1',
  status: 'active',
  title: 'Cleaning of schools',
  value: { amount: 80_000, currency: 'GBP' },
  suppliers: [reference(BRIGHT)],
  relatedLots: ['1'],
  contractPeriod: { startDate: '2026-04-01', endDate: '2028-07-31' },
};
const SIGNED = { id: 'c', awardID: '1', dateSigned: '2026-03-01', period: { endDate: '2028-07-31' } };
const FULL = {
  tag: ['award', 'contract'],
  parties: [COUNCIL, BRIGHT, OAKES],
  tender: {
    title: 'Cleaning',
    status: 'complete',
    procurementMethodDetails: 'Open procedure',
    classification: { scheme: 'CPV', id: '90911300', description: "Windows' cleaning" },
    lots: [{ id: '1', title: 'North' }],
    items: [{ id: '1', relatedLot: '1', deliveryAddresses: [{ region: 'UKE42' }] }],
  },
  awards: [AWARD],
  contracts: [SIGNED],
};
const compile = (more: JsonObject) =>
  JSON.parse(JSON.stringify(compileOne([actRelease('000400-2026', '2026-03-01T09:00:00Z', { ...FULL, ...more })])));
const DUE = compile({});
const contractOf = (award: JsonObject) => compile({ awards: [{ ...AWARD, ...award }] }).contracts[0];

it.each(['award,contract', 'award, contract', 'award;contract'])('tags in one text: %j', (tag) => {
  expect(compile({ tag }).notices[0]).toMatchObject({ noticeType: DUE.notices[0].noticeType, stage: 'award' });
});

it.each([
  'buyer,centralPurchasingBody',
  'CentralPurchasingBody; Buyer',
  'buyer, reviewBody',
  'PROCURING_ENTITY',
  'reviewBody, central purchasing body',
])('roles in one text, where nothing else names the buyer: %j', (roles) => {
  const { buyerParty } = compile({ buyer: null, parties: [{ ...COUNCIL, roles }, BRIGHT] });
  expect(buyerParty).toEqual(DUE.buyerParty);
  expect(buyerParty).toBeTruthy();
});

it('suppliers whose roles are in one text are found by them', () => {
  const { suppliers: _, ...award } = AWARD;
  const parties = [COUNCIL, { ...BRIGHT, roles: 'supplier, tenderer' }];
  expect(winnerNames(compile({ parties, awards: [award] }))).toEqual([[BRIGHT.name]]);
});

describe('what is written in place of nothing', () => {
  it.each(['null', 'undefined'])('%s is nothing', (text) => {
    const tender = { ...FULL.tender, procurementMethodDetails: text };
    expect(compile({ tender })).toEqual(compile({ tender: { ...tender, procurementMethodDetails: '' } }));
    expect(contractOf({ title: text, value: text })).toEqual(contractOf({ title: '', value: '' }));
  });

  it.each(['Null', 'null and void', 'Undefined Ltd', 'nullable'])('%s is a text', (title) => {
    expect(contractOf({ title }).title).toBe(title);
  });

  it('a member without content is none', () => {
    const lots = [{}, ...FULL.tender.lots, { id: null, title: ' ' }];
    const awards = [{}, AWARD, { suppliers: [], value: {} }];
    expect(compile({ awards, tender: { ...FULL.tender, lots } })).toEqual(DUE);
    expect(compile({ tag: ['tender'], awards: [{}], contracts: [{}] }).contracts).toEqual([]);
    expect(compile({ awards: [AWARD, { title: 'Another' }] }).contracts).toHaveLength(2);
  });
});

it('a period of an award or a contract under the name that the other has', () => {
  const { contractPeriod: period, ...award } = AWARD;
  expect(compile({ awards: [{ ...award, period }] })).toEqual(DUE);
  const { period: contractPeriod, ...contract } = SIGNED;
  expect(compile({ contracts: [{ ...contract, contractPeriod }] })).toEqual(DUE);
  for (const blank of [null, '', {}, { startDate: null, endDate: '' }]) {
    expect(contractOf({ contractPeriod: blank, period })).toEqual(DUE.contracts[0]);
    expect(compile({ contracts: [{ ...contract, period: blank, contractPeriod }] }).contracts).toEqual(DUE.contracts);
  }
  const both = { ...AWARD, period: { endDate: '2099-01-01' } };
  expect(compile({ awards: [both] })).toEqual(DUE);
});

it('a supplier that only its id names', () => {
  const winners = (suppliers: unknown) => winnerNames(compile({ awards: [{ ...AWARD, suppliers }] }));
  for (const suppliers of [[BRIGHT.id], BRIGHT.id]) expect(winners(suppliers)).toEqual([[BRIGHT.name]]);
  for (const name of [
    'GB-Wide Cleaning 24',
    'GB-FIX Cleaning',
    'GB-TECH-2000',
    'GB-COH-Cleaners',
    'GB-NHS-Services',
    'gb-coh-01234567',
  ])
    expect(winners([name])).toEqual([[name]]);
});

it.each(['£', 'gbp', 'Pounds Sterling', 'Pound', 'Sterling', 'British Pound', 'UKP', 'GBP (£)', '&pound;', ' GBP '])(
  'a value in the currency %s is in pounds',
  (currency) => {
    expect(contractOf({ value: { amount: 80_000, currency } })).toMatchObject({ value: 80_000, currency: 'GBP' });
  },
);

it.each([
  ['€', 'EUR'],
  ['Euros', 'EUR'],
  ['eur', 'EUR'],
  ['Egyptian pounds', null],
  ['Pounds (EGP)', null],
  ['pence', null],
  ['GBX', null],
  ['$', null],
])('a value in the currency %s is in %s', (written, currency) => {
  const value = currency && 80_000;
  expect(contractOf({ value: { amount: 80_000, currency: written } })).toMatchObject({ value, currency });
});

it('codes of the Common Procurement Vocabulary under its whole name, with their words', () => {
  const noticeOf = (classification: JsonObject) => compile({ tender: { ...FULL.tender, classification } }).notices[0];
  const one = { id: '90911300', description: 'Windows&#39;  cleaning' };
  expect(noticeOf({ ...one, scheme: 'Common Procurement Vocabulary' })).toEqual(DUE.notices[0]);
  expect(noticeOf({ ...one, scheme: 'Vocabulary of the council' }).cpvs).toEqual([]);
});

it('a flag of one letter', () => {
  const of = (flag: unknown) =>
    compile({ awards: [{ ...AWARD, aboveThreshold: flag }] }).notices[0].detail.above_threshold;
  expect(['Y', 'n', 'y', 'N', 'x', 'yn'].map(of)).toEqual([true, false, true, false, undefined, undefined]);
});

it('the kind of a framework and the way to bid in capitals', () => {
  const of = (type: string, method: string, submissionMethod: string) => {
    const techniques = { hasFrameworkAgreement: true, frameworkAgreement: { type, method } };
    return compile({ tender: { ...FULL.tender, techniques, submissionMethod: [submissionMethod] } });
  };
  const due = of('closed', 'direct', 'electronicSubmission');
  expect(due.framework.detail.who_may_use).toBe('only the buyers named');
  expect(of('Closed', 'DIRECT', 'ElectronicSubmission')).toEqual(due);
  expect(of('Closed to others', 'direct', 'electronicSubmission').framework.detail).toMatchObject({
    type: 'Closed to others',
  });
});

describe('the lots of an award', () => {
  const lots = [
    { id: '1', title: 'North', value: { amount: 30_000, currency: 'GBP' } },
    { id: '2', title: 'South', value: { amount: 20_000, currency: 'GBP' } },
  ];
  const tender = { ...FULL.tender, lots };
  const { relatedLots: _, value: __, ...unpriced } = AWARD;
  const won = (award: JsonObject) => compile({ tender, awards: [{ ...unpriced, ...award }] }).contracts[0];

  it.each([
    ['each once, though named twice', { relatedLots: ['2', '2'] }],
    ['each once, though named in both spellings', { relatedLots: ['2'], relatedLot: '2' }],
    ['those of its items where it names none', { items: [{ id: '1', relatedLot: '2' }] }],
  ])('are %s', (_name, award) => {
    expect(won(award)).toMatchObject({ lotIds: ['2'], value: 20_000, valueClass: 'estimate' });
  });

  it('are its own, whatever its items name', () => {
    expect(won({ relatedLots: ['2'], items: [{ id: '1', relatedLot: '1' }] }).lotIds).toEqual(['2']);
  });

  it('have the estimate of the whole tender only together', () => {
    const whole = { ...tender, value: { amount: 90_000, currency: 'GBP' }, lots: lots.map(({ value, ...lot }) => lot) };
    const estimateOf = (relatedLots: string[], more: JsonObject = {}) => {
      const [contract] = compile({ tender: { ...whole, ...more }, awards: [{ ...unpriced, relatedLots }] }).contracts;
      return contract.value;
    };
    expect(estimateOf(['1', '2'])).toBe(90_000);
    expect(estimateOf([])).toBe(90_000);
    expect(estimateOf(['9'], { lots: whole.lots.slice(0, 1) })).toBe(90_000);
    expect(estimateOf(['2'])).toBeNull();
  });
});
