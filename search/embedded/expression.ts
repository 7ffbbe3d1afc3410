import type { MatchLevel } from '../engine.ts';
import type { ParsedQuery } from '../query.ts';
import { identifierTokens, type Token } from './tokens.ts';

/** Leaving one word out makes as many alternatives as there are words, each as long: worth it only for a few. */
const MOST_WORDS = { least: 3, most: 8 };

/** One word of the query with what may stand in its place (endings of a partial word, corrections), and how common it is. */
export interface Term {
  word: string;
  endings: string[];
  /** Any word that begins so, where no title or name knows an ending. */
  openEnded: boolean;
  common: boolean;
}

/**
 * The FTS5 expression of a level, or null where the level would only repeat the one before.
 * Made of quoted letters and digits alone, so no text of a caller is ever read as syntax.
 */
export function levelExpression(level: MatchLevel, terms: Term[], query: ParsedQuery): string | null {
  const exact = query.phrases.map(quote);
  const known = query.identifiers.map(identifierExpression);
  const must = [...known, ...exact];
  if (level === 'all') return joined([...must, ...terms.map(({ word }) => quote([word]))], 'AND');
  const wide = terms.map(widened);
  if (level === 'prefix') {
    const widens = terms.some(({ endings, openEnded }) => endings.length > 0 || openEnded);
    return widens ? joined([...must, ...wide], 'AND') : null;
  }
  if (level === 'most') {
    if (terms.length < MOST_WORDS.least || terms.length > MOST_WORDS.most) return null;
    const alternatives = wide.map((_, left) =>
      joined(
        wide.filter((_one, index) => index !== left),
        'AND',
      ),
    );
    return joined([...must, joined(alternatives, 'OR')], 'AND');
  }
  return anyExpression(terms, must);
}

/** Whatever of the query may be marked in a text; null where nothing was asked in words. */
export function markExpression(terms: Term[], query: ParsedQuery): string | null {
  return joined(
    [...query.phrases, ...query.identifiers.map(({ words }) => words)].map(quote).concat(terms.map(widened)),
    'OR',
  );
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

/** Very common words tell nothing when any word may do: they are asked only where all words are common. */
function anyExpression(terms: Term[], must: string[]): string | null {
  if (terms.length < 2) return null;
  const telling = terms.filter(({ common }) => !common);
  const asked = telling.length > 0 ? telling : terms;
  return joined([...must, joined(asked.map(widened), 'OR')], 'AND');
}

function widened({ word, endings, openEnded }: Term): string {
  const parts = [word, ...endings].map((one) => quote([one]));
  return joined([...parts, ...(openEnded ? [`${quote([word])} *`] : [])], 'OR') ?? quote([word]);
}

/** Eight digits that are no code of ours may still stand in a text. */
function identifierExpression(identifier: ParsedQuery['identifiers'][number]): string {
  const tokens = identifierTokens(identifier).map(tokenExpression);
  const alsoText = identifier.cpv !== undefined || identifier.company_number !== undefined;
  return joined([...tokens, ...(alsoText ? [quote(identifier.words)] : [])], 'OR') ?? quote(identifier.words);
}

function tokenExpression({ text, prefix }: Token): string {
  return prefix ? `${quote([text])} *` : quote([text]);
}
