import { memoise } from '../../schema/text/memoise.ts';
import { type Identifier, type Piece, readPieces, splitWords, tellsMuch } from './pieces.ts';
import { findSynonyms, type Synonym } from './synonyms.ts';

/** Distinct words that are looked for; what is beyond is counted in the answer. */
const WORDS_MAX = 64;
const PHRASES_MAX = 16;
const RUNS_MAX = 12;
/** Parsed queries that are kept. */
const QUERIES_KNOWN = 500;
/** A run spans at most this many words: "supply of the food". */
const RUN_WORDS = 4;

/** One letter begins too many words: "R&D", "M&E". */
const PARTIAL_LEAST = 2;
/** What an acronym begins is something else: `AI` is no `air`, `HR` no `hour`. */
const ACRONYM = /(?<![\p{L}\p{N}])\p{Lu}{2,4}$/u;

/** What is asked for or excluded: words by themselves, words that stand together, identifiers. */
export interface Wanted {
  /** Distinct, lower case, without accents. */
  words: string[];
  /** Quoted phrases and postcodes, each as its words. */
  phrases: string[][];
  identifiers: Identifier[];
  /** Words that are said otherwise too. */
  synonyms: Synonym[];
}

export interface ParsedQuery extends Wanted {
  /** Words that follow each other with at most a few that say nothing between them, as they stand in the query. */
  runs: string[][];
  /** What `OR` joins: of each, one is enough. */
  either: Wanted[];
  /** What no result may have. */
  excluded: Wanted;
  /** The last word, where it may be the beginning of one; else null. */
  partial: string | null;
  ignoredWords: number;
}

/**
 * Reads a query as plain words. Every text is a valid query: what is neither letter nor digit separates words, but for quotes,
 * a minus before a word, and `OR`.
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
  const telling = unique(bare.flatMap((piece) => piece.words.filter((word) => tellsMuch(word, piece))));
  // Words that only join are looked for where nothing else is asked.
  const words = telling.length > 0 || clauses.length > bare.length ? telling : unique(inOrder);
  const last = clauses.at(-1)?.at(-1);
  const typed = {
    ...wantAll(single.filter((piece) => piece.identifier || piece.together)),
    words,
    synonyms: findSynonyms(inOrder),
  };
  const choices = clauses.filter((pieces) => pieces.length > 1).map(wantAll);
  const kept = cut(typed, WORDS_MAX);
  const either = cutAll(choices, WORDS_MAX - kept.words.length);
  const without = wantAll(excluded);
  const keptOut = cut(without, WORDS_MAX);
  return {
    ...kept,
    runs: findRuns(inOrder, new Set(words)),
    either,
    excluded: keptOut,
    partial: last && !last.together && endsIn(plain, last.words.at(-1)) ? (last.words.at(-1) ?? null) : null,
    ignoredWords: sumOf([typed, ...choices, without]) - sumOf([kept, ...either, keptOut]),
  };
}, QUERIES_KNOWN);

/** Pieces each by itself: several words of one stand together. */
function wantAll(pieces: readonly Piece[]): Wanted {
  const plain = pieces.filter(({ identifier }) => !identifier);
  const words = unique(plain.flatMap(({ words, together }) => (words.length === 1 && !together ? words : [])));
  return {
    words,
    phrases: distinct(plain.filter(({ words, together }) => words.length > 1 || together)).map((piece) => piece.words),
    identifiers: distinct(pieces).flatMap(({ identifier }) => identifier ?? []),
    synonyms: words.flatMap((word) => findSynonyms([word])),
  };
}

/** The first of what is wanted, as much of it as is looked for. */
function cut(wanted: Wanted, wordsMax: number): Wanted {
  return {
    words: wanted.words.slice(0, wordsMax),
    phrases: wanted.phrases.slice(0, PHRASES_MAX),
    identifiers: wanted.identifiers.slice(0, PHRASES_MAX),
    synonyms: wanted.synonyms,
  };
}

/** All choices together have no more words than a query may have. */
function cutAll(choices: readonly Wanted[], wordsMax: number): Wanted[] {
  let left = wordsMax;
  return choices.slice(0, PHRASES_MAX).map((wanted) => {
    const kept = cut(wanted, left);
    left -= kept.words.length;
    return kept;
  });
}

function distinct(pieces: readonly Piece[]): Piece[] {
  return [...new Map(pieces.map((piece) => [piece.words.join(' '), piece])).values()];
}

function sumOf(all: readonly Wanted[]): number {
  return all.reduce((sum, wanted) => sum + countWanted(wanted), 0);
}

/** What an answer says of the wordings that were looked for too; nothing where there were none. */
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

function countWanted({ words, phrases, identifiers }: Wanted): number {
  return words.length + phrases.length + identifiers.length;
}

/** Whether there is a word to be relevant to. */
export function asksForWords({ words, phrases, either }: ParsedQuery): boolean {
  return words.length + phrases.length + either.length > 0;
}

/** Whether nothing was asked for: absent, blank, `*`, or nothing but signs. */
export function asksForAll(query: ParsedQuery): boolean {
  return countParts(query) + countWanted(query.excluded) === 0;
}

/** Whether a text was given that holds nothing to look for: signs alone, which are no way to ask for everything. */
export function saysNothing(text: string | undefined): boolean {
  return !['', '*'].includes((text ?? '').trim()) && asksForAll(parseQuery(text));
}

/** From each telling word to the next one, where they stand close enough. */
function findRuns(words: string[], telling: ReadonlySet<string>): string[][] {
  const places = words.flatMap((word, at) => (telling.has(word) ? [at] : []));
  const runs = places.flatMap((at, index) => {
    const next = places[index + 1];
    return next === undefined || next - at >= RUN_WORDS ? [] : [words.slice(at, next + 1)];
  });
  return [...new Map(runs.map((run) => [run.join(' '), run])).values()].slice(0, RUNS_MAX);
}

/** The last word is partial while the text ends in it, with no space or closing quote after, and it is no acronym. */
function endsIn(plain: string, word: string | undefined): boolean {
  if (word === undefined || word.length < PARTIAL_LEAST || !/[\p{L}\p{N}]$/u.test(plain)) return false;
  if (ACRONYM.test(plain)) return false;
  return splitWords(plain).at(-1) === word;
}

function unique(words: string[]): string[] {
  return [...new Set(words)];
}
