import type { Stage } from '../../schema/catalogue/details.ts';
import { bidPeriodOf, mentionsIn, periodOf } from '../../schema/ocds/parts.ts';
import type { OcdsDocument, OcdsRelease } from '../../schema/ocds/types.ts';
import {
  awardStatusOf,
  codeOf,
  contractStatusOf,
  currencyOf,
  noticeTypeOf,
  STAGE_OF_NOTICE_TYPE,
  STAGE_OF_TAG,
  tenderStatusOf,
} from '../../schema/reference/notice-types.ts';
import { KNOWN_SCHEMES, schemeOf } from '../../schema/text/ids.ts';
import { type JsonObject, listOf, numberOf, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { isDate, parseDay } from './dates.ts';

/** Every document of a release, from the four places that may contain the notice itself. */
export function documentsOf(ocds: OcdsRelease): OcdsDocument[] {
  return [
    ...ocds.planningDocuments,
    ...ocds.tender.documents,
    ...ocds.awards.flatMap(({ documents }) => documents),
    ...ocds.contracts.flatMap(({ documents }) => documents),
  ];
}

/** Each name that the releases of a notice state, in lower case, with and without the prefix of its service. */
export function noticeNamesOf(releases: readonly OcdsRelease[]): string[] {
  const stated = releases.flatMap(({ noticeNames }) => noticeNames);
  return [...new Set(stated.flatMap((name) => [name, name.replace(/^[^-]*-/, '')]))].map((name) => name.toLowerCase());
}

const TAG_ORDER = Object.keys(STAGE_OF_TAG);

/** The most significant tag of a release: `award` for award+contract, or a termination of anything. */
function leadingTag(tags: readonly string[]): string | null {
  const known = tags.filter((tag) => tag in STAGE_OF_TAG && tag !== 'compiled');
  return known.toSorted((a, b) => TAG_ORDER.indexOf(a) - TAG_ORDER.indexOf(b)).at(-1) ?? null;
}

export interface NoticeKind {
  noticeType: string;
  stage: Stage;
  /** Where the two were read. */
  why: string;
}

/**
 * The notice type and stage of a release: by the `noticeType` of its own document, or else of another, otherwise by its tag. Until
 * 2021 Contracts Finder tagged everything "tender", so a "tender" with awards is an award. The modification notice of the older forms
 * (F20) is tagged as an update of award and contract. An unknown type keeps its name, has the stage of its tag, and is counted.
 */
export function kindOf(ocds: OcdsRelease): NoticeKind {
  const typed = documentsOf(ocds).filter((document) => document.noticeType);
  const noticeType = (typed.find(({ id }) => id === ocds.id) ?? typed[0])?.noticeType;
  const byTag = formOf(ocds, leadingTag(ocds.tag));
  const stage = STAGE_OF_NOTICE_TYPE[noticeType ?? ''] ?? STAGE_OF_TAG[byTag ?? ''] ?? stageOfContent(ocds);
  return { noticeType: noticeType ?? byTag ?? ocds.tag[0] ?? 'unknown', stage, why: whyOf(ocds, noticeType, byTag) };
}

function formOf({ awards, contracts }: OcdsRelease, tag: string | null): string | null {
  if (tag === 'tender' && awards.length > 0) return 'award';
  const isUpdate = tag === 'awardUpdate' || tag === 'contractUpdate';
  return isUpdate && contracts.some(({ amendments }) => amendments.length > 0) ? 'contractAmendment' : tag;
}

/** The warning for a notice of an unknown type, which is never read as another type, or for a cancellation of nothing; otherwise none. */
export function warnOfKind({ noticeType }: NoticeKind, { tag, awards }: OcdsRelease): string[] {
  if (tag.includes('awardCancellation') && awards.length === 0)
    return ['an award is cancelled without being named: every award is kept'];
  if (noticeType in STAGE_OF_NOTICE_TYPE || noticeType in STAGE_OF_TAG) return [];
  return [`the notice type ${noticeType.slice(0, 40)} is not known: its stage is that of its tag or content`];
}

function whyOf(ocds: OcdsRelease, noticeType: string | undefined, byTag: string | null): string {
  const tags = `tag ${ocds.tag.join('+') || 'none'}`;
  if (noticeType)
    return noticeType in STAGE_OF_NOTICE_TYPE ? 'noticeType of a document' : `unknown noticeType; ${tags}`;
  const award = byTag === 'award' && ocds.tag.every((tag) => tag === 'tender') ? ', but it has awards' : '';
  const change = byTag === 'contractAmendment' && !ocds.tag.includes(byTag) ? ', but it amends a contract' : '';
  return byTag ? `no noticeType; ${tags}${award}${change}` : `no noticeType; ${tags}; what it contains`;
}

/** The furthest section with content, for releases without any known tag, such as a lone compiled release. */
function stageOfContent(ocds: OcdsRelease): Stage {
  if (ocds.contracts.length > 0) return 'contract';
  if (ocds.awards.length > 0) return 'award';
  return ocds.tender.tenderPeriod ? 'tender' : 'planning';
}

const KNOWN_TENDER_STATUSES: ReadonlySet<string> = new Set([
  'planning',
  'planned',
  'active',
  'complete',
  'cancelled',
  'unsuccessful',
  'withdrawn',
]);

const KNOWN_AWARD_STATUSES: ReadonlySet<string> = new Set([
  'pending',
  // Only on Contracts Finder, recorded in October 2022: an award that is still to be made.
  'planned',
  'active',
  'cancelled',
  'unsuccessful',
]);

const KNOWN_CONTRACT_STATUSES: ReadonlySet<string> = new Set(['pending', 'active', 'ended', 'terminated', 'cancelled']);

/** A value of a category field that the compiler does not know. It is counted, never guessed. */
export interface Unknown {
  field: string;
  value: string;
}

/** Every value in a release's category fields that the compiler does not know. */
export function findUnknown(release: JsonObject): Unknown[] {
  const found: Unknown[] = [];
  const check = (field: string, raw: unknown, known: (value: string) => boolean) => {
    const value = textOf(raw);
    if (value && !known(value)) found.push({ field, value });
  };
  for (const tag of valuesOf(release.tag)) check('tag', tag, (value) => (codeOf(value) ?? '') in STAGE_OF_TAG);
  const tender = objectOf(release.tender) ?? {};
  check('tender.status', tender.status, (value) => KNOWN_TENDER_STATUSES.has(tenderStatusOf(value) ?? ''));
  const awards = valuesOf(release.awards).map((award) => objectOf(award) ?? {});
  const contracts = valuesOf(release.contracts).map((contract) => objectOf(contract) ?? {});
  for (const award of awards)
    check('awards.status', award.status, (value) => KNOWN_AWARD_STATUSES.has(awardStatusOf(value) ?? ''));
  for (const contract of contracts)
    check('contracts.status', contract.status, (value) => KNOWN_CONTRACT_STATUSES.has(contractStatusOf(value) ?? ''));
  const branches = [objectOf(release.planning) ?? {}, tender, ...awards, ...contracts];
  for (const document of branches.flatMap((branch) => valuesOf(branch.documents)))
    check(
      'documents.noticeType',
      objectOf(document)?.noticeType,
      (value) => (noticeTypeOf(value) ?? '') in STAGE_OF_NOTICE_TYPE,
    );
  const inline = mentionsIn(release).map(({ mention }) => mention);
  for (const party of [...valuesOf(release.parties), release.buyer, ...inline]) {
    const { identifier, additionalIdentifiers } = objectOf(party) ?? {};
    for (const each of [...valuesOf(identifier), ...valuesOf(additionalIdentifiers)])
      check('identifier.scheme', objectOf(each)?.scheme, (value) => KNOWN_SCHEMES.has(schemeOf(value)));
  }
  return found;
}

const DAYS: ReadonlySet<string> = new Set([
  'date',
  'datePublished',
  'dateSigned',
  'endDate',
  'expressionOfInterestDeadline',
  'finalStatusDate',
  'futureNoticeDate',
  'maxExtentDate',
  'openFrameworkSchemeEndDate',
  'startDate',
]);
const AMOUNTS = ['amount', 'amountGross'];
export const PLACEHOLDER_UP_TO = 1;
const NUMBERS: ReadonlySet<string> = new Set(['durationInDays', 'durationInMonths', 'maximumParticipants']);
/** The codes of ISO 4217, such as `GBP`: `TBC` has the same form. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether a member of a release states what its name promises: `TBC` is no date, no amount and no period, and 0 or 0.01 no amount. */
export function isReadable(key: string, value: unknown): boolean {
  if (DAYS.has(key)) return parseDay(textOf(value)) !== null;
  if (typeof value === 'string' && isPeriod(key))
    return Object.entries(periodIn(key, value)).some(([member, one]) => isReadable(member, one));
  if (AMOUNTS.includes(key)) return !isPlaceholder(numberOf(value) ?? 0, key === 'amountGross');
  return !NUMBERS.has(key) || (numberOf(value) ?? 0) > 0;
}

/** Whether an amount is almost nothing (0.01, 1 and its tax), or as many nines as the field accepts. */
export function isPlaceholder(amount: number, withTax = false): boolean {
  return amount <= PLACEHOLDER_UP_TO * (withTax ? 1.2 : 1) || /^9{8,}(?:\.9+)?$/.test(String(amount));
}

/** Whether a member of a release is a period. */
export function isPeriod(key: string): boolean {
  return /period$/i.test(key);
}

/** What a bare text says where a period is expected; nothing where that is neither two days nor a length. */
export function periodIn(key: string, text: unknown): JsonObject {
  const { unreadable: _, ...period } = (key === 'tenderPeriod' ? bidPeriodOf : periodOf)(text) ?? {};
  return period;
}

/** Whether a code is that of a currency. */
export const isCurrency = (code: string) => CURRENCIES.has(code);

/** Whether a value is in another currency than the one known before, which is in pounds where it does not say. */
export function hasOtherCurrency(known: JsonObject, next: JsonObject): boolean {
  const currency = currencyOf(next.currency);
  if (currency === undefined || AMOUNTS.every((key) => known[key] === undefined)) return false;
  return currency !== (currencyOf(known.currency) ?? 'GBP');
}

/** A value without its amounts if a later one corrects one of them: the other, net or gross, is of the same former sum. */
export function withoutOldAmounts(value: JsonObject, later: JsonObject): JsonObject {
  const isCorrected = AMOUNTS.some(
    (key) => [value, later].every((one) => isReadable(key, one[key])) && numberOf(value[key]) !== numberOf(later[key]),
  );
  if (!isCorrected) return value;
  const { amount: _, amountGross: __, ...rest } = value;
  return rest;
}

/** Whether an amount can be read, in a currency that exists. */
export function statesMoney(value: JsonObject): boolean {
  return isCurrency(currencyOf(value.currency) ?? '') && AMOUNTS.some((key) => isReadable(key, value[key]));
}

/** The section of the forms under the directives for the time limit of bids, and what stands next to a date in words. */
const TIME_LIMIT = /^IV[\s.]*2[\s.]*2(?!\d|\.\d)/i;
const LABELS = /(?:\b(?:date|local time|time|at|on|by)\b:?|[\s,]|\.$)+/gi;

/**
 * A release whose period for bids ends when its correction says. A corrigendum (F14) repeats nothing of the notice that it
 * corrects: it lists new values by section of the form (EU profile, `unstructuredChanges`). A period that it states comes first.
 */
export function correctTimeLimit(json: JsonObject): JsonObject {
  const tender = objectOf(json.tender);
  const changes = listOf(tender?.amendments, objectOf).flatMap((one) => listOf(one.unstructuredChanges, objectOf));
  const endDate = changes
    .filter(({ where }) => TIME_LIMIT.test(textOf(objectOf(where)?.section) ?? ''))
    .map(({ newValue }) => objectOf(newValue))
    .flatMap((one) => [textOf(one?.text)?.replace(LABELS, ' ').trim(), textOf(one?.date)])
    .findLast(isDate);
  if (endDate === undefined || bidPeriodOf(tender?.tenderPeriod)?.endDate !== undefined) return json;
  return { ...json, tender: { ...tender, tenderPeriod: { ...objectOf(tender?.tenderPeriod), endDate } } };
}

/**
 * A release of the archive of Contracts Finder with the term of its contract in its place: it is written as the period for bids,
 * next to milestones without days. The category and whom it suits are the same in each of them, and say nothing.
 */
export function correctArchived(json: JsonObject): JsonObject {
  if ((parseDay(textOf(json.date)) ?? '2016') >= '2016') return json;
  const { tenderPeriod, xClassifications: _, ...tender } = objectOf(json.tender) ?? {};
  const isUndated = ({ title, dueDate }: JsonObject) => codeOf(title) === 'Contract start' && !textOf(dueDate);
  const isAlone = textOf(objectOf(tenderPeriod)?.startDate) && !periodOf(tender.contractPeriod)?.startDate;
  const isTerm = isAlone && listOf(tender.milestones, objectOf).some(isUndated);
  return isTerm ? { ...json, tender: { ...tender, contractPeriod: tenderPeriod } } : json;
}
