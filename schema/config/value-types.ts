import { resolve } from 'node:path';
import { z } from 'zod';

/** One setting: what it means (a sentence for `.env.example`), what is accepted, and what it is when absent. */
interface Setting<S extends z.ZodType> {
  about: string;
  schema: S;
  fallback: string | undefined;
}

/** One row of a table of settings; without a fallback the setting may be absent. */
export function setting<S extends z.ZodType>(fallback: string | undefined, schema: S, about: string): Setting<S> {
  return { fallback, schema, about };
}

/** A whole number between two bounds, both included. */
export const wholeNumber = (least: number, most: number) =>
  bounded(/^\d{1,15}$/, `a whole number from ${least} to ${most}`, least, most);

/** A time in the named unit, with up to six decimals, between two bounds, both included. */
export const duration = (unit: 'seconds' | 'hours', least: number, most: number) =>
  bounded(/^\d{1,9}(\.\d{1,6})?$/, `a number of ${unit} from ${least} to ${most}`, least, most);

function bounded(pattern: RegExp, words: string, least: number, most: number) {
  return z
    .string(words)
    .regex(pattern, words)
    .transform(Number)
    .refine((value) => value >= least && value <= most, words);
}

export const flag = z.enum(['true', 'false'], 'true or false').transform((value) => value === 'true');
export const address = z
  .url({ protocol: /^https?$/, error: 'an http or https address' })
  .refine(namesNobody, 'an http or https address without user or password')
  .refine((url) => !/[?#]/.test(url), 'an http or https address without ? or #, as paths are added to it')
  .transform((url) => url.replace(/\/+$/, ''));

/** Addresses with a user or a password are refused, as requests cannot be sent to them. */
function namesNobody(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}
const DATABASE = 'a file: address with a path, or a libsql:, http(s): or ws(s): address with a host';
export const databaseUrl = z
  .string()
  .regex(/^(file:|(libsql|https?|wss?):\/\/[^/\s]).*[^/\s]/, DATABASE)
  .refine((url) => url.startsWith('file:') || URL.canParse(url), DATABASE)
  .refine(namesNobody, `${DATABASE}, without user or password: its token is a setting of its own`)
  .refine(hasNoToken, `${DATABASE}, without ? or #: its token is a setting of its own`)
  .refine(hasKnownPath, `${DATABASE}, which names a namespace as NAME.host or as host/dev/NAME`);

/** `tls` is the only parameter that means anything there. A token would be shown wherever the address is, and not be sent. */
function hasNoToken(url: string): boolean {
  if (url.startsWith('file:') || !URL.canParse(url)) return true;
  return !url.includes('#') && /^(\?tls=[01])?$/.test(new URL(url).search);
}

/** The database that an address means, in one spelling. */
export function databaseOf(url: string): string {
  if (url.startsWith('file:')) return resolve(url.slice('file:'.length));
  const { protocol, host, pathname, search } = new URL(url);
  const isPlain = protocol === 'http:' || protocol === 'ws:' || search === '?tls=0';
  return `${isPlain ? 'http' : 'https'}://${host}${pathname.replace(/\/*$/, '')}`;
}

/** A libSQL server without namespaces in paths would treat two of them as one database. */
function hasKnownPath(url: string): boolean {
  if (url.startsWith('file:') || !URL.canParse(url)) return true;
  return /^\/?$|\/dev\/[^/]+\/?$/.test(new URL(url).pathname);
}
/** Far from today, a day before or after it has no date of four digits, by which days are compared. */
export const instant = z.iso
  .datetime({ offset: true, error: 'an ISO 8601 instant with a zone' })
  .transform((text) => new Date(text))
  .refine((date) => /^20\d\d-/.test(date.toISOString()), 'an ISO 8601 instant from 2000 to 2099');
export const prefix = z.string().regex(/^[a-z][a-z0-9_]{0,19}$/, 'lower-case letters, digits and underscores');
export const text = z.string().min(1, 'some text');
/** A text that is sent in a header of requests. With any other character no request could be made. */
export const headerText = z.string().regex(/^[\x20-\x7e]+$/, 'some text of ASCII characters, on one line');
export const contact = z
  .string()
  .regex(/^(https?:\/\/[^\s/]+\S*|mailto:[^\s@]+@[^\s@]+|[^\s@]+@[^\s@]+)$/i, 'an e-mail or web address');

const ORIGIN = 'origins such as https://app.example.org, separated by commas';
/** Schemes that browsers and programs with embedded pages send as an Origin. */
const ORIGIN_PATTERN = /^(\*|null|(https?|[a-z]+-extension|vscode-[a-z]+|app|capacitor|tauri|file):\/\/[^/\s]*)\/?$/i;
export const origins = z
  .string()
  .transform((list) =>
    list
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )
  .refine((list) => list.every((item) => ORIGIN_PATTERN.test(item) && (!isWeb(item) || URL.canParse(item))), ORIGIN)
  // As browsers write them: lower case, without the port that the scheme has anyway.
  .transform((list) => list.map((item) => (isWeb(item) ? new URL(item).origin : item)));

function isWeb(item: string): boolean {
  return /^https?:/i.test(item);
}
