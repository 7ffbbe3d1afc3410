import { scaleBand, scaleLinear } from 'd3-scale';

/**
 * What pictures share. Across, everything is in percent of the width and downwards in em, and no picture has a view box:
 * so it is as wide as its place, and its letters keep their size on a phone.
 */

/** Labels that find room beneath a picture on a phone, and where there is room. */
const LABELS_NARROW = 5;
const LABELS_WIDE = 10;

export const percent = (share: number): string => `${round(share)}%`;
export const em = (size: number): string => `${round(size)}em`;

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

export interface Band {
  x: number;
  middle: number;
  width: number;
}

/** Where so many bars stand side by side, in percent; few of them do not grow fat. */
export function placeBands(count: number, gap = 0.3): Band[] {
  const places = Math.max(count, LABELS_NARROW);
  const scale = scaleBand<number>([...Array(places).keys()], [0, 100])
    .paddingInner(gap)
    .paddingOuter(gap / 2);
  const width = scale.bandwidth();
  return Array.from({ length: count }, (_, at) => {
    const x = scale(at) ?? 0;
    return { x, width, middle: x + width / 2 };
  });
}

/** From amounts, the greatest of them at most, to lengths. What is below nothing has no length. */
export function scaleLength(most: number, length: number): (amount: number) => number {
  return scaleLinear([0, Math.max(most, Number.MIN_VALUE)], [0, length]).clamp(true);
}

/** More bars than this are narrower on a phone than the letters that stand on them. */
const CROWDED = 10;

/**
 * The class of one of so many labels, counted back from the last, which always has one: `label` is always seen, `label wide`
 * only where there is room, null is not drawn.
 */
export function thinLabel(at: number, count: number): 'label' | 'label wide' | null {
  const back = count - 1 - at;
  const step = Math.ceil(count / LABELS_WIDE);
  if (back % step > 0) return null;
  const least = Math.ceil(count / (count > CROWDED ? LABELS_NARROW - 1 : LABELS_NARROW));
  return back % (step * Math.ceil(least / step)) === 0 ? 'label' : 'label wide';
}

/**
 * The class of the figure on a bar. The greatest always has one; of others it is drawn where it lies on no taller neighbour:
 * `label roomy` only where the bars are wide.
 */
export function thinFigure(at: number, amounts: readonly number[]): 'label' | 'label wide' | 'label roomy' | null {
  const count = amounts.length;
  const own = amounts[at] ?? 0;
  const isHighest = (reach: number) =>
    amounts.slice(Math.max(0, at - reach), at + reach + 1).every((one) => one <= own);
  const label = thinLabel(at, count);
  if (count <= CROWDED) return label;
  if (own > 0 && amounts.indexOf(Math.max(...amounts)) === at) return 'label';
  if (label && isHighest(Math.ceil(count / 20))) return label;
  return label && isHighest(Math.floor(count / 60)) ? 'label roomy' : null;
}

/** Where the first and the last of many labels begin and end, so that neither sticks out; undefined: it stands in the middle. */
export function endLabel(at: number, count: number): 'start' | 'end' | undefined {
  if (count <= CROWDED) return undefined;
  return at === 0 ? 'start' : at === count - 1 ? 'end' : undefined;
}
