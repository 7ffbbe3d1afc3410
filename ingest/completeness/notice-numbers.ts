import type { Span } from '../runs/spans.ts';

/** The notice numbers of one year that are held, rising, each with its release's own date. */
export interface HeldNumbers {
  year: number;
  numbers: number[];
  atMs: number[];
}

export interface Missing {
  /** Numbers that should be held and are not, rising. */
  numbers: number[];
  /** Jumps too long to be lost notices: a stray number, or a new run. */
  leaps: { after: number; before: number }[];
}

/** The busiest day so far had 500 notices: a longer hole inside covered time is no hole of ours. */
const LONGEST_GAP = 5_000;

/**
 * Numbers between held neighbours whose dates lie in the same covered stretch of time. Before the lowest held stands the
 * start of the year as number 0: a catalogue that begins in the middle of a year lacks nothing of what came before.
 */
export function findMissing(held: HeldNumbers, yearStartMs: number, covered: readonly Span[]): Missing {
  const missing: Missing = { numbers: [], leaps: [] };
  let before = { number: 0, stretch: stretchOf(covered, yearStartMs) };
  for (const [index, number] of held.numbers.entries()) {
    const stretch = stretchOf(covered, held.atMs[index] ?? Number.NaN);
    if (stretch >= 0 && stretch === before.stretch) addBetween(missing, before.number, number);
    before = { number, stretch };
  }
  return missing;
}

function addBetween({ numbers, leaps }: Missing, after: number, before: number): void {
  if (before - after - 1 > LONGEST_GAP) {
    // A year's run may begin at any number.
    if (after > 0) leaps.push({ after, before });
    return;
  }
  for (let number = after + 1; number < before; number++) numbers.push(number);
}

/** Which of the covered stretches (in order, apart from each other) holds an instant; -1 where none does. */
function stretchOf(covered: readonly Span[], atMs: number): number {
  let low = 0;
  let high = covered.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const span = covered[middle];
    if (!span) break;
    if (atMs < span.from.getTime()) high = middle - 1;
    else if (atMs > span.until.getTime()) low = middle + 1;
    else return middle;
  }
  return -1;
}
