import { makeLookup } from '../../schema/tolerant.ts';
import { redact } from '../redact.ts';

const NAMED = makeLookup<string>({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  pound: '£',
  euro: '€',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  hellip: '…',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  frac12: '½',
  eacute: 'é',
});
const ENTITY = /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z][a-z0-9]{1,9}));/gi;
const BREAK = /<\/?(?:br|p|div|li|ul|ol|tr|table|h[1-6])\b[^<>]*>/gi;
const TAG = /<!--.*?-->|<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/gis;

/**
 * Text as the catalogue serves it: without HTML tags and entities, however often they were escaped, and without mail
 * addresses and telephone numbers; line breaks stay, runs of blanks become one.
 */
export function cleanText(raw: string | undefined): string {
  if (!raw) return '';
  let text = raw;
  for (let pass = 0; pass < 3 && /[&<]/.test(text); pass += 1) {
    text = text.replace(BREAK, '\n').replace(TAG, ' ').replace(ENTITY, decodeEntity);
  }
  const plain = text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return redact(plain);
}

/** The same on one line: titles and names. */
export function cleanLine(raw: string | undefined): string {
  return cleanText(raw).replace(/\s+/g, ' ');
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  return code > 31 && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' ';
}
