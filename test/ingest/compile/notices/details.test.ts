import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, reference } from '../releases.ts';

const ID = '012345-2026';
const award = (id: string, category: string) => ({
  id,
  status: 'active',
  suppliers: [reference(BRIGHT)],
  mainProcurementCategory: category,
  documents: [noticeDocument(ID, 'UK6')],
});
const detailOf = (more: JsonObject) =>
  compileOne([actRelease(ID, '2026-03-01T10:00:00Z', { parties: [COUNCIL, BRIGHT], ...more })]).notices[0]?.detail;

it.each([
  ['its tender says', { tender: { mainProcurementCategory: 'works' }, awards: [award('1', 'goods')] }, 'works'],
  ['all of its awards say', { awards: [award('1', 'goods'), award('2', 'goods')] }, 'goods'],
  ['Contracts Finder called the contract', { tender: { xClassifications: { ojeuContractType: 'Products' } } }, 'goods'],
  ['nothing says', { tender: { xClassifications: { ojeuContractType: 'NotSpecified' } } }, undefined],
  ['no single one, where its awards differ', { awards: [award('1', 'goods'), award('2', 'services')] }, undefined],
])('the category of a notice is what %s', (_, more, category) => {
  expect(detailOf(more)?.category).toBe(category);
});

it.each([
  [{ suitability: { sme: false }, lots: [{ id: '1', suitability: { sme: true } }] }, false],
  [{ lots: [{ id: '1' }, { id: '2', suitability: { sme: true } }] }, true],
  [{ lots: [{ id: '1', suitability: { sme: false } }] }, false],
  [{ lots: [{ id: '1', suitability: { vcse: true } }] }, undefined],
])('whether a notice suits small enterprises is what the tender says, else its lots: %j', (tender, suits) => {
  expect(detailOf({ tender })?.suitable_for_sme).toBe(suits);
});

it('the end of an engagement with the market and the expected signature are days of their notice', () => {
  const due = (type: string, dueDate?: string) => ({ id: type, type, ...(dueDate ? { dueDate } : {}) });
  const engagement = [
    due('preProcurement', '2026-03-02'),
    due('engagement'),
    due('engagement', '2026-03-19T23:59:59Z'),
  ];
  expect(detailOf({ planning: { milestones: engagement } })?.dates).toEqual({ engagement_until: '2026-03-19' });
  const milestones = [due('futureSignatureDate', '2026-04-09T23:59:59+01:00')];
  expect(detailOf({ awards: [{ ...award('1', 'goods'), milestones }] })?.dates).toEqual({
    signature_expected: '2026-04-09',
  });
});

it.each([
  ['2026-09-25T17:00:00+01:00', '2026-09-25', '2026-09-25T16:00:00Z'],
  ['2026-12-04T10:00:00Z', '2026-12-04', '2026-12-04T10:00:00Z'],
  ['2026-09-25T23:59:59+01:00', '2026-09-25', undefined],
  ['2026-09-25', '2026-09-25', undefined],
  ['2026-09-25T00:00:00+01:00', '2026-09-25', undefined],
  ['2026-09-24T23:00:00Z', '2026-09-25', undefined],
])('questions that are taken until %s close on that day, and at the time that is stated', (endDate, day, instant) => {
  const dates = { enquiries_until: day, ...(instant ? { enquiries_until_at: instant } : {}) };
  expect(detailOf({ tender: { enquiryPeriod: { endDate } } })?.dates).toEqual(dates);
});

it('a plan says until when bids are expected, which is no deadline; a tender notice has the deadline alone', () => {
  const tenderPeriod = { endDate: '2026-10-23T12:00:00+01:00' };
  const documents = (type: string) => [noticeDocument(ID, type)];
  const [planned] = compileOne([
    actRelease(ID, '2026-08-10T09:00:00Z', {
      tag: ['planning'],
      planning: { documents: documents('UK3') },
      tender: { status: 'planned', tenderPeriod, communication: { futureNoticeDate: '2026-09-21T23:59:59+01:00' } },
    }),
  ]).notices;
  expect(planned).toMatchObject({ deadline: null, detail: { dates: { tender_expected: '2026-09-21' } } });
  expect(planned?.detail.dates.bids_expected).toBe('2026-10-23');
  expect(detailOf({ tender: { tenderPeriod, documents: documents('UK4') } })?.dates).toEqual({});
});

