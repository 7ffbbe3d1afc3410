import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, reference } from '../releases.ts';

const ID = '012345-2026';
const detailOf = (more: JsonObject) => compileOne([actRelease(ID, '2026-03-01T10:00:00Z', more)]).notices[0]?.detail;
const lotJudgedBy = (awardCriteria: unknown) => detailOf({ tender: { lots: [{ id: '1', awardCriteria }] } })?.lots[0];
const exactly = (number: unknown, weight = 'percentageExact') => ({ numbers: [{ number, weight }] });

it('a lot says by what criteria its bids are compared, with the weights that are published', () => {
  const criteria = [
    { type: 'quality', name: 'Method &amp; team', description: 'How the work is done.', ...exactly(55) },
    { type: 'price', name: 'Price', ...exactly('45.5') },
  ];
  expect(lotJudgedBy({ criteria })?.award_criteria).toEqual([
    {
      ...{ type: 'quality', name: 'Method & team', description: 'How the work is done.' },
      ...{ weight: 55, weight_type: 'percentageExact' },
    },
    { type: 'price', name: 'Price', weight: 45.5, weight_type: 'percentageExact' },
  ]);
});

it.each([
  [
    'points',
    { name: 'Design', ...exactly(30, 'pointsExact') },
    { name: 'Design', weight: 30, weight_type: 'pointsExact' },
  ],
  [
    'a share',
    { name: 'Price', ...exactly(0.4, 'decimalExact') },
    { name: 'Price', weight: 0.4, weight_type: 'decimalExact' },
  ],
  ['a place in their order', { name: 'Finances', ...exactly(2, 'order') }, { name: 'Finances', order: 2 }],
  [
    'a score that is needed',
    { name: 'Design', numbers: [{ number: 60, threshold: 'minimumScore' }] },
    { name: 'Design' },
  ],
  ['no number', { name: 'Price', ...exactly('TBC') }, { name: 'Price' }],
  [
    "an older form's weighting",
    { type: 'quality', name: 'Technical', description: '40' },
    { type: 'quality', name: 'Technical', weight: 40 },
  ],
  [
    'that of its price, which has no name',
    { type: 'price', description: '60 %' },
    { type: 'price', weight: 60, weight_type: 'percentageExact' },
  ],
  ['a range', { type: 'price', description: '85 - 60' }, { type: 'price', description: '85 - 60' }],
  [
    'pass or fail',
    { type: 'quality', name: 'Licence', description: 'Pass/Fail' },
    { type: 'quality', name: 'Licence', description: 'Pass/Fail' },
  ],
  [
    'the words after a weight',
    { name: 'Price', description: '100% as in the documents' },
    { name: 'Price', description: '100% as in the documents' },
  ],
  ['nothing but the price', { type: 'price' }, { type: 'price' }],
])('a criterion may have %s: its unit is never guessed', (_, published, served) => {
  expect(lotJudgedBy({ criteria: [published] })?.award_criteria).toEqual([served]);
});

it('what is said of the criteria in words is one text, without what selects those who may bid', () => {
  expect(lotJudgedBy({ description: 'Quality 70%:<br>Price 30%' })).toEqual({
    ...{ lot_id: '1', title: 'Window cleaning of civic buildings' },
    award_criteria_text: 'Quality 70%:\nPrice 30%',
  });
  const weighted = { weightingDescription: 'As in the documents', description: 'The best value.' };
  expect(lotJudgedBy(weighted)?.award_criteria_text).toBe('The best value.\n\nAs in the documents');
  const selectionCriteria = { criteria: [{ type: 'economic', description: 'A turnover of 2m.', minimum: '50' }] };
  const chosen = detailOf({ tender: { selectionCriteria, lots: [{ id: '1', selectionCriteria }] } });
  expect(chosen?.lots).toEqual([{ lot_id: '1', title: 'Window cleaning of civic buildings' }]);
  expect(chosen).not.toHaveProperty('award_criteria');
});

it('a notice says how several lots are awarded, and what is said of the whole', () => {
  const lotDetails = {
    awardCriteria: { description: 'The cheapest of all lots.' },
    awardCriteriaDetails: 'Lots 1 and 2',
  };
  expect(detailOf({ tender: { lotDetails } })?.award_criteria_text).toBe('The cheapest of all lots.\n\nLots 1 and 2');
  expect(
    detailOf({ tender: { awardCriteria: 'priceOnly', awardCriteriaDetails: 'Price.' } })?.award_criteria_text,
  ).toBe('priceOnly\n\nPrice.');
  expect(detailOf({ tender: { awardCriteria: { criteria: [{ type: 'price' }] } } })?.award_criteria).toEqual([
    { type: 'price' },
  ]);
  expect(detailOf({ tender: { awardCriteria: null } })).not.toHaveProperty('award_criteria_text');
});

it('of very many criteria a lot has the first hundred, and its notice says so', () => {
  const criteria = Array.from({ length: 5_000 }, (_, n) => ({ name: `Question ${n}` }));
  const detail = detailOf({ tender: { lots: [{ id: '1' }, { id: '2', awardCriteria: { criteria } }] } });
  expect(detail?.lots[1]?.award_criteria).toHaveLength(100);
  expect(detail?.warnings).toContain('only the first 100 of 5000 award criteria are held');
});

it('a notice says whom it suits and which rules apply: in its tender, else in its lots or in all of its awards', () => {
  const rules = { specialRegime: ['lightTouch', 'concession'], coveredBy: ['GPA', 'CPTPP'], aboveThreshold: false };
  expect(detailOf({ tender: { ...rules, suitability: { sme: true, vcse: false } } })).toMatchObject({
    ...{ suitable_for_sme: true, suitable_for_vcse: false, above_threshold: false },
    ...{ special_regimes: ['lightTouch', 'concession'], covered_by: ['GPA', 'CPTPP'] },
  });
  const lots = [{ id: '1' }, { id: '2', suitability: { vcse: true } }];
  expect(detailOf({ tender: { lots } })).toMatchObject({
    suitable_for_vcse: true,
    lots: [{ lot_id: '1' }, { lot_id: '2', suitable_for_vcse: true }],
  });
  const award = (id: string, aboveThreshold: boolean) => ({
    ...{ id, status: 'active', aboveThreshold, suppliers: [reference(BRIGHT)] },
    documents: [noticeDocument(ID, 'UK6')],
  });
  const awarded = (...above: boolean[]) =>
    detailOf({ parties: [COUNCIL, BRIGHT], awards: above.map((one, n) => award(`${n}`, one)) })?.above_threshold;
  expect([awarded(true, true), awarded(true, false)]).toEqual([true, undefined]);
});
