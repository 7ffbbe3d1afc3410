import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, reference } from '../releases.ts';

const PERIOD = { startDate: '2026-04-01', endDate: '2028-03-31', maxExtentDate: '2030-03-31' };
const signed = (contract: JsonObject, award: JsonObject = {}, tender: JsonObject = {}) =>
  actRelease('000200-2026', '2026-03-01T09:00:00Z', {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    tender,
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], ...award }],
    contracts: [{ id: '1', awardID: '1', status: 'active', ...contract }],
  });
const later = (type: string, tag: string, contract: JsonObject) =>
  actRelease('000400-2026', '2026-06-01T09:00:00Z', {
    tag: [tag],
    contracts: [
      { id: '1', awardID: '1', documents: [noticeDocument('000400-2026', type, 'contractNotice')], ...contract },
    ],
  });
const termOf = (...releases: JsonObject[]) => {
  const [contract] = compileOne(releases).contracts;
  return [contract?.ends, contract?.endsBasis, contract?.endsLatest];
};

describe('the end of a contract', () => {
  it('is read from the contract, else from the award, its lots or the tender', () => {
    expect(termOf(signed({ period: PERIOD }))).toEqual(['2028-03-31', 'contract', '2030-03-31']);
    expect(termOf(signed({}, { contractPeriod: PERIOD }))).toEqual(['2028-03-31', 'award', '2030-03-31']);
    const lots = [{ id: '1', contractPeriod: PERIOD }];
    expect(termOf(signed({}, { relatedLots: ['1'] }, { lots }))).toEqual(['2028-03-31', 'lot', '2030-03-31']);
    expect(termOf(signed({}, {}, { contractPeriod: PERIOD }))).toEqual(['2028-03-31', 'tender', '2030-03-31']);
    expect(termOf(signed({}))).toEqual([null, null, null]);
  });

  it('is the day on which it really ended, where its termination states it, even after the planned one', () => {
    const ended = (endDate: string) =>
      later('UK11', 'contractTermination', { status: 'terminated', implementation: { endDate } });
    expect(termOf(signed({ period: PERIOD }), ended('2026-05-20T00:00:00+01:00'))).toEqual([
      '2026-05-20',
      'termination',
      null,
    ]);
    const short = signed({ period: { ...PERIOD, endDate: '2026-04-30T23:59:59+01:00' } });
    expect(termOf(short, ended('2026-05-20T00:00:00+01:00'))).toEqual(['2026-05-20', 'termination', null]);
    const { notices, contracts } = compileOne([signed({ period: PERIOD }), ended('2026-05-20T00:00:00+01:00')]);
    expect(notices.at(-1)?.detail.dates).toEqual({ ends: '2026-05-20' });
    expect(contracts[0]?.detail.history?.at(-1)).toMatchObject({ notice_type: 'UK11', ends: '2026-05-20' });
  });

  it('comes before its time by a termination, unless that only says that the contract was completed', () => {
    const ended = (more: JsonObject) => later('UK11', 'contractTermination', { status: 'terminated', ...more });
    const completed = { id: 'contractCompleted' };
    const compile = (end: string, more: JsonObject) =>
      compileOne([signed({ period: { ...PERIOD, endDate: end } }), ended(more)]);
    const lifeOf = (end: string, more: JsonObject) => {
      const process = compile(end, more);
      const [contract] = process.contracts;
      return [process.status, contract?.status, contract?.ends, contract?.detail.terminated];
    };
    const implementation = { endDate: '2026-05-20T00:00:00+01:00' };
    expect(lifeOf('2026-05-20', { terminationRationaleClassification: completed, implementation })).toEqual([
      'complete',
      'ended',
      '2026-05-20',
      undefined,
    ]);
    const reasons = (...ids: string[]) => ({ terminationRationaleClassifications: ids.map((id) => ({ id })) });
    expect(lifeOf('2026-05-20', reasons('contractCompleted'))).toEqual(['complete', 'ended', '2026-05-20', undefined]);
    expect(lifeOf('2028-03-31', reasons('contractCompleted'))).toEqual(['complete', 'ended', '2026-06-01', undefined]);
    // A notice of it that came later moves no end, whatever it says of the reason.
    for (const late of [{}, reasons('contractCompleted')])
      expect(compile('2026-05-20', late).contracts).toMatchObject([{ ends: '2026-05-20', endsBasis: 'contract' }]);
    const breached = { ...reasons('breachOfContract'), statusDetails: 'The warranty was untrue.' };
    expect(compile('2028-03-31', breached).contracts[0]?.detail.changes).toEqual([
      {
        notice_id: expect.stringMatching(/-2026$/),
        date: '2026-06-01',
        description: 'Breach of contract: The warranty was untrue.',
      },
    ]);
    for (const early of [{}, reasons('insolvency'), reasons('contractCompleted', 'insolvency')])
      expect(lifeOf('2028-03-31', early)).toEqual(['complete', 'terminated', '2026-06-01', '2026-06-01']);
  });

  it('is moved by a change and set by a termination, after which nothing is extended', () => {
    const change = later('UK10', 'contractAmendment', { amendments: [{ id: 'a', period: { endDate: '2029-03-31' } }] });
    expect(termOf(signed({ period: PERIOD }), change)).toEqual(['2029-03-31', 'change', '2030-03-31']);
    const end = later('UK11', 'contractTermination', { status: 'terminated' });
    expect(termOf(signed({ period: PERIOD }), end)).toEqual(['2026-06-01', 'termination', null]);
    // The notice that says so repeats the period of the lots.
    const repeated = { ...end, tender: { lots: [{ id: '1', contractPeriod: PERIOD }] } };
    const { notices } = compileOne([signed({ period: PERIOD }), repeated]);
    expect(notices.map(({ detail }) => detail.dates.extends_to)).toEqual(['2030-03-31', undefined]);
  });

  it.each<[string, JsonObject, string]>([
    ['months', { durationInMonths: 36 }, '2029-03-31'],
    ['days', { durationInDays: 1_095 }, '2029-03-31'],
    ['days, from another start', { startDate: '2026-05-01', durationInDays: 730 }, '2028-04-30'],
    ['months, with an end that cannot be read', { durationInMonths: 36, endDate: 'TBC' }, '2029-03-31'],
  ])('is counted from the start where a later notice states %s', (_, period, ends) => {
    const change = later('UK10', 'contractAmendment', { period });
    expect(termOf(signed({ period: PERIOD }), change)[0]).toBe(ends);
    const update = later('UK7', 'contractUpdate', { period });
    for (const first of [PERIOD, { startDate: '2026-04-01', durationInMonths: 12 }])
      expect(termOf(signed({ period: first }), update)[0]).toBe(ends);
  });

  it('is as stated where its length is stated too, or a later notice states neither', () => {
    const both = { ...PERIOD, endDate: '2029-06-30', durationInMonths: 36 };
    expect(termOf(signed({ period: PERIOD }), later('UK10', 'contractAmendment', { period: both }))[0]).toBe(
      '2029-06-30',
    );
    const start = { startDate: '2026-05-01' };
    expect(termOf(signed({ period: PERIOD }), later('UK10', 'contractAmendment', { period: start }))[0]).toBe(
      '2028-03-31',
    );
  });

  it('stays the contract’s where a change states only its own day, which is not the start of a length', () => {
    const change = later('UK10', 'contractAmendment', { period: { startDate: '2026-05-20' } });
    expect(termOf(signed({ period: PERIOD }), change)).toEqual(['2028-03-31', 'contract', '2030-03-31']);
    const period = { startDate: '2026-04-01', durationInMonths: 24 };
    expect(termOf(signed({ period }), change)).toEqual(['2028-03-31', 'duration', null]);
    const dated = { period: { startDate: '2026-05-20' }, amendments: [{ id: 'a', date: '2026-05-20' }] };
    const unbegun = signed({ period: { durationInMonths: 24 } });
    expect(termOf(unbegun, later('UK10', 'contractAmendment', dated))).toEqual([null, null, null]);
  });

  it('is not followed by an extension that ends before it', () => {
    const period = { ...PERIOD, maxExtentDate: '2028-03-31' };
    expect(termOf(signed({ period }))).toEqual(['2028-03-31', 'contract', null]);
  });
});

