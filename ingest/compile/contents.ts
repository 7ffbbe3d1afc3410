import type { AwardCriterion, BidTerms, SelectionCriterion, TenderTerms } from '../../schema/catalogue/bids.ts';
import type { DocumentDetail, LotDetail, NoticeReference } from '../../schema/catalogue/details.ts';
import type { OcdsBidding, OcdsCriteria, OcdsCriterion } from '../../schema/ocds/bidding.ts';
import type { OcdsDocument, OcdsRelease, OcdsTender } from '../../schema/ocds/types.ts';
import { endOfLot, endOfLots, NOTICE_TYPE_NAMES } from '../../schema/reference/notice-types.ts';
import { labelOf, readLink, withHttps } from '../../schema/text/document-links.ts';
import { makeLookup } from '../../schema/text/json-values.ts';
import { suits } from '../fields/classifications.ts';
import { parseDay } from '../fields/dates.ts';
import { documentsOf } from '../fields/notice.ts';
import { cleanLine, redactUrl, saysNothing } from '../fields/text/clean.ts';
import { findService, isNoticePage, noticeUrl, procurementUrl } from '../sources/index.ts';
import { lostAwards } from './facts/competition.ts';
import { lineOf, wordsOf } from './facts/options.ts';
import type { CompiledNotice } from './types.ts';
import { grossOf, netOf, readFees, warnOfFees } from './values/money.ts';
import { limitOf } from './values/plausible.ts';

/** A process may have thousands of lots. A notice shows this many and warns that there are more. */
const LOTS_MAX = 2_000;

/** The lots that a release states. Find a Tender publishes awarded lots under the regulations of 2015 as cancelled. */
export function lotsOf(ocds: OcdsRelease): LotDetail[] {
  const [{ tender }, isAwarded] = [ocds, awardedLots(ocds)];
  return tender.lots.slice(0, LOTS_MAX).map((lot, index) => {
    const lotId = lot.id ?? String(index + 1);
    const { durationInDays = 0, durationInMonths = 0, startDate, endDate, maxExtentDate } = lot.contractPeriod ?? {};
    const [starts, ends, extendsTo] = [startDate, endDate, maxExtentDate].map((day) => parseDay(day) ?? undefined);
    return {
      lot_id: lotId,
      title: lineOf(lot.title) || (tender.lots.length === 1 ? lineOf(tender.title) : '') || `Lot ${lotId}`,
      description: wordsOf(lot.description) || undefined,
      ...(netOf(lot.value) ?? grossOf(lot.value)),
      status: endOfLot(lot) && isAwarded(lotId) ? 'complete' : lot.status,
      starts,
      ends,
      duration_days: durationInDays > 0 ? durationInDays : undefined,
      duration_months: durationInMonths > 0 ? durationInMonths : undefined,
      invited_min: limitOf(lot.minimumCandidates),
      invited_max: limitOf(lot.maximumCandidates),
      extends_to: extendsTo && extendsTo > (ends ?? '') ? extendsTo : undefined,
      renewal: wordsOf(lot.renewal) || undefined,
      options: wordsOf(lot.options) || undefined,
      ...termsOf(lot),
    };
  });
}

/** Which lots were awarded: those that an award names which was made. */
function awardedLots(ocds: OcdsRelease): (lotId: string) => boolean {
  const lost = lostAwards(ocds);
  const made = ocds.awards.filter(({ id, status }) => status !== 'pending' && !lost.has(id));
  const named = new Set(made.flatMap(({ relatedLots }) => relatedLots));
  const areAlike = named.size === 0 && lost.size === 0 && endOfLots(ocds.tender) !== undefined;
  // Of lots that nothing tells apart, an award that names none is of all. One without suppliers may be the amendment of another.
  const areAll = areAlike && made.some(({ suppliers }) => suppliers.length > 0);
  return (lotId) => areAll || named.has(lotId);
}

/** A lot may have very many criteria. It shows this many, and its notice warns that there are more. */
const CRITERIA_MAX = 100;

/**
 * What a lot, or a tender of the whole, says of bidding. Criteria and the words on them are stated together: where only one of the
 * two is, the other is undefined, so that a later notice does not add it from an earlier one.
 */
export function termsOf({ awardCriteria, selectionCriteria, variants = '', sme, vcse, fees }: OcdsBidding): BidTerms {
  const award = awardCriteria && readCriteria(awardCriteria, toCriterion);
  const selection = selectionCriteria && readCriteria(selectionCriteria, toCondition);
  return {
    ...(award ? { award_criteria: award.listed, award_criteria_text: award.text } : {}),
    ...(selection ? { selection_criteria: selection.listed, selection_criteria_text: selection.text } : {}),
    ...stated({ variants: VARIANTS[variants], suitable_for_sme: sme, suitable_for_vcse: vcse }),
    ...readFees(fees),
  };
}

