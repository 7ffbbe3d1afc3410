import type { Bids, Justification, LosingBidder } from '../../../schema/catalogue/bids.ts';
import type { Procedure } from '../../../schema/catalogue/enums.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import type { OcdsBid, OcdsBids } from '../../../schema/ocds/bidding.ts';
import type { OcdsAward, OcdsContract, OcdsReference, OcdsRelease, OcdsTender } from '../../../schema/ocds/types.ts';
import { endOfLot, groundsOf, isLostAward } from '../../../schema/reference/notice-types.ts';
import { EMPTY } from '../../../schema/text/json-values.ts';
import { groupByEach, memoise, memoiseByObject } from '../../../schema/text/memoise.ts';
import { nameArea } from '../../fields/classifications.ts';
import type { NoticeKind } from '../../fields/notice.ts';
import { cleanLine } from '../../fields/text/clean.ts';
import { nameOrDrop } from '../../party/claims.ts';
import { companyNumberOf, readSighting } from '../../party/sighting.ts';
import { governedBy, mentionsIn, readFrameworkWords } from '../frameworks/words.ts';
import { bidsFor, countBids } from './measures.ts';
import { lineOf, wordsOf } from './options.ts';

/** Words of published procedures, on both services and under both regimes. The first that matches decides. */
const WORDS: readonly (readonly [RegExp, Procedure])[] = [
  [
    /\bdirect award|\bsingle (?:tender|source)|\bveat\b|\bex[- ]ante\b|\bwithout (?:prior publication|publication|competition|a call\b)/,
    'direct',
  ],
  [/\bcompetitive flexible/, 'competitive_flexible'],
  [/\bnegotiat|\bcompetitive dialogue|\binnovation partnership/, 'negotiated'],
  [/\brestricted\b/, 'restricted'],
  [/\bopen\b/, 'open'],
];

/** Words of a procedure for a purchase under a framework or market, besides a preposition before one. */
const CALL_OFF =
  /(?<!\b(?:with|for|and|including|allowing|no|not|not an?|without) )\bcall[- ]?offs?\b|\b(?:further|mini)[- ]?competition|pre-procurement act commercial tool|\bframework\b\W{0,3}direct award/i;

/** Whether a published procedure buys under a framework or market and does not set one up. */
export function saysCallOff(procedure: string): boolean {
  const { setsUp } = readFrameworkWords(procedure);
  if (setsUp.length > 0) return false;
  return CALL_OFF.test(procedure) || mentionsIn(procedure).some((mention) => governedBy(mention) !== null);
}

/** What forms contain if the field was left blank. */
const LEFT_BLANK = /^(?:not (?:specified|applicable)|below threshold - unknown)?$/;

/** A tender's procedure in one word, or null if it states none. */
export function procedureOf({ procurementMethod, procurementMethodDetails }: OcdsTender): Procedure | null {
  const words = procurementMethodDetails === undefined ? null : readWords(procurementMethodDetails);
  if (words !== null) return words;
  // `selective` and `limited` may each mean several procedures.
  return procurementMethod === 'open' || procurementMethod === 'direct' ? procurementMethod : null;
}

/** Memoised, because the same few words are published again and again. */
const readWords = memoise((published: string): Procedure | null => {
  const line = cleanLine(published);
  if (saysCallOff(line)) return 'call_off';
  const words = line.toLowerCase();
  if (LEFT_BLANK.test(words)) return null;
  return WORDS.find(([sign]) => sign.test(words))?.[1] ?? 'other';
});

const isLost = ({ status }: { status?: string }) => isLostAward(status);

const awardOf = ({ awardID, id }: OcdsContract) => awardID ?? id;

/** The lots of each award that came to nothing, by its id: it was lost, or its contracts were cancelled before another was made. */
export function lostAwards({ awards, contracts }: OcdsRelease): Map<string | undefined, readonly string[]> {
  const made = new Set(contracts.filter((one) => !isLost(one)).map(awardOf));
  const cancelled = contracts.map(awardOf).filter((id) => !made.has(id));
  const lots = new Map(awards.map(({ id, relatedLots }) => [id, relatedLots]));
  const lost = [...awards.filter(isLost).map(({ id }) => id), ...cancelled];
  return new Map(lost.map((id) => [id, lots.get(id) ?? []]));
}

