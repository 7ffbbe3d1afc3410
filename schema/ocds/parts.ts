import { codeOf, currencyOf, noticeTypeOf } from '../reference/notice-types.ts';
import { type JsonObject, listOf, numberOf, objectOf, POUNDS, spanOf, textOf, valuesOf } from '../text/json-values.ts';
import type { OcdsBidStatistic } from './bidding.ts';
import type {
  OcdsAddress,
  OcdsAmendment,
  OcdsClassification,
  OcdsDocument,
  OcdsIdentifier,
  OcdsItem,
  OcdsMetric,
  OcdsPeriod,
  OcdsReference,
  OcdsRelatedProcess,
  OcdsValue,
} from './types.ts';

/** Keys under which a stored release has its `packageUri` and `noticeNames`, and a party its `sharedId` while it is compiled. */
export const PACKAGE_URI = 'x_packageUri';
export const NOTICE_NAMES = 'x_noticeNames';
export const SHARED_ID = 'x_sharedId';

/** A process that more processes than this name is not their procurement, but a framework, or a notice that many quote. */
export const NAMERS_MAX = 8;

/** A related process, or undefined where the value is no object. */
export function relatedProcessOf(json: unknown): OcdsRelatedProcess | undefined {
  const related = objectOf(json);
  if (!related) return undefined;
  return {
    relationship: listOf(related.relationship, textOf),
    title: textOf(related.title),
    scheme: textOf(related.scheme),
    identifier: textOf(related.identifier),
  };
}

/** A figure about bids, or undefined where its measure or its number is missing. */
export function bidStatisticOf(json: unknown): OcdsBidStatistic | undefined {
  const statistic = objectOf(json);
  const measure = codeOf(statistic?.measure);
  const value = numberOf(statistic?.value);
  if (!statistic || measure === undefined || value === undefined) return undefined;
  return { measure, value, relatedLots: [...lotIdsOf(statistic.relatedLot), ...lotIdsOf(statistic.relatedLots)] };
}

/** A document; a bare address is one. Undefined for anything else. */
export function documentOf(json: unknown): OcdsDocument | undefined {
  const document = objectOf(json) ?? (/^https?:/i.test(textOf(json) ?? '') ? { url: json } : undefined);
  if (!document) return undefined;
  const [url] = [document.url, document.uri, document.href].flatMap((address) => listOf(address, textOf));
  return {
    id: textOf(document.id),
    documentType: textOf(document.documentType),
    noticeType: noticeTypeOf(document.noticeType),
    title: textOf(document.title),
    description: textOf(document.description),
    url,
    datePublished: textOf(document.datePublished),
    language: textOf(document.language),
  };
}

/** An amendment, or undefined where the value is no object. A correction (F14) often states only what sections of its form say. */
export function amendmentOf(json: unknown): OcdsAmendment | undefined {
  const amendment = objectOf(json);
  if (!amendment) return undefined;
  const words = new Set([amendment.description, amendment.rationale].flatMap((one) => textOf(one) ?? []));
  return {
    id: textOf(amendment.id),
    date: textOf(amendment.date),
    description: [...words, ...listOf(amendment.unstructuredChanges, changeOf)].join('\n\n') || undefined,
    reasons: listOf(amendment.rationaleClassifications, codedOf).flatMap(({ id }) => codeOf(id) ?? []),
    value: moneyOf(amendment.value),
    period: periodOf(amendment.period),
    suppliersAdded: listOf(amendment.suppliersAdded, referenceOf),
    suppliersRemoved: listOf(amendment.suppliersRemoved, referenceOf),
  };
}

/** `IV.2.2, Time limit`, then what it said before and says now, each on a line. Of a contact person it says only that it changed: no answer names one. */
function changeOf(json: unknown): string | undefined {
  const { where, relatedLot: lot, oldValue, newValue } = objectOf(json) ?? {};
  const { section, label } = objectOf(where) ?? {};
  const [before, now] = [oldValue, newValue].map(objectOf).map((one) => textOf(one?.text) ?? textOf(one?.date));
  const place = [section, label, lot].flatMap((one) => textOf(one) ?? []).join(', ');
  const values = /\bcontacts?\b/i.test(place) ? [] : [before && `Before: ${before}`, now && `Now: ${now}`];
  return [place, ...values].filter(Boolean).join('\n') || undefined;
}

