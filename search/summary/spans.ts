import { memoiseByObject } from '../../schema/text/memoise.ts';
import type { ColumnName } from './columns.ts';
import type { Condition } from './conditions.ts';
import type { ColumnFile, Standing } from './file.ts';
import type { Pieces } from './pieces.ts';

type Span = readonly [least: number, most: number];

/** What is known of a file's pieces: of a column the least and the most value in each. */
interface Known {
  standing: string;
  spans: Map<string, Span>;
}

const knownOf = memoiseByObject((_file: Pick<ColumnFile, 'database'>): Known => ({ standing: '', spans: new Map() }));

/** Which pieces need not be read for some conditions. */
export interface Spans {
  /** Whether a piece may hold a row that fulfils them all; one that was never read may. */
  mayHold(piece: number): boolean;
  /** Notes what a piece holds. */
  note(piece: number, columns: Pieces): void;
}

/**
 * The spans of the columns that conditions bound. Contracts have their places in the order in which they came, so that those of
 * a year lie together: a sum of one year reads a few pieces of many. What was noted holds until the columns change.
 */
export function spansOf(
  file: Pick<ColumnFile, 'database'>,
  standing: Standing,
  conditions: readonly Condition[],
): Spans {
  const known = knownOf(file);
  const { generation, seq, id, rows } = standing;
  const at = JSON.stringify([generation, seq, id, rows]);
  if (known.standing !== at) Object.assign(known, { standing: at, spans: new Map() });
  const bounds = conditions.flatMap(({ columns: [column], span }) => (column && span ? [{ column, span }] : []));
  const bounded = [...new Set(bounds.map(({ column }) => column))];
  return {
    mayHold: (piece) =>
      bounds.every(({ column, span: [least, most] }) => {
        const held = known.spans.get(`${piece} ${column}`);
        return !held || (held[0] <= most && held[1] >= least);
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