/** Whether a lot is left that neither its own status nor a lost award ended. An award that names no known lot is of all. */
function leavesLots({ lots }: OcdsTender, lost: readonly (readonly string[])[]): boolean {
  const [known, ended] = [new Set(lots.map(({ id = '' }) => id)), new Set(lost.flat())];
  const areKnown = lost.every((ids) => ids.some((id) => known.has(id)));
  return areKnown && lots.some((lot) => !endOfLot(lot) && !ended.has(lot.id ?? ''));
}

/** Whether every award came to nothing, and no lot is left of those that bids were invited for. */
export function areAllLost(merged: OcdsRelease, kinds: readonly NoticeKind[]): boolean {
  const lost = lostAwards(merged);
  const isInvited = kinds.some(({ stage }) => stage === 'tender');
  const isAll = merged.awards.every((award) => isLost(award) || lost.has(award.id));
  return lost.size > 0 && isAll && !(isInvited && leavesLots(merged.tender, [...lost.values()]));
}

/**
 * Whether a termination names the lots or awards that it ends, and others remain, made or intended.
 * @param won how many awards stand after it
 */
export function leavesOthers(
  { releases }: { releases: readonly { ocds: OcdsRelease }[] },
  merged: OcdsRelease,
  won: number,
): boolean {
  const lost = lostAwards(merged);
  const endsAwards = releases.some(({ ocds }) => [...ocds.awards, ...ocds.contracts].some(isLost));
  const remain = won > 0 || merged.awards.some((award) => !isLost(award) && !lost.has(award.id));
  if (endsAwards && remain) return true;
  const endsLots = endsAwards || releases.some(({ ocds }) => ocds.tender.lots.some(endOfLot));
  return endsLots && leavesLots(merged.tender, [...lost.values()]);
}

/** The procedure of a notice, the rules that apply and its bids, as they are served. */
export function competitionOf(release: OcdsRelease) {
  const { tender, awards, contracts, bids } = release;
  const procedure = lineOf(tender.procurementMethodDetails) || tender.procurementMethod;
  const code = procedureOf(tender);
  const [justification, grounds] = [justificationOf(tender), groundsOf(tender.methodGrounds)];
  const counted = bidsOf(bids, [], release);
  const others = new Set([...awards, ...contracts].flatMap((one) => one.aboveThreshold ?? []));
  const [regimes, treaties] = [codesOf(tender.specialRegimes), codesOf(tender.coveredBy)];
  const places = codesOf(tender.reservedPlaces.map(nameArea));
  const reserved = codesOf([...tender.reservedFor, ...(places.length > 0 ? ['area'] : [])]);
  const above = tender.aboveThreshold ?? (others.size === 1 ? [...others][0] : undefined);
  return {
    ...EMPTY,
    ...(procedure ? { procedure } : {}),
    ...(code ? { procedure_code: code } : {}),
    ...(justification ? { justification } : {}),
    ...(grounds.length > 0 ? { direct_award_grounds: grounds } : {}),
    ...(counted ? { bids: counted } : {}),
    ...(above === undefined ? {} : { above_threshold: above }),
    ...(regimes.length > 0 ? { special_regimes: regimes } : {}),
    ...(reserved.length > 0 ? { reserved_for: reserved } : {}),
    ...(places.length > 0 ? { reserved_places: places } : {}),
    ...(treaties.length > 0 ? { covered_by: treaties } : {}),
  };
}

/** A genuine release has a handful of each. */
const CODES_MAX = 20;

const codesOf = (stated: readonly string[]) => [...new Set(stated.map(cleanLine).filter(Boolean))].slice(0, CODES_MAX);

/** The stated reason for a procedure, or undefined. */
export function justificationOf({ methodRationale, methodGrounds }: OcdsTender): Justification | undefined {
  const text = wordsOf(methodRationale);
  const grounds = [
    ...new Set(methodGrounds.map(({ id, description }) => cleanLine(description ?? id)).filter(Boolean)),
  ];
  if (!text && grounds.length === 0) return undefined;
  return { ...(text ? { text } : {}), ...(grounds.length > 0 ? { grounds } : {}) };
}

