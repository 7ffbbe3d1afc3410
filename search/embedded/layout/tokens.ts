import { hash } from 'node:crypto';
import { parseOcid } from '../../../schema/text/ids.ts';
import { memoise, memoiseByObject } from '../../../schema/text/memoise.ts';
import { collectionOf, tokenRows, valuesOf } from '../../collections/index.ts';
import type { Collection, Mark } from '../../collections/shape.ts';
import type { AnyDocument, SearchQuery } from '../../engine.ts';
import { wantedValues } from '../../filters/read.ts';
import type { PrefixRow } from '../../filters/row.ts';
import type { Identifier } from '../../query/pieces.ts';

/** Filters are words of the index with a prefix that no text has, so that a filter costs as much as a word. */
const MARK = 'zz';
const ID_DIGITS = 12;

/** One alternative of a filter; `prefix` stands for every token that begins with it. */
export interface Token {
  text: string;
  prefix?: boolean;
}

/** A token in every document: an index must be asked for something even where the query asks for everything. */
export const EVERY_DOCUMENT: Token[][] = [[{ text: 'zzsn' }]];
const STANDING = 's';
const ANY = 'n';

/** The filter tokens of one document, as one text for the `tokens` column. */
export function documentTokens(document: AnyDocument, collection: Collection): string {
  const tokens = [
    token(STANDING, ANY),
    ...collection.standings(document).map((standing) => token(STANDING, standing)),
    ...collection.marks(document).map(({ letter, value }) => token(letter, value)),
    ...tokenRows(collection).flatMap((row) =>
      row.kind === 'prefix'
        ? prefixTokens(row, document)
        : valuesOf(row, document).map((one) => token(row.letter, one)),
    ),
    idToken(document.notice_id),
    idToken(parseOcid(document.ocid) ?? document.ocid),
    ...document.company_numbers.map((number) => token('k', number)),
  ];
  return [...new Set(tokens)].join(' ');
}

/** The scope and filters of a query: every group must match, through any of its tokens. Numbers and instants are compared later. */
export function filterTokens(query: SearchQuery): Token[][] {
  const collection = collectionOf(query);
  const groups: Token[][] = [];
  const add = (kind: string, ...values: readonly string[]) => {
    if (values.length > 0) groups.push(values.map((value) => ({ text: token(kind, value) })));
  };
  const standing = collection.wantedStanding(query);
  if (standing !== null) add(STANDING, standing);
  for (const row of tokenRows(collection)) {
    const values = wantedValues(query.filters, row);
    if (values === undefined) continue;
    if (row.kind === 'prefix') groups.push(values.flatMap((value) => valueTokens(row, value)));
    else add(row.letter, ...values);
  }
  return [...groups, ...collection.wantedMarks(query).map((marks) => marks.map(markToken))];
}

function markToken({ letter, value, isBeginning }: Mark): Token {
  return { text: token(letter, value), ...(isBeginning ? { prefix: true } : {}) };
}

/** How an identifier typed as a query is found: exactly, in any of its readings. */
export function identifierTokens({ cpv, notice_id, ocid, company_number }: Identifier): Token[] {
  const texts = [
    cpv && token('c', cpv),
    notice_id && idToken(notice_id),
    ocid && idToken(ocid),
    company_number && token('k', company_number),
  ];
  return texts.flatMap((text) => (text ? [{ text }] : []));
}

function prefixTokens(row: PrefixRow, document: AnyDocument): string[] {
  const { codes, names } = row;
  const codeTokens = codeTokensOf(row);
  return [
    ...codes(document).flatMap((code) => (code ? codeTokens(code) : [])),
    ...(names ? names.of(document).map((name) => token(names.letter, name)) : []),
  ];
}

/** One value of a prefix filter, as a code and, if it may be one, as a name. */
function valueTokens({ letter, lengths, names }: PrefixRow, value: string): Token[] {
  const code = { text: token(letter, value), prefix: names === undefined && !lengths.includes(value.length) };
  return names === undefined || names.never.test(value) ? [code] : [code, { text: token(names.letter, value) }];
}

/** Characters other than letters and digits would split the token: each is written as its code. */
function token(kind: string, value: string): string {
  if (/^[a-z0-9]*$/.test(value)) return `${MARK}${kind}${value}`;
  const safe = value
    .toLowerCase()
    .trim()
    .replace(/[^a-z0-9]/g, (sign) => `q${sign.charCodeAt(0).toString(36)}`);
  return `${MARK}${kind}${safe}`;
}

/** Identifiers are long, each adds a word to the index, and they are only requested whole, so a short print is enough. */
function idToken(id: string): string {
  return `${MARK}i${hash('sha1', id.toLowerCase().trim(), 'hex').slice(0, ID_DIGITS)}`;
}

/** The tokens for a row's codes: the beginnings of each code. The same codes recur often. */
const codeTokensOf = memoiseByObject(({ letter, lengths }: PrefixRow) =>
  memoise((code) =>
    lengths.filter((length) => length <= code.length).map((length) => token(letter, code.slice(0, length))),
  ),
);
