import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, compileOne } from '../releases.ts';

const detailOf = (more: JsonObject) =>
  compileOne([actRelease('012345-2026', '2026-03-01T10:00:00Z', more)]).notices[0]?.detail;
const feesOf = (participationFees: unknown) => detailOf({ tender: { participationFees } });
const ofAward = (proportion: unknown) => ({ relativeValue: { proportion, monetaryValue: 'award' } });

it('a notice says what bidders pay: a percentage, an amount, or what is said in words', () => {
  const published = [
    { id: '1', type: ['win'], ...ofAward(0.035), description: 'Each quarter, plus VAT.<br>Call 020 7946 0000.' },
    { type: ['document', 'submission'], value: { amount: '1,250.50', currency: 'eur' } },
    { type: 'win', description: 'None' },
    { value: { amountGross: 60 }, ...ofAward('2%') },
  ];
  expect(feesOf(published)?.participation_fees).toEqual([
    { types: ['win'], percent: 3.5, of: 'award', description: 'Each quarter, plus VAT.\nCall [telephone removed].' },
    { types: ['document', 'submission'], value: 1250.5, currency: 'EUR' },
    { types: ['win'], description: 'None' },
    { percent: 2, of: 'award', value: 60, currency: 'GBP' },
  ]);
  const lots = [{ id: '1', participationFees: [ofAward(0.0135)] }, { id: '2' }];
  expect(detailOf({ tender: { lots } })?.lots.map((lot) => lot.participation_fees)).toEqual([
    [{ percent: 1.35, of: 'award' }],
    undefined,
  ]);
  expect([feesOf('As in the documents.'), feesOf([ofAward(0)])]).toMatchObject([
    { participation_fees: [{ description: 'As in the documents.' }] },
    { participation_fees: [{ percent: 0 }] },
  ]);
});

it('a box that is ticked where access to the documents is restricted is no fee, nor is what cannot be read', () => {
  const none = [[{ id: '1', type: ['document'] }], [null, {}, true], {}, [{ type: ['win'], value: { amount: 0 } }]];
  for (const published of none) expect(feesOf(published)).not.toHaveProperty('participation_fees');
});

it.each([2, -0.02, '200%', 'TBC', 1])(
  'a fee of %s is no part of the whole: it is not served, and a warning says so',
  (part) => {
    const detail = feesOf([{ type: ['win'], ...ofAward(part), description: 'As in the documents.' }]);
    expect(detail?.participation_fees).toEqual([{ types: ['win'], description: 'As in the documents.' }]);
    expect(detail?.warnings).toEqual([`a fee that is no part of the whole was published: ${part}`]);
  },
);

it('a later notice keeps the fees that it leaves out, and replaces those that it states', () => {
  const inTurn = (...tenders: JsonObject[]) => {
    const releases = tenders.map((tender, n) =>
      actRelease(`01234${n}-2026`, `2026-03-0${n + 1}T10:00:00Z`, { tender }),
    );
    return compileOne(releases).notices.at(-1)?.detail.participation_fees;
  };
  const first = { participationFees: [{ id: '1', ...ofAward(0.02) }] };
  expect(inTurn(first, {})).toEqual([{ percent: 2, of: 'award' }]);
  expect(inTurn(first, { participationFees: [{ id: '1', description: 'None' }] })).toEqual([{ description: 'None' }]);
});

it('a framework has the fees of its latest notice that states any', () => {
  const techniques = { hasFrameworkAgreement: true };
  const fee = (id: string, proportion: number) => ({
    participationFees: [{ id, type: ['win'], ...ofAward(proportion) }],
  });
  const framework = (...tenders: JsonObject[]) =>
    compileOne(
      tenders.map((tender, n) =>
        actRelease(`01234${n}-2026`, `2026-03-0${n + 1}T10:00:00Z`, { tender: { techniques, ...tender } }),
      ),
    ).framework?.detail;
  expect(framework(fee('1', 0.02), fee('ocds-h6vhtk-0000f1', 0.03), {})).toMatchObject({
    participation_fees: [{ types: ['win'], percent: 3, of: 'award' }],
  });
  expect(framework({})).not.toHaveProperty('participation_fees');
});
