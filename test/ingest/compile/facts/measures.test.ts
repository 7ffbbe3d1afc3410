import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, reference } from '../releases.ts';

const every = (period: JsonObject) => ({ observations: [{ id: 'frequency', period }] });
const observed = (measure: unknown, id?: string, month = '04') => ({
  period: { startDate: `2026-${month}-01T00:00:00+01:00`, endDate: `2026-${month}-30T23:59:59+01:00` },
  measure,
  ...(id ? { measureClassification: { id, description: 'In words' } } : {}),
});
const signed = (agreedMetrics: unknown, more: JsonObject = {}) =>
  actRelease('000001-2026', '2026-03-01T10:00:00Z', {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
    contracts: [{ id: '1', awardID: '1', agreedMetrics, documents: [noticeDocument('000001-2026', 'UK7')], ...more }],
  });
const performed = (at: number, metrics: unknown) =>
  actRelease(`00000${at}-2026`, `2026-0${at + 4}-01T10:00:00Z`, {
    tag: ['implementation'],
    contracts: [
      {
        id: '1',
        awardID: '1',
        implementation: { metrics },
        documents: [noticeDocument(`00000${at}-2026`, 'UK9')],
      },
    ],
  });
const kpisOf = (...releases: JsonObject[]) => compileOne(releases).contracts.map(({ detail }) => detail.kpis);

