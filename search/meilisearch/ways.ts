import type { Match } from '../engine.ts';
import { countParts, countWanted, type ParsedQuery, type Wanted } from '../query/parse.ts';
import { isPostcode, spellingsOf } from '../query/pieces.ts';

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
  return match === 'any' ? waysOfAny(parsed, isRanked) : choose(parsed);
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
  const alone = parts.flatMap(spelled).map((part) => way([part], FEWER ** 2));
  if (!isRanked) return alone;
  const isFew = parts.length >= ALL_BUT_ONE.least && parts.length <= ALL_BUT_ONE.most;
  const allButOne = parts.map((_part, left) => way(parts.toSpliced(left, 1), FEWER));
  return [way(parts, 1), ...(isFew ? allButOne : []), ...alone];
}

/** One spelling of each phrase and one alternative of each choice, in all combinations: 36 at most, as so few words are read. */
function choose(parsed: ParsedQuery): Way[] {
  const spellings = readSpellings(parsed);
  let left = spellings.reduce((most, read) => most - read.length, WORDS_READ - parsed.words.length);
  const choices = parsed.either.flatMap((choice) => {
    const parts = splitParts(choice);
    const read = [...parts, ...parts.flatMap((part) => spelled(part).slice(1))].slice(0, Math.max(0, left));
    left -= read.length;
    return read.length > 0 ? [read] : [];
  });
  const combined = [...spellings, ...choices].reduce<Wanted[][]>(
    (chosen, parts) => chosen.flatMap((some) => parts.map((part) => [...some, part])),
    [[]],
  );
  const rest = { ...parsed, phrases: [], either: [] };
  return combined.map((some) => ({ parsed: withParts(rest, some), weight: 1 }));
}

/** Each phrase as it is and, while there is room, in its other spelling; of a postcode, its district. */
function readSpellings({ words, phrases, districts, either }: ParsedQuery): Wanted[][] {
  let room = either.reduce((most, choice) => most - countWanted(choice), WORDS_READ - words.length - phrases.length);
  return phrases.map((phrase) => {
    const [district = ''] = phrase;
    const isWider = isPostcode(phrase) && districts.includes(district);
    const wider = isWider ? [{ ...NONE, identifiers: [{ district, words: [district] }] }] : [];
    const read = [...spelled({ ...NONE, phrases: [phrase] }), ...wider].slice(0, 1 + Math.max(0, room));
    room -= read.length - 1;
    return read;
  });
}

/** Each word, phrase and identifier by itself. */
function splitParts({ words, phrases, identifiers }: Wanted): Wanted[] {
  return [
    ...words.map((word) => ({ ...NONE, words: [word] })),
    ...phrases.map((phrase) => ({ ...NONE, phrases: [phrase] })),
    ...identifiers.map((identifier) => ({ ...NONE, identifiers: [identifier] })),
  ];
}

/** A part in each of its spellings. */
function spelled(part: Wanted): Wanted[] {
  const [phrase] = part.phrases;
  return phrase ? spellingsOf(phrase).map((one) => ({ ...part, phrases: [one] })) : [part];
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
