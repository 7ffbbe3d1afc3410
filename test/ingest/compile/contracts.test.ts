import { describe, expect, it } from 'vitest';
import { makeContractId, parseContractId, parseOcid } from '../../../schema/text/ids.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, OCID, reference } from './releases.ts';

const parties = [COUNCIL, BRIGHT];
const TENDER = actRelease('000100-2026', '2026-01-05T09:00:00Z', {
  tender: {
    status: 'active',
    value: { amount: 90_000, amountGross: 108_000, currency: 'GBP' },
    tenderPeriod: { endDate: '2026-02-01T12:00:00Z' },
    items: [{ id: '1', additionalClassifications: [{ scheme: 'CPV', id: '90911300' }], relatedLot: '1' }],
    lots: [{ id: '1', title: 'All buildings' }],
    documents: [noticeDocument('000100-2026', 'UK4', 'tenderNotice')],
  },
});
const AWARD = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
  tag: ['award', 'contract'],
  parties,
  awards: [
    {
      id: '1',
      status: 'pending',
      date: '2026-02-27T00:00:00Z',
      value: { amount: 80_000, amountGross: 96_000, currency: 'GBP' },
      suppliers: [reference(BRIGHT)],
      relatedLots: ['1'],
      documents: [noticeDocument('000200-2026', 'UK6')],
    },
  ],
  contracts: [{ id: '1', awardID: '1', status: 'pending' }],
});
const DETAILS = actRelease('000300-2026', '2026-04-01T09:00:00Z', {
  tag: ['award', 'contract'],
  parties,
  awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], value: null, date: null }],
  contracts: [
    {
      id: '1',
      awardID: '1',
      status: 'active',
      title: 'Window cleaning 2026',
      dateSigned: '2026-03-20T00:00:00Z',
      value: { amount: 81_000, currency: 'GBP' },
      period: { startDate: '2026-04-01T00:00:00+01:00', endDate: '2028-03-31T23:59:59+01:00' },
      documents: [noticeDocument('000300-2026', 'UK7', 'contractNotice')],
    },
  ],
});
const CHANGE = actRelease('000400-2026', '2026-06-01T09:00:00Z', {
  tag: ['contractAmendment'],
  contracts: [
    {
      id: '1',
      awardID: '1',
      amendments: [{ id: '000400-2026', date: '2026-05-30T00:00:00Z', description: 'one more building' }],
      documents: [noticeDocument('000400-2026', 'UK10', 'contractNotice')],
    },
  ],
});

describe('an award, its contract and its change', () => {
  const process = compileOne([TENDER, AWARD, DETAILS, CHANGE]);
  const [contract] = process.contracts;

  it('are one contract with its history', () => {
    expect(process.contracts).toHaveLength(1);
    expect(contract).toMatchObject({
      id: `${OCID}-a-1`,
      title: 'Window cleaning 2026',
      value: 80_000,
      valueBasis: 'net',
      valueClass: 'sum',
      awarded: '2026-02-27',
      signed: '2026-03-20',
      starts: '2026-04-01',
      ends: '2028-03-31',
      status: 'active',
      noticeId: '000400-2026',
      supplierParties: ['GB-COH-01234567'],
    });
    expect(contract?.detail.changes).toEqual([
      { notice_id: '000400-2026', date: '2026-05-30', description: 'one more building' },
    ]);
    expect(contract?.detail.lots).toEqual([{ lot_id: '1', title: 'All buildings' }]);
    expect(contract?.detail.cpvs).toEqual(['90911300']);
  });

  it('name the notices they came from, and say why they are what they are', () => {
    expect(contract?.detail.notice_ids).toEqual(['000200-2026', '000300-2026', '000400-2026']);
    expect(contract?.signedIds).toEqual(['1']);
    expect(contract?.valueCandidates.map(({ from, money }) => [from, money?.value])).toEqual([
      ['award net', 80_000],
      ['contract net', 81_000],
      ['award gross', 96_000],
      ['contract gross', undefined],
      ['estimate of its lots', undefined],
      ['estimate of the tender', 90_000],
    ]);
    expect(process.why).toEqual({
      releases: ['000100-2026', '000200-2026', '000300-2026', '000400-2026'],
      merge: { nullsKept: ['awards.value', 'awards.date'] },
      status: 'awards that stand: 1',
      leftOut: [],
    });
    expect(process.notices.map(({ why }) => why.kind)).toEqual(process.notices.map(() => 'noticeType of a document'));
  });

  it('have four notices, of which one is the tender', () => {
    expect(process.notices.map(({ noticeType, isTender }) => [noticeType, isTender])).toEqual([
      ['UK4', true],
      ['UK6', false],
      ['UK7', false],
      ['UK10', false],
    ]);
    expect(process.status).toBe('awarded');
    expect(process.documents.map(({ notice_id }) => notice_id)).toEqual(process.notices.map((one) => one.noticeId));
  });

  it('are ended by a termination', () => {
    const end = actRelease('000500-2026', '2026-07-01T09:00:00Z', {
      tag: ['contractTermination'],
      contracts: [{ id: '1', awardID: '1', status: 'terminated', documents: [noticeDocument('000500-2026', 'UK11')] }],
    });
    const ended = compileOne([TENDER, AWARD, DETAILS, end]);
    expect(ended.contracts).toMatchObject([{ status: 'terminated', noticeId: '000500-2026' }]);
    expect(ended.status).toBe('complete');
  });
});

