interface Mistyped {
  name: string;
  /** What was probably meant. */
  nearest: string;
}

/** Names of this length may have two letters wrong; shorter ones have one, and must begin correctly. */
const LONG = 8;
const SHORT = 4;

/** The given names that are unknown and differ from a known one by a typing mistake. */
export function findMistyped(names: readonly string[], known: readonly string[]): Mistyped[] {
  const all = new Set(known);
  return names.flatMap((name) => {
    if (all.has(name)) return [];
    const nearest = findNearest(name.trim().toUpperCase().replaceAll('-', '_'), known);
    return nearest ? [{ name, nearest }] : [];
  });
}

function findNearest(name: string, known: readonly string[]): string | undefined {
  const letters = name.replaceAll('_', '');
  const joined = known.find((one) => one.replaceAll('_', '') === letters);
  if (joined) return joined;
  const near = known.flatMap((one) => {
    const most = one.length >= LONG ? 2 : 1;
    if (Math.abs(one.length - name.length) > most) return [];
    if (one.length <= SHORT && one.slice(0, 1) !== name.slice(0, 1)) return [];
    const slips = countSlips(name, one, most);
    return slips <= most ? [{ one, slips }] : [];
  });
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.one;
}

/** Letters left out, added, wrong or swapped with their neighbour (the restricted Damerau-Levenshtein distance), counted up to `most`. */
function countSlips(a: string, b: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const wrong = (last[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(wrong, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, swapped));
    }
    if (Math.min(...row) > most) return Number.POSITIVE_INFINITY;
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
