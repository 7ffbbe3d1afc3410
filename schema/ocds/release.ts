import { awardStatusOf, codeOf, contractStatusOf, tenderStatusOf } from '../reference/notice-types.ts';
import { flagOf, type JsonObject, listOf, makeLookup, numberOf, objectOf, textOf } from '../text/json-values.ts';
import * as parts from './parts.ts';
import { awardedLots, biddingOf, bidsOf, bidTermsOf } from './terms.ts';
import type {
  OcdsAward,
  OcdsContract,
  OcdsLot,
  OcdsParty,
  OcdsRelease,
  OcdsTechniques,
  OcdsTender,
  OcdsValue,
} from './types.ts';

/** Reads a release, or a compiled one, with all its variant types and gaps. Never throws. */
export function toOcds(json: unknown): OcdsRelease {
  const release = objectOf(json) ?? {};
  return {
    ocid: textOf(release.ocid),
    id: textOf(release.id),
    date: textOf(release.date),
    tag: listOf(release.tag, codeOf),
    title: textOf(release.title),
    description: textOf(release.description),
    buyer: partyOf(release.buyer),
    parties: listOf(release.parties, partyOf),
    planningDocuments: listOf(objectOf(release.planning)?.documents, parts.documentOf),
    engagementEnds: ofMilestone(objectOf(release.planning)?.milestones, 'engagement', 'dueDate'),
    engagement: ofMilestone(objectOf(release.planning)?.milestones, 'engagement', 'description'),
    noEngagementReason: textOf(objectOf(release.planning)?.noEngagementNoticeRationale),
    tender: tenderOf(release.tender),
    awards: listOf(release.awards, awardOf),
    contracts: listOf(release.contracts, contractOf),
    relatedProcesses: listOf(release.relatedProcesses, parts.relatedProcessOf),
    bids: bidsOf(release.bids),
    packageUri: textOf(release[parts.PACKAGE_URI]),
    noticeNames: listOf(release[parts.NOTICE_NAMES], textOf),
    links: listOf(release.links, objectOf).flatMap(({ rel, href }) => {
      const address = textOf(href);
      return address ? [{ rel: textOf(rel), href: address }] : [];
    }),
  };
}

function tenderOf(json: unknown): OcdsTender {
  const tender = objectOf(json) ?? {};
  return {
    id: textOf(tender.id),
    title: textOf(tender.title),
    description: textOf(tender.description),
    status: tenderStatusOf(tender.status),
    finalStatusDate: textOf(tender.finalStatusDate),
    datePublished: textOf(tender.datePublished),
    legalBasis: textOf(objectOf(tender.legalBasis)?.id ?? tender.legalBasis),
    classifications: [
      ...listOf(tender.classification, parts.codedOf),
      ...listOf(tender.additionalClassifications, parts.codedOf),
    ],
    items: listOf(tender.items, parts.itemOf),
    addresses: parts.placesOf(tender),
    lots: listOf(tender.lots, (lot) => lotOf(lot, parts.moneyOf(tender.value))),
    value: parts.moneyOf(tender.value),
    minValue: parts.moneyOf(tender.minValue),
    procurementMethod: codeOf(tender.procurementMethod),
    procurementMethodDetails: textOf(tender.procurementMethodDetails),
    methodRationale: textOf(tender.procurementMethodRationale),
    methodGrounds: listOf(tender.procurementMethodRationaleClassifications, parts.classificationOf),
    category:
      codeOf(tender.mainProcurementCategory) ??
      CATEGORIES[codeOf(objectOf(tender.xClassifications)?.ojeuContractType) ?? ''],
    tenderPeriod: parts.bidPeriodOf(tender.tenderPeriod),
    enquiryPeriod: parts.periodOf(tender.enquiryPeriod),
    awardPeriod: parts.periodOf(tender.awardPeriod),
    bidValidity: parts.bidPeriodOf(objectOf(tender.submissionTerms)?.bidValidityPeriod),
    contractPeriod: parts.periodOf(tender.contractPeriod),
    expressionOfInterestDeadline: textOf(tender.expressionOfInterestDeadline),
    invitationDate: textOf(objectOf(tender.secondStage)?.invitationDate),
    futureNoticeDate: textOf(objectOf(tender.communication)?.futureNoticeDate),
    submissionMethodDetails: textOf(tender.submissionMethodDetails),
    submissionMethods: listOf(tender.submissionMethod, codeOf),
    techniques: techniquesOf(tender, listOf(tender.lots, objectOf)),
    documents: listOf(tender.documents, parts.documentOf),
    amendments: listOf(tender.amendments, parts.amendmentOf),
    ...biddingOf(tender),
    ...bidTermsOf(tender),
    aboveThreshold: flagOf(tender.aboveThreshold),
    specialRegimes: listOf(tender.specialRegime, codeOf),
    coveredBy: listOf(tender.coveredBy, textOf),
  };
}

