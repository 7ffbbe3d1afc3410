import { editDistance } from '../../schema/names/likeness.ts';

/** Letters that are compared: longer input costs no more than this. */
const COMPARED_MAX = 64;

/** The name that is the fewest mistakes away from `text`, or undefined if there are no names. */
export function findNearest(text: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, mistakes: countMistakes(text, name) }));
  return ranked.sort((a, b) => a.mistakes - b.mistakes)[0]?.name;
}

/** The same, but undefined if even that name is clearly another word. */
export function findNear(text: string, names: readonly string[]): string | undefined {
  const name = findNearest(text, names);
  return name && countMistakes(text, name) <= Math.max(2, name.length / 3) ? name : undefined;
}

function countMistakes(from: string, to: string): number {
  const [a, b] = [from, to].map((text) => text.toLowerCase().slice(0, COMPARED_MAX));
  return editDistance(a ?? '', b ?? '', COMPARED_MAX);
}
