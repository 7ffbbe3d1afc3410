import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';

/**
 * Invisible characters. These are Unicode's default ignorables (tags, direction overrides, word joiners, soft hyphens,
 * fillers, variation selectors), interlinear annotation marks, and control characters except blanks. Unpaired surrogates
 * count too, as UTF-8 cannot encode them. A text with them says more to a machine than to its reader; SQLite ends a text at
 * a NUL.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\p{Cs}]|[^\P{Cc}\s\u0080-\u009f]/gu;
const MAY_HIDE = new RegExp(INVISIBLE.source, 'u');
/** Control characters by position, but Windows' quotation marks and dashes by intent. */
const WINDOWS = /[\u0080-\u009f]/g;
const PLAIN = /^[\t\n\r -~£€–—‘’“”•]*$/;
/** The characters of windows-1252 at 0x80 to 0x9f. Node's own decoder of that name returns control characters there (measured on 20.20). */
export const CP1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Whether a text has only common characters, and so needs no cleaning. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** A text without characters that show nothing. */
export function dropInvisible(text: string): string {
  if (isPlain(text)) return text;
  const visible = MAY_HIDE.test(text) ? text.replace(INVISIBLE, '') : text;
  return visible.replace(WINDOWS, readAsWindows);
}

function readAsWindows(character: string): string {
  const read = CP1252[character.charCodeAt(0) - 0x80] ?? '';
  return read > '\u009f' ? read : '';
}

/** A JSON object as received. */
export type JsonObject = { [key: string]: unknown };

/**
 * Comes first in an object that copies another one and adds members to it, in code that runs for every release. V8 gives
 * each object that begins with a copy and then grows a hidden class of its own. Creating it takes ten times as long, and
 * everything that reads it is slower (measured on Node 20.20). Any other member in the first place does as well.
 */
export const EMPTY = {};

/** A table for look-ups with outside input, without a prototype, so `constructor` and the like are not in it. */
export function makeLookup<T>(entries: Record<string, T>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null) as Record<string, T>, entries);
}

/** The object, or undefined for anything else. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The only member of a list of one, as a converter from XML writes it; any other value as it is. */
function onlyOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** Trimmed text without invisible characters; a number becomes its digits; blank text and everything else is undefined. */
export function textOf(value: unknown): string | undefined {
  const one = onlyOf(value);
  if (typeof one === 'number') return String(one);
  return typeof one === 'string' ? dropInvisible(one).trim() || undefined : undefined;
}

/** Digits, plain or in groups of three. Other texts are two numbers, or can be read in two ways (`12,50`). */
const NUMBER = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\s\d{3})+)?(?:\.\d*)?(?:e[-+]?\d+)?$/i;

/** Pounds, as a sign or a code. */
export const POUNDS = /£|GBP/i;
/** A word after a sum in pounds for what it counts. Without pounds, `12m` may as well be months. */
const COUNTED = /(?<=\d)\s*(k|thousand|mn?|million|bn|billion)$/i;
const POWERS = makeLookup({ k: 'e3', thousand: 'e3', m: 'e6', mn: 'e6', million: 'e6', bn: 'e9', billion: 'e9' });

/** No real amount is larger. Below it, the pence of an amount and the sum of many stay finite. */
const NUMBER_MAX = 1e21;
/** A number, also from text such as `£1,250.50`, `GBP 80k` and `£1.2 million`; undefined for anything else, and for `1e9999`. */
export function numberOf(value: unknown): number | undefined {
  const one = onlyOf(value);
  if (typeof one === 'string') {
    const plain = one.replace(POUNDS, '').trim();
    const [end = '', word = ''] = (POUNDS.test(one) && COUNTED.exec(plain)) || [];
    const text = plain.slice(0, plain.length - end.length);
    const digits = text.replace(/[,\s]/g, '') + (POWERS[word.toLowerCase()] ?? '');
    return /\d/.test(text) && NUMBER.test(text) ? numberOf(Number(digits)) : undefined;
  }
  return typeof one === 'number' && Math.abs(one) < NUMBER_MAX ? one : undefined;
}

const FLAGS = makeLookup({ true: true, yes: true, y: true, 1: true, false: false, no: false, n: false, 0: false });

/** A boolean, also as text (`"True"`, `"no"`) or as 1 and 0; undefined for anything else. */
export function flagOf(value: unknown): boolean | undefined {
  const one = onlyOf(value);
  return typeof one === 'boolean' ? one : FLAGS[textOf(one)?.toLowerCase() ?? ''];
}

/** Two days as ISO 8601 joins them, and as people do. Without a year, as in `Subject to contract`, neither is a day. */
const ISO_DAYS = /^(\d{4}-[^/]{5,30})\/(\d{4}-[^/]{5,30})$/;
const TWO_DAYS = /^(?=.*\d{4})(?:from )?(\S.{2,30}?) (?:to|until|till|-|–|—) (\S.{0,30})$/i;
const SPAN_LENGTH = /^(?=P?(\d+))(?:\d{1,4} (day|week|month|year)s?|P\d{1,4}([DWMY]))$/i;
const SPAN_CHARS_MAX = 100;

