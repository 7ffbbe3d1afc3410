import { describe, expect, it } from 'vitest';
import type { ColumnName } from '../../../search/summary/columns.ts';
import type { Condition } from '../../../search/summary/conditions.ts';
import type { ColumnState } from '../../../search/summary/file.ts';
import type { Pieces } from '../../../search/summary/pieces.ts';
import { spansOf } from '../../../search/summary/spans.ts';

const COLUMN_STATE = { generation: '1', seq: 5, id: 'a', rows: 4 } as ColumnState;
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
function readFor(file: object, columnState: ColumnState, ...conditions: Condition[]): number[] {
  const spans = spansOf(file as never, columnState, conditions);
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
    expect(readFor(file, COLUMN_STATE, year, other)).toEqual([0, 1]);
    expect(readFor(file, COLUMN_STATE, year, other)).toEqual([1]);
    expect(readFor(file, COLUMN_STATE, bound('dated', 20_240_301, 20_250_105))).toEqual([0, 1]);
    expect(readFor(file, COLUMN_STATE, bound('dated', 20_240_302, 20_250_104))).toEqual([]);
    expect(readFor(file, COLUMN_STATE, bound('dated', Number.NEGATIVE_INFINITY, 20_241_231))).toEqual([0]);
    expect(readFor(file, COLUMN_STATE, other)).toEqual([0, 1]);
  });

  it('are chosen by every bound, and by what is known of it', () => {
    const file = {};
    readFor(file, COLUMN_STATE, year);
    // Nothing is known of values yet.
    expect(readFor(file, COLUMN_STATE, bound('value', 400, 600))).toEqual([0, 1]);
    expect(readFor(file, COLUMN_STATE, bound('value', 400, 600))).toEqual([1]);
    expect(readFor(file, COLUMN_STATE, bound('value', 1, 20), year)).toEqual([]);
  });

  it('are all again once the columns have changed', () => {
    const file = {};
    readFor(file, COLUMN_STATE, year);
    expect(readFor(file, { ...COLUMN_STATE, seq: 6 }, year)).toEqual([0, 1]);
    expect(readFor({}, COLUMN_STATE, year)).toEqual([0, 1]);
  });
});
