import { DAY_MS } from '../../schema/config/clocks.ts';
import type { AnyFilterRow } from '../../search/filters/row.ts';
import type { InputFacts } from './inputs.ts';
import { findValue } from './words.ts';

/** Facts about an input whose value is refused. */
export interface Refused extends InputFacts {
  name: string;
  input: unknown;
  type: string | undefined;
}

/** Values of one list that get a suggestion: as many as a filter accepts. */
const HINTED_MAX = 20;
/** Characters of a suggested text. */
const TEXT_HINTED_MAX = 200;
const YES: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

/** What to send instead of a value with the wrong type or form. */
export function hintValue(refused: Refused): string {
  const { name, input, type, filter, accepts } = refused;
  const example = accepts(refused.example) ? refused.example : undefined;
  if (input === null) return '; leave it out where there is none';
  if (name === 'query' && input === '') return '; send words, or * for all';
  if (input === '') return '; it is empty: send a value, or leave it out where it is optional';
  if (filter?.kind === 'date') return hintDay(refused);
  if (filter?.meant && input !== undefined) return hintCodes(refused, filter.meant);
  const meant = [type === 'string' ? textIn(refused) : literalIn(type, input)].find(accepts);
  const isQuoted = input === 'true' || input === 'false';
  if (meant !== undefined) return `; send ${JSON.stringify(meant)}${isQuoted ? ' without quotes' : ''}`;
  return sayExample(example);
}

const sayExample = (example: unknown): string =>
  example === undefined ? '' : `, for example ${JSON.stringify(example)}`;

/** The value that a word, or the first word of a list, means. */
export function hintWord({ input, filter }: Refused, values: readonly string[]): string {
  const isArray = Array.isArray(input);
  const word: unknown = isArray ? input[0] : wrongIn(input, values);
  const meant = typeof word === 'string' ? findValue(word, values, filter?.called) : undefined;
  if (meant === undefined) return isArray ? '; one at a time' : '';
  return isArray ? `; one at a time: send '${meant}'` : `; did you mean '${meant}'?`;
}

/** The first unknown value of a comma-separated list; without any, the input itself. */
function wrongIn(input: unknown, values: readonly string[]): unknown {
  if (typeof input !== 'string') return input;
  const sent = input.split(',').map((one) => one.trim());
  return sent.find((one) => !values.includes(one)) ?? input;
}

function hintDay({ name, input, example, accepts }: Refused): string {
  const day = dayNamedBy(input, name.endsWith('_to'));
  return day && accepts(day) ? `; send "${day}"` : sayExample(example ?? '2026-05-01');
}

function hintCodes({ input, example, accepts }: Refused, meant: NonNullable<AnyFilterRow['meant']>): string {
  const sent = Array.isArray(input) ? input : String(input).split(',', HINTED_MAX);
  const known = sent.slice(0, HINTED_MAX).flatMap((one) => meant(String(one)) ?? []);
  const codes = known.map(({ code }) => code).join(',');
  if (known.length === 0 || !accepts(codes)) return sayExample(example);
  const names = known.flatMap(({ name }) => name ?? []);
  const said = names.length > 0 ? ` (${names.join('; ')})` : '';
  return `; send "${codes}"${said}`;
}

function textIn({ name, input, isList }: Refused): string | undefined {
  if (typeof input === 'number') return String(input);
  if (!Array.isArray(input) || !input.every((part) => typeof part === 'string')) return undefined;
  if (isList) return input.join(',').slice(0, TEXT_HINTED_MAX);
  return name === 'query' ? input.join(' ').slice(0, TEXT_HINTED_MAX) : (input[0] ?? '');
}

function literalIn(type: string | undefined, input: unknown): number | boolean | undefined {
  if (type === 'boolean') return YES[String(input).toLowerCase()];
  return typeof input === 'string' ? numberIn(input) : undefined;
}

const SCALE: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};

/** The number in a text such as £50k, 1,000 or 1.5 million GBP. */
function numberIn(text: string): number | undefined {
  const bare = text.toLowerCase().replace(/gbp|pounds?|sterling|[£,\s]/g, '');
  const [, digits = '', scale = ''] = /^(\d+(?:\.\d+)?)(k|thousand|mn?|million|bn|billion)?$/.exec(bare) ?? [];
  return digits === '' ? undefined : Math.round(Number(digits) * (SCALE[scale] ?? 1) * 100) / 100;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Seconds since 1970 have ten digits until the year 2286, milliseconds thirteen. */
const STAMP = /^(\d{10})(\d{3})?$/;

/** A year with an optional month and day; without them the whole year or month is meant. */
type Named = [year: number, month?: number, day?: number];

/**
 * The day (YYYY-MM-DD) that a text in another form means: day before month as in Britain, months by number or name, instants,
 * Unix time. For a month or a year the first day, or the last with `isLast`. Undefined where there is none.
 */
export function dayNamedBy(input: unknown, isLast: boolean): string | undefined {
  const text = String(input).trim();
  const named = readNumbers(text) ?? readWords(text);
  return named && toDay(named, isLast);
}

function readNumbers(text: string): Named | undefined {
  const [, seconds] = STAMP.exec(text) ?? [];
  if (seconds) return readNumbers(new Date(Number(seconds) * 1_000).toISOString());
  const british = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4}|\d{2})$/.exec(text);
  if (british) return [fullYear(british[3]), Number(british[2]), Number(british[1])];
  const iso = /^(\d{4})(?:[-/.]?(\d{1,2})(?:[-/.]?(\d{1,2}))?)?(?:[T ]\d.*)?$/.exec(text);
  return iso ? named(iso[1], iso[2], iso[3]) : undefined;
}

/** `1st of May 2026`, `May 1, 2026`, `May 2026`. */
function readWords(text: string): Named | undefined {
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}`, 'i').test(text)) + 1;
  const year = /\b(\d{4})\b/.exec(text)?.[1];
  if (month === 0 || year === undefined) return undefined;
  return named(year, String(month), /\b(\d{1,2})(?:st|nd|rd|th)?\b/i.exec(text.replace(year, ''))?.[1]);
}

function named(year?: string, month?: string, day?: string): Named {
  return [fullYear(year), month === undefined ? undefined : Number(month), day === undefined ? undefined : Number(day)];
}

function fullYear(year = ''): number {
  return Number(year.length === 2 ? `20${year}` : year);
}

/** A day past the end of its month becomes the month's last day. */
function toDay([year, month, day]: Named, isLast: boolean): string | undefined {
  const ofYear = month ?? (isLast ? 12 : 1);
  if (ofYear < 1 || ofYear > 12 || day === 0 || (day ?? 1) > 31) return undefined;
  const last = new Date(Date.UTC(year, ofYear, 1) - DAY_MS).getUTCDate();
  const ofMonth = Math.min(day ?? (isLast ? last : 1), last);
  return [String(year), String(ofYear).padStart(2, '0'), String(ofMonth).padStart(2, '0')].join('-');
}
