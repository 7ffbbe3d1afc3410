import { hash } from 'node:crypto';
import { memoise } from '../../../schema/text/memoise.ts';
import { collectionOf, tokenRows, valuesOf } from '../../collections/index.ts';
import type { Collection, IndexToken } from '../../collections/shape.ts';
import type { AnyDocument, SearchQuery } from '../../engine.ts';
import { wantedValues } from '../../filters/read.ts';
import type { PrefixRow } from '../../filters/row.ts';
import type { Identifier } from '../../query/pieces.ts';

/** Filters are words of the index, with a prefix that no text has. So a filter costs no more than a word. */
const MARK = 'zz';
const ID_DIGITS = 12;

/** One alternative of a filter. With `prefix`, it matches every token that begins with it. */
export interface Token {
  text: string;
  prefix?: boolean;
}

/** A token in every document. An expression must have a word, even if the query matches everything. */
export const EVERY_DOCUMENT: Token[][] = [[{ text: 'zzsn' }]];
const FLAG = 's';
const ANY = 'n';

/** The filter tokens of one document, as one text for the `tokens` column. */
export function documentTokens(document: AnyDocument, collection: Collection): string {
  const tokens = new Set([token(FLAG, ANY)]);
  const add = (letter: string, values: readonly string[]) => {
    for (const value of values) tokens.add(token(letter, value));
  };
  add(FLAG, collection.flags(document));
  for (const { letter, value } of collection.tokens(document)) tokens.add(token(letter, value));
  for (const row of tokenRows(collection)) {
    if (row.kind !== 'prefix') {
      add(row.letter, valuesOf(row, document));
      continue;
    }
    for (const code of row.codes(document)) if (code) add(row.letter, beginningsOf(code, row));
    if (row.names) add(row.names.letter, row.names.of(document));
  }
  tokens.add(idToken(document.notice_id)).add(idToken(document.ocid));
  add('k', document.company_numbers);
  return [...tokens].join(' ');
}

/** The scope and filters of a query. Of every group, any token must match. Numbers and instants are compared later. */
export function filterTokens(query: SearchQuery): Token[][] {
  const collection = collectionOf(query);
  const groups: Token[][] = [];
  const add = (kind: string, ...values: readonly string[]) => {
    if (values.length > 0) groups.push(values.map((value) => ({ text: token(kind, value) })));
  };
  const flag = collection.wantedFlag(query);
  if (flag !== null) add(FLAG, flag);
  for (const row of tokenRows(collection)) {
    const values = wantedValues(query.filters, row);
    if (values === undefined) continue;
    if (row.kind === 'prefix') groups.push(values.flatMap((value) => valueTokens(row, value)));
    else add(row.letter, ...values);
  }
  return [...groups, ...collection.wantedTokens(query).map((marks) => marks.map(markToken))];
}

function markToken({ letter, value, isBeginning }: IndexToken): Token {
  return { text: token(letter, value), ...(isBeginning ? { prefix: true } : {}) };
}

/** The tokens that find an identifier in a query, which may be of several kinds. */
export function identifierTokens({ cpv, notice_id, ocid, company_number }: Identifier): Token[] {
  const texts = [
    cpv && token('c', cpv),
    notice_id && idToken(notice_id),
    ocid && idToken(ocid),
    company_number && token('k', company_number),
  ];
  return texts.flatMap((text) => (text ? [{ text }] : []));
}

function beginningsOf(code: string, { lengths }: PrefixRow): string[] {
  return lengths.filter((length) => length <= code.length).map((length) => code.slice(0, length));
}

/** One value of a prefix filter as a code and, if it may be a name, as a name. */
function valueTokens({ letter, lengths, names }: PrefixRow, value: string): Token[] {
  const code = { text: token(letter, value), prefix: names === undefined && !lengths.includes(value.length) };
  return names === undefined || names.never.test(value) ? [code] : [code, { text: token(names.letter, value) }];
}

function token(letter: string, value: string): string {
  return `${MARK}${letter}${/^[a-z0-9]*$/.test(value) ? value : spell(value)}`;
}

/**
 * Other characters than letters and digits would split the token, so each is written as its code. Memoised, as values recur
 * often.
 */
const spell = memoise((value) =>
  value
    .toLowerCase()
    .trim()
    .replace(/[^a-z0-9]/g, (sign) => `q${sign.charCodeAt(0).toString(36)}`),
);

/** A short hash of an identifier. These are long, each adds a word to the index, and nobody searches for a part of one. */
function idToken(id: string): string {
  return `${MARK}i${hash('sha1', id.toLowerCase().trim(), 'hex').slice(0, ID_DIGITS)}`;
}
