import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, OAKES, reference } from '../compile/releases.ts';

const award = (id: string, supplier: JsonObject, amount: number) => ({
  id,
  status: 'active',
  date: '2026-02-01T00:00:00Z',
  value: { amount, currency: 'GBP' },
  suppliers: [reference(supplier)],
});
const FIRST = award('1', BRIGHT, 1_000);
const SECOND = award('2', OAKES, 2_000);

/** What an earlier and a later notice of one process lead to: each award with its value. */
function contractsOf(earlier: JsonObject, later: JsonObject) {
  const base = { tag: ['award'], parties: [COUNCIL, BRIGHT, OAKES] };
  const { contracts, buyerParty } = compileOne([
    actRelease('000301-2026', '2026-02-02T09:00:00Z', { ...base, ...earlier }),
    actRelease('000302-2026', '2026-02-03T09:00:00Z', { ...base, ...later }),
  ]);
  expect(buyerParty).toBe(COUNCIL.id);
  return contracts.map(({ awardId, value }) => [awardId, value]);
}
const BOTH = [
  ['1', 1_000],
  ['2', 2_000],
];

describe('a later notice', () => {
  it.each<[string, unknown]>([
    ['a null', [null, SECOND]],
    ['a blank text', ['', SECOND]],
    ['an object without content', [{}, SECOND]],
  ])('that lists %s among its awards keeps those of the earlier one', (_, awards) => {
    expect(contractsOf({ awards: [FIRST] }, { awards }).slice(0, 2)).toEqual(BOTH);
  });

  it.each<[string, unknown, unknown]>([
    ['the earlier one', FIRST, [SECOND]],
    ['the later one', [FIRST], SECOND],
    ['both', FIRST, SECOND],
  ])('adds its award where a lone award is published without a list, in %s', (_, earlier, later) => {
    expect(contractsOf({ awards: earlier }, { awards: later })).toEqual(BOTH);
  });

  it.each([
    [{ awards: '' }],
    [{ awards: [null] }],
    [{ awards: [{}] }],
    [{ awards: [{ ...FIRST, value: '' }] }],
    [{ awards: [{ ...FIRST, value: { amount: ' ', currency: '' } }] }],
    [{ awards: [{ ...FIRST, status: '', suppliers: '' }], parties: '', buyer: '', tender: {} }],
  ])('says nothing by a blank: %j', (later) => {
    expect(contractsOf({ awards: [FIRST] }, later)).toEqual([['1', 1_000]]);
  });

  it('adds its signed contract where contracts have no ids', () => {
    const signed = ({ id: awardID, value }: typeof FIRST) => ({ awardID, status: 'active', value });
    const unvalued = ({ value: _, ...rest }: typeof FIRST) => rest;
    const of = (one: typeof FIRST) => ({ awards: [unvalued(one)], contracts: [signed(one)] });
    expect(contractsOf(of(FIRST), of(SECOND))).toEqual(BOTH);
  });

  it('counts its only award once where its signed contract does not name it', () => {
    const signed = { status: 'active', dateSigned: '2026-02-05T00:00:00Z', value: { amount: 1_000, currency: 'GBP' } };
    expect(contractsOf({ awards: [FIRST] }, { awards: [FIRST], contracts: [{ id: 'C', ...signed }] })).toEqual([
      ['1', 1_000],
    ]);
    const { value: _, ...unvalued } = FIRST;
    expect(contractsOf({ awards: [unvalued] }, { awards: [unvalued], contracts: [signed] })).toEqual([['1', 1_000]]);
  });
});
