import { dropInvisible } from '../../../schema/text/json-values.ts';
import { memoise } from '../../../schema/text/memoise.ts';
import { decodeEntities } from './fold.ts';
import { redact } from './redact.ts';

const BREAK = /<\/?(?:br|p|div|li|ul|ol|tr|table|h[1-6])\b[^<>]*>/gi;
const TAG = /<!--(?:(?!<!--).)*?-->|<!\[CDATA\[|\]\]>|<[!?][a-z][^<>]*>|<\/?[a-z][a-z0-9:-]*(?:\s[^<>]*)?\/?>/gis;
const HIDDEN = /<(style|script)\b[^<>]*>(?:(?!<\1).)*?<\/\1\s*>/gis;
/** A tag that a limit of length cut in two. */
const CUT_TAG = /<\/?(?:a|b|i|u|p|em|br|div|img|li|ol|ul|span|font|strong|table|t[rdh]|h[1-6])(?:\s[^<>]*)?$/i;
/** Each pass removes one layer. Nobody writes deeper ones. */
const MOST_PASSES = 8;
/** The longest text and the longest line that are served, in characters; of anything longer the beginning, and a notice says so. */
export const TEXT_MOST = 100_000;
export const LINE_MOST = 1_000;
/** Markup and blanks take a share of what is read. */
const READ_MOST = 3 * TEXT_MOST;

/**
 * Text as the catalogue serves it: without HTML tags and entities, however often they were escaped, and without mail
 * addresses and telephone numbers; line breaks stay, runs of blanks become one.
 */
export function cleanText(raw: string | undefined): string {
  if (!raw) return '';
  let text = raw.slice(0, READ_MOST);
  for (let pass = 0; pass < MOST_PASSES && /[&<]/.test(text); pass += 1) {
    const before = text;
    text = decodeEntities(dropTags(text));
    if (text === before) break;
  }
  const plain = dropInvisible(text)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cut(redact(plain), TEXT_MOST);
}

/** The same on one line: titles and names. */
export function cleanLine(raw: string | undefined): string {
  return raw ? readLine(raw) : '';
}

const readLine = memoise((raw) => cut(cleanText(raw).replace(/\s+/g, ' '), LINE_MOST));

/** The beginning of a text, without half of a character at its end. */
function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : text
        .slice(0, most)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd();
}

function dropTags(text: string): string {
  if (!text.includes('<')) return text;
  return text.replace(HIDDEN, ' ').replace(BREAK, '\n').replace(TAG, ' ').replace(CUT_TAG, ' ');
}
