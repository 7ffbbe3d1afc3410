import { describe, expect, it } from 'vitest';
import type { ColumnName } from '../../../search/summary/columns.ts';
import type { Condition } from '../../../search/summary/conditions.ts';
import type { Standing } from '../../../search/summary/file.ts';
import type { Pieces } from '../../../search/summary/pieces.ts';
import { spansOf } from '../../../search/summary/spans.ts';

const STANDING = { generation: '1', seq: 5, id: 'a', rows: 4 } as Standing;
/** Two pieces, the later days in the second; of values one is not known in each. */
const PIECES: Pieces[] = [
  { dated: Int32Array.of(20_240_105, 20_240_301), value: Float64Array.of(Number.NaN, 10) },
  { dated: Int32Array.of(20_250_105, 20_250_301), value: Float64Array.of(500, Number.NaN) },
];

const bound = (column: ColumnName, least: number, most: number): Condition => ({
  columns: [column],
  span: [least, most],
  narrow: () => undefined,
});
const other: Condition = { columns: ['cpvs'], narrow: () => undefined };

/** The pieces that are read for some conditions. */
function readFor(file: object, standing: Standing, ...conditions: Condition[]): number[] {
  const spans = spansOf(file as never, standing, conditions);
  return PIECES.flatMap((columns, piece) => {
    if (!spans.mayHold(piece)) return [];
    spans.note(piece, columns);
    return [piece];
  });
}

describe('the pieces that a bounded sum reads', () => {
  const year = bound('dated', 20_250_101, 20_251_231);

  it('are all at first, and then those alone that may hold a row of it', () => {
    const file = {};
    expect(readFor(file, STANDING, year, other)).toEqual([0, 1]);
    expect(readFor(file, STANDING, year, other)).toEqual([1]);
    expect(readFor(file, STANDING, bound('dated', 20_240_301, 20_250_105))).toEqual([0, 1]);
    expect(readFor(file, STANDING, bound('dated', 20_240_302, 20_250_104))).toEqual([]);
    expect(readFor(file, STANDING, bound('dated', Number.NEGATIVE_INFINITY, 20_241_231))).toEqual([0]);
    expect(readFor(file, STANDING, other)).toEqual([0, 1]);
  });

  it('are chosen by every bound, and by what is known of it', () => {
    const file = {};
    readFor(file, STANDING, year);
    // Nothing is known of values yet.
    expect(readFor(file, STANDING, bound('value', 400, 600))).toEqual([0, 1]);
    expect(readFor(file, STANDING, bound('value', 400, 600))).toEqual([1]);
    expect(readFor(file, STANDING, bound('value', 1, 20), year)).toEqual([]);
  });

  it('are all again once the columns have changed', () => {
    const file = {};
    readFor(file, STANDING, year);
    expect(readFor(file, { ...STANDING, seq: 6 }, year)).toEqual([0, 1]);
    expect(readFor({}, STANDING, year)).toEqual([0, 1]);
  });
});
