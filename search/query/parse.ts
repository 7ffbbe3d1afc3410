import { memoise } from '../../schema/text/memoise.ts';
import { type Identifier, isDistinctive, type Piece, readPieces, splitWords } from './pieces.ts';
import { findSynonyms, type Synonym } from './synonyms.ts';

/** What a query finds in a document, besides its title and buyer. None of it is shown whole in a list. */
export interface SearchedTexts {
  description: string;
  /** Names of suppliers. */
  suppliers: string[];
  /** Companies House numbers of suppliers: found exactly. */
  company_numbers: string[];
  /** Its subject in other words: CPV descriptions, lot titles and references of its framework. */
  subjects: string[];
  /** Districts of postcodes in which it is delivered, in small letters: found by a postcode. */
  districts: string[];
}

/** Distinct words that are searched; the answer counts those beyond. */
const WORDS_MAX = 64;
const PHRASES_MAX = 16;
const RUNS_MAX = 12;
/** Words of other wordings that are searched. Each costs as much as a word of the query. */
const OTHER_WORDS_MAX = 96;
/** Parsed queries that are kept. */
const QUERIES_KNOWN = 500;
/** A run spans at most this many words: "supply of the food". */
const RUN_WORDS = 4;

/** One letter begins too many words: "R&D", "M&E". */
const PARTIAL_MIN = 2;
/** A word that begins with an acronym is something else: `AI` is not `air`, `HR` is not `hour`. */
const ACRONYM = /(?<![\p{L}\p{N}])\p{Lu}{2,4}$/u;

/** What is requested or excluded: single words, words that belong together, identifiers. */
export interface Wanted {
  /** Distinct, lower case, without accents. */
  words: string[];
  /** Quoted phrases and postcodes, each as its words. */
  phrases: string[][];
  identifiers: Identifier[];
  /** Words with other wordings. */
  synonyms: Synonym[];
}

export interface ParsedQuery extends Wanted {
  /** Words that follow each other with at most a few fillers between them, as in the query. */
  runs: string[][];
  /** The alternatives that `OR` joins: one of each is enough. */
  either: Wanted[];
  /** What no result may contain. */
  excluded: Wanted;
  /** Districts of the postcodes among the phrases: notices are delivered in a district. */
  districts: string[];
  /** The last word, where it may be the beginning of one; otherwise null. */
  partial: string | null;
  ignoredWords: number;
}

/**
 * Reads a query as plain words. Every text is a valid query: anything other than letters and digits separates words, except
 * quotes, a minus before a word, and `OR`.
 */
export function parseQuery(text = ''): ParsedQuery {
  return parsePlain(text.normalize('NFC'));
}

/** One search asks for its parts in several places, and a client's pages have one query. The result must not change. */
const parsePlain = memoise((plain): ParsedQuery => {
  const { clauses, excluded } = readPieces(plain);
  const single = clauses.flatMap((pieces) => (pieces.length === 1 ? pieces : []));
  const bare = single.filter((piece) => !piece.identifier && !piece.together);
  const inOrder = bare.flatMap(({ words }) => words);
  const distinctive = [...new Set(bare.flatMap((piece) => piece.words.filter((word) => isDistinctive(word, piece))))];
  // Joining words are searched only where the query has nothing else.
  const words = distinctive.length > 0 || clauses.length > bare.length ? distinctive : [...new Set(inOrder)];
  const last = clauses.at(-1)?.at(-1);
  const typed = {
    ...wantAll(single.filter((piece) => piece.identifier || piece.together)),
    words,
    synonyms: findSynonyms(inOrder),
  };
  const choices = clauses.filter((pieces) => pieces.length > 1).map(wantAll);
  const cutTyped = cut(typed, WORDS_MAX);
  const parts: [Wanted, ...Wanted[]] = [cutTyped, ...cutAll(choices, WORDS_MAX - cutTyped.words.length)];
  const [required, ...either] = limitOthers(parts);
  const without = wantAll(excluded);
  const excludedWords = cut(without, WORDS_MAX);
  return {
    ...required,
    runs: findRuns(inOrder, new Set(words)),
    either,
    excluded: excludedWords,
    districts: single.flatMap(({ district }) => district ?? []),
    partial: last && !last.together && endsIn(plain, last.words.at(-1)) ? (last.words.at(-1) ?? null) : null,
    ignoredWords: sumOf([typed, ...choices, without]) - sumOf([required, ...either, excludedWords]),
  };
}, QUERIES_KNOWN);

