import { describe, expect, it } from 'vitest';
import { isInRanges, postcodeNumber, postcodeRanges } from '../../../search/directory/postcodes.ts';

const isFound = (postcode: string, asked: string) => isInRanges(postcodeNumber(postcode), postcodeRanges([asked]));

describe('a postcode', () => {
  it.each([
    ['LS1 4AP', 'LS1 4AP'],
    ['ls14ap ', 'LS1 4AP'],
    ['LS1 4AP', 'ls14ap'],
    ['LS1 4AP', 'LS1 4'],
    ['LS1 4AP', 'LS1'],
    ['LS1 4AP', 'LS'],
    ['LS10 1AA', 'LS10'],
    ['L1 8JQ', 'L'],
    ['W1A 1AA', 'W1A'],
    ['W1A 1AA', 'W1'],
    ['W1 1AA', 'W1'],
    ['W1W 9ZZ', 'W1'],
    ['E1W 1YY', 'E1'],
    ['EC2M 4AA', 'EC'],
    ['B33 8TH', 'B33 8'],
    ['BT9 9ZZ', 'BT'],
    ['ZE3 9JW', 'ZE3'],
    ['A0 0AA', 'A0'],
  ])('%s is found by %s', (postcode, asked) => {
    expect(isFound(postcode, asked)).toBe(true);
  });

  it.each([
    ['LS10 1AA', 'LS1'],
    ['LS1 4AP', 'LS10'],
    ['LS1 4AP', 'LS1 5'],
    ['LS1 4AP', 'LS14'],
    ['LS14 1AP', 'LS1 4'],
    ['LS1 4AP', 'LS1 4AR'],
    ['LS1 4AP', 'L'],
    ['L1 8JQ', 'LS'],
    ['S1 2HH', 'SW1'],
    ['W1A 1AA', 'W1B'],
    ['W10 4AA', 'W1'],
    ['W2 1AA', 'W1'],
    ['W1A 1AA', 'W1 1'],
    ['E10 5AA', 'E1'],
    ['EC2M 4AA', 'E'],
    ['M1 1AE', 'N'],
    ['', 'A'],
    ['LS1', 'LS1'],
    ['LS1 4KM', 'LS1'],
    ['D02 AF30', 'D'],
    ['10115', 'LS1'],
  ])('%s is not found by %s', (postcode, asked) => {
    expect(isFound(postcode, asked)).toBe(false);
  });

  it('is looked for once in what several together stand for, however they overlap and are ordered', () => {
    const asked = ['LS2', 'M1 1AE', 'LS1 4', 'LS1', 'LS', 'M1 1AE', 'LT', 'W1', 'W1A 1AA', 'E1', 'E1W'];
    const ranges = postcodeRanges(asked);
    // LS and LT are neighbours; W1 and E1 are two ranges each.
    expect(ranges).toHaveLength(2 * (1 + 1 + 2 + 2));
    expect(ranges).toEqual([...new Set(ranges)].toSorted((a, b) => a - b));
    const whole = ['LS1 4AP', 'LS99 9ZZ', 'LT1 1AA', 'M1 1AE', 'W1W 9ZZ', 'E1 0AA', 'E1W 1YY'];
    expect(whole.filter((one) => !isInRanges(postcodeNumber(one), ranges))).toEqual([]);
    const others = ['LR9 9ZZ', 'LU1 1AA', 'M1 1AD', 'M1 1AF', 'W10 1AA', 'E2 0AA', 'E10 1AA', ''];
    expect(others.filter((one) => isInRanges(postcodeNumber(one), ranges))).toEqual([]);
  });

  it('has a number of its own within four bytes, in the order of the alphabet', () => {
    const districts = ['A0', 'L1', 'LS1', 'LS10', 'LS19', 'LS1A', 'LS1Z', 'LS2', 'LS9Z', 'M1', 'ZZ9Z'];
    const all = districts.flatMap((district) => ['0AA', '0AB', '0ZZ', '9AA', '9ZZ'].map((end) => `${district} ${end}`));
    const numbers = all.map(postcodeNumber);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect([...Uint32Array.from(numbers)]).toEqual(numbers);
    expect(numbers[0]).toBeGreaterThan(0);
  });
});
