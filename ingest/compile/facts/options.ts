import type { ContractDetail } from '../../../schema/catalogue/contract-details.ts';
import type { OcdsExtensions } from '../../../schema/ocds/types.ts';
import { memoise } from '../../../schema/text/memoise.ts';
import { cleanLine, cleanText, saysNothing } from '../../fields/text/clean.ts';
import { AMOUNT, type Amount, amountsOf, EXTENDS, monthsOf, OF_WHOLE, plainOf, WHOLE_TERM } from './amounts.ts';

/** The extensions that a text allows. */
export interface PublishedOptions {
  /** Months of all extensions together. */
  months: number;
  /** Months before any extension, where the text says so. */
  initial?: number;
  /** The sentence that says so. */
  words: string;
}

const SAYS_EXTENSION = /\b(?:exten(?:d|ds|ded|ding|sions?|dable)|renew(?:als?|ed|able)|options?|optional)\b/;
const MAY_SAY = /exten|renew|option/i;
/** Numbers may be words, and units may be left out of `1+1`. */
const HAS_AMOUNT = /month|year|yr|mth|annual|\d,?\s*\+\s*\d/i;
/** Words about something other than the term of the contract, or about an earlier contract. */
const OF_ANOTHER_THING =
  /\bcall[- ]?offs? (?:contracts|orders|agreements)\b|\b(?:each|every|any|individual) call[- ]?offs?\b|\b(?:deadline|validity|submissions?|warrant\w*|guarantee\w*|insurance|licen[cs]es?|leases?|(?:tele)?phone)\b|\b(?:is|was|were|been|being|already) (?:being )?(?:\w+ )?extended\b|\b(?:current|existing|previous|former|expiring) (?:\w+ )?(?:contract|agreement|framework|arrangement)\b|\brenewal of (?!the (?:contract|agreement|framework|term))|\bnot? later than \d{1,2}(?:st|nd|rd|th)? [a-z]+ 20\d\d/;
/** What a sentence, as `plainOf` returns it, denies: `no option to extend beyond 48 months`. */
const DENIED =
  /\b(?:no|not|cannot)(?: (?:be|to|any|an?|further|intention|possible|possibility|of))* (?:exten|option|renew)\w*\b[^\d,()]*\d+ (?:years?|months?)\b/;
/** `The option to extend by 24 months has been removed`. */
const REMOVED =
  /\d+ (?:years?|months?)(?: (?:extension|option|period|renewal)s?){0,2} (?:(?:has|have|was|were|is|are)(?: (?:now|been|being))* (?:removed|deleted|withdrawn|cancelled|revoked)|(?:is|are) no longer (?:available|offered|included)|will not be (?:taken up|used|exercised|available))\b/g;
/** `Renewable annually for up to 4 years`: of the whole, or of the renewals alone. */
const YEAR_BY_YEAR =
  /\brenew(?:ed|able|als?)?(?: [a-z]+)? (?:annually|yearly|(?:each|every) year|on an? (?:annual|yearly|1 year) basis)\b(?!.*\b(?:further|additional|another|extra|more)\b|.*\bthereafter for (?:up to )?\d|.*\d (?:years?|months?) (?:thereafter\b|(?:after|following)\b.*\binitial\b))[^\d]*\d+ (?:years?|months?)\b/;
/** `The term excluding extensions of 48 months`: after a term, as in `24 months excluding an extension of 12`, the amount is the extension's. */
const EXCLUDED =
  /^\D*\b(?:without|excluding|not including)(?: (?:any|an?|further|possible))* (?:exten|option|renew)\w*\b[^\d,()]*\d+ (?:years?|months?)\b/;
const WITH = '(?:including|inclusive of|incl|excluding|exclusive of)';
const WITH_EXTENSIONS =
  '(?: [a-z]+){0,3} (?:exten|option|renew)\\w*(?: (?!that\\b|which\\b|for\\b|by\\b|of\\b|up to\\b)[a-z]+){0,4}';
const VERB = '(?:is|shall|will|would|could|can|may|must|should|runs?|lasts?)\\b';
/** `The total term including all extensions is 7 years`: the amount is of the term, not of what is named in between. */
const NAMED = new RegExp(
  `\\b(?:(?:${WITH}|if)${WITH_EXTENSIONS}(?:\\)?:|\\)(?= ?\\d)|[,)] (?=${VERB}))|(?:${WITH}|with|without)${WITH_EXTENSIONS}[,)]? (?=${VERB}))`,
);
const NOT_STATED = [EXCLUDED, NAMED, DENIED, REMOVED, YEAR_BY_YEAR];
/** `Extension option 2: 2 years`: how many there are is not in the sentence. */
const NUMBERED = /\b(?:extension|option|period) \d{1,2} ?[:-]/;
/** Words between two extensions that follow each other. */
const JOINS = /\b(?:and|then|plus|followed by|further|additional|another|final)\b/;

