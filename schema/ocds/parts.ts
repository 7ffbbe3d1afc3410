import { listOf, numberOf, objectOf, textOf } from '../text/json-values.ts';
import type {
  OcdsAddress,
  OcdsAmendment,
  OcdsClassification,
  OcdsDocument,
  OcdsIdentifier,
  OcdsPeriod,
  OcdsReference,
  OcdsRelatedProcess,
  OcdsValue,
} from './types.ts';

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

/** A document, or undefined where the value is no object. */
export function documentOf(json: unknown): OcdsDocument | undefined {
  const document = objectOf(json);
  if (!document) return undefined;
  return {
    id: textOf(document.id),
    documentType: textOf(document.documentType),
    noticeType: textOf(document.noticeType),
    title: textOf(document.title),
    description: textOf(document.description),
    url: textOf(document.url),
    datePublished: textOf(document.datePublished),
    language: textOf(document.language),
  };
}

/** An amendment, or undefined where the value is no object. Its rationale stands in for a missing description. */
export function amendmentOf(json: unknown): OcdsAmendment | undefined {
  const amendment = objectOf(json);
  if (!amendment) return undefined;
  return {
    id: textOf(amendment.id),
    date: textOf(amendment.date),
    description: textOf(amendment.description) ?? textOf(amendment.rationale),
    value: moneyOf(amendment.value),
    period: periodOf(amendment.period),
    suppliersAdded: listOf(amendment.suppliersAdded, referenceOf),
    suppliersRemoved: listOf(amendment.suppliersRemoved, referenceOf),
  };
}

/**
 * A value with its amounts as numbers, or undefined where it is no object. An amount that is no number is kept as
 * text in `unreadable`.
 */
export function moneyOf(json: unknown): OcdsValue | undefined {
  const value = objectOf(json);
  if (!value) return undefined;
  const unreadable = [value.amount, value.amountGross].find((one) => textOf(one) && numberOf(one) === undefined);
  return {
    amount: numberOf(value.amount),
    amountGross: numberOf(value.amountGross),
    currency: textOf(value.currency)?.toUpperCase(),
    ...(unreadable === undefined ? {} : { unreadable: textOf(unreadable) }),
  };
}

/** A period, its dates as published, or undefined where the value is no object. */
export function periodOf(json: unknown): OcdsPeriod | undefined {
  const period = objectOf(json);
  if (!period) return undefined;
  return {
    startDate: textOf(period.startDate),
    endDate: textOf(period.endDate),
    maxExtentDate: textOf(period.maxExtentDate),
    durationInDays: numberOf(period.durationInDays),
    durationInMonths: numberOf(period.durationInMonths),
  };
}

/** An identifier, or undefined where the value is no object. */
export function identifierOf(json: unknown): OcdsIdentifier | undefined {
  const identifier = objectOf(json);
  if (!identifier) return undefined;
  return {
    scheme: textOf(identifier.scheme),
    id: textOf(identifier.id),
    legalName: textOf(identifier.legalName),
  };
}

/** A classification, or undefined where the value is no object. */
export function classificationOf(json: unknown): OcdsClassification | undefined {
  const classification = objectOf(json);
  if (!classification) return undefined;
  return {
    scheme: textOf(classification.scheme),
    id: textOf(classification.id),
    description: textOf(classification.description),
  };
}

/** A place of the location extension, read as a code with its words. */
export function locationOf(json: unknown): OcdsClassification | undefined {
  const location = objectOf(json);
  if (!location) return undefined;
  const [id] = listOf(objectOf(location.gazetteer)?.identifiers, textOf);
  return { id, description: textOf(location.description) };
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

/** A reference to an organisation by id and name, or undefined where the value is no object. */
export function referenceOf(json: unknown): OcdsReference | undefined {
  const reference = objectOf(json);
  return reference ? { id: textOf(reference.id), name: textOf(reference.name) } : undefined;
}