const VARIANTS = makeLookup({ required: 'required', allowed: 'allowed', notAllowed: 'not_allowed' } as const);

function readCriteria<T>({ criteria, texts }: OcdsCriteria, read: (one: OcdsCriterion) => T | []) {
  const listed = criteria.slice(0, CRITERIA_MAX).flatMap(read);
  const text = [...new Set(texts.map(wordsOf))].filter(Boolean).join('\n\n');
  return { listed: listed.length > 0 ? listed : undefined, text: text || undefined };
}

/**
 * What a tender says of bidding for the whole. Conditions listed for its lots replace those that an earlier notice stated;
 * words alone say how candidates are chosen (EU profile, II.2.9). A new day until which bids stay valid replaces their days.
 */
export function wholeTerms(tender: OcdsTender): TenderTerms {
  const areOfLots = tender.lots.some(({ selectionCriteria: own }) => own && own.criteria.length > 0);
  const { durationInMonths = 0, durationInDays = durationInMonths * 30, endDate } = tender.bidValidity ?? {};
  const [days, until] = [limitOf(durationInDays), parseDay(endDate) ?? undefined];
  const [terms, features, risks] = [tender.financialTerms, tender.procedureFeatures, tender.risks].map(wordsOf);
  const [bid, won] = tender.lotLimits.map(limitOf);
  return {
    ...(areOfLots ? { selection_criteria: undefined, selection_criteria_text: undefined } : {}),
    ...termsOf({ ...tender, sme: suits(tender, 'sme'), vcse: suits(tender, 'vcse') }),
    ...(days || until ? { bid_valid_days: days, bid_valid_until: until } : {}),
    ...hasteOf(tender),
    ...stated({ guarantees: wordsOf(tender.guarantees), performance_terms: wordsOf(tender.performanceTerms) }),
    ...(tender.recurs === false ? { recurrence: undefined } : stated({ recurrence: wordsOf(tender.recurrence) })),
    ...stated({ risks, financial_terms: terms, procedure_features: features, lots_bid_max: bid, lots_won_max: won }),
  };
}

/**
 * Whether the procedure takes less time than usual, and why; a reason alone says so too. A notice that describes its procedure
 * without either takes back what an earlier one said.
 */
function hasteOf({ accelerated, acceleratedReason, procedureFeatures }: OcdsTender): TenderTerms {
  const reason = wordsOf(acceleratedReason) || undefined;
  const isHasty = accelerated ?? (reason !== undefined || undefined);
  if (isHasty) return { accelerated: true, accelerated_reason: reason };
  return isHasty === false || procedureFeatures ? { accelerated: undefined, accelerated_reason: undefined } : {};
}

/** What is stated alone: a later notice keeps the rest of an earlier one. */
const stated = (all: TenderTerms): TenderTerms =>
  Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined && one !== ''));

/** The warnings where there are more lots than are held, or a lot or the whole has more criteria; otherwise none. */
export function warnOfContents(tender: OcdsTender): string[] {
  const [all, { length }] = [[tender, ...tender.lots], tender.lots];
  const cut = length > LOTS_MAX ? [`only the first ${LOTS_MAX} of ${length} lots are held`] : [];
  const criteria = (['award', 'selection'] as const).flatMap((kind) => {
    const count = all.map((one) => one[`${kind}Criteria`]?.criteria.length ?? 0).find((one) => one > CRITERIA_MAX);
    return count ? [`only the first ${CRITERIA_MAX} of ${count} ${kind} criteria are held`] : [];
  });
  return [...cut, ...criteria, ...warnOfFees(all.flatMap(({ fees }) => fees))];
}

/** One condition of participation; none where nothing is said of it, as by `N/A`. */
function toCondition({ type, name, description, minimum, forReduction }: OcdsCriterion): SelectionCriterion | [] {
  const [least, words] = [wordsOf(minimum), [lineOf(name), wordsOf(description)].filter(Boolean).join('\n')];
  if (!words && !least && (!type || description)) return [];
  return {
    ...(type ? { type: cleanLine(type) } : {}),
    ...(words ? { description: words } : {}),
    ...(least ? { minimum: least } : {}),
    ...(forReduction ? { for_reduction: true } : {}),
  };
}

/** A weight without words, which the forms under the directives have in place of a description (EU profile). */
const WEIGHT = /^(\d{1,6}(?:\.\d{1,6})?) ?(%?)$/;

