import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, OAKES, reference, winnersOf } from '../releases.ts';

const gbp = (amount: number) => ({ amount, currency: 'GBP' });

/** A notice of the older forms about the awards to one supplier of these lots: their ids begin with its own number. */
function olderForm(id: string, date: string, lots: string[], contract: JsonObject, more: JsonObject = {}) {
  const { supplier = BRIGHT, ...rest } = more as { supplier?: JsonObject };
  const signed = { status: 'active', dateSigned: '2022-05-20T00:00:00+01:00' };
  return actRelease(id, date, {
    tag: ['award', 'contract'],
    parties: [COUNCIL, supplier],
    tender: { legalBasis: { scheme: 'CELEX', id: '32014L0024' } },
    awards: lots.map((lot) => ({
      id: `${id}-${lot}-1`,
      relatedLots: [lot],
      status: 'active',
      suppliers: [reference(supplier)],
    })),
    contracts: lots.map((lot) => ({ id: `${id}-${lot}-1`, awardID: `${id}-${lot}-1`, ...signed, ...contract })),
    ...rest,
  });
}
const AWARD = olderForm('006001-2022', '2022-06-01T10:00:00Z', ['1'], { value: gbp(300_000) });
/** A modification notice (F20): the value and term after it. Its amendment is numbered, and has no date. */
const MODIFIED = {
  value: gbp(345_000),
  period: { startDate: '2022-06-01T00:00:00Z', endDate: '2026-05-31T23:59:59Z' },
  amendments: [{ id: '1', description: 'A further year', rationale: 'Need for additional services' }],
};
const UPDATE = { tag: ['awardUpdate', 'contractUpdate'] };
const modification = (contract: JsonObject = {}, more: JsonObject = {}, lots = ['1']) =>
  olderForm('006501-2023', '2023-08-01T10:00:00Z', lots, { ...MODIFIED, ...contract }, { ...UPDATE, ...more });

const summary = (releases: JsonObject[]) =>
  compileOne(releases).contracts.map(({ awardId, value, ends, lotIds, detail }) => [
    awardId,
    value,
    ends,
    lotIds,
    detail.changes?.map(({ notice_id }) => notice_id),
  ]);