/** What Contracts Finder calls the categories until 2021. `NotSpecified` is none. */
const CATEGORIES = makeLookup({ products: 'goods', services: 'services', works: 'works' });

/** What a tender sets up; where it says neither of the two, what a lot of it does (EU profile), unless another lot sets up neither. */
function techniquesOf(tender: JsonObject, lots: readonly JsonObject[]): OcdsTechniques | undefined {
  const says = (one: JsonObject) => flagOf(one.hasFrameworkAgreement) || flagOf(one.hasDynamicPurchasingSystem);
  const whole = objectOf(tender.techniques);
  const ofLots = listOf(
    lots.map((lot) => lot.techniques),
    objectOf,
  );
  const techniques = !(whole && says(whole)) && ofLots.length > 0 && ofLots.every(says) ? ofLots[0] : whole;
  if (!techniques) return undefined;
  const agreement = objectOf(techniques.frameworkAgreement) ?? {};
  return {
    framework: flagOf(techniques.hasFrameworkAgreement),
    dynamicPurchasing: flagOf(techniques.hasDynamicPurchasingSystem),
    marketStatus: codeOf(objectOf(techniques.dynamicPurchasingSystem)?.status),
    method: codeOf(agreement.method),
    type: codeOf(agreement.type),
    description: textOf(agreement.description),
    buyerCategories: textOf(agreement.buyerCategories),
    maximumParticipants: numberOf(agreement.maximumParticipants),
    period: parts.periodOf(agreement.period),
    openScheme: openSchemeOf(agreement),
    buyerRestrictions: [
      ...listOf(agreement.buyerClassificationRestrictions, parts.classificationOf),
      ...listOf(agreement.buyerLocationRestrictions, parts.locationOf),
    ],
  };
}

/**
 * The scheme of successive frameworks that an open framework is one of (UK extension). Its end, where stated, says so too if the flag
 * is left out.
 */
function openSchemeOf(agreement: JsonObject): OcdsTechniques['openScheme'] {
  const ends = textOf(agreement.openFrameworkSchemeEndDate);
  return (flagOf(agreement.isOpenFrameworkScheme) ?? /\d/.test(ends ?? '')) ? { ends } : undefined;
}

/** A party, also one that appears inline as buyer or supplier. Undefined for anything but an object. */
export function partyOf(json: unknown): OcdsParty | undefined {
  const party = objectOf(json);
  if (!party) return undefined;
  const details = objectOf(party.details) ?? {};
  const [identifier, ...others] = listOf(party.identifier, parts.identifierOf);
  // The shape of 2017-2021 says `sme` and `vco` on the party; a false there only means that nobody ticked the box.
  const scale = textOf(details.scale) ?? (flagOf(party.sme) === true ? 'sme' : undefined);
  return {
    id: textOf(party.id),
    name: textOf(party.name) ?? identifier?.legalName,
    identifier,
    additionalIdentifiers: [...others, ...listOf(party.additionalIdentifiers, parts.identifierOf)],
    address: parts.addressOf(party.address),
    roles: listOf(party.roles, codeOf),
    url: textOf(details.url),
    scale,
    vcse: flagOf(details.vcse) ?? (flagOf(party.vco) || undefined),
    classifications: listOf(details.classifications, parts.classificationOf),
    sharedId: textOf(party[parts.SHARED_ID]),
  };
}

