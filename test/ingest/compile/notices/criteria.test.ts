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
      type: 'quality',
      name: 'Method & team',
      description: 'How the work is done.',
      weight: 55,
      weight_type: 'percentageExact',
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

it('what is said of the criteria in words is one text', () => {
  expect(lotJudgedBy({ description: 'Quality 70%:<br>Price 30%' })).toEqual({
    lot_id: '1',
    title: 'Window cleaning of civic buildings',
    award_criteria_text: 'Quality 70%:\nPrice 30%',
  });
  const weighted = { weightingDescription: 'As in the documents', description: 'The best value.' };
  expect(lotJudgedBy(weighted)?.award_criteria_text).toBe('The best value.\n\nAs in the documents');
});

it('a notice and its lots say who may bid, which is no criterion by which bids are compared', () => {
  const criteria = [
    { type: 'economic', description: 'A turnover of &pound;2m.<br>Call 020 7946 0000.', minimum: '50', numbers: [{}] },
    { description: 'The best five of the first stage.', forReduction: true },
    { type: 'technical', appliesTo: ['supplier'] },
    {},
  ];
  const selection_criteria = [
    { type: 'economic', description: 'A turnover of £2m.\nCall [telephone removed].', minimum: '50' },
    { description: 'The best five of the first stage.', for_reduction: true },
    { type: 'technical' },
  ];
  const selectionCriteria = { criteria, description: 'Two stages.' };
  const otherRequirements = { reductionCriteria: 'By score.' };
  const chosen = detailOf({ tender: { selectionCriteria, otherRequirements, lots: [{ id: '1', selectionCriteria }] } });
  const [lot] = chosen?.lots ?? [];
  expect(chosen).toMatchObject({ selection_criteria, selection_criteria_text: 'Two stages.\n\nBy score.' });
  expect(lot).toMatchObject({ selection_criteria, selection_criteria_text: 'Two stages.' });
  for (const one of [chosen, lot]) expect(one).not.toHaveProperty('award_criteria');
  expect(detailOf({ tender: { selectionCriteria: {} } })).not.toHaveProperty('selection_criteria');
  const many = { criteria: Array.from({ length: 101 }, (_, n) => ({ description: `Question ${n}` })) };
  const long = detailOf({ tender: { lots: [{ id: '1', selectionCriteria: many }] } });
  expect(long?.lots[0]?.selection_criteria).toHaveLength(100);
  expect(long?.warnings).toContain('only the first 100 of 101 selection criteria are held');
});