describe('a modification of a contract in an older form', () => {
  it('changes the contract that it modifies, although it has an id of its own, in whatever order they come', () => {
    const changed = [['006001-2022-1-1', 345_000, '2026-05-31', ['1'], ['006501-2023']]];
    expect(summary([AWARD, modification()])).toEqual(changed);
    expect(summary([modification(), AWARD])).toEqual(changed);
    const { notices } = compileOne([AWARD, modification()]);
    expect(notices.map(({ noticeType, stage, awardIds }) => [noticeType, stage, awardIds])).toEqual([
      ['award', 'award', ['006001-2022-1-1']],
      ['contractAmendment', 'change', ['006001-2022-1-1']],
    ]);
  });

  it('changes it again, however much the value grows', () => {
    const again = { ...MODIFIED, value: gbp(3_000_000), amendments: [{ id: '2', description: 'The whole county' }] };
    const second = olderForm('007001-2023', '2023-08-20T10:00:00Z', ['1'], again, UPDATE);
    expect(summary([AWARD, modification(), second])).toEqual([
      ['006001-2022-1-1', 3_000_000, '2026-05-31', ['1'], ['006501-2023', '007001-2023']],
    ]);
    expect(compileOne([AWARD, modification(), second]).contracts[0]?.valueClass).toBe('sum');
  });

  it('changes it again where every notice numbers its own change 1', () => {
    const second = olderForm(
      '007001-2023',
      '2023-08-20T10:00:00Z',
      ['1'],
      { ...MODIFIED, value: gbp(360_000) },
      UPDATE,
    );
    expect(summary([AWARD, modification(), second])).toEqual([
      ['006001-2022-1-1', 360_000, '2026-05-31', ['1'], ['006501-2023', '007001-2023']],
    ]);
  });

  it('changes the contract of its own lot', () => {
    const lots = olderForm('006001-2022', '2022-06-01T10:00:00Z', ['1', '2'], { value: gbp(300_000) });
    expect(summary([lots, modification({}, {}, ['2'])]).map(([id, value]) => [id, value])).toEqual([
      ['006001-2022-1-1', 300_000],
      ['006001-2022-2-1', 345_000],
    ]);
  });

  it.each([
    ['named twice', [BRIGHT, BRIGHT], ['Brightwater Cleaning Ltd']],
    ['joined by another', [BRIGHT, OAKES], ['Brightwater Cleaning Ltd', 'Oakes & Daughters Limited']],
  ])('changes it where its supplier is %s after the change', (_, suppliers, after) => {
    const more = { parties: [COUNCIL, BRIGHT, OAKES] };
    const changed = modification({}, more) as { awards: JsonObject[] } & JsonObject;
    const awards = changed.awards.map((award) => ({ ...award, suppliers: suppliers.map(reference) }));
    const process = compileOne([AWARD, { ...changed, awards }]);
    expect(process.contracts.map(({ awardId, value }) => [awardId, value])).toEqual([['006001-2022-1-1', 345_000]]);
    expect(winnersOf(process)[0]?.map((winner) => winner?.name)).toEqual(after);
  });

  it('changes the contract with the same suppliers, where another shares one of them', () => {
    const withOakes = (release: JsonObject, id: string, suppliers: JsonObject[]) => {
      const [award, contract] = [release.awards, release.contracts].map((list) => (list as JsonObject[])[0]);
      return {
        ...release,
        parties: [COUNCIL, BRIGHT, OAKES],
        awards: [award, { ...award, id, suppliers: suppliers.map(reference) }],
        contracts: [contract, { ...contract, id, awardID: id }],
      };
    };
    const both = withOakes(AWARD, '006001-2022-1-2', [BRIGHT, OAKES]);
    expect(summary([both, modification()]).map(([id, value]) => [id, value])).toEqual([
      ['006001-2022-1-1', 345_000],
      ['006001-2022-1-2', 300_000],
    ]);
  });

  it('changes it again where the supplier that one change brought in is alone in the next', () => {
    const joined = modification({}, { parties: [COUNCIL, BRIGHT, OAKES] }) as { awards: JsonObject[] } & JsonObject;
    const awards = joined.awards.map((award) => ({ ...award, suppliers: [BRIGHT, OAKES].map(reference) }));
    const more = { ...UPDATE, supplier: OAKES };
    const second = olderForm('007001-2023', '2023-08-20T10:00:00Z', ['1'], { ...MODIFIED, value: gbp(360_000) }, more);
    expect(summary([AWARD, { ...joined, awards }, second]).map(([id, value]) => [id, value])).toEqual([
      ['006001-2022-1-1', 360_000],
    ]);
  });

  it.each([
    ['another day of conclusion', modification({ dateSigned: '2022-06-20T00:00:00+01:00' })],
    ['another supplier', modification({}, { supplier: OAKES })],
    ['another lot', modification({}, {}, ['2'])],
    ['no amendment: a further award', modification({ amendments: [] })],
  ])('is a contract of its own with %s', (_, other) => {
    expect(summary([AWARD, other]).map(([id, value]) => [id, value])).toEqual([
      ['006001-2022-1-1', 300_000],
      [expect.stringMatching(/^006501-2023/), 345_000],
    ]);
  });

  it('is a change by the notice that states it, where its amendment has only a number', () => {
    const named = { awards: [], contracts: [{ id: '006001-2022-1-1', awardID: '006001-2022-1-1', ...MODIFIED }] };
    expect(compileOne([AWARD, modification({}, named)]).contracts[0]?.detail.changes).toEqual([
      { notice_id: '006501-2023', date: '2023-08-01', description: 'A further year\n\nNeed for additional services' },
    ]);
  });
});
