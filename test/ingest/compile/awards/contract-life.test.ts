import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference } from '../releases.ts';

const parties = [COUNCIL, BRIGHT, OAKES];
const gbp = (amount: number, amountGross?: number) => ({ value: { amount, amountGross, currency: 'GBP' } });
const noticeId = (month: number) => `000${month}00-2026`;

/** The notice of a month about award 1: what it says of the award, and of the contract. */
function notice(month: number, noticeType: string, award: JsonObject | null, contract?: JsonObject) {
  const id = noticeId(month);
  const documents = [noticeDocument(id, noticeType)];
  return actRelease(id, `2026-0${month}-01T09:00:00Z`, {
    tag: ['award', 'contract'],
    parties,
    ...(award ? { awards: [{ id: '1', suppliers: [reference(BRIGHT)], documents, ...award }] } : {}),
    ...(contract ? { contracts: [{ id: '1', awardID: '1', documents: award ? [] : documents, ...contract }] } : {}),
  });
}
const period = (startDate: string, endDate: string) => ({ period: { startDate, endDate } });

const ANNOUNCED = notice(1, 'UK5', { status: 'pending', ...gbp(50_000) });
const AWARDED = notice(2, 'UK6', { status: 'pending', date: '2026-01-30T00:00:00Z', ...gbp(50_000, 60_000) });
const SIGNED = notice(
  3,
  'UK7',
  { status: 'active' },
  {
    status: 'active',
    dateSigned: '2026-02-20T00:00:00Z',
    ...gbp(51_000, 61_200),
    ...period('2026-03-01', '2027-02-28'),
  },
);
const CHANGED = notice(6, 'UK10', null, {
  amendments: [{ id: noticeId(6), date: '2026-05-30T00:00:00Z', description: 'half a year more' }],
  ...gbp(75_000, 90_000),
  ...period('2026-03-01', '2027-08-31'),
});
const ENDED = notice(8, 'UK11', null, { status: 'terminated', ...period('2026-03-01', '2027-08-31') });

describe('an award', () => {
  it('is not won by being announced: a transparency notice says what is intended', () => {
    for (const status of ['pending', 'active', undefined]) {
      const process = compileOne([notice(1, 'UK5', { status, ...gbp(50_000) })]);
      expect(process).toMatchObject({ contracts: [], status: 'planned' });
      expect(process.why.leftOut).toEqual([
        { awardId: '1', why: 'announced by a transparency notice (UK5) only: the award is not made yet' },
      ]);
    }
  });

  it('is won by its award notice, standstill or not, and by any signature', () => {
    expect(compileOne([ANNOUNCED, AWARDED]).contracts).toMatchObject([{ status: 'pending', value: 50_000 }]);
    expect(compileOne([ANNOUNCED, SIGNED]).contracts).toMatchObject([{ status: 'active', signed: '2026-02-20' }]);
    const signed = notice(1, 'UK5', { status: 'active', ...gbp(50_000) }, { dateSigned: '2026-01-02' });
    expect(compileOne([signed]).contracts).toMatchObject([{ status: 'active', signed: '2026-01-02' }]);
  });

  it('pending in a notice of the old forms is not won, one that is active is', () => {
    const old = (status: string) =>
      actRelease(noticeId(1), '2026-01-01T09:00:00Z', {
        tag: ['award', 'contract'],
        parties,
        awards: [{ id: '1', status, suppliers: [reference(BRIGHT)], ...gbp(9_000) }],
      });
    expect(compileOne([old('pending')])).toMatchObject({ contracts: [], status: 'planned' });
    expect(compileOne([old('active')]).contracts).toHaveLength(1);
  });

  it('of Contracts Finder is won by its award notice, though it says planned', () => {
    const release = {
      ocid: 'ocds-b5fd17-00000000-0000-4000-8000-000000000009',
      id: 'aaaaaaaa-0000-4000-8000-000000000009-1',
      date: '2026-01-01T09:00:00Z',
      tag: ['award'],
      tender: { title: 'Bus routes' },
      awards: [{ id: 'x-1', status: 'planned', suppliers: [{ name: 'Any Coaches' }], ...gbp(9_000) }],
    };
    expect(compileOne([release], 'contracts_finder').contracts).toMatchObject([{ status: 'pending', value: 9_000 }]);
  });
});