/** In longer texts and sentences, what matters comes before this point. */
const TEXT_MAX = 20_000;
const SENTENCE_MAX = 1_500;

/**
 * The extensions that a text states, in months; null if it states none or is ambiguous.
 * @param isField whether the text is a field for extensions, where an amount alone may be an extension
 */
export function readOptions(raw: string | undefined, isField: boolean): PublishedOptions | null {
  if (!raw || !HAS_AMOUNT.test(raw) || !(isField || MAY_SAY.test(raw))) return null;
  return isField ? readField(raw) : readText(raw);
}

const readField = memoise((raw: string) => readWhole(raw, true));
const readText = memoise((raw: string) => readWhole(raw, false));

function readWhole(raw: string, isField: boolean): PublishedOptions | null {
  const sentences = cleanText(raw.slice(0, TEXT_MAX))
    .split(/(?<=[.;!?])\s+|\n+/)
    .filter((words) => words.length <= SENTENCE_MAX && HAS_AMOUNT.test(words))
    .map((words) => ({ words, plain: plainOf(words) }));
  const found: PublishedOptions[] = [];
  for (const { words, plain } of sentences) {
    if (!(isField || SAYS_EXTENSION.test(plain)) || OF_ANOTHER_THING.test(plain)) continue;
    if (NUMBERED.test(plain)) return null;
    let stated = plain;
    for (const words of NOT_STATED) stated = stated.replace(words, ' ');
    const read = readSentence(stated);
    if (read === 'ambiguous') return null;
    if (read) found.push({ ...read, words: words.trim() });
  }
  const [first] = found;
  if (!first || found.some(({ months }) => months !== first.months)) return null;
  const initials = new Set(found.flatMap(({ initial }) => initial ?? []));
  if (initials.size > 1) return null;
  const stated = [...initials][0] ?? initialOf(sentences.map(({ plain }) => plain));
  return { months: first.months, ...(stated === undefined ? {} : { initial: stated }), words: first.words };
}

type Read = Pick<PublishedOptions, 'months' | 'initial'>;

function readSentence(sentence: string): Read | 'ambiguous' | null {
  const amounts = amountsOf(sentence);
  const extensions = amounts.filter(({ kind }) => kind === 'extension');
  const sums = amounts.filter(({ kind }) => kind === 'sum');
  const initials = new Set(amounts.flatMap(({ kind, months }) => (kind === 'initial' ? months : [])));
  if (extensions.length + sums.length === 0 && !amounts.some(({ kind }) => kind === 'total')) return null;
  if (amounts.some(({ kind }) => kind === 'unknown') || initials.size > 1) return 'ambiguous';
  const [initial] = initials;
  const read = joinOf(sentence, extensions, sums, amounts, initial);
  if (read === null || read === 'ambiguous') return read;
  // `A further 12 months, to a maximum contract term of 4 years`: the rest of the whole is the term before.
  const wholes =
    read.initial === undefined ? amounts.filter((one) => one.kind === 'total' && isWhole(sentence, one)) : [];
  const rest = wholes.length === 1 ? (wholes[0]?.months ?? 0) - read.months : 0;
  const term = read.initial ?? (rest > 0 ? rest : undefined);
  const whole = (term ?? Number.NaN) + read.months;
  const fits = ({ kind, months, terms = [] }: Amount) =>
    kind === 'total' || kind === 'recap'
      ? months === read.months || months === whole || (terms.length > 1 && months - (terms[0] ?? 0) === read.months)
      : true;
  if (!amounts.every(fits)) return 'ambiguous';
  return term === undefined ? read : { ...read, initial: term };
}

/** All extensions of a sentence, added up. */
function joinOf(
  sentence: string,
  extensions: readonly Amount[],
  sums: readonly Amount[],
  amounts: readonly Amount[],
  initial: number | undefined,
): Read | 'ambiguous' | null {
  const stated = initial === undefined ? {} : { initial };
  const [first] = extensions;
  if (first) {
    // `2 years on a 1 year + 1 year basis`: the sum repeats the first amount.
    const again = extensions.find(
      ({ terms, months }) => terms && extensions.some((one) => !one.terms && one.months === months),
    );
    const each = extensions.filter((one, place) => one !== again && !isRepeated(sentence, first, one, place));
    const between = each.slice(1).map((one, place) => sentence.slice(each[place]?.to, one.at));
    if (between.some((words) => !JOINS.test(words) || /\bor\b/.test(words))) return 'ambiguous';
    const months = each.reduce((sum, one) => sum + one.months, 0);
    return sums.length === 0 ? { months, ...stated } : 'ambiguous';
  }
  const [sum] = sums;
  if (sum) {
    // `2 + 1 + 1 years`: the first is the term before any extension.
    const [term = 0, next = 0] = sum.terms ?? [];
    if (sums.length > 1 || term <= next || (initial !== undefined && initial !== term)) return 'ambiguous';
    return { months: sum.months - term, initial: term };
  }
  const caps = amounts.filter((one) => one.kind === 'total' && (isAdded(sentence, one) || !isWhole(sentence, one)));
  const [cap] = caps;
  if (!cap || caps.length > 1) return null;
  if (isAdded(sentence, cap)) return { months: cap.months, ...stated };
  // `An initial 12 months, extended to a total of 48`: more than the initial term may be the whole.
  if (initial !== undefined && cap.months > initial) return 'ambiguous';
  return EXTENDS.test(sentence.slice(0, cap.at)) ? { months: cap.months, ...stated } : null;
}