it.each([
  ['Register at https://bids.example.org/s/Welcome. Ref C7.', 'https://bids.example.org/s/Welcome'],
  ['On our portal (https://bids.example.org/aspx/Home).', 'https://bids.example.org/aspx/Home'],
  ['https://bids.example.org/s/Welcome, reference C7', 'https://bids.example.org/s/Welcome'],
  ['https://bids.example.org/view.html?id=7#', 'https://bids.example.org/view.html?id=7#'],
  ['Via the portal at www.bids.example.org/elmbrook/.', 'https://www.bids.example.org/elmbrook/'],
  ['Https://bids.example.org', 'Https://bids.example.org'],
  ['Ours (https://bids.example.org/notice_(7)).', 'https://bids.example.org/notice_(7)'],
  ['The Chest, www.chest.example.org: https://bids.example.org/7', 'https://bids.example.org/7'],
  ['By post: 1 High Street.', undefined],
])('bids are made where "%s" says', (submissionMethodDetails, url) => {
  const stated = { details: submissionMethodDetails, ...(url ? { url } : {}) };
  expect(detailOf({ tender: { submissionMethodDetails } })?.how_to_apply).toEqual(stated);
});

it.each([
  ['that of its tender where it is worth the whole', { amount: 40_000, amountGross: 48_000, currency: 'AED' }, 'GBP'],
  ['its own where it is worth another amount', { amount: 30_000, amountGross: 48_000, currency: 'AED' }, 'AED'],
  ['its own where it states less', { amountGross: 48_000, currency: 'EUR' }, 'EUR'],
])('the currency of a lot is %s', (_, value, currency) => {
  const whole = { amount: 40_000, amountGross: 48_000, currency: 'GBP' };
  const lotOf = (tender: object) =>
    compileOne([actRelease('000100-2026', '2026-08-10T09:00:00Z', { tender })]).notices[0]?.detail.lots[0];
  expect(lotOf({ value: whole, lots: [{ id: '1', value }] })).toMatchObject({ currency });
  expect(lotOf({ lots: [{ id: '1', value }] })).toMatchObject({ currency: value.currency });
});

it.each([
  ['each states its value', [{ amount: 20_000 }, { amountGross: 36_000 }], 56_000],
  ['some state none, as those that do may be combinations of the rest', [{}, {}, { amount: 20_000 }], null],
])('lots add up to the value of their tender where %s', (_, values, value) => {
  const lots = values.map((stated, at) => ({
    id: `${at + 1}`,
    ...(Object.keys(stated).length > 0 ? { value: { currency: 'GBP', ...stated } } : {}),
  }));
  const { notices } = compileOne([
    actRelease('000100-2026', '2026-08-10T09:00:00Z', { tender: { value: null, lots } }),
  ]);
  expect(notices).toMatchObject([{ value }]);
});

describe('a notice on performance', () => {
  const said = (performanceFailures: JsonObject[], more: JsonObject = {}) => {
    const contracts = [{ id: '1', awardID: '1', implementation: { performanceFailures }, ...more }];
    return detailOf({ tag: ['implementation'], contracts })?.what_changed?.split('\n\n');
  };

  it('says in its own words what was not performed, and what followed', () => {
    const late = {
      category: 'Delays',
      requirement: 'Response in four hours',
      description: 'Missed.',
      penaltyType: 'imposed',
    };
    const missing = { description: 'No report.', partialTermination: 'Reports ended.', penaltyTypeEntered: 'Settled' };
    expect(said([late, missing, { id: '3', documents: [] }])).toEqual([
      ...['Delays', 'Response in four hours', 'Missed.'],
      ...['No report.', 'Reports ended.', 'Settled'],
    ]);
  });

  it('says it once where it is why the contract ended', () => {
    const why = 'A warranty was untrue.';
    const failure = { category: 'Breach of contract', requirement: why, description: why };
    const ended = {
      status: 'terminated',
      statusDetails: `${why} There is no settlement.`,
      terminationRationaleClassifications: [{ id: 'breachOfContract' }],
    };
    expect(said([failure], ended)).toEqual(['Breach of contract: A warranty was untrue. There is no settlement.']);
  });
});

it('a notice says in its own words what it changes and how the market is engaged', () => {
  const milestones = [
    { id: 'engagement', type: 'engagement' },
    { id: 'engagement', type: 'engagement', description: 'A webinar on 3 April.<br/>Register by 1 April.' },
  ];
  const detail = detailOf({
    description: 'The project code is 19390. (SC Ref:667263)',
    planning: { milestones },
    tender: {
      description: 'Windows.',
      amendments: [{ id: ID, description: 'Open to all suppliers, not to small ones.' }],
    },
  });
  expect(detail).toMatchObject({
    additional_information: 'The project code is 19390. (SC Ref:667263)',
    what_changed: 'Open to all suppliers, not to small ones.',
    engagement: 'A webinar on 3 April.\nRegister by 1 April.',
  });
});

