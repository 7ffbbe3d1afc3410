import { scaleBand, scaleLinear } from 'd3-scale';

/**
 * Shared by the charts. Widths are in percent and heights in em, and no chart has a view box. So a chart fills its
 * container, and its text keeps its size on a phone.
 */

/** How many labels fit below a chart, on a phone and on a wide screen. */
const LABELS_NARROW = 5;
const LABELS_WIDE = 10;

/** A CSS length in percent. */
export const percent = (share: number): string => `${round(share)}%`;
/** A CSS length in em. */
export const em = (size: number): string => `${round(size)}em`;

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

interface Band {
  x: number;
  middle: number;
  width: number;
}

/** The gap between two bars, as a share of both. */
const GAP = 0.3;

/** The places of this many bars, in percent, with a limit on their width. */
export function placeBands(count: number): Band[] {
  const places = Math.max(count, LABELS_NARROW);
  const scale = scaleBand<number>([...Array(places).keys()], [0, 100])
    .paddingInner(GAP)
    .paddingOuter(GAP / 2);
  const width = scale.bandwidth();
  return Array.from({ length: count }, (_, at) => {
    const x = scale(at) ?? 0;
    return { x, width, middle: x + width / 2 };
  });
}

/** Scales amounts to lengths. The greatest amount has the full length, a negative one none. */
export function scaleLength(most: number, length: number): (amount: number) => number {
  return scaleLinear([0, Math.max(most, Number.MIN_VALUE)], [0, length]).clamp(true);
}

/** With more bars than this, a figure is wider than its bar on a phone. */
const CROWDED = 10;

/**
 * The class of a label, counted back from the last, which is always shown: `label` is always visible, `label wide`
 * only on wide screens, null is not drawn.
 */
export function thinLabel(at: number, count: number): 'label' | 'label wide' | null {
  const back = count - 1 - at;
  const step = Math.ceil(count / LABELS_WIDE);
  if (back % step > 0) return null;
  const least = Math.ceil(count / (count > CROWDED ? LABELS_NARROW - 1 : LABELS_NARROW));
  return back % (step * Math.ceil(least / step)) === 0 ? 'label' : 'label wide';
}

/**
 * The class of the figure on a bar. The greatest is always shown, others if they overlap no taller neighbour:
 * `label roomy` only if the bars are wide.
 */
export function thinFigure(at: number, amounts: readonly number[]): 'label' | 'label wide' | 'label roomy' | null {
  const count = amounts.length;
  const own = amounts[at] ?? 0;
  const isHighest = (reach: number) =>
    amounts.slice(Math.max(0, at - reach), at + reach + 1).every((one) => one <= own);
  const label = thinLabel(at, count);
  const most = amounts.indexOf(Math.max(...amounts));
  if (own > 0 && at === most) return 'label';
  // On a phone the figure of the greatest needs the room of its neighbours'.
  if (count <= CROWDED) return count > LABELS_NARROW && Math.abs(at - most) === 1 ? 'label wide' : label;
  if (label && isHighest(Math.ceil(count / 20))) return label;
  return label && isHighest(Math.floor(count / 60)) ? 'label roomy' : null;
}

/** Keeps the first and last of many labels inside the chart; undefined: the label is centred. */
export function endLabel(at: number, count: number): 'start' | 'end' | undefined {
  if (count <= CROWDED) return undefined;
  if (at === 0) return 'start';
  return at === count - 1 ? 'end' : undefined;
}