function awardOf(json: unknown): OcdsAward | undefined {
  const award = objectOf(json);
  if (!award) return undefined;
  return {
    id: textOf(award.id),
    title: textOf(award.title),
    description: textOf(award.description),
    status: awardStatusOf(award.status),
    statusDetails: textOf(award.statusDetails),
    date: textOf(award.date),
    value: parts.moneyOf(award.value),
    suppliers: listOf(award.suppliers, parts.referenceOf),
    items: listOf(award.items, parts.itemOf),
    relatedLots: awardedLots(award),
    contractPeriod: parts.periodOf(award.contractPeriod, award.period),
    standstillPeriods: listOf(award.standstillPeriod, (one) => parts.periodOf(one)),
    signatureDue: ofMilestone(award.milestones, 'futureSignatureDate', 'dueDate'),
    documents: listOf(award.documents, parts.documentOf),
    amendments: listOf(award.amendments, parts.amendmentOf),
    category: codeOf(award.mainProcurementCategory),
    aboveThreshold: flagOf(award.aboveThreshold),
    ...extensionsOf(award),
  };
}

function contractOf(json: unknown): OcdsContract | undefined {
  const contract = objectOf(json);
  if (!contract) return undefined;
  const implementation = objectOf(contract.implementation) ?? {};
  const reports = [implementation, ...listOf(implementation.performanceFailures, objectOf)];
  return {
    id: textOf(contract.id),
    awardID: textOf(contract.awardID),
    title: textOf(contract.title),
    description: textOf(contract.description),
    status: contractStatusOf(contract.status),
    statusDetails: textOf(contract.statusDetails),
    period: parts.periodOf(contract.period, contract.contractPeriod),
    value: parts.moneyOf(contract.value),
    dateSigned: textOf(contract.dateSigned),
    documents: [contract, ...reports].flatMap(({ documents }) => listOf(documents, parts.documentOf)),
    finalStatusDate: textOf(contract.finalStatusDate),
    endedOn: textOf(implementation.endDate),
    finalValue: parts.moneyOf(implementation.finalValue),
    endReasons: [contract.terminationRationaleClassifications, contract.terminationRationaleClassification].flatMap(
      (reasons) => listOf(reasons, parts.codedOf).flatMap(({ id }) => codeOf(id) ?? []),
    ),
    agreedMetrics: listOf(contract.agreedMetrics, parts.metricOf),
    noMetricsReason: textOf(contract.noAgreedMetricsRationale),
    metrics: listOf(implementation.metrics, parts.metricOf),
    failures: listOf(implementation.performanceFailures, parts.failureOf).flat(),
    amendments: listOf(contract.amendments, parts.amendmentOf),
    proposedAmendments: listOf(contract.proposedAmendments, parts.amendmentOf),
    items: listOf(contract.items, parts.itemOf),
    suppliers: listOf(contract.suppliers, parts.referenceOf),
    relatedProcesses: listOf(contract.relatedProcesses, parts.relatedProcessOf),
    aboveThreshold: flagOf(contract.aboveThreshold),
    ...extensionsOf(contract),
  };
}

function lotOf(json: unknown, whole: OcdsValue | undefined): OcdsLot | undefined {
  const lot = objectOf(json);
  if (!lot) return undefined;
  const value = parts.moneyOf(lot.value);
  // A form may leave a lot at the first currency of its list (AED): the whole amount is in the tender's.
  const isWhole = value?.amount === whole?.amount && value?.amountGross === whole?.amountGross;
  return {
    id: textOf(lot.id),
    title: textOf(lot.title),
    description: textOf(lot.description),
    status: tenderStatusOf(lot.status),
    value: value && isWhole && whole?.currency ? { ...value, currency: whole.currency } : value,
    contractPeriod: parts.periodOf(lot.contractPeriod),
    minimumCandidates: numberOf(objectOf(lot.secondStage)?.minimumCandidates),
    maximumCandidates: numberOf(objectOf(lot.secondStage)?.maximumCandidates),
    ...biddingOf(lot),
    ...extensionsOf(lot),
  };
}

/** A field of the first milestone of a type that states it. */
function ofMilestone(milestones: unknown, type: string, field: 'dueDate' | 'description'): string | undefined {
  const own = listOf(milestones, objectOf).filter((one) => codeOf(one.type) === type);
  return own.flatMap((one) => textOf(one[field]) ?? [])[0];
}

/** The texts about renewals and options; none where the release says that there are none. */
function extensionsOf({ hasRenewal, renewal, hasOptions, options }: JsonObject) {
  return {
    renewal: flagOf(hasRenewal) === false ? undefined : textOf(objectOf(renewal)?.description),
    options: flagOf(hasOptions) === false ? undefined : textOf(objectOf(options)?.description),
  };
}
