import type { ComponentChildren } from 'preact';
import { Table } from '../components/parts.tsx';
import { percent, scaleLength } from './scale.ts';

export interface RankedRow {
  key: string;
  /** A name or a link. */
  name: ComponentChildren;
  amount: number;
  /** What the bar's length means: `38% of its contracts`. */
  meaning: string;
  /** The other cells, formatted. */
  cells: readonly ComponentChildren[];
}

interface RankedProps {
  /** The name of the table. */
  label: string;
  /** Column headings: the name, then one for each other cell. */
  heads: readonly string[];
  rows: readonly RankedRow[];
  /** A last row without a bar: the sum of what is not listed. */
  rest?: Pick<RankedRow, 'name' | 'cells'> | undefined;
}

/** A table with a bar below each name: long names fit, and every name can be a link. */
export function RankedBars({ label, heads, rows, rest }: RankedProps) {
  if (rows.length === 0) return null;
  const amounts = rows.map(({ amount }) => amount);
  const toWidth = scaleLength(Math.max(...amounts), 100);
  // One or two bars, or bars of equal length, show nothing.
  const isDrawn = rows.length > 2 && amounts.some((amount) => amount !== amounts[0]);
  return (
    <Table label={label} compact class="ranked" columns={heads} numbers={heads.slice(1)}>
      {rows.map(({ key, name, amount, meaning, cells }) => (
        <tr key={key}>
          <th scope="row">
            {name}
            {isDrawn && (
              <svg role="img" height="0.4rem">
                <title>{meaning}</title>
                <rect width={percent(toWidth(amount))} height="100%" />
              </svg>
            )}
          </th>
          <Cells cells={cells} />
        </tr>
      ))}
      {rest && (
        <tr>
          <th scope="row">{rest.name}</th>
          <Cells cells={rest.cells} />
        </tr>
      )}
    </Table>
  );
}

function Cells({ cells }: Pick<RankedRow, 'cells'>) {
  return cells.map((cell, at) => (
    <td key={at} class="number">
      {cell}
    </td>
  ));
}

/** A figure with a decorative bar, which grows from the right. */
export function FigureBar({ text, share }: { text: string; share: number }) {
  const width = Math.min(1, Math.max(0, share)) * 100;
  return (
    <>
      {text}
      <svg aria-hidden="true" height="0.4rem">
        <rect x={percent(100 - width)} width={percent(width)} height="100%" />
      </svg>
    </>
  );
}