/** The ids of the lots that a list names: as texts, as objects, or in one text with commas between. */
export function lotIdsOf(json: unknown): string[] {
  const listed = typeof json === 'string' ? json.split(',') : json;
  return listOf(listed, (lot) => textOf(objectOf(lot)?.id ?? lot));
}

/** A value; a bare number or text is its amount. What is no number stays as text in `unreadable`. Undefined for anything else. */
export function moneyOf(json: unknown): OcdsValue | undefined {
  const value = objectOf(json) ?? (textOf(json) ? { amount: json } : undefined);
  if (!value) return undefined;
  const currency = currencyOf(value.currency) ?? 'GBP';
  // `£100` in euros is neither.
  const read = (one: unknown) => (currency !== 'GBP' && POUNDS.test(textOf(one) ?? '') ? undefined : numberOf(one));
  const unreadable = [value.amount, value.amountGross].find((one) => textOf(one) && read(one) === undefined);
  return {
    amount: read(value.amount),
    amountGross: read(value.amountGross),
    currency: currencyOf(value.currency),
    ...(unreadable === undefined ? {} : { unreadable: textOf(unreadable) }),
  };
}

/** A period, its dates as published; of a bare text, its days or its length, otherwise the text in `unreadable`. Where it says nothing, it may stand under another name. */
export function periodOf(json: unknown, otherName?: unknown): OcdsPeriod | undefined {
  const text = textOf(json);
  if (text !== undefined) return spanOf(text) ?? { unreadable: text };
  const period = objectOf(json);
  const read = period && {
    startDate: textOf(period.startDate),
    endDate: textOf(period.endDate),
    maxExtentDate: textOf(period.maxExtentDate),
    durationInDays: numberOf(period.durationInDays),
    durationInMonths: numberOf(period.durationInMonths),
  };
  const isBlank = !read || Object.values(read).every((one) => one === undefined);
  return isBlank && otherName !== undefined ? periodOf(otherName) : read;
}

/** The period for bids; a bare date is its end. */
export function bidPeriodOf(json: unknown): OcdsPeriod | undefined {
  const period = periodOf(json);
  return period?.unreadable === undefined ? period : { endDate: period.unreadable };
}

/** An identifier; a bare text is its id. Undefined for anything else. */
export function identifierOf(json: unknown): OcdsIdentifier | undefined {
  const identifier: JsonObject | undefined = objectOf(json) ?? (textOf(json) ? { id: json } : undefined);
  if (!identifier) return undefined;
  return { scheme: textOf(identifier.scheme), id: textOf(identifier.id), legalName: textOf(identifier.legalName) };
}

/** A classification of what is bought; a bare text is its code. Undefined for anything else. */
export function codedOf(json: unknown): OcdsClassification | undefined {
  return classificationOf(textOf(json) ? { id: json } : json);
}

/** A classification; a CPV code also by its address, where it has no id. Undefined where the value is no object. */
export function classificationOf(json: unknown): OcdsClassification | undefined {
  const one = objectOf(json);
  const id = textOf(one?.id) ?? textOf(one?.uri)?.match(/^.*\bcpv\b.*$/i)?.[0];
  return one && { scheme: textOf(one.scheme), id, description: textOf(one.description) };
}

/** A place of the location extension, read as a code with its words; a bare text is the words. Undefined for anything else. */
export function locationOf(json: unknown): OcdsClassification | undefined {
  const location = objectOf(json) ?? (textOf(json) ? { description: json } : undefined);
  if (!location) return undefined;
  const [id] = listOf(objectOf(location.gazetteer)?.identifiers ?? location.gazetteer, textOf);
  return { id, description: textOf(location.description) };
}