describe('the period of a contract', () => {
  it('ends on the day that was written, though its last second is tomorrow in London', () => {
    const signed = { status: 'active', ...period('2026-05-19T00:00:00Z', '2028-05-18T23:59:59Z') };
    const [contract] = compileOne([notice(3, 'UK7', { status: 'active' }, signed)]).contracts;
    expect(contract).toMatchObject({ starts: '2026-05-19', ends: '2028-05-18' });
  });
});

describe('a contract that is changed', () => {
  const [contract] = compileOne([AWARDED, SIGNED, CHANGED]).contracts;

  it('has the value and the period of its newest change', () => {
    expect(contract).toMatchObject({ value: 75_000, valueBasis: 'net', valueClass: 'sum', ends: '2027-08-31' });
    expect(contract?.detail.warnings).toEqual([]);
    expect(contract?.valueCandidates[0]?.from).toBe('contract net, as changed by 000600-2026');
  });

  it('keeps what each notice said', () => {
    const { history } = contract?.detail ?? {};
    expect(history?.map(({ notice_type, value, ends }) => [notice_type, value, ends])).toEqual([
      ['UK6', 50_000, undefined],
      ['UK7', 51_000, '2027-02-28'],
      ['UK10', 75_000, '2027-08-31'],
    ]);
    expect(history?.[0]).toMatchObject({ notice_id: '000200-2026', published: '2026-02-01', status: 'pending' });
    expect(history?.[1]?.suppliers).toEqual(['Brightwater Cleaning Ltd']);
  });

  it('takes no net of one notice beside the gross of another', () => {
    const grossOnly = notice(6, 'UK10', null, { value: { amountGross: 90_000, currency: 'GBP' } });
    expect(compileOne([SIGNED, grossOnly]).contracts).toMatchObject([{ value: 90_000, valueBasis: 'gross' }]);
  });

  it('starts when it did, though a change says from when it holds; one to come may start later, or earlier', () => {
    const from = (startDate: string, at: number) => notice(at, 'UK10', null, { period: { startDate } });
    const starts = (...notices: JsonObject[]) => compileOne(notices).contracts.map((one) => [one.starts, one.ends]);
    expect(starts(SIGNED, from('2026-06-02', 6))).toEqual([['2026-03-01', '2027-02-28']]);
    expect(starts(SIGNED, from('2026-06-02', 6), from('2026-07-02', 7))).toEqual([['2026-03-01', '2027-02-28']]);
    for (const type of ['UK9', 'UK11']) {
      const repeated = notice(8, type, null, { period: { startDate: '2026-06-02' } });
      expect(starts(SIGNED, from('2026-06-02', 6), repeated)[0]).toContain('2026-03-01');
    }
    expect(starts(SIGNED, from('2026-02-01', 6))).toEqual([['2026-02-01', '2027-02-28']]);
    expect(starts(from('2026-06-02', 6))).toEqual([['2026-06-02', null]]);
    const dated = (startDate: string) =>
      notice(6, 'UK10', null, { period: { startDate }, amendments: [{ id: noticeId(6), date: '2026-06-01' }] });
    expect(starts(dated('2026-06-02'))).toEqual([[null, null]]);
    expect(starts(dated('2026-03-01'))).toEqual([['2026-03-01', null]]);
    expect(starts(SIGNED, dated('2026-06-02'))).toEqual([['2026-03-01', '2027-02-28']]);
    const awarded = notice(2, 'UK6', { contractPeriod: { startDate: '2026-03-01', endDate: '2027-02-28' } });
    expect(starts(awarded, from('2026-06-02', 6))).toEqual([['2026-03-01', '2027-02-28']]);
    expect(starts(awarded, SIGNED, from('2026-06-02', 6))).toEqual([['2026-03-01', '2027-02-28']]);
    const later = { ...SIGNED, contracts: [{ id: '1', awardID: '1', ...period('2026-09-01', '2027-08-31') }] };
    expect(starts(later, from('2026-10-01', 6))).toEqual([['2026-10-01', '2027-08-31']]);
  });

  it('takes the value and period of the amendment where the contract itself says none', () => {
    const amendments = [{ id: noticeId(6), ...gbp(80_000), ...period('2026-03-01', '2028-02-29') }];
    const amended = notice(6, 'UK10', null, { amendments });
    expect(compileOne([SIGNED, amended]).contracts).toMatchObject([{ value: 80_000, ends: '2028-02-29' }]);
  });

  it('is not changed by what is only proposed, which says so', () => {
    const proposedAmendments = [{ id: noticeId(6), description: 'a longer term', ...gbp(99_000) }];
    const [proposed] = compileOne([SIGNED, notice(6, 'UK10', null, { proposedAmendments })]).contracts;
    expect(proposed).toMatchObject({ value: 51_000, ends: '2027-02-28' });
    expect(proposed?.detail.changes).toEqual([
      {
        ...{ notice_id: '000600-2026', date: '2026-06-01', description: 'a longer term' },
        ...{ value: 99_000, currency: 'GBP', value_basis: 'net', proposed: true },
      },
    ]);
  });

  it('ends on the day of its termination, whatever end it was given', () => {
    const [ended] = compileOne([AWARDED, SIGNED, CHANGED, ENDED]).contracts;
    expect(ended).toMatchObject({ status: 'terminated', ends: '2026-08-01', value: 75_000 });
    expect(ended?.detail.terminated).toBe('2026-08-01');
    expect(ended?.detail.history?.map(({ ends }) => ends)).toEqual([
      undefined,
      '2027-02-28',
      '2027-08-31',
      '2027-08-31',
    ]);
    const before = notice(8, 'UK11', null, { status: 'terminated', ...period('2026-03-01', '2026-07-15') });
    expect(compileOne([SIGNED, before]).contracts).toMatchObject([{ ends: '2026-07-15' }]);
  });
});