describe('what makes no contract', () => {
  it('a delta of awards that only name their amendment', () => {
    const awards = ['1', '2', '3'].map((id) => ({ id, amendments: [{ id: '000600-2026' }] }));
    const delta = actRelease('000600-2026', '2026-08-01T00:00:00Z', { tag: ['award', 'contract'], awards });
    expect(compileOne([delta]).contracts).toEqual([]);
    expect(compileOne([delta]).why.leftOut).toHaveLength(3);
    expect(compileOne([TENDER, AWARD, delta]).contracts).toHaveLength(1);
  });

  it('a cancelled or unsuccessful award, and a cancelled procurement', () => {
    const lost = (status: string) =>
      actRelease('000200-2026', '2026-03-01T09:00:00Z', { awards: [{ id: '1', status }] });
    expect(compileOne([TENDER, lost('unsuccessful')])).toMatchObject({ contracts: [], status: 'unsuccessful' });
    const stop = actRelease('000700-2026', '2026-03-05T09:00:00Z', {
      tag: ['tenderCancellation'],
      tender: { status: 'cancelled', documents: [noticeDocument('000700-2026', 'UK12', 'tenderCancellationNotice')] },
    });
    expect(compileOne([TENDER, AWARD, stop])).toMatchObject({ contracts: [], status: 'cancelled' });
  });
});

describe('money', () => {
  const valued = (award: JsonObject, contract: JsonObject = {}, tender: JsonObject = {}) => {
    const release = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
      tag: ['award', 'contract'],
      parties: [COUNCIL, BRIGHT, OAKES],
      tender,
      awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], ...award }],
      contracts: [{ id: '1', awardID: '1', ...contract }],
    });
    const [found] = compileOne([release]).contracts;
    return found && [found.value, found.currency, found.valueBasis, found.valueClass];
  };
  const gbp = (amount?: number, amountGross?: number) => ({ value: { amount, amountGross, currency: 'GBP' } });

  it('is read in order: award net, contract net, award gross, contract gross, estimate', () => {
    expect(valued(gbp(10, 12), gbp(20, 24), gbp(30))).toEqual([10, 'GBP', 'net', 'sum']);
    expect(valued(gbp(undefined, 12), gbp(20, 24))).toEqual([20, 'GBP', 'net', 'sum']);
    expect(valued(gbp(0, 12), gbp(undefined, 24))).toEqual([12, 'GBP', 'gross', 'sum']);
    expect(valued({}, gbp(undefined, 24), gbp(30))).toEqual([24, 'GBP', 'gross', 'sum']);
    expect(valued({}, {}, gbp(30))).toEqual([30, 'GBP', 'estimate', 'estimate']);
  });

  it('of 0 is not stated; an absurd or shared one is classed apart', () => {
    expect(valued(gbp(0))).toEqual([null, null, null, 'unstated']);
    expect(valued(gbp(99_000_000_000))).toEqual([99_000_000_000, 'GBP', 'net', 'absurd']);
    expect(valued(gbp(0.01))).toEqual([0.01, 'GBP', 'net', 'absurd']);
    expect(valued({ ...gbp(500), suppliers: [BRIGHT, OAKES].map(reference) })).toEqual([500, 'GBP', 'net', 'shared']);
  });

  it('keeps its currency', () => {
    expect(valued({ value: { amount: 7_000, currency: 'usd' } })).toEqual([7_000, 'USD', 'net', 'sum']);
  });
});

describe('contract ids', () => {
  it('are readable, and are no ocids', () => {
    expect(makeContractId('ocds-b5fd17-x1', 'ocds-b5fd17-x1-2')).toBe('ocds-b5fd17-x1-a-2');
    expect(makeContractId(OCID, '052408-2025-1-1')).toBe(`${OCID}-a-052408-2025-1-1`);
    expect(makeContractId(OCID, 'Lot 1 / A')).toMatch(new RegExp(`^${OCID}-a-[0-9a-f]{10}$`));
    expect(parseContractId(`${OCID}~0011aabb-a-1`)?.processId).toBe(`${OCID}~0011aabb`);
    expect(parseContractId(OCID)).toBeNull();
    expect(parseOcid(`${OCID}-a-1`)).toBeNull();
    expect(parseOcid(OCID)).toBe(OCID);
  });
});
