import type { MultiSearchResult, SearchParams } from 'meilisearch';
import type { ParsedQuery } from '../query.ts';

/** More words would ask too much. */
const WORDS = { least: 2, most: 10 };

type Asked = Omit<SearchParams, 'q'> & { q: string };

/** The question with other words in another order, and the level that it stands for. */
export interface Wider<A> {
  level: 'most' | 'any';
  asked: A;
}

/**
 * What is asked where too few documents have all words. The server can leave out words from the end, so the words are put in the order
 * in which they can be missed least: the word without which most documents are found comes last, as nothing holds it beside the
 * others; of the others the rarest word comes first. Documents with more of the words come before those with fewer.
 */
export async function widen<A extends Asked>(
  run: (queries: A[]) => Promise<MultiSearchResult<object>[]>,
  ask: (parsed: ParsedQuery) => A,
  parsed: ParsedQuery,
): Promise<Wider<A> | null> {
  const { words } = parsed;
  // Letters alone tell nothing by themselves: "M&E".
  if (words.length < WORDS.least || words.every((word) => word.length === 1)) return null;
  // Commonest first is the server's own way, and the last resort.
  if (words.length > WORDS.most) return { level: 'any', asked: { ...ask(parsed), matchingStrategy: 'frequency' } };
  // Only the word that was typed last may be the beginning of one.
  const askFor = (some: string[]) =>
    ask({ ...parsed, words: some, partial: parsed.partial && some.at(-1) === words.at(-1) });
  const counted = await run(
    [...words.map((left) => words.filter((word) => word !== left)), ...words.map((word) => [word])].map((some) => ({
      ...askFor(some),
      page: 1,
      hitsPerPage: 1,
      attributesToRetrieve: ['id'],
    })),
  );
  const totals = counted.map(({ totalHits }) => totalHits ?? 0);
  const known = words.map((word, at) => ({ word, without: totals[at] ?? 0, alone: totals[at + words.length] ?? 0 }));
  const level = known.some(({ without }) => without > 0) && words.length > WORDS.least ? 'most' : 'any';
  return { level, asked: { ...askFor(orderToKeep(known)), matchingStrategy: 'last' } };
}

/** Documents without a word that have all others, and documents with that word alone. */
interface Known {
  word: string;
  without: number;
  alone: number;
}

function orderToKeep(known: Known[]): string[] {
  const rarity = ({ alone }: Known) => (alone === 0 ? Number.MAX_SAFE_INTEGER : alone);
  return known.toSorted((a, b) => a.without - b.without || rarity(a) - rarity(b)).map(({ word }) => word);
}