/** What a justification says of another contract, or of a way of buying that was not taken. */
const ASIDE =
  /\b(?:attempt\w*|instead of|rather than|original(?:ly)? (?:contract|agreement|call\w*|award\w*|procure\w*|tender\w*|let)|(?:current|existing|previous) (?:\S+ ){0,2}(?:contract|agreement|service)s? (?:was|were|ha[sd]))\b[^.;]*/gi;

export const CLAUSE = /(?:[^.,;\n]|[.,;](?!\s))+/g;
const WAY = String.raw`\b(?:frame-?work(?: agreement)?|DPS|RM\s?\d{4}(?:\.\d+)?|G-?Cloud(?: \d+)?)`;
const NO_BIDS = String.raw`no (?:\w+ )?(?:bids?|tenders?|offers?|responses?)`;
/** Words that lead on to what was bought otherwise, as in `no bids came in, so it was bought through …`. */
const LEADS_ON = String.raw`\b(?:so|and|it|we|was|ha[sd]|have|then|direct|award\w*|let|bought|procur\w*|purchas\w*|us(?:e|ed|ing)|made|open)\b`;
/** `Use of RM6999 was considered but …`, `the framework does not allow …`, `no bids were received through the DPS`. */
const NOT_TAKEN = new RegExp(
  [
    String.raw`\b${NO_BIDS} (?:(?:were|was|had been|have been) )?(?:received|submitted|returned|in|through|under|via|from|on|to|for)\b(?:(?!${LEADS_ON}).){0,150}${WAY}`,
    String.raw`${WAY}\)? (?:(?:received|attracted|produced|resulted in|had) ${NO_BIDS}|(?:was|were) (?:\w+ ){1,3}without success)`,
    String.raw`${WAY}\)? (?:is|was|were|has been) (?:not (?:\w+ )?(?:possible|an option|suitable|appropriate|available|feasible|viable|practical|used|chosen)|un(?:suitable|available|able)|ruled out|rejected|discounted|considered(?: but| and (?:ruled out|rejected|discounted|dismissed)|\W*$))(?!\w)`,
    String.raw`${WAY}\)? (?:(?:does|did|would|could) ?(?:not|n['’]t)|cannot) (?:be (?:used|proportionate)|allow|permit|meet|cover|offer|include|provide)(?!\w)`,
  ].join('|'),
  'i',
);

/** A justification without what it says of other contracts and of ways of buying that were not taken. */
export function withoutAsides(justification: string): string {
  return justification.replace(CLAUSE, (said) => (NOT_TAKEN.test(said) ? ' ' : said)).replace(ASIDE, ' ');
}

/** Words of a justification between `award` and a framework that leave no doubt that it was awarded under that. */
const PLAINLY = String.raw`(?:(?!(?:as|because|due|not|no|to|until|while|whilst|pending|since|after|before|following|prior|ahead|advance|previous|outside|legal|legislative|regulatory|statutory)\b)\S+\s+)`;
const AGENCYS = String.raw`\(?(?:RM\s?\d{4}|G-?Cloud)\b`;
const JUSTIFIES = new RegExp(
  [
    String.raw`^\W{0,5}(?:use of|using|purchas\w+|direct award|award\w*|call[- ]off)\s+${PLAINLY}{0,8}${AGENCYS}`,
    String.raw`^\W{0,5}${PLAINLY}{0,3}${AGENCYS}(?:(?!\bnot?\b)[^.;]){0,50}\bdirect award\W*$`,
    String.raw`\bRM\s?\d{4}\)? (?:was|has been) (?:used|utili[sz]ed) to (?:award|procure|purchase|source)\b(?! the\s*(?:[.;]|$))`,
    String.raw`\bdirect awards? (?:(?:as|is|was|are) )?(?:permitted|allowed) (?:by|under|within|in) ${PLAINLY}{0,8}frame-?work\b`,
    String.raw`\bdirect award\b[^.;]{0,60}\b(?:rank(?:ed)? (?:number )?(?:1|one|first)|(?:sole|only|top|highest)[- ](?:ranked )?(?:supplier|provider))\s[^.;]{0,50}\bframe-?work\b`,
    String.raw`^\W{0,5}(?:direct award )?frame-?work(?: agreement)?(?: used)?\s*[:–-]\s*(?!n\W?a\b|not?\b|none|nil\b|does\b|there\b|un(?:suit|avail)able)\S+`,
    String.raw`\b(?:used|accessed|utili[sz]ed) (?:the|an?) ${PLAINLY}{1,9}frame-?work\b[^.;]{0,80}\bdirect award`,
  ].join('|'),
  'im',
);

