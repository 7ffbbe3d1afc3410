import { codeOf } from '../reference/notice-types.ts';
import { flagOf, type JsonObject, listOf, numberOf, objectOf, textOf } from '../text/json-values.ts';
import { groupBy, memoiseByObject } from '../text/memoise.ts';
import type { OcdsBid, OcdsBidding, OcdsBids, OcdsBidTerms, OcdsCriteria, OcdsCriterion, OcdsFee } from './bidding.ts';
import { bidStatisticOf, lotIdsOf, moneyOf, referenceOf } from './parts.ts';
import type { OcdsAward, OcdsItem, OcdsLot, OcdsTender } from './types.ts';

/** What is said of bidding: for a lot, or in a tender for the whole. */
export function biddingOf(whole: JsonObject): OcdsBidding {
  const { suitability, lotDetails, otherRequirements, xClassifications } = whole;
  const [suits, suited, lots] = [suitability, xClassifications, lotDetails].map(objectOf);
  const words = [whole.awardCriteriaDetails, objectOf(lots?.awardCriteria)?.description, lots?.awardCriteriaDetails];
  return {
    awardCriteria: criteriaOf(whole.awardCriteria, ...words),
    selectionCriteria: criteriaOf(whole.selectionCriteria, objectOf(otherRequirements)?.reductionCriteria),
    variants: codeOf(objectOf(whole.submissionTerms)?.variantPolicy),
    sme: flagOf(suits?.sme ?? suited?.isSuitableForSme),
    vcse: flagOf(suits?.vcse ?? suited?.isSuitableForVco),
    fees: listOf(whole.participationFees, feeOf),
  };
}

/** What a tender says of bidding for the whole alone. */
export function bidTermsOf(tender: JsonObject): OcdsBidTerms {
  const { otherRequirements, contractTerms, lotDetails } = tender;
  const [other, terms, lots] = [otherRequirements, contractTerms, lotDetails].map(objectOf);
  const [procedure, area] = [tender.procedure, other?.reservedParticipationLocation].map(objectOf);
  const [again, recurs] = [objectOf(tender.recurrence), flagOf(tender.hasRecurrence)];
  const sheltered = flagOf(terms?.reservedExecution) ? ['shelteredEmployment'] : [];
  return {
    guarantees: textOf(objectOf(tender.submissionTerms)?.depositsGuarantees),
    performanceTerms: textOf(terms?.performanceTerms),
    financialTerms: textOf(terms?.financialTerms),
    procedureFeatures: textOf(procedure?.features),
    accelerated: flagOf(procedure?.isAccelerated),
    acceleratedReason: textOf(procedure?.acceleratedRationale),
    recurrence: textOf(again?.description),
    recurrenceDates: recurs === false ? [] : listOf(again?.dates, daysOf).flat(),
    recurs,
    risks: listOf(tender.riskDetails, textOf).join('\n') || undefined,
    lotLimits: [lots?.maximumLotsBidPerSupplier, lots?.maximumLotsAwardedPerSupplier].map(numberOf),
    reservedFor: [...listOf(other?.reservedParticipation, reservedOf), ...sheltered],
    reservedPlaces: listOf(textOf(area?.description) ?? objectOf(area?.gazetteer)?.identifiers, textOf),
  };
}

/** Words of other codes and of labels for those that a procurement is reserved for: `res-ws` of eForms, `Supported employment provider`. */
const RESERVED: readonly (readonly [RegExp, string])[] = [
  [/\bsmes?\b|vcse|\bsmall/, 'smeVcse'],
  [/program|sheltered ?employment/, 'shelteredEmployment'],
  [/sheltered|supported ?(?:employ|business)|res-ws/, 'shelteredWorkshop'],
  [/public ?service|mutual|res-pub-ser/, 'publicService'],
];

/** For whom alone it is, as OCDS and the UK extension spell it; any other code as published. `none` and `Not reserved` say that it is for all. */
function reservedOf(json: unknown): string | undefined {
  const code = codeOf(json);
  const words = code?.replaceAll('_', ' ').toLowerCase() ?? '';
  return /^(?:no|none|not|n\/a)\b/.test(words) ? undefined : (RESERVED.find(([sign]) => sign.test(words))?.[1] ?? code);
}

