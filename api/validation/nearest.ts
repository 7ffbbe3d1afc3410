/** The name that takes the fewest edits to reach from `text`, or undefined among none. */
export function findNearest(text: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, edits: countEdits(text.toLowerCase(), name.toLowerCase()) }));
  return ranked.sort((a, b) => a.edits - b.edits)[0]?.name;
}

/** The same, but undefined where even that is another word. */
export function findNear(text: string, names: readonly string[]): string | undefined {
  const name = findNearest(text, names);
  return name && countEdits(text.toLowerCase(), name.toLowerCase()) <= Math.max(2, name.length / 3) ? name : undefined;
}

/** Levenshtein distance, on the first 64 characters. */
function countEdits(from: string, to: string): number {
  const [a, b] = [from.slice(0, 64), to.slice(0, 64)];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