/** A place of delivery: an address, or a bare text, which may be a street or a region. Undefined for anything else. */
export function placeOf(json: unknown): OcdsAddress | undefined {
  const text = textOf(json);
  return text === undefined ? addressOf(json) : { region: text, streetAddress: text };
}

/** What is bought and where it is delivered, or undefined where the value is no object. */
export function itemOf(json: unknown): OcdsItem | undefined {
  const item = objectOf(json);
  if (!item) return undefined;
  return {
    classifications: [...listOf(item.classification, codedOf), ...listOf(item.additionalClassifications, codedOf)],
    addresses: placesOf(item),
    relatedLot: textOf(item.relatedLot),
  };
}

/** The places of delivery of a tender or item: its addresses and the words of its locations; without addresses, also their codes. */
export function placesOf(whole: JsonObject): OcdsAddress[] {
  const addresses = [...listOf(whole.deliveryAddresses, placeOf), ...listOf(whole.deliveryAddress, placeOf)];
  const locations = [...listOf(whole.deliveryLocations, locationOf), ...listOf(whole.deliveryLocation, locationOf)];
  return addresses.length > 0
    ? [...addresses, ...locations.map(({ description }) => ({ description }))]
    : locations.map(({ id, description: text }) => ({ region: id ?? text, streetAddress: text, description: text }));
}

/** An address; a bare text is its street. Undefined for anything else. */
export function addressOf(json: unknown): OcdsAddress | undefined {
  const address = objectOf(json) ?? (textOf(json) ? { streetAddress: json } : undefined);
  if (!address) return undefined;
  return {
    streetAddress: textOf(address.streetAddress),
    locality: textOf(address.locality),
    region: textOf(address.region),
    postalCode: textOf(address.postalCode),
    country: textOf(address.country),
    countryName: textOf(address.countryName),
  };
}

/** A key performance indicator; a bare text is its title. Undefined for anything else. */
export function metricOf(json: unknown): OcdsMetric | undefined {
  const metric = objectOf(json) ?? (textOf(json) ? { title: json } : undefined);
  if (!metric) return undefined;
  return {
    id: textOf(metric.id),
    title: textOf(metric.title),
    description: textOf(metric.description),
    observations: listOf(metric.observations, observationOf),
  };
}

/** What was observed: words, or a value and its unit. A bare text is that. */
function observationOf(json: unknown) {
  const one = objectOf(json) ?? (textOf(json) ? { measure: json } : undefined);
  if (!one) return undefined;
  const value = [objectOf(one.value)?.amount ?? one.value, objectOf(one.unit)?.name ?? objectOf(one.value)?.currency];
  return {
    period: periodOf(one.period),
    measure: textOf(one.measure) ?? (value.flatMap((part) => textOf(part) ?? []).join(' ') || undefined),
    rating: codeOf(codedOf(one.measureClassification)?.id),
  };
}

/** What a supplier failed to do, and what followed, in words (UK extension). */
export function failureOf(json: unknown): string[] {
  const { category, requirement, description, partialTermination, penaltyTypeEntered } = objectOf(json) ?? {};
  const texts = [category, requirement, description, partialTermination, penaltyTypeEntered];
  return texts.flatMap((text) => textOf(text) ?? []);
}

/** A reference to an organisation by id and name, or undefined where the value is no object. */
export function referenceOf(json: unknown): OcdsReference | undefined {
  const reference = objectOf(json);
  return reference ? { id: textOf(reference.id), name: textOf(reference.name) } : undefined;
}

/** Every mention of a supplier in a release, in the order of the text; `isRemoved` where an amendment removes it. */
export function mentionsIn(json: JsonObject) {
  const as = (list: unknown, isRemoved = false) => valuesOf(list).map((mention) => ({ mention, isRemoved }));
  const holders = [json.awards, json.contracts].flatMap((list) => listOf(list, objectOf));
  return holders.flatMap(({ suppliers, amendments }) => [
    ...as(suppliers),
    ...listOf(amendments, objectOf).flatMap((one) => [...as(one.suppliersAdded), ...as(one.suppliersRemoved, true)]),
  ]);
}
