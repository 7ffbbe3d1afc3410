import { bodyOf } from '../../../schema/names/buyers.ts';
import { typeByName } from '../../../schema/names/public-bodies.ts';
import type { OcdsRelease, OcdsTechniques } from '../../../schema/ocds/types.ts';
import type { NoticeKind } from '../../fields/notice.ts';
import { cleanLine, cleanText } from '../../fields/text/clean.ts';
import { CLAUSE, callOffWords, saysCallOff, withoutAsides } from '../facts/competition.ts';
import { isAgency, isAgencys, isOwnedByOther, othersNamedBy } from '../related.ts';
import type { CallOff } from '../types.ts';
import { isPricedAlone } from '../values/money.ts';
import {
  competes,
  type FrameworkWords,
  governedBy,
  isAnotherDps,
  isAnotherThing,
  type Mention,
  mentionsIn,
  quote,
  readFrameworkWords,
} from './words.ts';

const FORMER =
  /\b(?:(?:replac(?:es?|ed|ing)|former|previous) (?:(?!(?:under|via|through|using|from)\b)\S+ ){0,3}(?:frame-?work|contract|agreement|arrangement|DPS|call|RM\s?\d|20\d\d\s?\/)|supersed\w+|succe(?:eds?|eded|eding|ssors?)|predecessor|expired|lapsed|terminated|ran out|previously (?:advertised|tendered|let|awarded|contracted))/i;

/** A text without asides, and without what it says of earlier purchases: their notices are not those of a framework that it buys under. */
export const withoutFormer = (text: string | undefined): string =>
  withoutAsides(cleanText(text)).replace(CLAUSE, (said) => (FORMER.test(said) ? ' ' : said));

export interface FrameworkSigns {
  kind: 'framework' | 'dynamic_market';
  /** In plain words, the evidence that it is one. */
  evidence: string[];
}

/** Evidence in the texts of a process that it sets up a framework, or that it buys under one; never both. */
interface WordSigns {
  setsUp: FrameworkSigns | null;
  buysUnder: string[];
}

const NOTHING: WordSigns = { setsUp: null, buysUnder: [] };
/** Whether a text is worth reading closely. */
const ANY_WORD =
  /frame-?work|fframw|\bDPS\b|(?:dynamic|flexible) (?:purchas|market)|frame work|ddynamig|supplier agreement|enabling agreement|qualified provider|panel|\blist\b|mini[- ]?comp|further comp|call(?:ing)?[- ]?off|\bRM\s?\d{4}|g-?cloud/i;