/** How a justification says that a direct award is made under a framework, besides the words of descriptions. */
export function callOffWords(justification: string): string | undefined {
  return JUSTIFIES.exec(justification)?.[0].replace(/\s+/g, ' ').trim();
}

/**
 * The bids that one notice states, and who made those that won nothing; undefined if it states none.
 * @param lotIds the lots of an award; empty for the whole procurement
 */
export function bidsOf(stated: OcdsBids, lotIds: readonly string[], merged: OcdsRelease): Bids | undefined {
  const unsuccessful = losersOf(stated.details, lotIds, merged);
  const bids = { ...countBids(stated.statistics, lotIds), ...(unsuccessful.length > 0 ? { unsuccessful } : {}) };
  return Object.keys(bids).length > 0 ? bids : undefined;
}

/** Bids that were not made yet, or were taken back. */
const NOT_MADE: ReadonlySet<string> = new Set(['invited', 'pending', 'withdrawn']);
/** A genuine notice names up to 17 bidders. */
const LOSERS_MAX = 50;

/** Who bid for some of the wanted lots, or for any where none is wanted, and won none of them. Where a lot has no winner, nobody lost it. */
function losersOf(bids: readonly OcdsBid[], wanted: readonly string[], merged: OcdsRelease): LosingBidder[] {
  if (bids.length === 0) return [];
  const { keysOf, bidderOf, all, byLot } = winnersIn(merged);
  const areSeveral = merged.tender.lots.length > 1 && wanted.length !== 1;
  const found = new Map<string, LosingBidder>();
  const isLost = (keys: readonly string[], ...won: (ReadonlySet<string> | undefined)[]) =>
    won.some((one) => one?.size) && !keys.some((key) => won.some((one) => one?.has(key)));
  for (const { status, tenderers, relatedLots } of bidsFor(bids, wanted, merged.tender)) {
    if (NOT_MADE.has(status ?? '') || found.size >= LOSERS_MAX) continue;
    const keys = tenderers.flatMap(keysOf);
    const asked = wanted.length === 0 ? relatedLots : relatedLots.filter((id) => wanted.includes(id));
    const lots = asked.filter((id) => isLost(keys, byLot.get(id), byLot.get('')));
    if (relatedLots.length > 0 ? lots.length === 0 : !isLost(keys, all)) continue;
    for (const bidder of tenderers.flatMap(bidderOf)) {
      const key = bidder.companies_house_number ?? nameKey(bidder.name);
      const known = found.get(key) ?? bidder;
      const lot_ids = [...new Set([...(known.lot_ids ?? []), ...lots])];
      found.set(key, areSeveral && lot_ids.length > 0 ? { ...known, lot_ids } : known);
    }
  }
  return [...found.values()];
}

/** Who won, by ids, numbers and names: each lot, and any. An award that names no lot may be of each. Cached, because it is read for each contract. */
const winnersIn = memoiseByObject(({ awards, parties }: OcdsRelease) => {
  const byId = new Map(parties.map((party) => [party.id, readSighting(party)]));
  const keysOf = ({ id = '', name }: OcdsReference) =>
    [id, nameKey(cleanLine(name)), ...(byId.get(id)?.ids ?? [])].filter(Boolean);
  const bidderOf = ({ id, name }: OcdsReference): LosingBidder | [] => {
    const party = byId.get(id);
    const [number] = (party?.ids ?? []).flatMap((one) => companyNumberOf(one) ?? []);
    const named = cleanLine(name) || (party?.name ?? '');
    if (nameKey(named) === '' || nameOrDrop(named).length === 0) return [];
    return { name: named, ...(number ? { companies_house_number: number } : {}) };
  };
  const made = awards.filter(({ status }) => !isLostAward(status));
  const keysIn = (some: readonly OcdsAward[]) => new Set(some.flatMap(({ suppliers }) => suppliers.flatMap(keysOf)));
  const ofLots = groupByEach(made, ({ relatedLots }) => (relatedLots.length > 0 ? relatedLots : ['']));
  return { keysOf, bidderOf, all: keysIn(made), byLot: new Map([...ofLots].map(([lot, own]) => [lot, keysIn(own)])) };
});
