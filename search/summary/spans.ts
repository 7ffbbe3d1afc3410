import { memoiseByObject } from '../../schema/text/memoise.ts';
import type { ColumnName } from './columns.ts';
import type { Condition } from './conditions.ts';
import type { ColumnFile, ColumnState } from './file.ts';
import type { Pieces } from './pieces.ts';

type Span = readonly [least: number, most: number];

/** The known spans of a file's pieces: for a column the least and the greatest value in each. */
interface Known {
  position: string;
  spans: Map<string, Span>;
}

const knownOf = memoiseByObject((_file: Pick<ColumnFile, 'database'>): Known => ({ position: '', spans: new Map() }));

/** Which pieces need not be read for some conditions. */
interface Spans {
  /** Whether a piece may contain a row that meets all conditions; one that was never read may. */
  mayHold(piece: number): boolean;
  /** Records the contents of a piece. */
  note(piece: number, columns: Pieces): void;
}

/**
 * The spans of bounded columns. Contracts are placed in order of arrival, so those of a year are together: a sum over one year
 * reads few of the pieces. Records are valid until the columns change.
 */
export function spansOf(
  file: Pick<ColumnFile, 'database'>,
  columnState: ColumnState,
  conditions: readonly Condition[],
): Spans {
  const known = knownOf(file);
  const { generation, seq, id, rows, head } = columnState;
  // A catalogue that was restored to an older state comes to the same numbers again, with other rows.
  const at = JSON.stringify([generation, seq, id, rows, head]);
  if (known.position !== at) Object.assign(known, { position: at, spans: new Map() });
  const bounds = conditions.flatMap(({ columns: [column], span }) => (column && span ? [{ column, span }] : []));
  const bounded = [...new Set(bounds.map(({ column }) => column))];
  return {
    mayHold: (piece) =>
      bounds.every(({ column, span: [least, most] }) => {
        const span = known.spans.get(`${piece} ${column}`);
        return !span || (span[0] <= most && span[1] >= least);
      }),
    note(piece, columns) {
      for (const column of bounded) {
        const key = `${piece} ${column}`;
        if (!known.spans.has(key)) known.spans.set(key, spanOf(columns, column));
      }
    },
  };
}

function spanOf(columns: Pieces, column: ColumnName): Span {
  const piece = columns[column] as Int32Array | Float64Array;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < piece.length; row++) {
    const value = piece[row] as number;
    // What is not a number compares as false, and is in no span.
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