describe('a length', () => {
  const START = { startDate: '2026-04-01' };

  it('ends a contract where its start is stated and no end is', () => {
    const ofLength = (length: object) => termOf(signed({ period: { ...START, ...length } })).slice(0, 2);
    expect(ofLength({ durationInDays: 720 })).toEqual(['2028-03-31', 'duration']);
    expect(ofLength({ durationInDays: 730 })).toEqual(['2028-03-31', 'duration']);
    expect(ofLength({ durationInDays: 45 })).toEqual(['2026-05-15', 'duration']);
    expect(ofLength({ durationInMonths: 6 })).toEqual(['2026-09-30', 'duration']);
    expect(ofLength({ durationInDays: 0 })).toEqual([null, null]);
    expect(ofLength({ durationInDays: 99_999_999 })).toEqual([null, null]);
    expect(ofLength({ durationInMonths: 7.9e28 })).toEqual([null, null]);
    expect(termOf(signed({ period: { durationInDays: 720 } }))).toEqual([null, null, null]);
  });

  it('gives way to no end of anything further off', () => {
    const tender = { contractPeriod: { startDate: '2026-01-01', endDate: '2027-01-01' } };
    const long = signed({ period: { ...START, durationInMonths: 24 } }, {}, tender);
    expect(termOf(long)).toEqual(['2028-03-31', 'duration', null]);
    expect(termOf(signed({ period: START }, {}, tender))).toEqual(['2027-01-01', 'tender', null]);
  });
});

