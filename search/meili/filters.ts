import { parseOcid } from '../../schema/ids.ts';
import type { SearchFilters, SearchQuery } from '../engine.ts';
import type { Identifier } from '../query.ts';
import { secondsOf } from './documents.ts';

const SORTED_BY: Record<string, string> = { published: 'published_seconds', deadline: 'deadline_seconds' };

/** A framework's value is its ceiling, whatever the notice it is found through says. */
function valueAttribute(scope: SearchQuery['scope']): string {
  return scope === 'frameworks' ? 'ceiling_pounds' : 'pounds';
}

/** Conditions of a query, all of which must hold. Values are quoted and escaped, never spliced in bare. */
export function filterConditions({ scope, filters, now }: SearchQuery): string[] {
  const conditions = [equals('scopes', scope), ...exactConditions(filters), ...boundConditions(scope, filters)];
  if (scope !== 'tenders') return conditions;
  const status = filters.status ?? 'open';
  const nowSeconds = now.getTime() / 1_000;
  if (status === 'open') conditions.push(`open_until > ${nowSeconds}`);
  if (status === 'closed') conditions.push(`(open_until NOT EXISTS OR open_until <= ${nowSeconds})`);
  return conditions;
}

/** What an identifier typed as a query means: whichever of its readings holds. */
export function identifierCondition({ cpv, notice_id, ocid, company_number }: Identifier): string {
  const readings = [
    cpv && equals('cpvs', cpv),
    notice_id && equals('notice_id', notice_id),
    ocid && equals('ocid', parseOcid(ocid) ?? ocid),
    company_number && equals('company_numbers', company_number),
  ];
  return `(${readings.filter(Boolean).join(' OR ')})`;
}

/** The sort that was asked for; none for relevance. Without words the newest come first. */
export function sortRules({ scope, sort }: Pick<SearchQuery, 'scope' | 'sort'>, hasWords: boolean): string[] {
  const named = sort === undefined || sort === 'relevance' ? (hasWords ? null : '-published') : sort;
  if (named === null) return [];
  const attribute = SORTED_BY[named.replace('-', '')] ?? valueAttribute(scope);
  return [`${attribute}:${named.startsWith('-') ? 'desc' : 'asc'}`];
}

/** `attribute = "value"`, whatever the value holds. */
export function equals(attribute: string, value: string): string {
  return `${attribute} = "${value.replace(/[\\"]/g, '\\$&')}"`;
}

function exactConditions(filters: SearchFilters): string[] {
  const named = {
    buyer_id: filters.buyer_id,
    source: filters.source,
    stage: filters.stage,
    notice_type: filters.notice_type,
    cpv_parts: filters.cpv,
    region_parts: filters.region,
  };
  return Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [equals(name, value)]));
}

function boundConditions(scope: SearchQuery['scope'], filters: SearchFilters): string[] {
  const value = valueAttribute(scope);
  const day = (date: string | undefined) => (date === undefined ? undefined : secondsOf(`${date}T00:00:00Z`));
  const numbers = [
    [`${value} >=`, filters.value_min],
    [`${value} <=`, filters.value_max],
    ['published_seconds >=', day(filters.published_from)],
    ['published_seconds <=', day(filters.published_to)],
    ['deadline_day >=', day(filters.deadline_from)],
    ['deadline_day <=', day(filters.deadline_to)],
  ] as const;
  return numbers.flatMap(([comparison, bound]) => (bound === undefined ? [] : [`${comparison} ${bound}`]));
}