describe('the key performance indicators of a contract', () => {
  it('are those that its notice agrees on, and how often each is reported', () => {
    const agreed = [
      { id: '1', title: 'Response', description: 'Within 30&nbsp;minutes.<br>Call 020 7946 0000.' },
      { id: '2', title: 'Audit', ...every({ durationInMonths: 3 }) },
      { id: '3', title: 'Photos', ...every({ durationInDays: 7 }) },
      { id: '4', title: 'N/A', description: 'Delivered on time' },
      { id: '5', title: 'N/A' },
    ];
    expect(kpisOf(signed(agreed))).toEqual([
      [
        { title: 'Response', description: 'Within 30 minutes.\nCall [telephone removed].' },
        { title: 'Audit', every_months: 3 },
        { title: 'Photos', every_days: 7 },
        { description: 'Delivered on time' },
      ],
    ]);
  });

  it('may be one object, bare texts, or the same one several times', () => {
    expect(kpisOf(signed({ title: 'Audit', observations: { period: '3 months' } }))).toEqual([
      [{ title: 'Audit', every_months: 3 }],
    ]);
    expect(kpisOf(signed(['Time', 'Cost']))).toEqual([[{ title: 'Time' }, { title: 'Cost' }]]);
    const later = { title: 'To be published' };
    expect(kpisOf(signed([later, later, { ...later, description: 'In June' }]))).toEqual([
      [{ title: 'To be published' }, { title: 'To be published', description: 'In June' }],
    ]);
  });

  it.each([[[]], [{}], [[null, true, {}, { id: '1', title: ' - ' }]]])('are absent where %j is said', (agreed) => {
    const rationale = { noAgreedMetricsRationale: 'Below £5 million' };
    expect(kpisOf(signed(agreed, rationale))).toEqual([undefined]);
  });

  it('have what notices on performance measured, the oldest first, whatever number it has there', () => {
    const agreed = [
      { id: '1', title: 'Audit', description: '98% or above', ...every({ durationInMonths: 1 }) },
      { id: '2', title: 'Response' },
    ];
    const april = performed(2, [{ id: '7', title: 'AUDIT ', observations: [observed('99.7%', 'met')] }]);
    const may = performed(3, [
      { id: '2', title: 'Audit', description: 'Other words', observations: [observed('n/a', 'slightlyBelow', '05')] },
      { id: '3', title: 'Training', observations: [observed(1500, undefined, '05'), { period: {} }] },
    ]);
    const inApril = { starts: '2026-04-01', ends: '2026-04-30' };
    const inMay = { notice_id: '000003-2026', starts: '2026-05-01', ends: '2026-05-30' };
    expect(kpisOf(signed(agreed), april, may)).toEqual([
      [
        {
          title: 'Audit',
          description: '98% or above',
          every_months: 1,
          results: [
            { notice_id: '000002-2026', ...inApril, measured: '99.7%', rating: 'met' },
            { ...inMay, rating: 'slightlyBelow' },
          ],
        },
        { title: 'Response' },
        { title: 'Training', results: [{ ...inMay, measured: '1500' }] },
      ],
    ]);
  });

  it('have what a later notice says of the same time in place of what an earlier one said', () => {
    const audit = (measure: string) => [{ id: '1', title: 'Audit', observations: [observed(measure)] }];
    const [kpis] = kpisOf(signed([{ title: 'Audit' }]), performed(2, audit('79%')), performed(3, audit('97%')));
    expect(kpis?.[0]?.results).toMatchObject([{ notice_id: '000003-2026', measured: '97%' }]);
  });

  it('with one title are told from each other by their descriptions', () => {
    const agreed = ['On time', 'In full'].map((description) => ({ title: 'KPI', description }));
    const metrics = ['In full', 'On time', 'Safe'].map((description, at) => ({
      title: 'KPI',
      description,
      observations: [{ measure: at + 1 }],
    }));
    const [kpis] = kpisOf(signed(agreed), performed(2, metrics));
    expect(kpis?.map(({ description, results }) => [description, results?.map(({ measured }) => measured)])).toEqual([
      ['On time', ['2']],
      ['In full', ['1']],
      ['Safe', ['3']],
    ]);
  });

  it('with one title are several in a notice on performance too, however many of them are agreed', () => {
    const metrics = ['In full', 'On time'].map((description, at) => ({
      ...{ title: 'KPI', description },
      observations: [observed(`${at + 1}`)],
    }));
    const measured = [
      ['In full', ['1']],
      ['On time', ['2']],
    ];
    const describeAll = (kpis: ReturnType<typeof kpisOf>[number]) =>
      kpis?.map(({ description, results }) => [description, results?.map((one) => one.measured)]);
    expect(describeAll(compileOne([performed(2, metrics)]).notices[0]?.detail.kpis)).toEqual(measured);
    const [unknown] = kpisOf(signed([]), performed(2, metrics));
    expect(describeAll(unknown)).toEqual(measured);
    const [one] = kpisOf(signed([{ title: 'KPI', description: 'On time' }]), performed(2, metrics));
    expect(describeAll(one)).toEqual(measured.toReversed());
  });

  it('are in the notice on performance itself too, as it alone may be known', () => {
    const audit = performed(2, [{ title: 'Audit', observations: [observed('97%', 'met')] }, { title: 'Trials' }]);
    const kpis = [
      {
        title: 'Audit',
        results: [
          { notice_id: '000002-2026', starts: '2026-04-01', ends: '2026-04-30', measured: '97%', rating: 'met' },
        ],
      },
      { title: 'Trials' },
    ];
    const alone = compileOne([audit]);
    expect(alone.notices.map(({ stage, detail }) => [stage, detail.kpis])).toEqual([['performance', kpis]]);
    expect(alone.contracts).toEqual([]);
    const { notices } = compileOne([signed([{ title: 'Audit' }]), audit]);
    expect(notices.map(({ stage, detail }) => [stage, detail.kpis])).toEqual([
      ['contract', undefined],
      ['performance', kpis],
    ]);
  });

  it('may be measured as a value with a unit', () => {
    const values = [{ value: { amount: 12, currency: 'GBP' } }, { value: 3, unit: { name: 'hedges' } }, 'Most'];
    const [kpis] = kpisOf(signed([]), performed(2, [{ title: 'Work', observations: values }]));
    expect(kpis?.[0]?.results?.map(({ measured }) => measured)).toEqual(['12 GBP', '3 hedges', 'Most']);
  });

  it('are those of the latest notice that agrees on any', () => {
    const again = { ...signed([{ id: '1', title: 'New' }]), id: '000002-2026', date: '2026-04-01T10:00:00Z' };
    expect(
      kpisOf(
        signed([
          { id: '1', title: 'Old' },
          { id: '2', title: 'Gone' },
        ]),
        again,
      ),
    ).toEqual([[{ title: 'New' }]]);
  });

  it('of an award published again under another number are those agreed last', () => {
    const money = { value: { amount: 18_500, currency: 'GBP' }, contractPeriod: { endDate: '2028-03-31' } };
    const published = (at: number, agreedMetrics: unknown) =>
      actRelease(`00000${at}-2026`, `2026-0${at}-02T10:00:00Z`, {
        tag: ['award', 'contract'],
        parties: [COUNCIL, BRIGHT],
        awards: [{ id: `${at}`, status: 'active', date: '2026-02-01', ...money, suppliers: [reference(BRIGHT)] }],
        contracts: [
          { id: `${at}`, awardID: `${at}`, agreedMetrics, documents: [noticeDocument(`00000${at}-2026`, 'UK7')] },
        ],
      });
    const april = performed(3, [
      { title: 'Audit', observations: [observed('97%')] },
      { title: 'Trials', observations: [observed('5')] },
      { title: 'Returns' },
    ]);
    const again = [{ title: 'Audit', description: 'Each month' }, { title: 'Response' }];
    expect(kpisOf(published(1, [{ title: 'Audit' }, { title: 'Gone' }]), april, published(4, again))).toMatchObject([
      [
        { title: 'Audit', description: 'Each month', results: [{ measured: '97%' }] },
        { title: 'Response' },
        { title: 'Trials', results: [{ measured: '5' }] },
      ],
    ]);
    const [full, onTime] = ['In full', 'On time'].map((description) => ({ title: 'KPI', description }));
    const march = performed(3, [{ ...onTime, observations: [observed('97%')] }]);
    expect(kpisOf(published(1, [full, onTime]), march, published(4, [full]))).toMatchObject([
      [full, { ...onTime, results: [{ measured: '97%' }] }],
    ]);
  });

  it('and what was measured of one are kept up to a thousand, the newest results', () => {
    const agreed = Array.from({ length: 1_001 }, (_, at) => ({ title: `KPI ${at + 1}` }));
    const observations = agreed.map((_, at) => ({ measure: `${at + 1}` }));
    const [kpis] = kpisOf(signed(agreed), performed(2, [{ title: 'KPI 1', observations }]));
    expect([kpis?.length, kpis?.at(-1)?.title]).toEqual([1_000, 'KPI 1000']);
    expect([kpis?.[0]?.results?.length, kpis?.[0]?.results?.at(-1)?.measured]).toEqual([1_000, '1001']);
  });
});
