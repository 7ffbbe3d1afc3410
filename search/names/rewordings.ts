const WORDS_MAX = 8;

/** A name with one of its words left out, with two neighbours swapped, with its last word first or its first word last. */
export function rewordings(key: string): string[] {
  const words = key.split(' ');
  if (words.length < 2 || words.length > WORDS_MAX) return [];
  const [first = '', ...rest] = words;
  const last = words.at(-1) ?? '';
  const reworded = [
    [...rest, first],
    [last, ...words.slice(0, -1)],
    ...words.map((_, at) => words.toSpliced(at, 1)),
    ...rest.map((_, at) => words.toSpliced(at, 2, words[at + 1] ?? '', words[at] ?? '')),
  ];
  return [...new Set(reworded.map((one) => one.join(' ')))].filter((one) => one !== key);
}
