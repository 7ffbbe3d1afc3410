import type { MatchLevel } from '../../engine.ts';
import type { ParsedQuery, Wanted } from '../../query/parse.ts';
import { type Identifier, isPostcode, spellingsOf } from '../../query/pieces.ts';
import { isPronoun, withPronouns } from '../../query/pronouns.ts';
import { identifierTokens, type Token } from '../layout/tokens.ts';

/** Only with this many words is one left out, as there are as many alternatives as words, and each is as long. */
const WORDS_MAX = { least: 3, most: 8 };

/** A word of the query, or a wording of several words, with its alternatives and its frequency. */
export interface Term {
  words: string[];
  /** The words that a partial word may begin. */
  endings: string[];
  /** Whether any word with this beginning matches, because no title or name has one. */
  openEnded: boolean;
  /** Other wordings with the same meaning. */
  synonyms: string[][];
  /** Sequences of words in the query that begin with it. They match nothing more, but documents with them score higher. */
  runs: string[][];
  /** The index in `ParsedQuery.either` of the choice to which it belongs; null if it belongs to none. */
  choice: number | null;
  /** Documents that contain it or one of its endings, counted up to COMMON_DOCUMENTS and one. */
  documents: number;
}

/** A word in more documents than this says little about any of them. Counting stops there. */
export const COMMON_DOCUMENTS = 10_000;

/**
 * The FTS5 expression of a level, or null if it would repeat the level before. It consists of quoted letters and digits
 * only, so that a caller's text is never read as syntax.
 */
export function levelExpression(level: MatchLevel, terms: Term[], query: ParsedQuery): string | null {
  if (level === 'any') return anyExpression(terms, query);
  if (level === 'all') return joined([...unitsOf(query), ...clausesOf(terms, query, exactly)], 'AND');
  const { districts } = query;
  const widens = districts.length > 0 || terms.some(({ endings, openEnded }) => endings.length > 0 || openEnded);
  return widens ? joined([...unitsOf(query, districts), ...clausesOf(terms, query, widened)], 'AND') : null;
}

/** Phrases and identifiers, which have no alternatives, but for postcodes whose districts are enough. */
function unitsOf(
  { identifiers, phrases }: Pick<Wanted, 'identifiers' | 'phrases'>,
  districts: string[] = [],
): string[] {
  const wider = ([district = '', ...rest]: string[]) =>
    districts.includes(district) && isPostcode([district, ...rest])
      ? identifierExpression({ district, words: [district] })
      : null;
  return [
    ...identifiers.map(identifierExpression),
    ...phrases.map((words) => joined([phraseExpression(words), wider(words)], 'OR') ?? quote(words)),
  ];
}

/**
 * What must match besides phrases and identifiers: each word, and one of each choice.
 * @param express returns the expression of a term
 */
export function clausesOf(
  terms: Term[],
  { either }: Pick<ParsedQuery, 'either'>,
  express: (term: Term) => string | null,
): (string | null)[] {
  const chosen = (at: number) => terms.filter(({ choice }) => choice === at).map(express);
  return [
    ...terms.filter(({ choice }) => choice === null).map(express),
    ...either.map((wanted, at) => joined([...unitsOf(wanted), ...chosen(at)], 'OR')),
  ];
}

/** What no match may contain, exactly as written; null if nothing is excluded. */
export function excludedExpression({ excluded }: ParsedQuery): string | null {
  return joined([...unitsOf(excluded), ...excluded.words.map((word) => quote([word]))], 'OR');
}

/**
 * What comes first if any word is enough: documents with most of the words, then those with one of the rarer words. An
 * expression that would repeat another is null.
 */
export function betterExpressions(terms: Term[], query: ParsedQuery): (string | null)[] {
  const rarer = terms.filter(({ documents }) => documents <= COMMON_DOCUMENTS);
  const plain = terms.filter(({ choice }) => choice === null);
  const must = [...unitsOf(query), ...clausesOf(terms, query, widened).slice(plain.length)];
  return [mostExpression(plain, must), rarer.length < terms.length ? anyExpression(rarer, query) : null];
}

/**
 * What scores the matches of a level: its words with the runs of the query. Very common words are left out, as they say
 * little and bm25 reads every document that has them. Null if all words are common.
 */
export function scoringExpression(level: MatchLevel, terms: Term[], query: ParsedQuery): ScoringExpression | null {
  const near = terms.map((term) => ({ ...term, synonyms: [...term.synonyms, ...term.runs] }));
  const rarer = near.filter(({ documents }) => documents <= COMMON_DOCUMENTS);
  const whole = rarer.length === terms.length;
  const text = whole ? levelExpression(level, near, query) : joined(rarer.map(widened), 'OR');
  return text === null ? null : { text, whole };
}