describe('the end of an award of several lots', () => {
  const lot = (id: string, endDate: string, more: object = {}) => ({ id, contractPeriod: { endDate, ...more } });

  it('is the latest of them', () => {
    const lots = [
      lot('1', '2028-03-31', { maxExtentDate: '2031-03-31' }),
      lot('2', '2029-03-31'),
      lot('3', '2035-01-01'),
    ];
    expect(termOf(signed({}, { relatedLots: ['1', '2'] }, { lots }))).toEqual(['2029-03-31', 'lot', '2031-03-31']);
  });
});

describe('the latest end of a contract in words', () => {
  const RUNS = { startDate: '2026-04-01', endDate: '2028-03-31' };
  const option = (description: string, more: object = {}) => ({
    id: '1',
    hasRenewal: true,
    renewal: { description },
    ...more,
  });
  const latest = (...lots: object[]) => termOf(signed({ period: RUNS }, { relatedLots: ['1', '2'] }, { lots }))[2];

  it('is reckoned from the fields for renewals and options', () => {
    expect(latest(option('Two further periods of 12 months'))).toBe('2030-03-31');
    expect(latest({ id: '1', options: { description: 'Option to extend by 11 months' } })).toBe('2029-02-28');
    expect(termOf(signed({ period: RUNS, renewal: { description: 'Extension of up to 6 months' } }))[2]).toBe(
      '2028-09-30',
    );
  });

  it('is none where it is denied, contradicted, or the term is another', () => {
    expect(latest(option('Two further periods of 12 months', { hasRenewal: false }))).toBeNull();
    expect(latest(option('Extension of 12 months'), option('Extension of 24 months', { id: '2' }))).toBeNull();
    expect(latest(option('2 + 1 + 1 years'))).toBe('2030-03-31');
    expect(latest(option('3 + 1 + 1 years'))).toBeNull();
    expect(latest(option('12 months'))).toBeNull();
  });

  it('is read from a description only where that states the term which the contract has', () => {
    const described = (description: string, period: object = RUNS) =>
      termOf(signed({ period }, {}, { description }))[2];
    expect(described('The contract is for 2 years with an option to extend for a further year.')).toBe('2029-03-31');
    expect(described('There is an option to extend for a further year.')).toBeNull();
    // The published end has the extension in it.
    expect(described('The contract is for 1 year with an option to extend for a further year.')).toBeNull();
    expect(
      described('It is for 2 years with an option to extend by 1 year.', { ...RUNS, startDate: undefined }),
    ).toBeNull();
  });

  it('stands still while extensions are made', () => {
    const lots = [option('Two further periods of 12 months')];
    const award = signed({ period: RUNS }, { relatedLots: ['1'] }, { lots });
    const extended = (endDate: string) =>
      later('UK10', 'contractAmendment', { amendments: [{ id: 'a', period: { endDate } }] });
    expect(termOf(award, extended('2029-03-31'))).toEqual(['2029-03-31', 'change', '2030-03-31']);
    expect(termOf(award, extended('2030-03-31'))).toEqual(['2030-03-31', 'change', null]);
  });

  it('gives way to a stated day', () => {
    const lots = [option('Two further periods of 12 months')];
    const period = { ...RUNS, maxExtentDate: '2033-03-31' };
    expect(termOf(signed({ period }, { relatedLots: ['1'] }, { lots }))[2]).toBe('2033-03-31');
  });
});
