import type { Match } from '../engine.ts';
import { countParts, countWanted, type ParsedQuery, type Wanted } from '../query/parse.ts';
import { spellingsOf } from '../query/pieces.ts';

/** The server reads no more words of a query than this; a phrase counts as one, and so does each alternative. */
const WORDS_READ = 10;
/** So much less does a match of fewer words count: more than any difference between matches of equally many. */
const FEWER = 1e-3;
/** With so many words, documents that lack only one of them are next: there is a query for each, and it is as long. */
const ALL_BUT_ONE = { least: 3, most: 8 };

const NONE: Wanted = { words: [], phrases: [], identifiers: [], synonyms: [] };

/** A query without alternatives, and how much its matches count next to those of the others. */
interface Way {
  parsed: ParsedQuery;
  weight: number;
}

/**
 * The server has no `OR`: the queries that together match what a query asks for, each document by at least one.
 * @param isRanked whether documents with more of the words come first where any is enough
 */
export function waysToMatch(parsed: ParsedQuery, match: Match | undefined, isRanked: boolean): Way[] {
  return match === 'any' ? waysOfAny(parsed, isRanked) : choose(withSpellings(parsed));
}

/** How many words of a query are not read. */
export function countUnread(parsed: ParsedQuery, match: Match | undefined): number {
  const { words, phrases, either } = parsed;
  const wanted = either.reduce((sum, choice) => sum + countWanted(choice), words.length + phrases.length);
  return Math.max(0, (match === 'any' ? countParts(parsed) : wanted) - WORDS_READ);
}

function waysOfAny(parsed: ParsedQuery, isRanked: boolean): Way[] {
  const none = { ...parsed, words: [], phrases: [], identifiers: [], either: [] };
  const parts = [parsed, ...parsed.either].flatMap(splitParts).slice(0, WORDS_READ);
  const way = (some: Wanted[], weight: number) => ({ parsed: withParts(none, some), weight });
  if (parts.length < 2) return [way(parts, 1)];
  const alone = parts.map((part) => way([part], FEWER ** 2));
  if (!isRanked) return alone;
  const isFew = parts.length >= ALL_BUT_ONE.least && parts.length <= ALL_BUT_ONE.most;
  const allButOne = parts.map((_part, left) => way(parts.toSpliced(left, 1), FEWER));
  return [way(parts, 1), ...(isFew ? allButOne : []), ...alone];
}

/** One alternative of each choice, in all combinations: 36 at most, as so few words are read. */
function choose(parsed: ParsedQuery): Way[] {
  let left = WORDS_READ - parsed.words.length - parsed.phrases.length;
  const choices = parsed.either.flatMap((choice) => {
    const read = splitParts(choice).slice(0, Math.max(0, left));
    left -= read.length;
    return read.length > 0 ? [read] : [];
  });
  const combined = choices.reduce<Wanted[][]>(
    (chosen, parts) => chosen.flatMap((some) => parts.map((part) => [...some, part])),
    [[]],
  );
  return combined.map((some) => ({ parsed: withParts({ ...parsed, either: [] }, some), weight: 1 }));
}

/** A phrase with several spellings is a choice between them, and a postcode one between it and its district. */
function withSpellings(parsed: ParsedQuery): ParsedQuery {
  const choices = parsed.phrases.map((phrase) => [
    ...spellingsOf(phrase),
    ...parsed.districts.flatMap((district) => (district === phrase[0] ? [[district]] : [])),
  ]);
  const several = choices.filter((spellings) => spellings.length > 1);
  const phrases = choices.flatMap((spellings) => (spellings.length === 1 ? spellings : []));
  return { ...parsed, phrases, either: [...parsed.either, ...several.map((phrases) => ({ ...NONE, phrases }))] };
}

/** Each word, phrase and identifier by itself; a phrase in each of its spellings. */
function splitParts({ words, phrases, identifiers }: Wanted): Wanted[] {
  return [
    ...words.map((word) => ({ ...NONE, words: [word] })),
    ...phrases.flatMap(spellingsOf).map((phrase) => ({ ...NONE, phrases: [phrase] })),
    ...identifiers.map((identifier) => ({ ...NONE, identifiers: [identifier] })),
  ];
}

/** A query with further parts. The word that may be the beginning of a longer one stays the last. */
function withParts(parsed: ParsedQuery, parts: Wanted[]): ParsedQuery {
  const all = [parsed, ...parts];
  const words = [...new Set(all.flatMap((wanted) => wanted.words))];
  return {
    ...parsed,
    words: [...words.filter((word) => word !== parsed.partial), ...words.filter((word) => word === parsed.partial)],
    phrases: all.flatMap(({ phrases }) => phrases),
    identifiers: all.flatMap(({ identifiers }) => identifiers),
  };
}