/** A span of time in a text: its first and last day as written, or its length. Null where the text is neither. */
export function spanOf(text: string) {
  if (text.length > SPAN_CHARS_MAX) return null;
  const [, startDate, endDate] = ISO_DAYS.exec(text) ?? TWO_DAYS.exec(text) ?? [];
  if (endDate !== undefined) return { startDate, endDate };
  const [, count, word, letter] = SPAN_LENGTH.exec(text) ?? [];
  const unit = (word ?? letter ?? '').charAt(0).toLowerCase();
  if (unit === '') return null;
  if (unit === 'd' || unit === 'w') return { durationInDays: Number(count) * (unit === 'w' ? 7 : 1) };
  return { durationInMonths: Number(count) * (unit === 'y' ? 12 : 1) };
}

/** The members of an array; an object keyed "1", "2"… also counts as one (FTS 002109-2021), and a bare value as a list of one. */
export function valuesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (value === null || value === undefined) return [];
  const object = objectOf(value);
  if (!object) return [value];
  const keys = Object.keys(object);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(object) : [object];
}

/** The members of a list that `read` accepts. */
export function listOf<T>(value: unknown, read: (member: unknown) => T | undefined): T[] {
  const made: T[] = [];
  for (const member of valuesOf(value)) {
    const one = read(member);
    if (one !== undefined && one !== null) made.push(one);
  }
  return made;
}

/** A JSON value with every text in it changed and member names kept; a part without changed text is the same object, not a copy. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const changed: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    const member = (value as JsonObject)[key];
    const mapped = mapTexts(member, change);
    if (mapped !== member) changed.push([key, mapped]);
  }
  if (changed.length === 0) return value;
  // Where a name occurs twice, the later member wins, in the first one's place.
  const members = Object.fromEntries([...Object.entries(value), ...changed]);
  return Array.isArray(value) ? Object.values(members) : members;
}

/** sha256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** Characters that JSON cannot hold as they are: an unpaired surrogate must be escaped, a pair need not be. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON escapes
const ESCAPED = /["\\\0-\x1f\ud800-\udfff]/;

/** A string as JSON: most have nothing to escape, and joining them takes half the time of `JSON.stringify`. */
function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const FEW_KEYS = 32;
/** Sorts the names of an object's members in place. Most objects have few: insertion sort takes half the time of V8's own. */
function sortKeys(keys: string[]): string[] {
  if (keys.length > FEW_KEYS) return keys.sort();
  for (let next = 1; next < keys.length; next++) {
    const key = keys[next] as string;
    let place = next;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}

/** JSON with sorted keys and without absent members: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text && ','}${canonicalJson(member)}`;
    return `[${text}]`;
  }
  const object = value as Record<string, unknown>;
  for (const key of sortKeys(Object.keys(object))) {
    const member = object[key];
    if (member !== undefined) text += `${text && ','}${quote(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Each packed text keeps a whole buffer of this size until it is written; zlib's own are 16 kB, and most come to 1 or 2. */
const PACK = { level: 1, chunkSize: 4_096 };

/** JSON in the form in which a release's body is stored: gzip, or no bytes for no text. */
export function packText(text: string | Uint8Array): Uint8Array {
  return text.length === 0 ? new Uint8Array(0) : gzipSync(text, PACK);
}

/** The text of a stored body. @throws Error where it is damaged */
export function unpackText(packed: Uint8Array): string {
  return packed.length === 0 ? '' : gunzipSync(packed).toString('utf8');
}

/** Bytes of text that are unpacked at once. */
const UNPACKED_MAX = 1_000_000;
/** gzip ends with the length of its contents. */
const LENGTH_BYTES = 4;

/**
 * The texts of stored bodies, in order. Files of gzip one after another are one file of gzip, and zlib takes as long to start as
 * for a third of a usual body. @throws Error where one is damaged
 */
export function* unpackTexts(bodies: Iterable<Uint8Array>): Generator<string, undefined> {
  let together: Uint8Array[] = [];
  let bytes = 0;
  for (const body of bodies) {
    together.push(body);
    bytes += unpackedLength(body);
    if (bytes < UNPACKED_MAX) continue;
    yield* unpackTogether(together);
    [together, bytes] = [[], 0];
  }
  yield* unpackTogether(together);
}

function unpackTogether(bodies: readonly Uint8Array[]): string[] {
  const packed = Buffer.concat(bodies);
  const all = packed.length === 0 ? packed : gunzipSync(packed);
  let end = 0;
  const texts = bodies.map((body) => {
    const start = end;
    end += unpackedLength(body);
    return all.toString('utf8', start, end);
  });
  // To zlib, zeros after a file are the end of all: what follows would be left out.
  if (end !== all.length) throw new Error('a stored body is damaged');
  return texts;
}

function unpackedLength(body: Uint8Array): number {
  if (body.length < LENGTH_BYTES) return 0;
  return new DataView(body.buffer, body.byteOffset, body.length).getUint32(body.length - LENGTH_BYTES, true);
}
