import { parseOcid } from '../../schema/text/ids.ts';
import type { SearchQuery } from '../engine.ts';
import type { SearchFilters } from '../filters/index.ts';
import { BOUND_ROWS, TOKEN_ROWS, wantedBound, wantedValues } from '../filters/read.ts';
import type { BoundField, ExactRow, PrefixRow } from '../filters/row.ts';
import type { Identifier } from '../query/pieces.ts';
import { secondsOf } from './documents.ts';

const PLACE = 'place';
/** Whatever an order may need of a document. */
export const ORDERED_BY = [PLACE, 'deadline_seconds', 'pounds', 'ceiling_pounds'] as const;
const SORTED_BY: Record<string, Order['attribute']> = { published: PLACE, deadline: 'deadline_seconds' };

/** Midnight (UTC) of the London date. */
const DAYS: Partial<Record<BoundField, string>> = { published: 'published_seconds', deadline: 'deadline_day' };

/** A framework's value is its ceiling, whatever the notice it is found through says. */
function valueAttribute(scope: SearchQuery['scope']): 'ceiling_pounds' | 'pounds' {
  return scope === 'frameworks' ? 'ceiling_pounds' : 'pounds';
}

/** The conditions of a query: all must hold. Every value is quoted and escaped. */
export function filterConditions({ scope, filters, now }: SearchQuery): string[] {
  const conditions = [equals('scopes', scope), ...listConditions(filters), ...boundConditions(scope, filters)];
  if (scope !== 'tenders') return conditions;
  const status = filters.status ?? 'open';
  const nowSeconds = now.getTime() / 1_000;
  if (status === 'open') conditions.push(`open_until > ${nowSeconds}`);
  if (status === 'closed') conditions.push(`(open_until NOT EXISTS OR open_until <= ${nowSeconds})`);
  return conditions;
}

/** What an identifier typed as a query means: whichever of its readings holds. What looks like a code may also merely stand in a text. */
export function identifierCondition({ cpv, notice_id, ocid, company_number, words }: Identifier): string {
  const readings = [
    cpv && equals('cpvs', cpv),
    notice_id && equals('notice_id', notice_id),
    // An old notice of Contracts Finder is numbered with its ocid and more.
    ocid && `${equals('ocid', parseOcid(ocid) ?? ocid)} OR ${equals('notice_id', ocid)}`,
    company_number && equals('company_numbers', company_number),
    (cpv || company_number) && equals('said_codes', words[0] ?? ''),
  ];
  return `(${readings.filter(Boolean).join(' OR ')})`;
}

/** What documents are ordered by, all of them: those that lack it come last, and the newest of equals first. */
export interface Order {
  attribute: (typeof ORDERED_BY)[number];
  descending: boolean;
}

/** The order that was asked for; null for relevance. Without words the newest come first. */
export function orderOf({ scope, sort }: Pick<SearchQuery, 'scope' | 'sort'>, hasWords: boolean): Order | null {
  const named = sort === undefined || sort === 'relevance' ? (hasWords ? null : '-published') : sort;
  if (named === null) return null;
  const attribute = SORTED_BY[named.replace('-', '')] ?? valueAttribute(scope);
  return { attribute, descending: named.startsWith('-') };
}

/** An order as the server takes it. */
export function sortRules({ attribute, descending }: Order): string[] {
  const rule = `${attribute}:${descending ? 'desc' : 'asc'}`;
  return attribute === PLACE ? [rule] : [rule, `${PLACE}:desc`];
}

/** What comes after a document in an order, so that a page begins right there however many arrived before it. */
export function afterCondition({ attribute, descending }: Order, { value, place }: Standpoint): string {
  const beyond = `${attribute} ${descending ? '<' : '>'}`;
  if (attribute === PLACE) return `${beyond} ${place}`;
  if (value === null) return `(${attribute} NOT EXISTS AND ${PLACE} < ${place})`;
  return `(${beyond} ${value} OR (${attribute} = ${value} AND ${PLACE} < ${place}) OR ${attribute} NOT EXISTS)`;
}

/** Where a document stands in an order. */
export interface Standpoint {
  /** What it is ordered by; null where it lacks that. */
  value: number | null;
  place: number;
}

/** `attribute = "value"`, whatever the value holds. */
export function equals(attribute: string, value: string): string {
  return `${attribute} = "${value.replace(/[\\"]/g, '\\$&')}"`;
}

/** The attribute that a list filter compares; for codes it holds every beginning of each. */
export function listAttribute(row: ExactRow | PrefixRow): string {
  return row.kind === 'exact' ? row.field : `${row.name}_parts`;
}

function listConditions(filters: SearchFilters): string[] {
  return TOKEN_ROWS.flatMap((row) => {
    const conditions = wantedValues(filters, row)?.map((value) => equals(listAttribute(row), value));
    return conditions ? [`(${conditions.join(' OR ')})`] : [];
  });
}

function boundConditions(scope: SearchQuery['scope'], filters: SearchFilters): string[] {
  return BOUND_ROWS.flatMap((row) => {
    const bound = wantedBound(filters, row);
    if (bound === undefined) return [];
    const attribute = row.field === 'value' ? valueAttribute(scope) : DAYS[row.field];
    if (!attribute) return [];
    return [`${attribute} ${row.comparison} ${typeof bound === 'number' ? bound : secondsOf(`${bound}T00:00:00Z`)}`];
  });
}
