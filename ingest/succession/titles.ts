import { cleanName, editDistance } from '../../schema/names/spelling.ts';
import { memoise } from '../../schema/text/memoise.ts';

/** The parts of a title that distinguish one purchase from another. */
export interface TitleWords {
  /** The title itself. */
  published: string;
  /** Sorted, each once; without years, references, the buyer's name and words that every notice has. */
  words: readonly string[];
  /** How many of them say what is bought: `cleaning` does, `services` does not. */
  distinctive: number;
  /** References with digits in it (`CS-4021`), in capitals without punctuation. */
  references: readonly string[];
  /** Whether it is about a change to a running contract. */
  isChange: boolean;
}

/** `same`, or `near` where only insignificant words differ. */
export type TitleLikeness = 'same' | 'near' | 'other';

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words around a subject, which vary from one notice of a need to the next. */
const WRAPPING = set(`a an and the of for to in on at by with from or its our as re via per under within across
  provision provide providing supply delivery contract tender retender tendering procurement procure reprocurement
  recommissioning recommission commissioning appointment appoint notice invitation quote quotation quotations itt itq rfq
  rfp pin opportunity award agreement service services supplier suppliers provider providers renewal renew replacement
  requirement requirements purchase term new project`);
/** Words that say little by themselves: they are compared, but never suffice alone. */
const GENERIC = set(`framework consultancy consultant consultants consulting professional building works work equipment
  maintenance it ict training support technical advisor adviser advice advisory management system systems software general
  goods supplies repair repairs specialist development installation design construction refurbishment programme scheme
  solution solutions various misc miscellaneous associated related other integrated community council borough county
  district city trust wide future managed full partner partnership market engagement pipeline planned preliminary dps
  dynamic purchasing call off direct lot lots research study review expert project projects facility facilities materials`);
/** Words that may be added to the title of the same need. */
const SOFT =
  set(`associated related integrated specialist wide framework management system systems support programme scheme
  solution solutions works maintenance market engagement planned pipeline preliminary dps dynamic purchasing council borough
  county district city trust lot`);
const CHANGE = /\b(?:variation|modification|amendment|extension|extend|novation)\b/i;
const REFERENCE = /\b(?=[A-Z0-9/_-]*\d{3})[A-Z]{1,8}[ _/-]?\d[A-Z0-9]*(?:[/_-][A-Z0-9]+)*\b|\b\d{5,}(?:[/_-]\d+)*\b/g;
const REFERENCE_IN_ANY_CASE = new RegExp(REFERENCE.source, 'gi');
/** A year, alone or as a range: `2024`, `2024-25`, `2024/2028`, `2024 to 2028`. */
const YEARS = /\b(?:fy ?)?(?:19|20)\d\d(?:\s*(?:-|–|\/|to)\s*(?:(?:19|20)?\d\d))?\b/gi;
const MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b(?=[\s,]*(?:(?:19|20)\d\d|to\b|-))/gi;
/** A place that a portal puts before a title: `GB-Leeds: …`. */
const PORTAL = /^GB-[^:]{2,40}:\s*/;
const SLIP_LENGTH = 6;

const wordsOfBuyer = memoise((buyer): ReadonlySet<string> => new Set(cleanName(buyer).split(' ').map(singular)));

/** Reads the words of a title. @param buyer - the name of its publisher */
export function titleWords(title: string, buyer: string): TitleWords {
  const plain = title.replace(PORTAL, '').replace(MONTH, ' ').replace(YEARS, ' ');
  const references = [...plain.toUpperCase().matchAll(REFERENCE)].map(([text]) => text.replace(/[^A-Z0-9]/g, ''));
  const bare = plain.replace(REFERENCE_IN_ANY_CASE, ' ').replace(/\bre-(?=[a-z])/gi, 're');
  const own = cleanName(bare)
    .split(' ')
    .filter((word) => word !== '' && !WRAPPING.has(word))
    .map(singular);
  const places = wordsOfBuyer(buyer);
  const without = own.filter((word) => !places.has(word));
  // A buyer's name may contain what it buys: Transport for …, … Housing.
  const words = [...new Set(countDistinctive(without) > 0 ? without : own)].toSorted();
  return { published: title, words, distinctive: countDistinctive(words), references, isChange: CHANGE.test(title) };
}

/** A word in a title, with what joins its parts: `Anti-Social`, `Children's`. */
const AS_PUBLISHED = /[\p{L}\p{M}\p{N}]+(?:['’.-][\p{L}\p{M}\p{N}]+)*/gu;

/** The distinctive words of a title as published, each once, in order. */
export function publishedWords({ published, words }: TitleWords): string[] {
  const left = new Set(words);
  return [...published.matchAll(AS_PUBLISHED)].flatMap(([text]) => {
    const own = cleanName(text).split(' ').map(singular);
    const found = own.filter((word) => left.delete(word));
    return found.length > 0 ? [text] : [];
  });
}

/** Whether two titles are about the same thing, in either order. */
export function compareTitles(one: TitleWords, two: TitleWords): TitleLikeness {
  const left = one.words.filter((word) => !two.words.includes(word));
  const right = two.words.filter((word) => !one.words.includes(word));
  const differing = withoutSlips(left, right);
  if (differing.length === 0) return 'same';
  const shared = one.words.length - left.length;
  const softOnly = differing.every((word) => SOFT.has(word)) || isLotOnly(differing);
  if (softOnly && shared > 0) return 'near';
  const [only = '', ...others] = differing;
  return others.length === 0 && !/\d/.test(only) && shared >= SHARED_MIN ? 'near' : 'other';
}

/** With this many words in common, titles that differ in one word are about the same thing. */
const SHARED_MIN = 4;

/** A lot that only one of the two names. */
function isLotOnly(words: readonly string[]): boolean {
  return words.includes('lot') && words.every((word) => word === 'lot' || /^\d{1,2}$/.test(word));
}

/** The words of both sides, without misspellings of a word on the other. */
function withoutSlips(left: readonly string[], right: readonly string[]): string[] {
  const rest = [...right];
  const more = left.filter((word) => {
    const place = rest.findIndex((other) => isSlip(word, other));
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
  return [...more, ...rest];
}

function isSlip(word: string, other: string): boolean {
  return (
    Math.min(word.length, other.length) >= SLIP_LENGTH && !/\d/.test(word + other) && editDistance(word, other, 1) <= 1
  );
}

function singular(word: string): string {
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** How many words say what is bought. Three or more that each say little count as one, as together they do. */
function countDistinctive(words: readonly string[]): number {
  const said = words.filter((word) => !/^\d+$/.test(word));
  const distinctive = said.filter((word) => !GENERIC_SINGULAR.has(word)).length;
  return distinctive === 0 && said.length > 2 ? 1 : distinctive;
}

const GENERIC_SINGULAR = new Set([...GENERIC].flatMap((word) => [word, singular(word)]));