function toCriterion({ type, name, description, numbers }: OcdsCriterion): AwardCriterion {
  const [bare, digits, percent] = (numbers.length === 0 && WEIGHT.exec(description ?? '')) || [];
  const weighed = numbers.find(({ weight: unit = 'order' }) => unit !== 'order');
  const weight = bare ? Number(digits) : weighed?.number;
  const unit = percent ? 'percentageExact' : weighed?.weight;
  const order = numbers.find(({ weight: unit }) => unit === 'order')?.number;
  const [line, words] = [lineOf(name), bare ? '' : wordsOf(description)];
  return {
    ...(type ? { type: cleanLine(type) } : {}),
    ...(line ? { name: line } : {}),
    ...(words ? { description: words } : {}),
    ...(weight === undefined ? {} : { weight }),
    ...(weight === undefined || !unit ? {} : { weight_type: cleanLine(unit) }),
    ...(order === undefined ? {} : { order }),
  };
}

/** A notice whose documents are collected. */
interface DocumentedNotice {
  source: string;
  noticeId: string;
  ocid: string;
  noticeType: string;
  published: string;
}

/**
 * Documents of one notice, each address once. Its official page comes first, or the record of its procurement if it has
 * none; then everything that its releases link to.
 */
export function documentsOfNotice(notice: DocumentedNotice, releases: readonly OcdsRelease[]): DocumentDetail[] {
  const url = noticeUrl(notice.source, notice.noticeId);
  const found = new Map<string, DocumentDetail>();
  const record = url ? null : procurementUrl(notice.source, notice.ocid);
  const title = NOTICE_TYPE_NAMES[notice.noticeType] ?? 'Notice';
  if (url) found.set(url.toLowerCase(), official(notice, url, title, 'notice'));
  if (record) found.set(record.toLowerCase(), official(notice, record, 'Record of the procurement', 'record'));
  for (const document of releases.flatMap(documentsOf)) {
    const address = addressOf(document);
    if (address && !(url && isOtherNoticePage(notice.source, document)))
      addDocument(found, describe(document, address, notice.noticeId));
  }
  return [...found.values()];
}

/** Documents of all notices of a process, each address once, the oldest notice first. */
export function documentsOfProcess(notices: readonly CompiledNotice[]): DocumentDetail[] {
  const found = new Map<string, DocumentDetail>();
  for (const document of notices.flatMap(({ detail }) => detail.documents)) addDocument(found, document);
  return [...found.values()];
}

/** A notice as the others of its process refer to it. */
export function referenceOf(notice: CompiledNotice): NoticeReference {
  const { noticeId, noticeType, stage, published, title, url } = notice;
  return { notice_id: noticeId, notice_type: noticeType, stage, published, title, ...(url ? { url } : {}) };
}

/** Adds a document unless one with its address is there already. If the address leads nowhere, names distinguish documents. */
function addDocument(found: Map<string, DocumentDetail>, document: DocumentDetail): void {
  const key = document.url.toLowerCase();
  const name = document.name.toLowerCase();
  const first = found.get(key);
  if (!first) found.set(key, document);
  else if (first.name.toLowerCase() !== name && readLink(document.url).junk && !found.has(`${key}\n${name}`))
    found.set(`${key}\n${name}`, document);
}

function official(notice: DocumentedNotice, url: string, what: string, type: string): DocumentDetail {
  return {
    name: `${what} on ${findService(notice.source)?.title ?? 'the official service'}`,
    url,
    type,
    published: notice.published,
    language: 'en',
    notice_id: notice.noticeId,
  };
}

/** An award release of Contracts Finder repeats the page of the tender notice, where that page is listed already. */
function isOtherNoticePage(source: string, document: OcdsDocument): boolean {
  return isNoticePage(source, document.url ?? '') && /notice$/i.test(document.documentType ?? '');
}

/** A document's address, whose ampersands may be HTML's and which may lack its scheme. An e-mail address belongs to a person, so it is shortened to `mailto:`. */
function addressOf(document: OcdsDocument): string | undefined {
  if (!document.url) return undefined;
  const url = withHttps(document.url.replace(/&(?:amp;)+/gi, '&'));
  return /^(?:mailto:)?\[e-mail removed\]/i.test(url) ? 'mailto:' : (redactUrl(url) ?? 'mailto:');
}

function describe(document: OcdsDocument, url: string, noticeId: string): DocumentDetail {
  const [name] = [document.title, document.description].map(cleanLine).filter((line) => !saysNothing(line));
  return {
    name: name ?? labelOf(document.documentType, url),
    url,
    ...(document.documentType ? { type: document.documentType } : {}),
    published: parseDay(document.datePublished) ?? undefined,
    ...(document.language ? { language: document.language } : {}),
    notice_id: noticeId,
  };
}
