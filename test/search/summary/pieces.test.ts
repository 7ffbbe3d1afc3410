import { describe, expect, it } from 'vitest';
import { NONE } from '../../../search/summary/columns.ts';
import { cellsOf, makeRoom, packPiece, unpackPiece } from '../../../search/summary/pieces.ts';

const row = (size: number, of: (at: number) => number) => Array.from({ length: size }, (_, at) => of(at));

describe('a piece of a column', () => {
  it.each([
    ['nothing', []],
    ['one value throughout', row(50, () => NONE)],
    ['a byte each', row(300, (at) => (at % 256) - 1)],
    ['just more than a byte each', [NONE, 255]],
    ['two bytes each', row(400, (at) => 20_250_101 + at * 100)],
    ['just more than two bytes each', [0, 65_536]],
    ['days, of which one is not known', [NONE, 20_250_101, 99_991_231]],
    ['all that four bytes hold', [-(2 ** 31), 2 ** 31 - 1, 0]],
  ])('of whole numbers is read as it was written: %s', (_, cells) => {
    const stored = packPiece('day', cells);
    expect(cellsOf(unpackPiece('dated', stored))).toEqual(cells);
    expect(stored.length % 4).toBe(0);
  });

  it('takes as few bytes as its numbers differ by', () => {
    const bytes = (cells: number[]) => packPiece('whole', cells).length;
    const header = bytes([]);
    expect([bytes(row(1_000, () => 7)), bytes(row(1_000, (at) => at % 200))]).toEqual([header, header + 1_000]);
    expect([bytes(row(1_000, (at) => at)), bytes(row(1_000, (at) => at * 100))]).toEqual([
      header + 2_000,
      header + 4_000,
    ]);
  });

  it('of lists and of real numbers is read as it was written', () => {
    const lists = [[], [5], [], [300, 1, 70_000], [2, 3], []];
    expect(cellsOf(unpackPiece('cpvs', packPiece('names', lists)))).toEqual(lists);
    expect(cellsOf(unpackPiece('cpvs', packPiece('names', [[], []])))).toEqual([[], []]);
    expect(cellsOf(unpackPiece('value', packPiece('real', [10.01, Number.NaN, -0.1])))).toEqual([
      10.01,
      Number.NaN,
      -0.1,
    ]);
  });

  it('takes the place of the piece of its column that was read before, and of no other', () => {
    const room = makeRoom();
    const read = (name: 'cpvs' | 'sources', lists: number[][]) => unpackPiece(name, packPiece('names', lists), room);
    const first = read('cpvs', [[1, 2, 3], [4]]);
    const other = read('sources', [[9], [8]]);
    // Shorter, then longer than what was there.
    for (const lists of [
      [[6], []],
      [[1], [5, 6, 7, 8]],
      [[2, 3], [4]],
    ])
      expect(cellsOf(read('cpvs', lists))).toEqual(lists);
    expect(cellsOf(other)).toEqual([[9], [8]]);
    expect('ends' in first && [...first.ends]).toEqual([2, 3]);
  });
});