/** The days on which a period begins and ends. A bare text is a day. */
function daysOf(json: unknown): string[] {
  const { startDate, endDate } = objectOf(json) ?? {};
  return [startDate, endDate, json].flatMap((day) => textOf(day) ?? []);
}

/** Criteria of one kind. A bare text says them in words; so does `more`, from other fields. Undefined where nothing is said. */
function criteriaOf(json: unknown, ...more: unknown[]): OcdsCriteria | undefined {
  const { criteria, description, weightingDescription } = objectOf(json) ?? { description: json };
  const read = listOf(criteria, criterionOf);
  const texts = [description, weightingDescription, ...more].flatMap((text) => textOf(text) ?? []);
  return read.length > 0 || texts.length > 0 ? { criteria: read, texts } : undefined;
}

function criterionOf(json: unknown): OcdsCriterion | undefined {
  const criterion = objectOf(json);
  if (!criterion) return undefined;
  const numbers = listOf(criterion.numbers, objectOf);
  return {
    type: codeOf(criterion.type),
    name: textOf(criterion.name),
    description: textOf(criterion.description),
    minimum: textOf(criterion.minimum),
    forReduction: flagOf(criterion.forReduction) || undefined,
    numbers: numbers.map(({ number, weight }) => ({ number: numberOf(number), weight: codeOf(weight) })),
  };
}

/** What a bidder has to pay; a bare text describes it. Undefined for anything else. */
function feeOf(json: unknown): OcdsFee | undefined {
  const fee = objectOf(json) ?? (textOf(json) ? { description: json } : undefined);
  if (!fee) return undefined;
  const { proportion, monetaryValue } = objectOf(fee.relativeValue) ?? {};
  return {
    types: listOf(fee.type, codeOf),
    description: textOf(fee.description),
    ...moneyOf(fee.value),
    proportion: textOf(proportion),
    of: codeOf(monetaryValue),
  };
}

/** What is published of the bids received. */
export function bidsOf(json: unknown): OcdsBids {
  const bids = objectOf(json);
  return { statistics: listOf(bids?.statistics, bidStatisticOf), details: listOf(bids?.details, bidOf) };
}

function bidOf(json: unknown): OcdsBid | undefined {
  const bid = objectOf(json);
  if (!bid) return undefined;
  const relatedLots = [...lotIdsOf(bid.relatedLot), ...lotIdsOf(bid.relatedLots)];
  return { status: codeOf(bid.status), tenderers: listOf(bid.tenderers, referenceOf), relatedLots };
}

/** Ids of the lots of an award, each once. Where it names none, they are those of its items. */
export function awardedLots({ relatedLots: named, relatedLot, items }: JsonObject): string[] {
  const stated = [...lotIdsOf(named), ...lotIdsOf(relatedLot)];
  return [
    ...new Set(stated.length > 0 ? stated : listOf(items, objectOf).flatMap((item) => lotIdsOf(item.relatedLot))),
  ];
}

/** The lots of an award, as far as the tender describes them. */
export function relatedLots(award: OcdsAward | undefined, tender: OcdsTender): OcdsLot[] {
  if (!award || award.relatedLots.length === 0) return [];
  const byId = lotsById(tender);
  return award.relatedLots.flatMap((id) => byId.get(id) ?? []);
}

/** Cached for each tender, as a process may have thousands of lots and as many awards. */
const lotsById = memoiseByObject(
  ({ lots }: OcdsTender): ReadonlyMap<string, OcdsLot> =>
    new Map(lots.flatMap((lot) => (lot.id ? [[lot.id, lot] as const] : []))),
);

/** The items of a tender that belong to an award's lots. */
export function relatedItems(award: OcdsAward | undefined, tender: OcdsTender): OcdsItem[] {
  if (!award || award.relatedLots.length === 0) return [];
  const byLot = itemsByLot(tender);
  return [...new Set(award.relatedLots)].flatMap((id) => byLot.get(id) ?? []);
}

const itemsByLot = memoiseByObject(({ items }: OcdsTender) => groupBy(items, ({ relatedLot = '' }) => relatedLot));
