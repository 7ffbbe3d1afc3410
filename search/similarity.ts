/**
 * Mistakes between two words: letters missing, added, changed, or two neighbours swapped.
 * Anything above `most` comes back as `most + 1`, which spares the work.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(cell(a, b, i, j, { before, row, next }));
    if (Math.min(...next) > most) return most + 1;
    before = row;
    row = next;
  }
  return Math.min(row[b.length] ?? most + 1, most + 1);
}

function cell(
  a: string,
  b: string,
  i: number,
  j: number,
  { before, row, next }: { before: number[]; row: number[]; next: number[] },
): number {
  const same = a[i - 1] === b[j - 1] ? 0 : 1;
  const least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return swapped ? Math.min(least, (before[j - 2] ?? 0) + 1) : least;
}