/** Each piece by itself: several words in one piece belong together. */
function wantAll(pieces: readonly Piece[]): Wanted {
  const plain = pieces.filter(({ identifier }) => !identifier);
  const words = plain.flatMap(({ words, together }) => (words.length === 1 && !together ? words : []));
  return {
    words: [...new Set(words)],
    phrases: distinct(plain.filter(({ words, together }) => words.length > 1 || together)).map((piece) => piece.words),
    identifiers: distinct(pieces).flatMap(({ identifier }) => identifier ?? []),
    synonyms: words.flatMap((word) => findSynonyms([word])),
  };
}

/** The first of the wanted words, up to the limit. */
function cut(wanted: Wanted, wordsMax: number): Wanted {
  return {
    words: wanted.words.slice(0, wordsMax),
    phrases: wanted.phrases.slice(0, PHRASES_MAX),
    identifiers: wanted.identifiers.slice(0, PHRASES_MAX),
    synonyms: wanted.synonyms,
  };
}

/** The other wordings that all parts together may have: a query of acronyms alone would be a hundred phrases. */
function limitOthers(parts: [Wanted, ...Wanted[]]): [Wanted, ...Wanted[]] {
  let left = OTHER_WORDS_MAX;
  const fits = ({ others }: Synonym) => {
    const count = others.flat().length;
    if (count > left) return false;
    left -= count;
    return true;
  };
  const [first, ...others] = parts;
  const limited = (part: Wanted): Wanted => ({ ...part, synonyms: part.synonyms.filter(fits) });
  return [limited(first), ...others.map(limited)];
}

/** All choices together have no more words than a query may have. */
function cutAll(choices: readonly Wanted[], wordsMax: number): Wanted[] {
  let left = wordsMax;
  return choices.slice(0, PHRASES_MAX).map((wanted) => {
    const choice = cut(wanted, left);
    left -= choice.words.length;
    return choice;
  });
}

function distinct(pieces: readonly Piece[]): Piece[] {
  return [...new Map(pieces.map((piece) => [piece.words.join(' '), piece])).values()];
}

function sumOf(all: readonly Wanted[]): number {
  return all.reduce((sum, wanted) => sum + countWanted(wanted), 0);
}

/** The other wordings that were searched, as an answer reports them; absent where there were none. */
export function describeSynonyms({ synonyms, either }: ParsedQuery): { synonyms?: { from: string; to: string[] }[] } {
  const described = [...synonyms, ...either.flatMap((wanted) => wanted.synonyms)].map(({ words, others }) => ({
    from: words.join(' '),
    to: others.map((other) => other.join(' ')),
  }));
  return described.length > 0 ? { synonyms: described } : {};
}

/** How many words, phrases and identifiers a query asks for. */
export function countParts(query: ParsedQuery): number {
  return sumOf([query, ...query.either]);
}

/** The same of one part of a query. */
export function countWanted({ words, phrases, identifiers }: Wanted): number {
  return words.length + phrases.length + identifiers.length;
}

/** Whether there is a word for ranking by relevance. */
export function asksForWords({ words, phrases, either }: ParsedQuery): boolean {
  return words.length + phrases.length + either.length > 0;
}

/** Whether nothing was requested: absent, blank, `*`, or only signs. */
export function asksForAll(query: ParsedQuery): boolean {
  return countParts(query) + countWanted(query.excluded) === 0;
}

/** Whether a text has nothing to search for: only signs, which is not a request for everything. */
export function saysNothing(text: string | undefined): boolean {
  return !['', '*'].includes((text ?? '').trim()) && asksForAll(parseQuery(text));
}

/** From each significant word to the next one, where they are close enough. */
function findRuns(words: string[], distinctive: ReadonlySet<string>): string[][] {
  const places = words.flatMap((word, at) => (distinctive.has(word) ? [at] : []));
  const runs = places.flatMap((at, index) => {
    const next = places[index + 1];
    return next === undefined || next - at >= RUN_WORDS ? [] : [words.slice(at, next + 1)];
  });
  return [...new Map(runs.map((run) => [run.join(' '), run])).values()].slice(0, RUNS_MAX);
}

/** The last word is partial where the text ends in it, without a space or closing quote after it, and it is not an acronym. */
function endsIn(plain: string, word: string | undefined): boolean {
  if (word === undefined || word.length < PARTIAL_MIN || !/[\p{L}\p{N}]$/u.test(plain)) return false;
  if (ACRONYM.test(plain)) return false;
  return splitWords(plain).at(-1) === word;
}
