import type { MatchLevel } from '../../engine.ts';
import type { ParsedQuery, Wanted } from '../../query/parse.ts';
import type { Identifier } from '../../query/pieces.ts';
import { isPronoun, withPronouns } from '../../query/pronouns.ts';
import { identifierTokens, type Token } from '../layout/tokens.ts';

/** Leaving one word out makes as many alternatives as there are words, each as long: worth it only for a few. */
const MOST_WORDS = { least: 3, most: 8 };

/** One word of the query, or a wording of several, with what may stand in its place and how common it is. */
export interface Term {
  words: string[];
  /** What a partial word may be the beginning of. */
  endings: string[];
  /** Any word that begins so, where no title or name knows an ending. */
  openEnded: boolean;
  /** Other wordings of the same. */
  synonyms: string[][];
  /** Runs of the query that begin with it: they match nothing more, but documents that hold them score higher. */
  runs: string[][];
  /** Which of `ParsedQuery.either` it is one of; null where it is wanted by itself. */
  choice: number | null;
  /** Documents that hold it, counted no further than COMMON_DOCUMENTS and one. */
  documents: number;
}

/** A word in more documents than this tells little; counting stops there. */
export const COMMON_DOCUMENTS = 10_000;

/**
 * The FTS5 expression of a level, or null where the level would only repeat the one before.
 * Made of quoted letters and digits alone, so no text of a caller is ever read as syntax.
 */
export function levelExpression(level: MatchLevel, terms: Term[], query: ParsedQuery): string | null {
  if (level === 'any') return anyExpression(terms, query);
  if (level === 'all') return joined([...unitsOf(query), ...clausesOf(terms, query, exactly)], 'AND');
  const widens = terms.some(({ endings, openEnded }) => endings.length > 0 || openEnded);
  return widens ? joined([...unitsOf(query), ...clausesOf(terms, query, widened)], 'AND') : null;
}

/** Phrases and identifiers, which stand for nothing but themselves. */
function unitsOf({ identifiers, phrases }: Pick<Wanted, 'identifiers' | 'phrases'>): string[] {
  return [...identifiers.map(identifierExpression), ...phrases.map(phraseExpression)];
}

/** What must match besides phrases and identifiers: each word, and one of each choice. */
export function clausesOf(
  terms: Term[],
  { either }: Pick<ParsedQuery, 'either'>,
  say: (term: Term) => string | null,
): (string | null)[] {
  const chosen = (at: number) => terms.filter(({ choice }) => choice === at).map(say);
  return [
    ...terms.filter(({ choice }) => choice === null).map(say),
    ...either.map((wanted, at) => joined([...unitsOf(wanted), ...chosen(at)], 'OR')),
  ];
}

/** What no match may hold, as its words are; null where nothing is excluded. */
export function excludedExpression({ excluded }: ParsedQuery): string | null {
  return joined([...unitsOf(excluded), ...excluded.words.map((word) => quote([word]))], 'OR');
}

/**
 * What comes before the rest where any word will do: documents that hold most of the words, then those that hold one of the
 * rarer ones. Null for what would only repeat another.
 */
export function betterExpressions(terms: Term[], query: ParsedQuery): (string | null)[] {
  const rarer = terms.filter(({ documents }) => documents <= COMMON_DOCUMENTS);
  const plain = terms.filter(({ choice }) => choice === null);
  const must = [...unitsOf(query), ...clausesOf(terms, query, widened).slice(plain.length)];
  return [mostExpression(plain, must), rarer.length < terms.length ? anyExpression(rarer, query) : null];
}

/**
 * What scores the matches of a level: its words with the runs of the query. Very common words are left out while any other
 * is there, as they tell little and bm25 reads every document of theirs; null where all are common.
 */
export function scoringExpression(level: MatchLevel, terms: Term[], query: ParsedQuery): Telling | null {
  const near = terms.map((term) => ({ ...term, synonyms: [...term.synonyms, ...term.runs] }));
  const telling = near.filter(({ documents }) => documents <= COMMON_DOCUMENTS);
  const whole = telling.length === terms.length;
  const text = whole ? levelExpression(level, near, query) : joined(telling.map(widened), 'OR');
  return text === null ? null : { text, whole };
}

