import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { compileOne, inlineRelease, inlineSupplier } from '../releases.ts';

const [FIRST, SECOND] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];
const AWARD = inlineRelease(FIRST, [inlineSupplier('Tidy Hedges')]).awards as JsonObject[];
const awardOf = (id: string, amount: number, name = 'Tidy Hedges') => ({
  ...AWARD[0],
  id,
  value: { amount, currency: 'GBP' },
  suppliers: [inlineSupplier(name)],
});
const [ONE, TWO] = [awardOf('a-1', 18_500), awardOf('a-2', 4_000, 'Mill Ditches')];

/** A release of the notice of this id, as Contracts Finder numbers the edits of a notice. */
const edit = (guid: string, n: number, awards: JsonObject[] | undefined, more: JsonObject = {}) => ({
  ...inlineRelease(guid, []),
  id: `${guid}-${n}`,
  date: `2020-03-0${n}T10:00:00Z`,
  tag: [n === 1 ? 'award' : 'awardUpdate'],
  awards,
  ...more,
});
const valuesOf = (...releases: JsonObject[]) =>
  compileOne(releases, 'contracts_finder').contracts.map(({ awardId, value }) => [awardId, value]);

describe('an edit of a notice says all of it again', () => {
  it('an award that it no longer states is withdrawn', () => {
    expect(valuesOf(edit(FIRST, 1, [ONE, TWO]), edit(FIRST, 2, [ONE]))).toEqual([['a-1', 18_500]]);
    expect(valuesOf(edit(FIRST, 2, [ONE]), edit(FIRST, 1, [ONE, TWO]))).toEqual([['a-1', 18_500]]);
  });

  it('an award under a new id, with another price, is the same one corrected', () => {
    const again = edit(FIRST, 2, [awardOf('a-9', 19_500)]);
    expect(valuesOf(edit(FIRST, 1, [ONE]), again)).toEqual([['a-9', 19_500]]);
    const contract = { id: 'c', awardID: 'a-1', value: { amount: 18_500, currency: 'GBP' }, dateSigned: '2020-03-01' };
    expect(valuesOf(edit(FIRST, 1, [ONE], { contracts: [contract] }), again)).toEqual([['a-9', 19_500]]);
  });

  it('one without awards, and an edit of another notice, withdraw none', () => {
    expect(valuesOf(edit(FIRST, 1, [ONE, TWO]), edit(FIRST, 2, undefined))).toHaveLength(2);
    expect(valuesOf(edit(FIRST, 1, [ONE]), edit(SECOND, 2, [TWO]))).toHaveLength(2);
    expect(valuesOf(edit(FIRST, 1, [ONE]), edit(SECOND, 1, [TWO]), edit(SECOND, 2, [TWO]))).toHaveLength(2);
  });

  it('two awards without an id, or under one id, are told apart', () => {
    const without = ({ id: _, ...award }: JsonObject) => award;
    const [one, two] = [ONE, TWO].map((award) => ({ ...award, id: '1' }));
    for (const [first, second] of [
      [one, two],
      [without(ONE), without(TWO)],
    ] as JsonObject[][])
      expect(
        valuesOf(edit(FIRST, 1, [first, second] as JsonObject[]), edit(FIRST, 2, [first] as JsonObject[])),
      ).toEqual([[expect.stringMatching(/1$/), 18_500]]);
  });

  it('one that cancels an award leaves the others', () => {
    const cancelled = edit(FIRST, 2, [{ id: 'a-2' }], { tag: ['awardCancellation'] });
    expect(valuesOf(edit(FIRST, 1, [ONE, TWO]), cancelled)).toEqual([['a-1', 18_500]]);
  });

  it('an award corrected to another lot and firm keeps its id', () => {
    const [first, again] = [
      { ...ONE, relatedLots: ['1'] },
      { ...TWO, id: 'a-1', relatedLots: ['2'] },
    ];
    expect(valuesOf(edit(FIRST, 1, [first]), edit(FIRST, 2, [again], { tag: ['award'] }))).toEqual([['a-1', 4_000]]);
  });
});
