import { isRegionName, regionOfCode } from '../../../schema/reference/regions.ts';
import type { FacetName } from '../../../search/filters/facets.ts';
import { rowsOfKind } from '../../../search/filters/read.ts';
import type { FilterRow } from '../../../search/filters/row.ts';
import type { Services } from '../../contract/operation.ts';
import { withQuery } from '../components/links.ts';
import type { SourceTitles } from '../components/source-title.ts';
import { findHits, type Query, type Results, type Scope, shortestQuery } from '../queries/hits.ts';
import type { PartyNames } from './active.tsx';
import { BAND_FIELD, bandBounds, formatBand, lowerBoundOf } from './bands.ts';
import { type FormField, formFields } from './fields.ts';
import { canonicalValue, choicesOf, isParty, isValidValue, labelValue, splitValues } from './values.ts';

export type Counts = Results['facets'];

/** The most values of a facet that are shown, in addition to the chosen ones. */
const VALUES_MAX = 12;

export interface FacetValue {
  value: string;
  label: string;
  /** Null if it was not counted. */
  count: number | null;
  isChosen: boolean;
}

export interface FacetGroup {
  /** The form field of its values. */
  name: string;
  label: string;
  values: readonly FacetValue[];
}

/**
 * Whether counts come with the results. Over a million notices they take 8 to 20 ms of a reader's time if ten
 * thousand match, and 3 ms for open tenders. Other searches offer a link to their counts.
 */
export function countsAtOnce(scope: Scope, query: Query): boolean {
  const asked = Object.keys(shortestQuery(scope, query)).filter((name) => name !== 'sort' && name !== 'cursor');
  return query.facets !== undefined || asked.length === 0 || (scope === 'tenders' && !asked.includes('status'));
}

/** The address of the first page of the search with counts. */
export function countsAddress(scope: Scope, { cursor: _, ...query }: Query): string {
  return withQuery(`/${scope}`, { ...query, facets: '1' });
}

/** The ids of buyers, or of suppliers, that the facets show. */
export function facetParties(kind: 'buyer' | 'company', counts: Counts): string[] {
  const facets = rowsOfKind(kind).flatMap(({ facet }) => facet ?? []);
  return facets.flatMap((facet) => Object.keys(counts[facet] ?? {}).slice(0, VALUES_MAX));
}

/**
 * The values that the fields of a form offer: the chosen ones of each, then its most frequent ones. A field without a chosen
 * value is left out where no value narrows the results.
 * @param counts - null if nothing was counted: the values known without counts are offered
 * @param parties - names of buyers and suppliers by id
 * @param titles - of the services that publish notices
 * @param total - how many results there are
 */
export function groupFacets(
  scope: Scope,
  query: Query,
  counts: Counts | null,
  parties: PartyNames,
  titles: SourceTitles,
  total = 0,
): FacetGroup[] {
  return formFields(scope).flatMap((field) => {
    const { name, heading: label, rows } = field;
    if (rows[0].kind === 'clock') return [];
    const chosen = chosenValues(field, query).filter((value) => rows[0].values !== 'source' || titles.has(value));
    const offered = offeredValues(field, counts, titles);
    const [most, rest] = [new Map(offered), offered.filter(([value]) => !chosen.includes(value))];
    const shown = [
      ...chosen.map((value) => ({ value, count: most.get(value) ?? null, isChosen: true })),
      ...rest.slice(0, VALUES_MAX).map(([value, count]) => ({ value, count, isChosen: false })),
    ];
    const values = shown.flatMap((one) => {
      const said = isParty(rows[0]) ? parties.get(one.value) : sayFacet(field, one.value, titles);
      // The spread does not come first: V8 (Node 20) would give each value its own hidden class.
      return said || one.isChosen ? [{ label: said ?? one.value, ...one }] : [];
    });
    if (!rows[0].several && chosen.length > 0) {
      values.push({ value: '', label: `Any ${label.toLowerCase()}`, count: null, isChosen: false });
    }
    const narrows = values.length > 1 || values.some(({ count, isChosen }) => isChosen || (count ?? total) < total);
    return narrows ? [{ name, label, values }] : [];
  });
}

/**
 * Counts the facets of a search. A facet with a chosen value is
 * counted without its own filter, so that its other values have counts too.
 */
export async function countFacets(services: Services, scope: Scope, query: Query, results: Results): Promise<Counts> {
  const under = formFields(scope).filter(({ facet, rows }) => facet && rows.some(({ name }) => name in query));
  const counted = await Promise.all(
    under.map(async ({ facet, rows }) => {
      const without = { limit: 1, ...(facet && { facets: [facet] }) };
      const names = rows.map(({ name }) => name);
      const found = await findHits(services, scope, withoutFilters(query, names), without);
      return found.results?.facets ?? {};
    }),
  );
  return Object.assign({ ...results.facets }, ...counted);
}

function withoutFilters(query: Query, filters: readonly string[]): Query {
  const others = Object.entries(query).filter(([name]) => !filters.includes(name) && name !== 'cursor');
  return Object.fromEntries(others);
}

/** The valid chosen values, in their canonical form. Bounds have no values to choose. */
function chosenValues({ name, rows: [row] }: FormField, query: Query): string[] {
  const values = splitValues(name, query[name]).filter((value) => !row.several || isValidValue(name, value));
  return [...new Set(values.map((value) => canonicalValue(name, value)))];
}

/** The values of a field with their counts: the counted ones, or those that its form offers without. */
function offeredValues(
  { rows: [row], facet }: FormField,
  counts: Counts | null,
  titles: SourceTitles,
): [string, number | null][] {
  if (counts && facet) return countedValues(row, facet, counts[facet] ?? {});
  return (choicesOf(row, titles) ?? []).map((value) => [value, null]);
}

/** The counted values that are valid filters, sorted. Objects do not keep the order of keys that look like numbers. */
function countedValues(row: FilterRow, facet: FacetName, counts: Readonly<Record<string, number>>): [string, number][] {
  const usable = Object.entries(counts).filter(([value]) => isUsable(row, facet, value));
  if (facet === BAND_FIELD) return usable.toSorted(([a], [b]) => lowerBoundOf(a) - lowerBoundOf(b));
  return usable.toSorted(([, a], [, b]) => b - a);
}

/** Places on no list of regions are counted too, as they were written. */
function isUsable({ values }: FilterRow, facet: FacetName, value: string): boolean {
  if (facet === BAND_FIELD) return bandBounds(value) !== null;
  if (values !== 'region') return true;
  return isRegionName(value) || regionOfCode(value) !== null;
}

function sayFacet({ name, facet, rows: [row] }: FormField, value: string, titles: SourceTitles): string {
  if (facet === BAND_FIELD) return formatBand(value);
  const said = labelValue(name, value, titles);
  return row.values === 'cpv' && said === value ? `CPV ${value}` : said;
}