/** An expression for scoring, and whether it contains the whole query. */
interface ScoringExpression {
  text: string;
  whole: boolean;
}

/** Everything in the query that may be highlighted in a text; null if the query has no words. */
export function markExpression(terms: Term[], query: ParsedQuery): string | null {
  const phrases = [query, ...query.either].flatMap((wanted) => [
    ...wanted.phrases.flatMap(spellingsOf),
    ...wanted.identifiers.map(({ words }) => words),
  ]);
  const districts = query.districts.map((district) => quote([district]));
  return joined([...phrases.map(markedPhrase), ...districts, ...terms.map(marked)], 'OR');
}

/** A text to be shown still has the possessive endings that its index lacks: each is a word between those of the phrase. */
function markedPhrase(words: string[]): string {
  if (words.length < 2) return quote(words);
  const apart = words.map((word) => quote([word])).join(' ');
  return `(${quote(words)} OR NEAR(${apart}, ${2 * words.length - 3}))`;
}

/** One token of every group. Null if there are no groups. */
export function filterExpression(groups: Token[][]): string | null {
  return joined(
    groups.map((group) => joined(group.map(tokenExpression), 'OR')),
    'AND',
  );
}

/** Joins the parts that exist; null if there are none. */
export function joined(parts: (string | null)[], by: 'AND' | 'OR'): string | null {
  const present = parts.filter((part): part is string => part !== null && part !== '');
  if (present.length <= 1) return present[0] ?? null;
  return `(${present.join(` ${by} `)})`;
}

/** A quoted phrase. A single word is also a phrase. */
export function quote(words: string[]): string {
  return `"${words.join(' ')}"`;
}

/** All words that occur in any document. If all of them do, all words except one, whichever it is. */
function mostExpression(terms: Term[], must: (string | null)[]): string | null {
  const present = terms.filter(isPresent);
  if (present.length === 0) return null;
  if (present.length < terms.length) return joined([...must, ...present.map(widened)], 'AND');
  if (terms.length < WORDS_MAX.least || terms.length > WORDS_MAX.most) return null;
  const allBut = (left: Term) => joined(terms.filter((one) => one !== left).map(widened), 'AND');
  return joined([...must, joined(terms.map(allBut), 'OR')], 'AND');
}

function anyExpression(terms: Term[], query: ParsedQuery): string | null {
  return joined(
    [...[query, ...query.either].flatMap((wanted) => unitsOf(wanted)), ...terms.filter(isPresent).map(widened)],
    'OR',
  );
}

function isPresent({ documents, openEnded }: Term): boolean {
  return documents > 0 || openEnded;
}

/** The words of a term as written, or another wording with the same meaning. */
export function exactly({ words, synonyms }: Pick<Term, 'words' | 'synonyms'>): string | null {
  return joined(
    [
      joined(
        words.map((word) => quote([word])),
        'AND',
      ),
      ...synonyms.flatMap(spellingsOf).map(quote),
    ],
    'OR',
  );
}

/** Each word on its own, so that it is highlighted in a text that has only this one. */
function marked(term: Term): string | null {
  return joined([...term.words.map((word) => quote([word])), widened(term)], 'OR');
}

function widened(term: Term): string | null {
  const last = term.words.at(-1) ?? '';
  const endings = term.endings.map((one) => quote([one]));
  return joined([exactly(term), ...endings, ...(term.openEnded ? [`${quote([last])} *`] : [])], 'OR');
}

/** What every document with a phrase contains: its words, but a postcode as a whole, as a text may write it without its space. */
export function partsOfPhrase(words: string[]): string[] {
  if (isPostcode(words)) return [phraseExpression(words)];
  const always = spellingsOf(words).at(-1) ?? words;
  return always.filter((word) => words.length === 1 || !isPronoun(word)).map((word) => quote([word]));
}

/** A phrase in all its spellings: a postcode also without its space, a name with `and` also with the sign. */
function phraseExpression(words: string[]): string {
  if (isPostcode(words)) return `(${quote(words)} OR ${quote([words.join('')])})`;
  return joined(spellingsOf(words).flatMap(withPronouns).map(quote), 'OR') ?? quote(words);
}

/** An identifier by its tokens. What may be a code or a company number may also be a number in a text. */
function identifierExpression(identifier: Identifier): string {
  const tokens = identifierTokens(identifier).map(tokenExpression);
  const alsoText = identifier.cpv !== undefined || identifier.company_number !== undefined;
  return joined([...tokens, ...(alsoText ? [quote(identifier.words)] : [])], 'OR') ?? quote(identifier.words);
}

function tokenExpression({ text, prefix }: Token): string {
  return prefix ? `${quote([text])} *` : quote([text]);
}
