import { hash } from 'node:crypto';

/**
 * Characters that show nothing: Unicode's default ignorables (tags, direction overrides, word joiners, soft hyphens, fillers,
 * variation selectors), marks of interlinear notes, control characters but blanks, and halves of a pair of surrogates, which
 * no UTF-8 holds. A text with them says more to a machine than to its reader; SQLite ends a text at a NUL.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\p{Cs}]|[^\P{Cc}\s\u0080-\u009f]/gu;
const MAY_HIDE = new RegExp(INVISIBLE.source, 'u');
/** Control characters by their place, Windows' quotation marks and dashes by intent. */
const WINDOWS = /[\u0080-\u009f]/g;
const PLAIN = /^[\t\n\r -~£€–—‘’“”•]*$/;
/** What windows-1252 has at 0x80 to 0x9f. Node's own decoder of that name reads control characters there (measured on 20.20). */
export const CP1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Whether a text has no other characters than everybody writes: it is as it was meant. */
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

/** A JSON object as it came. */
export type JsonObject = { [key: string]: unknown };

/** A table that is asked with words from outside: `constructor` and its like are in none. */
export function makeLookup<T>(entries: Record<string, T>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null) as Record<string, T>, entries);
}

/** The object, or undefined for anything else. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** Trimmed text without characters that show nothing; a number becomes its digits; blank text and everything else is undefined. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? dropInvisible(value).trim() || undefined : undefined;
}

/** A finite number, also from text such as `1,250.50`. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value.replace(/[£,\s]/g, ''));
  return Number.isFinite(number) ? number : undefined;
}

/** A boolean, also from `"true"` and `"false"`. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : undefined;
}

/** What an array holds; an object keyed "1", "2"… is such an array too (FTS 002109-2021), one bare value a list of one. */
export function valuesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (value === null || value === undefined) return [];
  const object = objectOf(value);
  if (!object) return [value];
  const keys = Object.keys(object);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(object) : [object];
}

/** The members of a list that `read` can make something of. */
export function listOf<T>(value: unknown, read: (member: unknown) => T | undefined): T[] {
  const made: T[] = [];
  for (const member of valuesOf(value)) {
    const one = read(member);
    if (one !== undefined && one !== null) made.push(one);
  }
  return made;
}

/** A JSON value with every text in it changed, names of members stay; what holds no changed text is the very same, not a copy. */
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
  // Later members win where they have a name twice, each in its first place.
  const members = Object.fromEntries([...Object.entries(value), ...changed]);
  return Array.isArray(value) ? Object.values(members) : members;
}

/** Shows every object in a JSON value, outer ones first. */
export function eachObject(value: unknown, visit: (object: JsonObject) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as JsonObject);
  for (const member of Object.values(value)) eachObject(member, visit);
}

/** sha256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** What JSON may not hold as it is: half of a pair of surrogates must be escaped, a whole pair need not be. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON escapes
const ESCAPED = /["\\\0-\x1f\ud800-\udfff]/;

/** A string as JSON: most have nothing to escape, and joining them takes half the time of asking `JSON.stringify`. */
function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Sorts the names of an object's members in place. Most objects have few: shifting those takes half the time of asking V8 to sort. */
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

const FEW_KEYS = 32;

/** JSON with object keys sorted and absent members left out: one text for one meaning. */
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
