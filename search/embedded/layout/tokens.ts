import { hash } from 'node:crypto';
import { parseOcid } from '../../../schema/text/ids.ts';
import { memoise, memoiseByObject } from '../../../schema/text/memoise.ts';
import { BAND_EDGES, bandOf } from '../../documents/facets.ts';
import { mayBeOpen, valueInPounds } from '../../documents/from-row.ts';
import type { SearchDocument, SearchQuery } from '../../engine.ts';
import { TOKEN_ROWS, wantedValues } from '../../filters/read.ts';
import type { ExactRow, PrefixRow } from '../../filters/row.ts';
import type { Identifier } from '../../query/pieces.ts';

/** Filters are words of the index, told apart by a beginning that no text has, so that a filter costs what a word costs. */
const MARK = 'zz';
const DECADES_AHEAD = 6;
const ID_DIGITS = 12;

/** One alternative of a filter; `prefix` stands for every token that begins so. */
export interface Token {
  text: string;
  prefix?: boolean;
}

/** What every document has: an index is asked for something even where the query asks for all. */
export const EVERY_DOCUMENT: Token[][] = [[{ text: 'zzsn' }]];

/** The filter tokens of one document, as one text for the `tokens` column. */
export function documentTokens(document: SearchDocument): string {
  const value = valueInPounds(document);
  const tokens = [
    token('s', 'n'),
    ...(document.is_tender ? [token('s', 't')] : []),
    ...(document.framework_id ? [token('s', 'f')] : []),
    ...(mayBeOpen(document) ? [token('p', 'open')] : []),
    ...TOKEN_ROWS.flatMap((row) => (row.kind === 'exact' ? exactTokens(row, document) : prefixTokens(row, document))),
    ...(document.deadline ? monthTokens(document.deadline) : []),
    ...(value === null ? [] : [token('v', String(bandOf(value)))]),
    ...(document.ceiling === null ? [] : [token('w', String(bandOf(document.ceiling)))]),
    idToken(document.notice_id),
    idToken(parseOcid(document.ocid) ?? document.ocid),
    ...document.company_numbers.map((number) => token('k', number)),
  ];
  return [...new Set(tokens)].join(' ');
}

/** The scope and filters of a query: every group must match, by any of its tokens. Numbers and instants are compared after. */
export function filterTokens(query: SearchQuery): Token[][] {
  const { filters, scope } = query;
  const groups: Token[][] = [];
  const add = (kind: string, ...values: readonly string[]) => {
    if (values.length > 0) groups.push(values.map((value) => ({ text: token(kind, value) })));
  };
  // What may be open is a tender.
  if (scope !== 'notices' && !asksForOpen(query)) add('s', scope === 'tenders' ? 't' : 'f');
  for (const row of TOKEN_ROWS) {
    const values = wantedValues(filters, row);
    if (values === undefined) continue;
    if (row.kind === 'exact') add(row.letter, ...values);
    else groups.push(values.flatMap((value) => valueTokens(row, value)));
  }
  return [...groups, ...bandGroup(query), ...deadlineGroups(query)];
}

/** How an identifier typed as a query is found: exactly, whichever of its readings holds. */
export function identifierTokens({ cpv, notice_id, ocid, company_number }: Identifier): Token[] {
  const texts = [
    cpv && token('c', cpv),
    notice_id && idToken(notice_id),
    ocid && idToken(ocid),
    company_number && token('k', company_number),
  ];
  return texts.flatMap((text) => (text ? [{ text }] : []));
}

function exactTokens({ field, letter }: ExactRow, document: SearchDocument): string[] {
  const value = (document as unknown as Record<string, string | null>)[field];
  return value ? [token(letter, value)] : [];
}

function prefixTokens(row: PrefixRow, document: SearchDocument): string[] {
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

function bandGroup({ scope, filters: { value_min: least, value_max: most } }: SearchQuery): Token[][] {
  if (least === undefined && most === undefined) return [];
  const kind = scope === 'frameworks' ? 'w' : 'v';
  const first = bandOf(least ?? 0);
  const last = most === undefined ? BAND_EDGES.length - 1 : bandOf(most);
  // Bounds that cross leave no band; the comparisons after leave no document.
  return first > last ? [] : [range(first, last).map((band) => ({ text: token(kind, String(band)) }))];
}

/** Whether all of a band is above an amount, and all of the band before below it. Negative amounts are in the lowest band. */
export function isEdge(amount: number | undefined): boolean {
  return amount !== undefined && amount > 0 && BAND_EDGES.some((edge) => edge === amount);
}

function asksForOpen({ scope, filters }: SearchQuery): boolean {
  return scope === 'tenders' && (filters.status ?? 'open') === 'open';
}

function deadlineGroups(query: SearchQuery): Token[][] {
  const { filters, now } = query;
  const groups: Token[][] = [];
  if (asksForOpen(query)) {
    // London's month is never behind that of UTC, so the months from now on hold every deadline ahead.
    groups.push([{ text: token('p', 'open') }], monthsFrom(now.toISOString().slice(0, 7)));
  }
  if (filters.deadline_from !== undefined) groups.push(monthsFrom(filters.deadline_from.slice(0, 7)));
  return groups;
}

/** Tokens of this month and the rest of its year, then of the years of its decade, then of decades. */
function monthsFrom(month: string): Token[] {
  const year = Number(month.slice(0, 4));
  const months = range(Number(month.slice(5, 7)), 12).map((number) => `${year}${String(number).padStart(2, '0')}`);
  const decade = Math.floor(year / 10);
  const years = range(year + 1, decade * 10 + 9).map((one) => `y${one}`);
  const decades = range(decade + 1, decade + DECADES_AHEAD).map((one) => ({
    text: token('d', `y${one}`),
    prefix: true,
  }));
  return [...[...months, ...years].map((text) => ({ text: token('d', text) })), ...decades];
}

function monthTokens(date: string): string[] {
  return [token('d', `${date.slice(0, 4)}${date.slice(5, 7)}`), token('d', `y${date.slice(0, 4)}`)];
}

/** Whatever is not a letter or digit would cut the token in two: it is written as its code. */
function token(kind: string, value: string): string {
  if (/^[a-z0-9]*$/.test(value)) return `${MARK}${kind}${value}`;
  const safe = value
    .toLowerCase()
    .trim()
    .replace(/[^a-z0-9]/g, (sign) => `q${sign.charCodeAt(0).toString(36)}`);
  return `${MARK}${kind}${safe}`;
}

/** Identifiers are long, each is one word of the index more, and only asked for whole: a print of them will do. */
function idToken(id: string): string {
  return `${MARK}i${hash('sha1', id.toLowerCase().trim(), 'hex').slice(0, ID_DIGITS)}`;
}

/** The tokens of a row's codes: a code by its beginnings. The same codes come again and again. */
const codeTokensOf = memoiseByObject(({ letter, lengths }: PrefixRow) =>
  memoise((code) =>
    lengths.filter((length) => length <= code.length).map((length) => token(letter, code.slice(0, length))),
  ),
);

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