/** A description that names one of these as the way of buying. */
const BOUGHT_AT_AGENCY =
  /\b(?:let|awarded|direct award|placed|procured|purchased|bought|sourced|proposals|bids|quotations)\s(?:[^.]{0,80}\s)?(?:through|under|via|from|using)\s+(?:\S+\s+){0,3}\(?RM\s?\d{4}\b/i;
/** An order is always placed under a framework. */
const ORDER_TITLE = /\b(?:task|work|purchase) order\b/i;
const COMPANY = /\b(?:limited|ltd|plc|llp)\b\.?/i;
const BUYS_FOR_OTHERS = /procure|purchas|consorti|commercial|shared|buying|supply chain|alliance/i;
/** Words in names of public bodies that do not reveal the kind of body. */
const PUBLIC =
  /\b(?:authority|agency|board|commission|executive|trust|service|services|council|institute|museum|parliament|ministers)\b/i;
/** `CP7`, `AMP8`: codes by which insiders know a framework. */
const CODE = /^[A-Z][A-Z/&-]{0,4}\d{0,4}[A-Z]?\s+$/;
/** A main contractor's words for the part of its work that it subcontracts. */
const SUBCONTRACT = /\bsub[- ]?contract|\bmain contract|\b(?:supply chain|delivery|contractor) partner\b|\bpackage\b/i;
/**
 * In `CP7 Framework - Ballast`, ballast is bought under CP7. In `… - Lot 3`, `… - AWARD` or `… - 2024`, the framework is
 * set up.
 */
const AFTER_DASH = /^\s*(?:agreement\s*)?[-–—:|]\s*(?!lots?\b|award|contract award|re-?advert|stage|phase|\d)\S/i;

/** Finds the signs in the texts of all releases of a process, as an award notice may say less; otherwise in its justifications. */
export function wordSigns(merged: OcdsRelease, releases: readonly OcdsRelease[], buyer: string): WordSigns {
  const described = describedSigns(merged, releases, buyer);
  return described === NOTHING ? { ...NOTHING, buysUnder: justifiedBy(releases, buyer) } : described;
}

/** The framework that a justification names. Call-offs are published as direct awards, and many say only there what they are. */
function justifiedBy(releases: readonly OcdsRelease[], buyer: string): string[] {
  const reasons = new Set(releases.flatMap(({ tender }) => tender.methodRationale ?? []));
  const worded = [...reasons].filter((text) => ANY_WORD.test(text));
  const cleaned = worded.map((text) => withoutName(withoutAsides(cleanText(text)), buyer));
  const [under] = cleaned.flatMap((text) => readFrameworkWords(text).buysUnder);
  if (under) return [`justification: ${quote(under)}`];
  const [said] = cleaned.flatMap((text) => callOffWords(text) ?? []);
  if (said) return [`justification: ${said}`];
  return cleaned.some((text) => isCallOff(text, buyer)) ? ['justification: a further competition or call-off'] : [];
}

function describedSigns(merged: OcdsRelease, releases: readonly OcdsRelease[], buyer: string): WordSigns {
  const title = cleanLine(merged.tender.title ?? merged.title);
  const raw = releases.flatMap(({ description, tender, awards }) => [
    tender.description,
    description,
    ...awards.map((award) => award.description),
  ]);
  const texts = [...new Set(raw)].filter((text): text is string => text !== undefined && ANY_WORD.test(text));
  const methods = releases.map(({ tender }) => cleanLine(tender.procurementMethodDetails));
  if (texts.length === 0 && ![title, ...methods].some((text) => ANY_WORD.test(text))) return NOTHING;
  const all = [title, ...texts.map(cleanText)].map((text) => withoutName(text, buyer));
  const [line = '', ...cleaned] = isAnotherDps(all) ? all.map((text) => text.replace(/\bDPS\b/g, ' ')) : all;
  const words = cleaned.map((text) => withoutOthers(readFrameworkWords(text), buyer));
  return decide(
    readTitle(line, raw, buyer),
    words,
    cleaned.some((text) => isCallOff(text, buyer)),
    readMethods(methods, buyer),
  );
}

/** Whether a text says that suppliers on a framework competed, or that the commercial agency's was used. */
function isCallOff(text: string, buyer: string): boolean {
  return competes(text) || (!isAgency(buyer) && BOUGHT_AT_AGENCY.test(text));
}

/** A text without a buyer's name such as `Framework Housing Association`. A name that ends so may be a framework's own. */
function withoutName(text: string, buyer: string): string {
  if (!mentionsIn(buyer).some(({ after }) => /[\p{L}\d]/u.test(after))) return text;
  return text.replaceAll(new RegExp(buyer.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'gi'), ' ');
}

interface TitleSigns {
  names: Mention | null;
  buysUnder: string | null;
  /** Whether the framework that it names belongs to another body, unless the description says otherwise. */
  isDoubtful: boolean;
}

interface MethodSigns {
  names: Mention | undefined;
  /** The framework of another body that a procedure names. */
  others: string | undefined;
}

function readMethods(methods: readonly string[], buyer: string): MethodSigns {
  const stated = methods.filter((method) => !saysCallOff(method));
  return {
    names: stated.flatMap(mentionsIn).find((one) => !isAnotherThing(one) && !isOwnedByOther(one, buyer)),
    others: stated.flatMap((method) => othersNamedBy(method, buyer) ?? [])[0],
  };
}

function decide(title: TitleSigns, words: FrameworkWords[], competes: boolean, method: MethodSigns): WordSigns {
  const mentions = (which: keyof FrameworkWords) => words.flatMap((one) => one[which]);
  const [sets] = mentions('setsUp');
  const [speaks] = mentions('speaksOf');
  const described = sets ?? speaks;
  const own = title.names && ownWord(title.names);
  const [under] = mentions('buysUnder').filter(
    (mention) => own === null || ownWord(mention) !== own || BOUGHT.test(mention.before),
  );
  const against = [
    ...(method.others ? [`procedure: ${method.others}`] : []),
    ...(title.buysUnder ? [title.buysUnder] : []),
    ...(under ? [`description: ${quote(under)}`] : []),
    ...(competes ? ['description: a further competition or call-off'] : []),
  ];
  const isNamed = method.others !== undefined || (under ? !(title.names && speaks) : competes && !speaks);
  const isUnder = !sets && isNamed;
  if (title.buysUnder || isUnder) return { setsUp: null, buysUnder: against };
  if (title.isDoubtful && !described) return { setsUp: null, buysUnder: ["title names another body's framework"] };
  const [first] = [title.names, described, method.names].flatMap((mention) => mention ?? []);
  if (!first) return NOTHING;
  const evidence = [
    ...(title.names ? [`title: ${title.names.words.toLowerCase()}`] : []),
    ...(described ? [`description: ${quote(described)}`] : []),
    ...(method.names ? [`procedure: ${quote(method.names)}`] : []),
  ];
  return { setsUp: { kind: first.kind, evidence }, buysUnder: [] };
}

/** Words for a purchase under a framework. They count even if the title names that framework. */
const BOUGHT =
  /\b(?:(?:has|have|had) been|was|were) (?:directly )?(?:awarded|procured|purchased|bought|sourced|placed|called[- ]off)\b/i;

/** The words of a description without those about another body's framework, such as `award of ESPO Framework 319`. */
function withoutOthers({ setsUp, speaksOf, buysUnder }: FrameworkWords, buyer: string): FrameworkWords {
  const isOwn = (mention: Mention) => !isOwnedByOther(mention, buyer);
  return { setsUp: setsUp.filter(isOwn), speaksOf: speaksOf.filter(isOwn), buysUnder };
}

/** The word before a mention, as in `the Roofing Framework`. By it a description refers to the framework in the title. */
function ownWord({ before }: Mention): string {
  return /([\p{L}\p{N}&]+)\W*$/u.exec(before)?.[1]?.toLowerCase() ?? '';
}

function readTitle(title: string, descriptions: readonly (string | undefined)[], buyer: string): TitleSigns {
  const mentions = mentionsIn(title).filter((mention) => !isAnotherThing(mention));
  // `Framework (DPS)` is a dynamic market.
  const names = mentions.find(({ kind }) => kind === 'dynamic_market') ?? mentions[0];
  const under = mentions.find((mention) => {
    const governed = governedBy(mention);
    return governed !== null && !(/^an?\b/i.test(governed.phrase) && /^(?:under|through)$/.test(governed.preposition));
  });
  const owned = mentions.find((mention) => isOwnedByOther(mention, buyer));
  return {
    names: names ?? null,
    buysUnder: under ? `title: ${quote(under)}` : orderIn(title, buyer),
    isDoubtful:
      owned !== undefined ||
      (names !== undefined && AFTER_DASH.test(names.after) && isOfAnother(names, [title, ...descriptions], buyer)),
  };
}

/** How a title says that something is bought under a framework, without naming one after a preposition; null if it does not. */
function orderIn(title: string, buyer: string): string | null {
  if (isAgencys(title, buyer)) return "title names the commercial agency's framework";
  return ORDER_TITLE.test(title) ? 'title speaks of an order' : null;
}

/** Whether the framework that a title begins with belongs to another body, because the buyer is a company or may be one. */
function isOfAnother({ before }: Mention, texts: readonly (string | undefined)[], buyer: string): boolean {
  const [first = ''] = before.trim().split(/\s+/);
  const isOwn = `${buyer} ${buyer.replace(/[^\p{Lu}]/gu, '')}`.includes(first);
  if (isOwn || BUYS_FOR_OTHERS.test(buyer)) return false;
  if (COMPANY.test(buyer)) return true;
  const isKnown = PUBLIC.test(buyer) || bodyOf(buyer) !== undefined || typeByName(buyer) !== undefined;
  return !isKnown && (CODE.test(before) || texts.some((text) => text !== undefined && SUBCONTRACT.test(text)));
}

/**
 * The evidence that a process sets up a framework or dynamic market; null if it does not. A call-off never does, and several
 * suppliers alone are not evidence.
 */
export function frameworkSigns(
  merged: OcdsRelease,
  kinds: readonly NoticeKind[],
  words: WordSigns,
  callOff: CallOff | null,
): FrameworkSigns | null {
  const { techniques } = merged.tender;
  const market = [...new Set(kinds.map(({ noticeType }) => noticeType))].filter((type) => /^UK1[3-6]$/.test(type));
  // Some forms have no box for a dynamic market, so only the title says that it is one.
  const named =
    words.setsUp?.kind === 'dynamic_market' ? words.setsUp.evidence.filter((one) => one.startsWith('title: ')) : [];
  // An award within a market has its own process, and may tick the market's box too (EU profile, F03).
  const isWithin =
    callOff?.identifiers.some((ocid) => ocid !== merged.ocid?.toLowerCase()) || isPricedAlone(merged, kinds);
  const isTicked = techniques?.dynamicPurchasing === true && !isWithin;
  const isMarket = isTicked || market.length > 0;
  const flags = [
    ...(isTicked ? ['flag: dynamic purchasing system'] : []),
    ...(techniques?.framework ? ['flag: framework agreement'] : []),
    ...(isDetailed(techniques) ? ['details of a framework agreement'] : []),
    ...market.map((type) => `notice type ${type}`),
  ];
  // A call-off by its own procedure does not set up a framework, whatever box was ticked.
  if (flags.length > 0 && (isMarket || !callOff?.isByProcedure))
    return { kind: isMarket || named.length > 0 ? 'dynamic_market' : 'framework', evidence: [...flags, ...named] };
  return callOff ? null : words.setsUp;
}

/** Whether the terms of a framework agreement are given although its flag is missing. */
function isDetailed({ framework, method, maximumParticipants, period }: Partial<OcdsTechniques> = {}): boolean {
  return framework === undefined && [method, maximumParticipants, period].some((one) => one !== undefined);
}
