import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, OAKES, reference, supplier } from '../releases.ts';

interface Stated {
  tag?: string;
  value: number;
  supplier?: JsonObject;
  ends?: string | null;
  modifies?: boolean;
}

/** A notice in an older form about the award of lot 1 that was concluded on 1 February; its award id begins with its number. */
function notice(n: number, day: string, stated: Stated): JsonObject {
  const { tag = 'award', value, supplier = BRIGHT, ends = '2028-01-31', modifies = false } = stated;
  const [id, money] = [`00010${n}-2026`, { amount: value, currency: 'GBP' }];
  const signed = { id: `${id}-1-1`, awardID: `${id}-1-1`, value: money, dateSigned: '2026-02-01T00:00:00Z' };
  const period = ends ? { period: { startDate: '2026-03-01', endDate: ends } } : {};
  const amendments = modifies ? { amendments: [{ id: '1', description: `More works of notice ${n}.` }] } : {};
  return actRelease(id, `${day}T09:00:00Z`, {
    tag: tag === 'award' ? ['award', 'contract'] : ['awardUpdate', 'contractUpdate'],
    parties: [COUNCIL, supplier],
    tender: { legalBasis: { scheme: 'CELEX', id: '32014L0024' }, lots: [{ id: '1' }] },
    awards: [{ id: `${id}-1-1`, status: 'active', suppliers: [reference(supplier)], relatedLots: ['1'], value: money }],
    contracts: [{ ...signed, ...period, ...amendments }],
  });
}

const AWARD = notice(1, '2026-02-10', { value: 1_000 });
const compiled = (...later: JsonObject[]) =>
  compileOne([AWARD, ...later]).contracts.map(({ awardId, value, ends, detail }) => ({
    awardId,
    value,
    ends,
    notices: detail.notice_ids?.map((id) => Number(id.slice(5, 6))),
    changes: detail.changes?.length,
  }));

describe('a modification in an older form of an award that was published twice', () => {
  it.each([
    ['again', 1_000],
    ['corrected', 1_100],
  ])('changes that one contract, and is no second one: %s', (_, value) => {
    const again = notice(2, '2026-02-20', { tag: 'update', value });
    const first = notice(3, '2026-06-01', { tag: 'update', value: 1_500, ends: '2029-01-31', modifies: true });
    const second = notice(4, '2026-06-20', { tag: 'update', value: 1_700, ends: null, modifies: true });
    const third = notice(5, '2026-09-20', { tag: 'update', value: 1_900, ends: null, modifies: true });
    const changed = { awardId: '000101-2026-1-1', ends: '2029-01-31' };
    expect(compiled(again)).toMatchObject([{ value, notices: [1, 2], changes: undefined }]);
    expect(compiled(again, first)).toEqual([{ ...changed, value: 1_500, notices: [1, 2, 3], changes: 1 }]);
    expect(compiled(again, first, third)).toEqual([{ ...changed, value: 1_900, notices: [1, 2, 3, 5], changes: 2 }]);
    expect(compiled(again, first, second)).toMatchObject([{ value: 1_700, notices: [1, 2, 3, 4] }]);
  });

  it('may bring in a supplier, and the next one may name that one alone', () => {
    const again = notice(2, '2026-02-20', { tag: 'update', value: 1_000 });
    const joint = notice(3, '2026-06-01', { tag: 'update', value: 1_500, modifies: true });
    const [[award]] = [joint.awards as JsonObject[]];
    const both = {
      ...joint,
      parties: [COUNCIL, BRIGHT, OAKES],
      awards: [{ ...award, suppliers: [reference(BRIGHT), reference(OAKES)] }],
    };
    const alone = notice(4, '2026-09-01', { tag: 'update', value: 1_600, supplier: OAKES, modifies: true });
    expect(compiled(again, both, alone)).toMatchObject([{ value: 1_600, notices: [1, 2, 3, 4], changes: 2 }]);
  });

  it('stays a contract of its own where two others have its supplier, lot and day, or none has its supplier', () => {
    const other = notice(2, '2026-04-20', { value: 700 });
    const modified = notice(3, '2026-06-01', { tag: 'update', value: 1_500, modifies: true });
    expect(compiled(other, modified).map(({ value }) => value)).toEqual([1_000, 700, 1_500]);
    const ofOther = notice(3, '2026-06-01', { tag: 'update', value: 1_500, supplier: OAKES, modifies: true });
    expect(compiled(notice(2, '2026-02-20', { value: 1_000 }), ofOther).map(({ value }) => value)).toEqual([
      1_000, 1_500,
    ]);
  });

  it('belongs to the number of its supplier, whatever its name', () => {
    const llp = supplier('OC301234', 'Brightwater Cleaning LLP');
    const again = notice(2, '2026-02-20', { tag: 'update', value: 1_000 });
    const ofOther = notice(3, '2026-06-01', { tag: 'update', value: 1_500, supplier: llp, modifies: true });
    expect(compiled(again, ofOther).map(({ value }) => value)).toEqual([1_000, 1_500]);
    const renamed = { ...BRIGHT, name: 'Halden Facilities Ltd' };
    const ofSame = notice(3, '2026-06-01', { tag: 'update', value: 1_500, supplier: renamed, modifies: true });
    expect(compiled(again, ofSame).map(({ value }) => value)).toEqual([1_500]);
  });
});
