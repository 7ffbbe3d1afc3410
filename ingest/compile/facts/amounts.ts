import { matchesOf } from '../../../schema/text/memoise.ts';

/** An amount of time in a sentence. */
export interface Amount {
  kind: 'extension' | 'sum' | 'recap' | 'total' | 'initial' | 'unknown';
  months: number;
  /** Its place in the sentence, in characters. */
  at: number;
  /** Where it ends. */
  to: number;
  /** The terms of a sum such as `2 + 1`. */
  terms?: number[];
}

type Stated = Omit<Amount, 'at' | 'to'>;

const NUMBERS = new Map([
  ...'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, at) => [word, at + 1] as const),
  ...([
    ['eighteen', 18],
    ['twenty-four', 24],
    ['thirty-six', 36],
    ['forty-eight', 48],
    ['sixty', 60],
  ] as const),
]);
const NUMBER_WORD = new RegExp(`\\b(?:${[...NUMBERS.keys()].toReversed().join('|').replaceAll('-', '[- ]')})\\b`, 'g');
const UNIT = '(years?|yrs?|months?|mths?)\\b';
/** A number and its unit, in a sentence as `plainOf` returns it. */
export const AMOUNT = `(\\d{1,3}) ${UNIT}`;
/** Words that announce an extension. */
export const EXTENDS =
  /\b(?:exten(?:d|ds|ded|ding|sions?|dable)|renew(?:al|als|ed|able)?|options?|optional|further|additional)\b/;
/** Words that follow an amount of time that is not a term. */
const NO_TERM =
  /^[’']?s?[’']? (?:(?:written|prior|clear) )*(?:notice|before|prior|(?:extensions?|options?) (?:has|have|was|were) (?:already |now |previously )?(?:been )?(?:used|exercised|invoked|taken)|in advance|defects?|warrant\w*|guarantee|retention|maintenance|from (?:receipt|the date of)|break|old|experience|payment|an? year\b|per\b)/;
const NO_TERM_BEFORE =
  /% of(?: the)?(?: (?!for\b|by\b)[a-z]+){0,2}(?: (?:term|period|duration) of)? $|\b(?:notice of|at least|less than|within|every|each|after|last|past|previous|first|beyond)(?: the)?(?: \w+)?(?: (?:term|period) of)? $|\bexten(?:d|ding) (?:the|this|its)(?: original)?(?: (?:term|period) of)? $|\brenew(?:als?|ed) in $/;

const ADJECTIVE =
  '(?:further|additional|optional|successive|consecutive|(?:separately )?exercisable|separate|individual|possible|extension|option|equal|more)';
