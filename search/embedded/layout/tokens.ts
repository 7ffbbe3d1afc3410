import { memoise, memoiseByObject } from '../../../schema/text/memoise.ts';
import { collectionOf, tokenRows, valuesOf } from '../../collections/index.ts';
import type { Collection } from '../../collections/shape.ts';
import type { AnyDocument, SearchQuery } from '../../engine.ts';
import { wantedValues } from '../../filters/read.ts';
import type { PrefixRow } from '../../filters/row.ts';
import type { Identifier } from '../../query/pieces.ts';
import { hashId } from './hash-id.ts';

/** Filters are words of the index, with a prefix that no text has. So a filter costs no more than a word. */
const MARK = 'zz';

/** One alternative of a filter. With `prefix`, it matches every token that begins with it. */
export interface Token {
  text: string;
  prefix?: boolean;
}

/** A token in every document. An expression must have a word, even if the query matches everything. */
const EVERY = 'zzsn';
export const EVERY_DOCUMENT: Token[][] = [[{ text: EVERY }]];
const FLAG = 's';
/** What marks a word of a title. */
const TITLE = `${MARK}l`;
const WORD = /[a-z0-9\x80-\uffff]+/g;

/** The filter tokens of one document, as one text for the `tokens` column. */
export function documentTokens(document: AnyDocument, collection: Collection): string {
  const tokens = [EVERY];
  for (const flag of collection.flags(document)) tokens.push(token(FLAG, flag));
  for (const { letter, value } of collection.tokens(document)) tokens.push(token(letter, value));
  for (const row of tokenRows(collection)) {
    if (row.kind === 'prefix') addCodes(tokens, row, document);
    else for (const value of valuesOf(row, document)) tokens.push(token(row.letter, value));
  }
  tokens.push(idToken(document.notice_id), idToken(document.ocid));
  for (const number of document.company_numbers) tokens.push(token('k', number));
  for (const district of document.districts) tokens.push(token('7', district));
  return tokens.join(' ');
}

/** The tokens of a document's codes, and of their names. Beginnings of different codes may be the same. */
function addCodes(tokens: string[], row: PrefixRow, document: AnyDocument): void {
  const { names } = row;
  for (const code of row.codes(document)) {
    if (!code) continue;
    for (const one of codeTokens(row)(code)) if (!tokens.includes(one)) tokens.push(one);
  }
  if (names) for (const name of names.of(document)) tokens.push(token(names.letter, name));
}

/** The tokens of a code: of each of its beginnings that is stored. Memoised, as codes recur often. */
const codeTokens = memoiseByObject(({ letter, lengths }: PrefixRow) =>
  memoise((code) =>
    lengths.filter((length) => length <= code.length).map((length) => token(letter, code.slice(0, length))),
  ),
);

/**
 * The words of a folded title as tokens of their own: to find them in titles alone, FTS5 would read the positions of each word in
 * every text, which takes ten times as long.
 */
export function titleTokens(title: string): string {
  return title.replace(WORD, `${TITLE}$&`);
}

/** An expression of quoted words as it matches titles. */
export function inTitles(expression: string): string {
  return expression.replace(QUOTED, (quoted) => titleTokens(quoted));
}

const QUOTED = /"[^"]*"/g;

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
  const ofCollection = collection.wantedTokens(query);
  return [
    ...groups,
    ...ofCollection.map((marks) => marks.map(({ letter, value }) => ({ text: token(letter, value) }))),
  ];
}

/** The tokens that find an identifier in a query, which may be of several kinds. */
export function identifierTokens({ cpv, notice_id, ocid, company_number, district }: Identifier): Token[] {
  const texts = [
    cpv && token('c', cpv),
    notice_id && idToken(notice_id),
    ocid && idToken(ocid),
    company_number && token('k', company_number),
    district && token('7', district),
  ];
  return texts.flatMap((text) => (text ? [{ text }] : []));
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

/** A short hash of an identifier, as these are long, each adds a word to the index, and nobody searches for a part of one. */
function idToken(id: string): string {
  const { high, low } = hashId(id.toLowerCase().trim());
  // In decimal, because V8 takes ten times as long to write a number in any other base.
  return `${MARK}i${high}x${low}`;
}
