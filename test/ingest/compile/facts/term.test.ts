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

  it('is moved by a change and set by a termination, after which nothing is extended', () => {
    const change = later('UK10', 'contractAmendment', { amendments: [{ id: 'a', period: { endDate: '2029-03-31' } }] });
    expect(termOf(signed({ period: PERIOD }), change)).toEqual(['2029-03-31', 'change', '2030-03-31']);
    const end = later('UK11', 'contractTermination', { status: 'terminated' });
    expect(termOf(signed({ period: PERIOD }), end)).toEqual(['2026-06-01', 'termination', null]);
  });

  it('is not followed by an extension that ends before it', () => {
    const period = { ...PERIOD, maxExtentDate: '2028-03-31' };
    expect(termOf(signed({ period }))).toEqual(['2028-03-31', 'contract', null]);
  });
});