/** What scores, and whether that is all that was asked. */
export interface Telling {
  text: string;
  whole: boolean;
}

/** Whatever of the query may be marked in a text; null where nothing was asked in words. */
export function markExpression(terms: Term[], query: ParsedQuery): string | null {
  const phrases = [query, ...query.either].flatMap((wanted) => [
    ...wanted.phrases,
    ...wanted.identifiers.map(({ words }) => words),
  ]);
  return joined([...phrases.map(quote), ...terms.map(marked)], 'OR');
}

/** The tokens that a document must have, group by group. */
export function filterExpression(groups: Token[][]): string | null {
  return joined(
    groups.map((group) => joined(group.map(tokenExpression), 'OR')),
    'AND',
  );
}

/** Joins the parts that are there; null where none is. */
export function joined(parts: (string | null)[], by: 'AND' | 'OR'): string | null {
  const there = parts.filter((part): part is string => part !== null && part !== '');
  if (there.length <= 1) return there[0] ?? null;
  return `(${there.join(` ${by} `)})`;
}

/** A phrase of the index; one word is a phrase of one. */
export function quote(words: string[]): string {
  return `"${words.join(' ')}"`;
}

/** All the words that any document holds; or, where all are held, all but any one. */
function mostExpression(terms: Term[], must: (string | null)[]): string | null {
  const present = terms.filter(isPresent);
  if (present.length === 0) return null;
  if (present.length < terms.length) return joined([...must, ...present.map(widened)], 'AND');
  if (terms.length < MOST_WORDS.least || terms.length > MOST_WORDS.most) return null;
  const allBut = (left: Term) => joined(terms.filter((one) => one !== left).map(widened), 'AND');
  return joined([...must, joined(terms.map(allBut), 'OR')], 'AND');
}

function anyExpression(terms: Term[], query: ParsedQuery): string | null {
  return joined([...[query, ...query.either].flatMap(unitsOf), ...terms.filter(isPresent).map(widened)], 'OR');
}

function isPresent({ documents, endings, openEnded }: Term): boolean {
  return documents > 0 || endings.length > 0 || openEnded;
}

/** The words of a term as they are, or another wording of the same. */
export function exactly({ words, synonyms }: Pick<Term, 'words' | 'synonyms'>): string | null {
  return joined(
    [
      joined(
        words.map((word) => quote([word])),
        'AND',
      ),
      ...synonyms.map(quote),
    ],
    'OR',
  );
}

/** Each word by itself: a text that has but one of them shows that one. */
function marked(term: Term): string | null {
  return joined([...term.words.map((word) => quote([word])), widened(term)], 'OR');
}

function widened(term: Term): string | null {
  const last = term.words.at(-1) ?? '';
  const endings = term.endings.map((one) => quote([one]));
  return joined([exactly(term), ...endings, ...(term.openEnded ? [`${quote([last])} *`] : [])], 'OR');
}

/** What each document that holds a phrase holds: its words; of a postcode only the whole, which may stand there as one. */
export function partsOfPhrase(words: string[]): string[] {
  if (isPostcode(words)) return [phraseExpression(words)];
  return words.filter((word) => words.length === 1 || !isPronoun(word)).map((word) => quote([word]));
}

/** A postcode may stand in a text without its space. */
function phraseExpression(words: string[]): string {
  if (isPostcode(words)) return `(${quote(words)} OR ${quote([words.join('')])})`;
  return joined(withPronouns(words).map(quote), 'OR') ?? quote(words);
}

function isPostcode([out = '', inner = '', ...more]: string[]): boolean {
  return more.length === 0 && /^\d[a-z]{2}$/.test(inner) && /^[a-z]{1,2}\d[a-z\d]?$/.test(out);
}

/** Eight digits that are no code of ours may still stand in a text. */
function identifierExpression(identifier: Identifier): string {
  const tokens = identifierTokens(identifier).map(tokenExpression);
  const alsoText = identifier.cpv !== undefined || identifier.company_number !== undefined;
  return joined([...tokens, ...(alsoText ? [quote(identifier.words)] : [])], 'OR') ?? quote(identifier.words);
}

function tokenExpression({ text, prefix }: Token): string {
  return prefix ? `${quote([text])} *` : quote([text]);
}