it('a later notice replaces only the conditions of participation that it states', () => {
  const inTurn = (...tenders: JsonObject[]) => {
    const releases = tenders.map((tender, n) =>
      actRelease(`01234${n}-2026`, `2026-03-0${n + 1}T10:00:00Z`, { tender }),
    );
    return compileOne(releases).notices.at(-1)?.detail;
  };
  const first = { selectionCriteria: { criteria: [{ type: 'economic' }], description: 'Two stages.' } };
  const kept = { selection_criteria: [{ type: 'economic' }], selection_criteria_text: 'Two stages.' };
  expect(inTurn(first, { title: 'Cleaning' })).toMatchObject(kept);
  const second = inTurn(first, { selectionCriteria: { criteria: [{ type: 'technical' }] } });
  expect(second?.selection_criteria).toEqual([{ type: 'technical' }]);
  expect(second?.selection_criteria_text).toBeUndefined();
  const lotWith = (selectionCriteria: JsonObject) => ({ lots: [{ id: '1', selectionCriteria }] });
  const ofLots = inTurn(first, lotWith({ criteria: [{ type: 'technical' }] }));
  expect(ofLots?.lots).toMatchObject([{ selection_criteria: [{ type: 'technical' }] }]);
  expect([ofLots?.selection_criteria, ofLots?.selection_criteria_text]).toEqual([undefined, undefined]);
  const candidates = inTurn(first, lotWith({ description: 'The best five.' }));
  expect(candidates).toMatchObject({ ...kept, lots: [{ selection_criteria_text: 'The best five.' }] });
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

it('whom a notice suits is read from its tender, else its lots, else all its awards', () => {
  const rules = { specialRegime: ['lightTouch', 'concession'], coveredBy: ['GPA', 'CPTPP'], aboveThreshold: false };
  expect(detailOf({ tender: { ...rules, suitability: { sme: true, vcse: false } } })).toMatchObject({
    suitable_for_sme: true,
    suitable_for_vcse: false,
    above_threshold: false,
    special_regimes: ['lightTouch', 'concession'],
    covered_by: ['GPA', 'CPTPP'],
  });
  const lots = [{ id: '1' }, { id: '2', suitability: { vcse: true } }];
  expect(detailOf({ tender: { lots } })).toMatchObject({
    suitable_for_vcse: true,
    lots: [{ lot_id: '1' }, { lot_id: '2', suitable_for_vcse: true }],
  });
  const award = (id: string, aboveThreshold: boolean) => ({
    id,
    status: 'active',
    aboveThreshold,
    suppliers: [reference(BRIGHT)],
    documents: [noticeDocument(ID, 'UK6')],
  });
  const awarded = (...above: boolean[]) =>
    detailOf({ parties: [COUNCIL, BRIGHT], awards: above.map((one, n) => award(`${n}`, one)) })?.above_threshold;
  expect([awarded(true, true), awarded(true, false)]).toEqual([true, undefined]);
});

it('a lot says whether a bid may offer something else, and a notice how long bids stay valid', () => {
  const lots = ['required', 'allowed', 'notAllowed', 'perhaps'].map((variantPolicy, n) => ({
    id: `${n}`,
    submissionTerms: { variantPolicy },
  }));
  const until = { bidValidityPeriod: { endDate: '2026-09-01T23:59:59+01:00' } };
  expect(detailOf({ tender: { lots } })?.lots.map(({ variants }) => variants)).toEqual([
    ...['required', 'allowed', 'not_allowed', undefined],
  ]);
  expect(detailOf({ tender: { submissionTerms: until } })).toMatchObject({ bid_valid_until: '2026-09-01' });
  const validFor = (bidValidityPeriod: unknown) => detailOf({ tender: { submissionTerms: { bidValidityPeriod } } });
  expect(['6 months', '2026-09-01'].map(validFor)).toMatchObject([
    { bid_valid_days: 180, warnings: [] },
    { bid_valid_until: '2026-09-01', warnings: [] },
  ]);
  expect(validFor({ endDate: 'TBC' })?.warnings).toEqual(['the published end is not a date: TBC']);
  const days = { bidValidityPeriod: { durationInDays: 90 } };
  const first = actRelease('012344-2026', '2026-02-01T10:00:00Z', { tender: { submissionTerms: days } });
  const later = (submissionTerms: JsonObject) =>
    compileOne([first, actRelease(ID, '2026-03-01T10:00:00Z', { tender: { submissionTerms } })]).notices.at(-1)?.detail;
  expect(later({})).toMatchObject({ bid_valid_days: 90 });
  expect(later(until)).toMatchObject({ bid_valid_until: '2026-09-01', bid_valid_days: undefined });
  expect(detailOf({ tender: { submissionTerms: { bidValidityPeriod: { durationInDays: 0 } } } })).not.toHaveProperty(
    'bid_valid_days',
  );
});

it('a notice says for how many lots one bidder may bid, and how many it may win', () => {
  const lotDetails = { maximumLotsBidPerSupplier: 2_147_483_647, maximumLotsAwardedPerSupplier: 5 };
  const detail = detailOf({ tender: { lotDetails } });
  expect(detail).toMatchObject({ lots_won_max: 5 });
  expect(detail).not.toHaveProperty('lots_bid_max');
  const bidFor = { lotDetails: { maximumLotsBidPerSupplier: 4 } };
  expect(detailOf({ tender: bidFor })?.lots_bid_max).toBe(4);
});

it('a notice says what it asks of guarantees, performance, payment and procedure', () => {
  const tender = {
    submissionTerms: { depositsGuarantees: 'A guarantee of the parent. Call 020 7946 0000.' },
    contractTerms: {
      performanceTerms: 'Fair work.&lt;br&gt;Write to jo@example.org.',
      financialTerms: 'In 30 days.&lt;br&gt;Call 020 7946 0000.',
    },
    procedure: { features: 'Three stages:\r\n1. Conditions of participation' },
  };
  expect(detailOf({ tender })).toMatchObject({
    guarantees: 'A guarantee of the parent. Call [telephone removed].',
    performance_terms: 'Fair work.\nWrite to [e-mail removed].',
    financial_terms: 'In 30 days.\nCall [telephone removed].',
    procedure_features: 'Three stages:\n1. Conditions of participation',
  });
});
