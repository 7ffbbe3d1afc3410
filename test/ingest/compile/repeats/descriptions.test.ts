import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { compileOne, winnerNames } from '../releases.ts';
import { many, notice, type Published } from './notices.ts';

const compile = (...notices: JsonObject[]) => compileOne(notices, 'contracts_finder');
const countOf = (one: Published, other: Published) => compile(notice(1, one), notice(2, other)).contracts.length;

const orders = (names: string[], lines = '\n') => names.map((name, at) => `${name}: order 18130003${at}`).join(lines);
/** An award to so many, which its description lists; no value is stated. */
const listed = (count: number, description: string | null = orders(many(count)), more: Published = {}): Published => ({
  suppliers: many(count),
  award: { value: null, description },
  ...more,
});

describe('a later notice whose list of many suppliers', () => {
  it.each(['\n', 'rnrn'])('got or lost a line corrects the earlier one (lines end in %j)', (lines) => {
    const told = (count: number) => listed(count, orders(many(count), lines));
    expect(winnerNames(compile(notice(1, told(12)), notice(2, told(13))))).toEqual([many(13)]);
    expect(winnerNames(compile(notice(1, told(13)), notice(2, told(12))))).toEqual([many(12)]);
    expect(countOf(told(16), told(14))).toBe(1);
  });

  it('was not there before, or replaced a name, corrects it too', () => {
    expect(countOf(listed(12, null), listed(12))).toBe(1);
    const other = [...many(39), 'Yew & Sons'];
    expect(countOf(listed(40), { suppliers: other, award: { value: null, description: orders(other) } })).toBe(1);
  });

  it('is of another quarter, or describes something else, is an award of its own', () => {
    const of = (description: string) => listed(12, orders(many(12)), { description });
    expect(countOf(of('Placements of January'), of('Placements of February'))).toBe(2);
    expect(countOf(listed(12), listed(12, 'Placements of another kind'))).toBe(2);
  });
});

describe('two notices of one value', () => {
  it.each([
    ['Lot 1 - East', 'Lot 2 - West'],
    ['Call-offs of October and November 2024', 'Call-offs of January and February 2025'],
    ['Repairs. Area: north', 'Repairs. Area: south'],
    ['Advice in Northgate Ward', 'Advice in Quayside Ward'],
    ['Survey of Block A', 'Survey of Block C'],
  ])('are two awards where the descriptions tell lots, places or times apart: %s', (description, other) => {
    expect(countOf({ description }, { description: other })).toBe(2);
  });

  it.each([
    ['Hedges of all parks', 'Hedges of all the parks, as listed on page 2'],
    ['Hedge cuting', 'Hedge cutting'],
    ['Hedges at Brook Lane', 'Hedges at Brooke Lane'],
    ['Hedges, £22,000 a year', 'Hedges, £99,000 a year'],
  ])('are one where a description grew or was put right: %s', (description, other) => {
    expect(countOf({ description }, { description: other })).toBe(1);
  });
});

it('a description that got a line may go with another value', () => {
  const [one, both] = ['Licence of the first year', 'Licence of the first year. Implementation'];
  expect(countOf({ description: one }, { description: both, amount: 21_000 })).toBe(1);
  expect(countOf({ description: one }, { description: 'Training', amount: 21_000 })).toBe(2);
});
