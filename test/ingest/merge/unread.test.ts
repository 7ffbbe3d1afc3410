import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import {
  actRelease,
  BRIGHT,
  COUNCIL,
  compileOne,
  contractWarnings,
  noticeDocument,
  reference,
} from '../compile/releases.ts';

const parties = [COUNCIL, BRIGHT];
const AWARD = {
  id: '1',
  status: 'active',
  date: '2026-02-27T00:00:00Z',
  value: { amount: 80_000, currency: 'EUR' },
  suppliers: [reference(BRIGHT)],
};
const CONTRACT = {
  id: '1',
  awardID: '1',
  status: 'active',
  dateSigned: '2026-03-10T00:00:00Z',
  value: { amount: 80_000, currency: 'EUR' },
  period: { startDate: '2026-04-01', endDate: '2028-03-31' },
};
const SIGNED = actRelease('000201-2026', '2026-03-15T09:00:00Z', {
  tag: ['award', 'contract'],
  parties,
  tender: { documents: [noticeDocument('000201-2026', 'UK7')] },
  awards: [AWARD],
  contracts: [CONTRACT],
});
const STATED = {
  value: 80_000,
  currency: 'EUR',
  awarded: '2026-02-27',
  signed: '2026-03-10',
  starts: '2026-04-01',
  ends: '2028-03-31',
};

const later = (type: string, more: JsonObject) => {
  const tender = { documents: [noticeDocument('000202-2026', type)] };
  return actRelease('000202-2026', '2026-05-15T09:00:00Z', { tag: ['awardUpdate'], parties, tender, ...more });
};
const withLater = (type: string, more: JsonObject) => compileOne([SIGNED, later(type, more)]);

describe('a later notice that cannot be read', () => {
  it.each<[string, JsonObject, string]>([
    ['an award date', { awards: [{ ...AWARD, date: 'TBC' }] }, 'the published award date is not a date: TBC'],
    ['a date of signing', { contracts: [{ ...CONTRACT, dateSigned: 'soon' }] }, 'date of signing is not a date: soon'],
    [
      'a start',
      { contracts: [{ ...CONTRACT, period: { startDate: 'TBC', endDate: '2028-03-31' } }] },
      'the published start is not a date: TBC',
    ],
    [
      'a start with a telephone number',
      { contracts: [{ ...CONTRACT, period: { startDate: '<b>Ring 020 7946 0018</b>', endDate: '2028-03-31' } }] },
      'the published start is not a date: Ring [telephone removed]',
    ],
    [
      'an end',
      { contracts: [{ ...CONTRACT, period: { endDate: '2280-03-31' } }] },
      'the published end is not a date: 2280-03-31',
    ],
    [
      'an amount',
      { awards: [{ ...AWARD, value: { amount: 'TBC', currency: 'EUR' } }] },
      'a value that is no number was published: TBC',
    ],
    ['a value in one word', { awards: [{ ...AWARD, value: 'TBC' }] }, 'a value that is no number was published: TBC'],
    [
      'a currency',
      { awards: [{ ...AWARD, value: { amount: 90_000, currency: 'TBC' } }] },
      'a value in no known currency was published: taken as not stated',
    ],
  ])('as to %s leaves what was stated, and it is said so', (_, more, warning) => {
    for (const type of ['UK7', 'UK10']) {
      const process = withLater(type, more);
      expect(process.contracts).toMatchObject([STATED]);
      expect(contractWarnings(process)).toEqual([expect.stringContaining(warning)]);
    }
  });

  it('does not hide what it states and what can be read', () => {
    const period = { startDate: 'TBC', endDate: '2029-03-31' };
    expect(withLater('UK10', { contracts: [{ ...CONTRACT, period }] }).contracts).toMatchObject([
      { ...STATED, ends: '2029-03-31' },
    ]);
  });

  it('changes an amount in the currency that was stated by a bare number', () => {
    expect(withLater('UK7', { awards: [{ ...AWARD, value: 90_000 }] }).contracts).toMatchObject([
      { ...STATED, value: 90_000 },
    ]);
  });
});

describe('a later value in another currency', () => {
  it('replaces every amount, as none was stated in that currency', () => {
    const inPounds = { awards: [{ ...AWARD, value: { amountGross: 96_000, currency: 'GBP' } }] };
    const { contracts } = compileOne([{ ...SIGNED, contracts: [] }, later('UK6', inPounds)]);
    expect(contracts).toMatchObject([{ value: 96_000, currency: 'GBP', valueBasis: 'gross' }]);
  });

  it('without an amount leaves what was stated', () => {
    const { contracts } = withLater('UK7', { awards: [{ ...AWARD, value: { currency: 'GBP' } }] });
    expect(contracts).toMatchObject([STATED]);
  });
});

describe('a later amount', () => {
  const value = { amount: 80_000, amountGross: 96_000, currency: 'EUR' };
  const corrected = (stated: JsonObject) => {
    const first = { ...SIGNED, awards: [{ ...AWARD, value }], contracts: [] };
    const [contract] = compileOne([first, later('UK6', { awards: [{ ...AWARD, value: stated }] })]).contracts;
    return contract && [contract.value, contract.currency, contract.valueBasis];
  };

  it('that corrects the one with tax leaves none without tax of the former sum', () => {
    expect(corrected({ amountGross: 240_000, currency: 'EUR' })).toEqual([240_000, 'EUR', 'gross']);
    expect(corrected({ amountGross: '240,000' })).toEqual([240_000, 'EUR', 'gross']);
  });

  it('that repeats the one with tax, or states 0, takes nothing away', () => {
    const nothing = [{ amount: 0 }, { amount: 0, amountGross: 0 }, { amount: -1 }, { amount: 0, currency: 'GBP' }];
    for (const stated of [{ amountGross: 96_000 }, ...nothing])
      expect(corrected({ currency: 'EUR', ...stated })).toEqual([80_000, 'EUR', 'net']);
  });

  it('of 0 is said to be none', () => {
    const zero = { awards: [{ ...AWARD, value: { amount: 0, currency: 'GBP' } }] };
    expect(contractWarnings(withLater('UK7', zero))).toContain('a value of 0 was published: taken as not stated');
    const length = { ...CONTRACT, period: { startDate: '2026-04-01', durationInDays: 0 } };
    expect(withLater('UK7', { contracts: [length] }).contracts).toMatchObject([STATED]);
  });
});

describe('an earlier notice that cannot be read', () => {
  it('gives way to a later one, and is not mentioned any more', () => {
    const planned = {
      awards: [{ ...AWARD, date: 'TBC', value: 'TBC' }],
      contracts: [{ ...CONTRACT, dateSigned: 'TBC', value: { amount: 'TBC' }, period: 'TBC' }],
    };
    const process = compileOne([{ ...later('UK6', planned), date: '2026-03-01T09:00:00Z' }, SIGNED]);
    expect(process.contracts).toMatchObject([STATED]);
    expect(contractWarnings(process)).toEqual([]);
  });
});