/** Whether a total is of the term with its extensions. */
function isWhole(sentence: string, { at }: Amount): boolean {
  if (OF_WHOLE.test(sentence.slice(0, at))) return true;
  const isMore = /\b(?:by|further)\b[^,]{0,25}$/.test(sentence.slice(0, at));
  return !isMore && WHOLE_TERM.test(sentence.slice(Math.max(0, at - 30), at + 45));
}

/** `Up to a total of a further 24 months`, but not `maximum term excluding extensions`. */
const OF_ADDED =
  /^[a-z]+(?: (?:to|than|longer|more|greater|of|an?|the|all|any|possible|potential|total|maximum))* (?:further|additional|extensions?)\b/;

/** Whether a total is of the extensions alone. */
function isAdded(sentence: string, { at }: Amount): boolean {
  return OF_ADDED.test(sentence.slice(at));
}

/** `(of 24 months in all)` repeats the amount in brackets, and `24 months in 2 x 12 month intervals` in its steps. */
function isRepeated(sentence: string, first: Amount, { months, at }: Amount, place: number): boolean {
  return place > 0 && months === first.months && /\([^)]*$|\b(?:in|comprising) $/.test(sentence.slice(first.at, at));
}

const STRONG = new RegExp(
  `\\b(?:initial(?:ly)?|fixed)(?:[ :]+[a-z]+){0,5}[ :]+${AMOUNT}|\\b(?:is|be|runs?|lasts?|continues?|let|awarded|established) (?:an? )?(?:initially )?for (?:an? )?(?:initial )?(?:(?:period|term|duration) of )?${AMOUNT}|\\b(?:is|be|deliver) an? ${AMOUNT}(?: fixed)?(?: term)? contract`,
);

/** The term before any extension, if another sentence states it and no two sentences differ. */
function initialOf(sentences: readonly string[]): number | undefined {
  const stated = sentences.flatMap((sentence) => {
    const match = OF_ANOTHER_THING.test(sentence) ? null : STRONG.exec(sentence);
    // `Once extended, the contract runs for 12 months.`
    const isExtended =
      match && !/^initial|^fixed/.test(match[0]) && SAYS_EXTENSION.test(sentence.slice(0, match.index));
    if (!match || isExtended) return [];
    const [number, unit] = match.slice(1).filter((one) => one !== undefined);
    return number === undefined ? [] : monthsOf(number, unit);
  });
  return new Set(stated).size === 1 ? stated[0] : undefined;
}

const YES_OR_NO = /^(?:yes|no|true|false|(?:not |un)known|ie|na|oes|nac (?:oes|ydy))\.?$/i;

/** A text, or an empty one if it only says yes, no or that there is nothing to say. */
export function wordsOf(text: string | undefined): string {
  return unlessMere(cleanText(text));
}

/** The same on one line. */
export function lineOf(text: string | undefined): string {
  return unlessMere(cleanLine(text));
}

const unlessMere = (words: string) => (saysNothing(words) || YES_OR_NO.test(words) ? '' : words);

/**
 * What is published of renewals and options, in its words: of the newest contract that says it, otherwise of its award, otherwise
 * of its lots, if those that say it agree: the forms under the directives have it there alone.
 */
export function optionWordsOf(
  award: OcdsExtensions = {},
  contracts: readonly OcdsExtensions[],
  lots: readonly OcdsExtensions[],
): Pick<ContractDetail, 'renewal' | 'options'> {
  const [renewal, options] = (['renewal', 'options'] as const).map((name) => {
    const own = [award, ...contracts].map((one) => wordsOf(one[name])).findLast(Boolean);
    const [ofLots, ...others] = own ? [] : new Set(lots.map((one) => wordsOf(one[name])).filter(Boolean));
    return own ?? (others.length === 0 ? ofLots : undefined);
  });
  return { ...(renewal ? { renewal } : {}), ...(options ? { options } : {}) };
}
