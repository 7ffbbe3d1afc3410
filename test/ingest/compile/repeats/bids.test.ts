import { describe, expect, it } from 'vitest';
import { compileOne, contractWarnings } from '../releases.ts';
import { many, notice, type Published } from './notices.ts';

/** The nth award notice of a process: its value and the number of its bids. */
type Priced = [amount: number, bids?: number, published?: Published];

const compile = (...notices: Priced[]) =>
  compileOne(
    notices.map(([amount, bids, published], index) => ({
      ...notice(index + 1, { amount, ...published }),
      bids: { statistics: bids === undefined ? [] : [{ id: '1', measure: 'bids', value: bids }] },
    })),
    'contracts_finder',
  );
const values = (...notices: Priced[]) => compile(...notices).contracts.map(({ value }) => value);

describe('awards alike whose numbers of bids differ', () => {
  it('are competitions of one day where the price differs too, and say that one may correct the other', () => {
    const two = compile([18_500, 11], [21_000, 9]);
    expect(two.contracts.map(({ value }) => value)).toEqual([18_500, 21_000]);
    expect(contractWarnings(two)).toEqual([1, 2].map(() => expect.stringContaining('one of several awards')));
  });

  it.each([
    [11, 9, 9],
    [9, 11, 9],
    [9, 9, 11],
  ])('are several competitions, also where two of them had as many bids: %d, %d, %d', (...bids) => {
    const prices = [18_500, 21_000, 26_400];
    expect(values(...prices.map((price, index): Priced => [price, bids[index]]))).toEqual(prices);
  });

  it.each<[string, number, ...Priced[]]>([
    ['one notice counts none', 21_000, [18_500], [21_000, 9]],
    ['both notices count as many', 21_000, [18_500, 9], [21_000, 9]],
    ['the price is the same', 18_500, [18_500, 11], [18_500, 9]],
    ['the price was a slip', 18_500, [185_000, 11], [18_500, 9]],
    ['no price was stated', 18_500, [0, 11], [18_500, 9]],
    ['the later notice says so', 21_000, [18_500, 11], [21_000, 9, { description: 'It corrects the price and bids.' }]],
    ['a supplier joins many', 21_000, [18_500, 12, { suppliers: many(12) }], [21_000, 13, { suppliers: many(13) }]],
  ])('are one award where %s', (_, value, ...notices) => {
    expect(values(...notices)).toEqual([value]);
  });
});