describe('the suppliers of an award', () => {
  const now = (month: number, award: JsonObject) => notice(month, 'UK7', { status: 'active', ...award });
  const winners = (...later: JsonObject[]) => {
    const [contract] = compileOne([AWARDED, ...later]).contracts;
    return [contract?.supplierParties, contract?.detail.former_suppliers];
  };

  it('are those of the newest notice that names any; the former ones are kept by name', () => {
    const replaced = now(3, { suppliers: [reference(OAKES)], ...gbp(50_000) });
    expect(winners(replaced)).toEqual([['GB-COH-07654321'], ['Brightwater Cleaning Ltd']]);
    const [contract] = compileOne([AWARDED, replaced]).contracts;
    expect(contract?.valueClass).toBe('sum');
  });

  it('stay where a later notice names nobody: a delta, a null, an empty list', () => {
    for (const suppliers of [undefined, null, []])
      expect(winners(now(3, { suppliers }))).toEqual([['GB-COH-01234567'], undefined]);
  });

  it('are added and removed by a change, not by a proposed one', () => {
    const swap = { suppliersAdded: [reference(OAKES)], suppliersRemoved: [reference(BRIGHT)] };
    const change = (key: string) => notice(6, 'UK10', null, { [key]: [{ id: noticeId(6), ...swap }] });
    expect(winners(SIGNED, change('amendments'))).toEqual([['GB-COH-07654321'], ['Brightwater Cleaning Ltd']]);
    expect(winners(SIGNED, change('proposedAmendments'))).toEqual([['GB-COH-01234567'], undefined]);
  });

  it('keep the better identified record of one supplier', () => {
    const anonymous = { id: 'GB-FTS-77', name: 'Brightwater Cleaning Ltd', roles: ['supplier'] };
    const again = { ...now(3, { suppliers: [reference(anonymous)] }), parties: [COUNCIL, anonymous] };
    expect(winners(again)).toEqual([['GB-COH-01234567'], undefined]);
  });
});