const PERIODS = '(?:periods?|extensions?|terms?|options?|increments?)';
/** Patterns for several extensions, and how to add up their months. */
const COUNTED: readonly (readonly [RegExp, (found: readonly (string | undefined)[]) => number])[] = [
  [new RegExp(`(\\d{1,2}) x (?:up to )?(?:${ADJECTIVE} )?${AMOUNT}`, 'g'), multiply],
  [
    new RegExp(
      `(\\d{1,2}) (?:x )?(?:${ADJECTIVE},? ){0,3}${PERIODS}(?: ${PERIODS})? (?:of|for)(?: up to| a maximum of| no more than)?(?: an?)?(?: ${ADJECTIVE})? ${AMOUNT}`,
      'g',
    ),
    multiply,
  ],
  // `12 month extension x 2`, `12 months (x 2)`, `1 year x 2 extensions`.
  [
    new RegExp(
      `${AMOUNT}(?: (?:${ADJECTIVE}|${PERIODS})){0,2} \\(?x ?([2-5])(?= ?(?:$|[).,;:]|(?:${ADJECTIVE} )?${PERIODS}\\b))`,
      'g',
    ),
    ([, most, unit, count]) => Number(count) * monthsOf(most, unit),
  ],
  [new RegExp(`(\\d{1,2}),? (?:${ADJECTIVE} ){0,2}${AMOUNT} (?:${ADJECTIVE} ){0,2}${PERIODS}`, 'g'), multiply],
  [
    new RegExp(`${AMOUNT} on (?:up to )?(\\d) (?:separate )?occasions`, 'g'),
    ([, most, unit, count]) => Number(count) * monthsOf(most, unit),
  ],
  [
    new RegExp(`\\b2 (?:${ADJECTIVE} )*extensions of (\\d{1,2}) and ${AMOUNT}`, 'g'),
    ([, one, other, unit]) => monthsOf(one, unit) + monthsOf(other, unit),
  ],
];
/** `2 optional annual extensions`. Those that are not counted say what an extension is, not how far they reach. */
const COUNTED_ANNUAL = new RegExp(`(?<=\\b\\d (?:${ADJECTIVE} ){0,2})annual (?=extensions?\\b|options?\\b)`, 'g');
const SUM = new RegExp(`\\(?\\b\\d{1,2}(?: ${UNIT})?(?:,? ?(?:\\+|plus) ?\\d{1,2}(?: ${UNIT})?)+(?!\\d)`, 'g');
/** `+1,+1` and `+ 2 years` leave out the term before: all of it is extensions. One number alone needs its unit. */
const ADDED = new RegExp(
  `(?<!\\d ?(?:${UNIT})?,? ?)\\+ ?(?:\\d(?: ${UNIT})?(?:,? ?\\+ ?\\d(?: ${UNIT})?)+(?![\\d.])|${AMOUNT})`,
  'g',
);
/** Words before it. After others it is no term: `CPI +1 +1`, `servers + 5 years of support`. */
const BEFORE_ADDED =
  /(?:^|[(:,]|\b(?:an?|of|for|by|extend|extensions?|options?|further|additional|years?|months?|term|period|contract))[ "'‘“]*$/;
const TOTAL = new RegExp(
  `\\b(?:total|totalling|maximum|max|overall|no (?:greater|longer|more) than|up to)(?: (?!\\d)[a-z]+){0,4} ${AMOUNT}(?: in (?:total|aggregate))?|${AMOUNT} (?:in (?:total|aggregate)|overall|maximum)`,
  'g',
);
/** Words for the term with its extensions. */
export const WHOLE_TERM =
  /\b(?:contract|term|duration|(?<!not )including|inclusive|incl|overall|whole|original|award)\b/;
const IS_TOTAL = /\b(?:total|totalling|maximum|max|overall|no|aggregate)\b/;
export const OF_WHOLE = /\b(?:total|overall|whole|(?<!not )including|inclusive)\b[^,]{0,50}$/;
const STEPS = new RegExp(
  `\\b(?:in|at) (?:${ADJECTIVE} )?${AMOUNT} (?:increments?|intervals?|extensions?|steps?|stages?)`,
  'g',
);
const SINGLE = new RegExp(AMOUNT, 'g');
const EXTENSION_AFTER =
  /^ (?:optional |possible |maximum )?(?:extension|option|renewal)|^ available for (?:an )?extension/;
/** `12 or 24 months`, `12 to 24 months`. */
const ONE_OF_TWO = /\d(?: (?:years?|months?))? ?(?:or|to|-) ?(?:up to )?$/;
/** `Extended to 5 years` says when it ends, unless `to` is part of `up to`. */
const EXTENDED_TO =
  /\b(?:exten(?:d|ded|ding|dable|sion)|renew(?:ed|able|al)?)\b(?: (?!up\b|by\b|for\b)[a-z\d]+){0,8} to (?:up to )?$/;
/** `To extend the initial term of 3 years`. */
const EXTENDED_INITIAL = /\bexten(?:d|ding) (?:the|this|its) initial(?: (?:term|period) of)? $/;
const STEPS_AFTER = new RegExp(`^ (?:${ADJECTIVE} ){0,2}(?:extensions|periods|terms|options)\\b`);
const INITIAL =
  /\b(?:initial|fixed|minimum|contract|agreement|framework|term|period|duration|dps|system|be|is|runs?|for)\b[^\d]{0,60}$/;
/** After `4 years`: `including a 1 year extension`. Many write `including an option of a further 2 years` of what is added. */
const INCLUDES =
  /^ (?:[a-z]+ ){0,3}\(?(?<!not )(?:including|inclusive of|incl)(?!.*\b(?:further|additional)\b)(?: [a-z\d]+){0,6}? (?:exten|option|renew)/;
const INITIAL_AFTER = /^ (?:initial|fixed|contract|term|period|framework|agreement)/;

/** A sentence in lower case, with numbers as digits and one space between a number and its unit. */
export function plainOf(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[–—]/g, '-')
    .replace(/ ?per ?cent\b/g, '%')
    .replace(/×|(?<=\d ?)\*(?= ?\d)/g, 'x')
    .replace(NUMBER_WORD, (word) => String(NUMBERS.get(word.replace(' ', '-'))))
    .replace(/(\d{1,3}) ?\( ?\1 ?\)/g, '$1')
    .replace(/(\d)[- ]?(x|years?|yrs?|months?|mths?)\b/g, '$1 $2')
    .replace(/(\d) ?x ?(?=\d)/g, '$1 x ')
    .replace(/\b(further|additional|another|extra) (?=year\b)/g, '$1 1 ')
    .replace(/(\d) (further|additional|more|extra) (?=(?:years?|months?)\b)/g, '$2 $1 ')
    .replace(/\b(academic|calendar) (?=years?\b|months?\b)/g, '')
    .replace(COUNTED_ANNUAL, '1 year ')
    .replace(/\s*\+\s*/g, ' + ')
    .replace(/\s+/g, ' ');
}

/**
 * Every amount of time in a sentence, in order, and what it describes. Words that one pattern matched are hidden from the
 * next.
 * @param sentence as `plainOf` returns it
 */
export function amountsOf(sentence: string): Amount[] {
  const amounts: Amount[] = [];
  let rest = sentence;
  const take = (pattern: RegExp, read: (match: RegExpExecArray, at: number) => Stated | null) => {
    for (const match of matchesOf(rest, pattern)) {
      const at = match.index;
      const amount = read(match, at);
      if (amount) amounts.push({ at, to: at + match[0].length, ...amount });
      rest = rest.slice(0, at) + ' '.repeat(match[0].length) + rest.slice(at + match[0].length);
    }
  };
  const isNoTerm = (match: RegExpMatchArray, at: number) =>
    NO_TERM.test(sentence.slice(at + match[0].length)) || NO_TERM_BEFORE.test(sentence.slice(0, at));
  for (const [pattern, add] of COUNTED) take(pattern, (match) => ({ kind: 'extension', months: add(match) }));
  take(ADDED, (match, at) => {
    if (isNoTerm(match, at)) return null;
    const isTerm = BEFORE_ADDED.test(sentence.slice(0, at));
    return { ...sumOf(match[0], '', sentence.slice(at + match[0].length)), kind: isTerm ? 'extension' : 'unknown' };
  });
  take(SUM, (match, at) => sumOf(match[0], sentence.slice(0, at), sentence.slice(at + match[0].length)));
  take(STEPS, () => null);
  take(TOTAL, (match, at) => {
    const [words, most, unit, other, otherUnit] = match;
    if (isNoTerm(match, at)) return null;
    const months = monthsOf(most ?? other, unit ?? otherUnit);
    const isTotal = IS_TOTAL.test(words) || WHOLE_TERM.test(words) || OF_WHOLE.test(sentence.slice(0, at));
    const isAdded = EXTENDS.test(words) && !ONE_OF_TWO.test(sentence.slice(0, at));
    if (isTotal) return { kind: 'total', months };
    return { kind: isAdded ? 'extension' : kindOf(match, at, sentence), months };
  });
  take(SINGLE, (match, at) =>
    isNoTerm(match, at) ? null : { kind: kindOf(match, at, sentence), months: monthsOf(match[1], match[2]) },
  );
  return amounts.toSorted((one, other) => one.at - other.at);
}

function kindOf({ 0: words }: RegExpMatchArray, at: number, sentence: string): Amount['kind'] {
  const before = sentence.slice(0, at);
  const after = sentence.slice(at + words.length);
  if (ONE_OF_TWO.test(before) || EXTENDED_TO.test(before)) return 'unknown';
  // `1 year extensions` and `12 months on each occasion` do not say how many there are.
  if (STEPS_AFTER.test(after) || /^ (?:on )?each\b/.test(after)) return 'unknown';
  if (INCLUDES.test(after)) return 'total';
  if (EXTENDED_INITIAL.test(before)) return 'initial';
  if (EXTENSION_AFTER.test(after) || EXTENDS.test(before)) return 'extension';
  // `3 years with an option to extend`.
  if (/^\W*$/.test(before) && /\b(?:exten|option|renew)/.test(after)) return 'initial';
  if (INITIAL.test(before) || INITIAL_AFTER.test(after)) return 'initial';
  return 'unknown';
}

function sumOf(words: string, before: string, after: string): Stated {
  const parts = [...words.matchAll(/(\d{1,2})(?: (years?|yrs?|months?|mths?))?/g)];
  const lastUnit =
    parts.findLast(([, , unit]) => unit)?.[2] ?? (/^\s*(\w+)/.exec(after)?.[1] === 'month' ? 'month' : 'year');
  const terms = parts.map(([, number, unit]) => monthsOf(number, unit ?? lastUnit));
  const months = terms.reduce((sum, one) => sum + one, 0);
  if (words.startsWith('(')) return { kind: 'recap', months, terms };
  const followsInitial = /\binitial(?: [a-z]+){0,5} $/.test(before);
  const isPure = !followsInitial && (EXTENDS.test(before) || /^ (?:year |month )?(?:extension|option)/.test(after));
  return { kind: isPure ? 'extension' : 'sum', months, terms };
}

function multiply([, count, most, unit]: readonly (string | undefined)[]): number {
  return Number(count) * monthsOf(most, unit);
}

/** Months of a number of years or months. */
export function monthsOf(number: string | undefined, unit: string | undefined): number {
  return Number(number) * (unit?.startsWith('y') ? 12 : 1);
}
