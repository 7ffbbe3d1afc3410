import { isPlain } from '../../schema/text/json-values.ts';
import { matchesOf } from '../../schema/text/memoise.ts';
import type { Folded } from '../fields/text/fold.ts';

/** A match in a folded text. */
interface FoundNumber {
  start: number;
  end: number;
}

/** Digits in the shortest and the longest number, including prefixes for a call from abroad. */
const LEAST = 8;
const MOST = 16;
/** What may separate two digits of a number: a few characters, but no letters, sums of money or addresses. */
const GAP_MAX = 4;
const NO_GAP = /[\p{L}@£$€=&#%]/u;
const MAY_HAVE = /\d(?:[^\p{L}\d]{0,4}\d){7}/u;
const EXTENSION = /^[ ,;]{0,2}\(?(?:ext(?:ension|n)?|x)[.: ]{0,3}\d{1,6}\)?/;

/** `01632 960111` in every way of dialling it: `+44`, `0044`, `44 (0)`; `+33 1 …` also with `00`. */
function readDigits(digits: string, isPlus: boolean): { value: string; isBare: boolean }[] {
  const national = (rest: string) => ({ value: `0${rest.replace(/^0/, '')}`, isBare: false });
  const abroad = (rest: string, isBare: boolean) => ({ value: `+${rest}`, isBare });
  if (digits.startsWith('0044')) return [national(digits.slice(4))];
  if (digits.startsWith('00')) return [abroad(digits.slice(2), false)];
  if (digits.startsWith('0')) return [national(digits.slice(1))];
  const ways = digits.startsWith('44') && digits.length >= 11 ? [national(digits.slice(2))] : [];
  return isPlus
    ? [...ways, abroad(digits, false)]
    : [...ways, { value: `0${digits}`, isBare: true }, abroad(digits, true)];
}

interface Group {
  start: number;
  end: number;
  digits: string;
  /** Whether a number may continue from the previous group into this one. */
  joins: boolean;
  /** `+44 (0)20`: the 0 is not dialled from abroad. */
  isTrunkZero: boolean;
}

/** The numbers to look for. */
export interface WantedNumbers {
  has(value: string): boolean;
  /** The last digits of each number, which rule out nearly all other numbers in a text. */
  endings?: ReadonlySet<string>;
}

/** Every way of dialling a number ends in at least this many of its digits. */
const ENDING = 7;
/** Digits of other scripts and in entities, which folding turns into plain digits. */
const OTHER_DIGITS = /[^\P{N}0-9]/u;

/** Prepares a set of numbers for the search; each in its normal form. */
export function wantNumbers(numbers: ReadonlySet<string>): WantedNumbers {
  return { has: (value) => numbers.has(value), endings: new Set([...numbers].map((one) => one.slice(-ENDING))) };
}

/** Whether a text or a whole body may contain one of the numbers, with any separators. */
export function mayHaveNumbers(text: string, { endings }: WantedNumbers): boolean {
  if (text.includes('&#') || (!isPlain(text) && OTHER_DIGITS.test(text))) return true;
  if (endings === undefined) return MAY_HAVE.test(text);
  const digits = text.replace(/\D+/g, '');
  for (const ending of endings) if (digits.includes(ending)) return true;
  return false;
}

/**
 * Where a folded text has one of the numbers, whatever separates their digits. Each group of digits is combined with only as
 * many following ones as a number may have.
 */
export function findNumbers(from: Folded, original: string, wanted: WantedNumbers): FoundNumber[] {
  if (!MAY_HAVE.test(from.text)) return [];
  const groups = readGroups(from.text);
  const found: FoundNumber[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const start = groups[first]?.start ?? 0;
    const last = findLast(groups, first, (end, digits) => {
      if (wanted.endings && !wanted.endings.has(digits.slice(-ENDING))) return false;
      return readDigits(digits, from.text[start - 1] === '+').some(
        ({ value, isBare }) => wanted.has(value) && isNumber(from, original, { start, end }, isBare),
      );
    });
    if (last === -1) continue;
    found.push(widen(from.text, { start, end: groups[last]?.end ?? 0 }));
    first = last;
  }
  return found;
}

const DIGITS = /\d+/g;

function readGroups(folded: string): Group[] {
  let before = 0;
  return matchesOf(folded, DIGITS).map(({ 0: digits, index: start }) => {
    const end = start + digits.length;
    const joins = start - before <= GAP_MAX && !NO_GAP.test(folded.slice(before, start));
    before = end;
    return {
      start,
      end,
      digits,
      joins,
      isTrunkZero: digits === '0' && folded[start - 1] === '(' && folded[end] === ')',
    };
  });
}

/** The last group of a number that begins with group `first`, or -1. */
function findLast(groups: readonly Group[], first: number, isFound: (end: number, digits: string) => boolean): number {
  let digits = '';
  for (let at = first; at <= first + MOST; at += 1) {
    const group = groups[at];
    if (!group || (at > first && !group.joins)) return -1;
    if (at > first && group.isTrunkZero) continue;
    if (digits.length + group.digits.length > MOST) return -1;
    digits += group.digits;
    if (digits.length >= LEAST && isFound(group.end, digits)) return at;
  }
  return -1;
}

/** Extends a match to the sign and bracket before it and the extension after it. */
function widen(folded: string, { start, end }: FoundNumber): FoundNumber {
  const before = /\(?\+? ?$/.exec(folded.slice(Math.max(0, start - 3), start))?.[0].trim().length ?? 0;
  const extension = EXTENSION.exec(folded.slice(end, end + 24))?.[0].length ?? 0;
  return { start: start - before, end: end + extension };
}

const LABEL =
  /(?:^|[^\p{L}])(?:tel(?:ephone|no)?|phone|mob(?:ile)?|fax|call|ring|dial|text|sms|whatsapp|number|on|at|or|and|to|no|[tmfpd])$/iu;
const MONEY = /(?:[£$€]|\b(?:gbp|eur|usd)) ?[\d.,]{0,12}$/;
const DATE = /(?<!\d)(?:\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d)(?!\d)/;
const CPV = /^\d{8}-\d(?!\d)/;
const BEFORE_MAX = 16;

/** Whether these digits are written as a number to dial, rather than as a date, a sum, a code or part of a longer reference. */
function isNumber(
  { text: folded, range }: Folded,
  original: string,
  { start, end }: FoundNumber,
  isBare: boolean,
): boolean {
  const text = folded.slice(start, end);
  const from = Math.max(0, start - BEFORE_MAX);
  const before = folded.slice(from, start);
  if (MONEY.test(before) || DATE.test(text) || CPV.test(text)) return false;
  if (isBare && !LABEL.test(before.replace(/[\s.:(+-]+$/, ''))) return false;
  const after = folded.slice(end, end + 3);
  if (/\d[.,]$/.test(before) || /^[.,]\d/.test(after)) return false;
  if (!/^\d+$/.test(text)) return true;
  if (/^[-/_]\w/.test(after) || /^\p{L}(?!\p{L})/u.test(after) || /[=&#]$/.test(before)) return false;
  return !isInCode(start > from ? original.slice(...range(from, start)) : '');
}

/** Whether the text right before a number makes it part of a code: `DN01632960111`, `notice/01632960111`. */
function isInCode(before: string): boolean {
  const [, word = '', joint = ''] = /([\p{L}\p{N}]+)([-/_]?)$/u.exec(before) ?? [];
  if (word === '' || LABEL.test(word)) return false;
  if (/\d/.test(word)) return word.replace(/\D/g, '').length < 9;
  return joint !== '' || word === word.toUpperCase();
}
