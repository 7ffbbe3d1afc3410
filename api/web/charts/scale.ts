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

/**
 * The class of one of so many labels, counted back from the last, which always has one: `label` is always seen, `label wide`
 * only where there is room, null is not drawn.
 */
export function thinLabel(at: number, count: number): 'label' | 'label wide' | null {
  const back = count - 1 - at;
  if (back % Math.ceil(count / LABELS_NARROW) === 0) return 'label';
  return back % Math.ceil(count / LABELS_WIDE) === 0 ? 'label wide' : null;
}