it('a correction keeps why no notice of an engagement was published', () => {
  const published = (noEngagementNoticeRationale?: string, day = '01') =>
    actRelease(`0000${day}-2026`, `2026-03-${day}T10:00:00Z`, {
      planning: { noEngagementNoticeRationale },
      tender: { documents: [noticeDocument(`0000${day}-2026`, 'UK4', 'tenderNotice')] },
    });
  const reasons = (...releases: JsonObject[]) =>
    compileOne(releases).notices.map(({ detail }) => detail.no_engagement_reason);
  expect(reasons(published('It is known.<br>'), published(undefined, '02'))).toEqual(['It is known.', 'It is known.']);
  expect(reasons(published('Urgent'), published('Not required', '02'))).toEqual(['Urgent', 'Not required']);
  for (const nothing of ['N/A', 'Not applicable ', 'No']) expect(reasons(published(nothing))).toEqual([undefined]);
});

it.each([
  ['NWICK001-DN100200-30040050', 'NWICK001-DN100200-30040050'],
  [' C/2026/077  Lifts ', 'C/2026/077 Lifts'],
  // As Contracts Finder once published it.
  ['ocds-h6vhtk-0a1b2c-lifts_26', 'lifts_26'],
  // What a service fills in where the buyer states none.
  ['ocds-kuma6s-100200-tender-100200', undefined],
  ['ocds-h6vhtk-0a1b2c', undefined],
  ['5B3F0C8E-0000-4000-8000-0123456789AB', undefined],
])('the reference %j of a buyer is served as %j', (id, served) => {
  expect(detailOf({ tender: { id } })?.reference).toBe(served);
});

it('what one notice changes is not said by the next; its lots still are', () => {
  const lots = [{ id: '1', title: 'North', hasOptions: true, options: { description: 'Up to five more vans' } }];
  const invited = (id: string, date: string, tender: JsonObject) =>
    actRelease(id, date, { tag: ['tenderUpdate'], tender: { ...tender, documents: [noticeDocument(id, 'UK4')] } });
  const [, second] = compileOne([
    invited('012345-2026', '2026-03-01T10:00:00Z', { lots, amendments: [{ id: 'a', description: 'More time' }] }),
    invited('012346-2026', '2026-03-02T10:00:00Z', {}),
  ]).notices;
  expect(second?.detail.what_changed).toBeUndefined();
  expect(second?.detail.lots).toMatchObject([{ title: 'North', options: 'Up to five more vans' }]);
});

it('a lot says how far its options reach, where that is beyond its end', () => {
  const lot = (id: string, maxExtentDate: string) => ({
    id,
    contractPeriod: { startDate: '2026-04-01', endDate: '2028-03-31', maxExtentDate },
  });
  const lots = detailOf({ tender: { lots: [lot('1', '2030-03-31T23:59:59+01:00'), lot('2', '2028-03-31')] } })?.lots;
  expect(lots?.map(({ extends_to }) => extends_to)).toEqual(['2030-03-31', undefined]);
});

it('where only some are invited to bid, a notice says when and its lots how many', () => {
  const lots = [
    { id: '1', secondStage: { minimumCandidates: 3, maximumCandidates: 5 } },
    { id: '2', secondStage: { maximumCandidates: 6 } },
    { id: '3' },
  ];
  const detail = detailOf({ tender: { secondStage: { invitationDate: '2026-05-03T00:00:00+01:00' }, lots } });
  expect(detail?.dates).toEqual({ invitations_expected: '2026-05-03' });
  expect(detail?.lots.map(({ invited_min, invited_max }) => [invited_min, invited_max])).toEqual([
    [3, 5],
    [undefined, 6],
    [undefined, undefined],
  ]);
});

it.each([-3, 0, 2.5, 2_147_483_647, 'five'])('"%s" is no number of suppliers that are invited to bid', (published) => {
  const lots = [{ id: '1', secondStage: { minimumCandidates: published, maximumCandidates: published } }];
  expect(detailOf({ tender: { lots } })?.lots).toEqual([{ lot_id: '1', title: expect.any(String) }]);
});

it('a correction keeps the category, legal basis and rules that it does not state', () => {
  const [first, second, third] = ['000001-2026', '000002-2026', '000003-2026'].map((id, at) => {
    const documents = [noticeDocument(id, 'UK4', 'tenderNotice')];
    const stated = { mainProcurementCategory: 'works', specialRegime: ['utilities'], aboveThreshold: true };
    const own = [stated, { legalBasis: undefined }, { mainProcurementCategory: 'goods' }][at];
    return actRelease(id, `2026-03-0${at + 1}T10:00:00Z`, { tender: { documents, ...own } });
  }) as [JsonObject, JsonObject, JsonObject];
  const rules = { legal_basis: '2023/54', special_regimes: ['utilities'], above_threshold: true };
  expect(compileOne([first, second, third]).notices.map(({ detail }) => detail)).toMatchObject([
    { category: 'works', ...rules },
    { category: 'works', ...rules },
    { category: 'goods', ...rules },
  ]);
});
