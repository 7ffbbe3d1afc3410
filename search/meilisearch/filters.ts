import { parseOcid } from '../../schema/text/ids.ts';
import { collectionOf, comparisonsOf, type Order, tokenRows, wantedBounds } from '../collections/index.ts';
import type { Collection } from '../collections/shape.ts';
import { dayNumber } from '../documents/days.ts';
import type { SearchQuery } from '../engine.ts';
import { fieldsOf, wantedValues } from '../filters/read.ts';
import type { ExactRow, FlagRow, PrefixRow } from '../filters/row.ts';
import type { Identifier } from '../query/pieces.ts';

const PLACE = 'place';
/** Everything that an order may need from a document. */
export const orderedBy = ({ compared }: Collection): string[] => [
  PLACE,
  ...compared.flatMap(({ name, sorts }) => (sorts ? [name] : [])),
];

/** The conditions of a query: all must hold. Every value is quoted and escaped. */
export function filterConditions(query: SearchQuery): string[] {
  const collection = collectionOf(query);
  const flag = collection.wantedFlag(query);
  const compared = comparisonsOf(query).map(({ column, operator, value, orNone }) => {
    const condition = `${column} ${operator} ${value}`;
    return orNone ? `(${column} NOT EXISTS OR ${condition})` : condition;
  });
  return [
    ...(flag === null ? [] : [equals('standings', flag)]),
    ...listConditions(query, collection),
    ...dayConditions(query, collection),
    ...compared,
  ];
}

/** What an identifier typed as a query means: any of its readings. A text may also contain it by chance. */
export function identifierCondition({ cpv, notice_id, ocid, company_number, district, words }: Identifier): string {
  const readings = [
    cpv && equals('cpvs', cpv),
    notice_id && equals('notice_id', notice_id),
    // An old notice of Contracts Finder is numbered with its ocid and more.
    ocid && `${equals('ocid', parseOcid(ocid) ?? ocid)} OR ${equals('notice_id', ocid)}`,
    company_number && equals('company_numbers', company_number),
    district && equals('districts', district),
    (cpv || company_number) && equals('said_codes', words[0] ?? ''),
  ];
  return `(${readings.filter(Boolean).join(' OR ')})`;
}

/** The attribute of an order. */
export const attributeOf = ({ column }: Order): string => column ?? PLACE;

/** An order as the server takes it: equals are newest first. */
export function sortRules(order: Order): string[] {
  const rule = `${attributeOf(order)}:${order.descending ? 'desc' : 'asc'}`;
  return order.column === null ? [rule] : [rule, `${PLACE}:desc`];
}

/** Matches what comes after a document in an order, so that a page begins right there however many arrived before it. */
export function afterCondition(order: Order, { value, place }: Standpoint): string {
  const attribute = attributeOf(order);
  const beyond = `${attribute} ${order.descending ? '<' : '>'}`;
  if (order.column === null) return `${beyond} ${place}`;
  if (value === null) return `(${attribute} NOT EXISTS AND ${PLACE} < ${place})`;
  return `(${beyond} ${value} OR (${attribute} = ${value} AND ${PLACE} < ${place}) OR ${attribute} NOT EXISTS)`;
}

/** The position of a document in an order. */
interface Standpoint {
  /** What it is ordered by; null where it lacks that. */
  value: number | null;
  place: number;
}

/** `attribute = "value"`, whatever the value holds. */
function equals(attribute: string, value: string): string {
  return `${attribute} = "${value.replace(/[\\"]/g, '\\$&')}"`;
}

/** The attributes that an exact filter compares; for codes it holds every beginning of each. */
export function listAttributes(row: ExactRow | PrefixRow | FlagRow): readonly string[] {
  return row.kind === 'prefix' ? [`${row.name}_parts`] : fieldsOf(row);
}

function listConditions({ filters }: SearchQuery, collection: Collection): string[] {
  return tokenRows(collection).flatMap((row) => {
    const conditions = wantedValues(filters, row)?.flatMap((value) =>
      listAttributes(row).map((one) => (row.kind === 'flag' ? `${one} = ${value}` : equals(one, value))),
    );
    return conditions ? [`(${conditions.join(' OR ')})`] : [];
  });
}

function dayConditions(query: SearchQuery, { day }: Collection): string[] {
  return wantedBounds(query).flatMap(({ row, bound }) =>
    row.field === day.field ? [`day ${row.comparison} ${dayNumber(String(bound))}`] : [],
  );
}
