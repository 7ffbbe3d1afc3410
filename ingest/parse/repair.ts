import { CP1252, dropInvisible, isPlain, type JsonObject, objectOf } from '../../schema/text/json-values.ts';
import { isPersonal, type LeftOut } from '../contacts/personal-details.ts';
import { undoDoubleEncoding } from '../fields/text/fold.ts';
import { withoutEmpty } from '../merge/ocds.ts';

/** How often each kind of repair was made. */
export type Repairs = Record<string, number>;

/** A page that cannot be read at all. The message is the reason, in words for an operator. */
export class UnreadablePage extends Error {
  override name = 'UnreadablePage';
}

/** Bytes that could not be read, and why. */
export interface Quarantined {
  kind: 'page' | 'release' | 'row';
  reason: string;
  /** The address asked, without credentials. */
  url: string;
  recordId?: string | undefined;
  bytes: Uint8Array;
  /** The bytes contain something that was taken down: the record is stored without them. */
  isTakenDown?: boolean;
}

/** Adds to the count of one kind of repair. */
export function countRepair(repairs: Repairs, kind: string, times = 1): void {
  if (times > 0) repairs[kind] = (repairs[kind] ?? 0) + times;
}

/** What the bytes are if they cannot be JSON; null where they may be. */
export function nameByteShape(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 400))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (head === '') return 'an empty body';
  if (head.startsWith('PK')) return 'a zip archive';
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'a gzip file';
  if (head.startsWith('<')) return /^<(!doctype html|html)/i.test(head) ? 'an HTML page' : 'an XML or HTML document';
  if (/^[{["\d-]/.test(head) && !/^"[^"]*","/.test(head)) return null;
  if (/rate limit|too many requests|request limit/i.test(head)) return 'a rate-limit message';
  return /^[^\n]*,[^\n]*,/.test(head) ? 'a CSV file' : 'plain text';
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });
/** One character in more than one byte, exactly as UTF-8 allows it (Unicode 3.9, table 3-7): no overlong form, no surrogate. */
const UTF8_CHARACTER = new RegExp(
  [
    '^(?:[\\xc2-\\xdf][\\x80-\\xbf]',
    '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]|[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}|\\xed[\\x80-\\x9f][\\x80-\\xbf]',
    '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}|[\\xf1-\\xf3][\\x80-\\xbf]{3}|\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2})',
  ].join('|'),
);

/** Bytes as text: UTF-8, with stray ISO-8859-1 bytes read as such (Contracts Finder sends them; Kingfisher, 2023). */
export function decodeBytes(bytes: Uint8Array, repairs: Repairs): string {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    return decodeMixed(bytes, repairs);
  }
}

function decodeMixed(bytes: Uint8Array, repairs: Repairs): string {
  const raw = Buffer.from(bytes).toString('latin1');
  let strays = 0;
  let text = '';
  for (let at = 0; at < raw.length; ) {
    const plain = /^[^\x80-\xff]+/.exec(raw.slice(at, at + 4096))?.[0];
    const piece = plain ?? UTF8_CHARACTER.exec(raw.slice(at, at + 4))?.[0] ?? raw.charAt(at);
    if (plain) text += plain;
    else if (piece.length > 1) text += Buffer.from(piece, 'latin1').toString('utf8');
    else {
      text += CP1252[piece.charCodeAt(0) - 0x80] ?? piece;
      strays += 1;
    }
    at += piece.length;
  }
  countRepair(repairs, 'stray_latin1_byte', strays);
  return text;
}

/** Text that may hold a number too large for JavaScript: JSON with one is parsed, and the number is Infinity. */
const UNLIMITED = /[:[,]\s*-?(?:\d{309}|\d[\d.]*[eE]\+?\d{3})/;
const NUMBER = /-?(?:Infinity|NaN)\b|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;
const MISWRITTEN = /^-?0\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses JSON text. `1e9999` and `Infinity` ("unlimited", FTS 083529-2026) and `NaN` become null, ` 000` becomes 0. Tokens
 * are read one by one, so nothing inside a string changes. @throws UnreadablePage where the text is truncated or not JSON.
 */
export function parseJson(text: string, repairs: Repairs): unknown {
  try {
    if (!UNLIMITED.test(text)) return JSON.parse(text);
  } catch {
    // It may contain a number that JSON does not allow: only then are its tokens read one by one, which is slow.
  }
  const mended = mendNumbers(text, repairs);
  try {
    return JSON.parse(mended);
  } catch (error) {
    throw new UnreadablePage(describeBroken(mended, error), { cause: error });
  }
}

function mendNumbers(text: string, repairs: Repairs): string {
  const mend = (token: string) => {
    const value = Number(token);
    if (Math.abs(value) === Number.POSITIVE_INFINITY || token.endsWith('NaN')) {
      countRepair(repairs, token.endsWith('NaN') ? 'not_a_number' : 'unlimited_number');
      return 'null';
    }
    // Anything else that is not a number stays as it is, and makes the page unreadable.
    if (!MISWRITTEN.test(token)) return token;
    countRepair(repairs, 'leading_zeros');
    return String(value);
  };
  return changeOutsideStrings(text, (outside) => (/[\dIN]/.test(outside) ? outside.replace(NUMBER, mend) : outside));
}

/** JSON text in which the parts between string literals are changed, and the literals kept. */
function changeOutsideStrings(text: string, change: (outside: string) => string): string {
  let changed = '';
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('"', at);
    const quote = found < 0 ? text.length : found;
    // Most literals are separated by a colon or a comma; unchanged parts are copied in one piece later.
    const outside = text.slice(at, quote);
    const instead = change(outside);
    if (instead !== outside) {
      changed += text.slice(from, at) + instead;
      from = quote;
    }
    at = endOfString(text, quote);
  }
  return changed + text.slice(from);
}

/** The end of the string literal that opens at `quote`, after its closing quote; the text's end for an unclosed one. */
function endOfString(text: string, quote: number): number {
  for (let from = quote + 1; ; ) {
    const close = text.indexOf('"', from);
    if (close < 0) return text.length;
    let escapes = 0;
    while (text[close - 1 - escapes] === '\\') escapes++;
    // After an even number of backslashes, which escape each other, the quote is not escaped.
    if (escapes % 2 === 0) return close + 1;
    from = close + 1;
  }
}

/** Whether JSON text ends in the middle of something: brackets or a string left open. */
function isTruncated(text: string): boolean {
  let open = 0;
  changeOutsideStrings(text, (outside) => {
    open += (outside.match(/[{[]/g)?.length ?? 0) - (outside.match(/[}\]]/g)?.length ?? 0);
    return '';
  });
  return open > 0;
}

function describeBroken(text: string, error: unknown): string {
  if (isTruncated(text)) return `truncated JSON: it ends after ${text.length} characters in the middle of a value`;
  const said = error instanceof Error ? error.message : 'cannot be parsed';
  // The reason stays for good, so it quotes nothing: the text at that place may be somebody's name or address.
  return `broken JSON: ${said.replace(/(?:\.{3})?".*"(?:\.{3})? is/s, 'it is').slice(0, 160)}`;
}

/** A copy of a release without personal details and invisible characters, with double-encoded text mended. What was left out is collected. */
export function cleanRelease(value: unknown, repairs: Repairs, leftOut: LeftOut[] = []): unknown {
  const count = () => countRepair(repairs, 'double_encoded_text');
  if (value === 'null' || value === 'undefined') {
    countRepair(repairs, 'null_in_letters');
    return '';
  }
  if (typeof value === 'string') return isPlain(value) ? value : dropInvisible(undoDoubleEncoding(value, count));
  if (Array.isArray(value)) return value.map((member) => cleanRelease(member, repairs, leftOut));
  const object = objectOf(value);
  if (!object) return value;
  const keys = Object.keys(object);
  if (isListLike(keys)) {
    countRepair(repairs, 'object_for_array');
    return keys.map((key) => cleanRelease(object[key], repairs, leftOut));
  }
  const cleaned: JsonObject = {};
  for (const key of keys) {
    const member = object[key];
    if (isPersonal(key)) leftOut.push({ owner: object.id, key, value: member });
    else if (key !== PROTO) cleaned[key] = cleanRelease(inShape(key, member, repairs), repairs, leftOut);
    else countRepair(repairs, 'forbidden_member');
  }
  return cleaned;
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));
/** Lists that are merged by id, and lists of codes. */
const LISTS = setOf('amendments awards contracts documents items lots parties relatedProcesses statistics suppliers');
const CODES = setOf('tag roles relationship submissionMethod');

/** Members that are one object. */
const OBJECTS = setOf(`address awardCriteria awardPeriod bidValidityPeriod bids buyer classification communication
  contractPeriod contractTerms details dynamicPurchasingSystem enquiryPeriod finalValue frameworkAgreement gazetteer
  identifier implementation legalBasis lotDetails measureClassification minValue newValue oldValue options
  otherRequirements period planning procedure procuringEntity recurrence relativeValue renewal
  reservedParticipationLocation secondStage selectionCriteria standstillPeriod submissionTerms suitability techniques
  tender tenderPeriod unit value where xClassifications`);

/** The beginning or a character of an id, which no name of a member has. */
const OF_ID = /^[A-Z]|[\d-]/;

/**
 * The members of a list that came as an object keyed by their ids, each with its id; or null for any other object, as one that
 * stands for a list of one.
 */
function listKeyed(object: JsonObject, repairs: Repairs): JsonObject[] | null {
  const members = Object.entries(object).map(([key, value]) => ({ key, member: objectOf(value) }));
  const isKeyed = members.every(({ key, member }) => member && (OF_ID.test(key) || member.id === key || key === PROTO));
  if (!isKeyed || members.length === 0) return null;
  const kept = members.filter(({ key }) => key !== PROTO);
  countRepair(repairs, 'forbidden_member', members.length - kept.length);
  return kept.map(({ key, member }) => ({ id: key, ...member }));
}

/**
 * Makes a list of an object that stands for one, by the ids of its members or for a single one, as a converter from XML writes
 * it, and of codes in one text. Unwraps a list of one that stands for an object. Drops members of a list that say nothing.
 */
function inShape(key: string, value: unknown, repairs: Repairs): unknown {
  if (LISTS.has(key) && Array.isArray(value)) return withoutEmpty(value);
  if (CODES.has(key)) return typeof value === 'string' && /[,;]/.test(value) ? value.split(/[,;]/) : value;
  const object = LISTS.has(key) ? objectOf(value) : undefined;
  if (object && !isListLike(Object.keys(object))) {
    countRepair(repairs, 'object_for_array');
    return listKeyed(object, repairs) ?? [value];
  }
  const [only, ...others] = OBJECTS.has(key) && Array.isArray(value) ? value : [];
  if (!objectOf(only) || others.length > 0) return value;
  countRepair(repairs, 'array_for_object');
  return only;
}

/** Plain assignment to a member with this name would set the object's prototype and lose the value. */
const PROTO = '__proto__';

/** Whether these are the member names of an array that came as an object keyed "1", "2"… (FTS 002109-2021). */
export function isListLike(keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
}
