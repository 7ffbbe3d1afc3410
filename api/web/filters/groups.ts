import { STAGES } from '../../../schema/catalogue/details.ts';
import { isRegionName, regionOfCode } from '../../../schema/reference/regions.ts';
import type { FacetName } from '../../../search/filters/facets.ts';
import type { Services } from '../../contract/operation.ts';
import { withQuery } from '../components/links.ts';
import type { SourceTitles } from '../components/source-title.ts';
import { findHits, type Query, type Results, type Scope, shortestQuery } from '../queries/hits.ts';
import { BAND_FIELD, bandBounds, formatBand, lowerBoundOf } from './bands.ts';
import { canonicalValue, isMultiValue, isValidValue, labelValue, splitValues } from './values.ts';

/** The facets of a result page, in their order. */
export const PAGE_FACETS = {
  tenders: ['region', 'cpv_division', 'value_band', 'buyer_id', 'notice_type', 'source'],
  notices: ['stage', 'region', 'cpv_division', 'value_band', 'buyer_id', 'notice_type', 'source'],
} as const satisfies Record<Scope, readonly FacetName[]>;

export type PageFacet = (typeof PAGE_FACETS)[Scope][number];
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

/** The form field, filters and label of each facet. */
export const KINDS: Readonly<Record<PageFacet, { field: string; filters: readonly string[]; label: string }>> = {
  stage: { field: 'stage', filters: ['stage'], label: 'Stage' },
  region: { field: 'region', filters: ['region'], label: 'Region' },
  cpv_division: { field: 'cpv', filters: ['cpv'], label: 'What is bought' },
  value_band: { field: BAND_FIELD, filters: ['value_min', 'value_max'], label: 'Value in pounds' },
  buyer_id: { field: 'buyer_id', filters: ['buyer_id'], label: 'Buyer' },
  notice_type: { field: 'notice_type', filters: ['notice_type'], label: 'Notice type' },
  source: { field: 'source', filters: ['source'], label: 'Source' },
};

/** Removes the choice of a buyer. */
const ANY_BUYER: FacetValue = { value: '', label: 'Any buyer', count: null, isChosen: false };

/** The values of facets that can be offered without counts. */
const KNOWN: Partial<Record<PageFacet, readonly string[]>> = {
  stage: STAGES,
  region: [...'CDEFGHIJKLMN'].map((letter) => `UK${letter}`),
};

/**
 * Whether counts come with the results. Over a million notices they take 8 to 20 ms of a reader's time if ten
 * thousand match, and 3 ms for open tenders. Other searches offer a link to their counts.
 */
export function countsAtOnce(scope: Scope, query: Query): boolean {
  const asked = Object.keys(shortestQuery(query)).filter((name) => name !== 'sort' && name !== 'cursor');
  return query.facets !== undefined || asked.length === 0 || (scope === 'tenders' && !asked.includes('status'));
}

/** The address of the first page of the search with counts. */
export function countsAddress(scope: Scope, { cursor: _, ...query }: Query): string {
  return withQuery(`/${scope}`, { ...query, facets: '1' });
}

/** The ids of buyers that the facets show. */
export function facetBuyers(counts: Counts): string[] {
  return Object.keys(counts.buyer_id ?? {}).slice(0, VALUES_MAX);
}

/**
 * The facets of a search: the chosen values of each, then its most frequent ones. A facet with fewer than two values and
 * no chosen one is left out.
 * @param counts - null if nothing was counted: the values known without counts are offered
 * @param buyers - names of buyers by id
 * @param titles - of the services that publish notices
 */
export function groupFacets(
  scope: Scope,
  query: Query,
  counts: Counts | null,
  buyers: ReadonlyMap<string, string>,
  titles: SourceTitles,
): FacetGroup[] {
  const known: typeof KNOWN = { ...KNOWN, source: [...titles.keys()] };
  return PAGE_FACETS[scope].flatMap((name) => {
    const { field, label } = KINDS[name];
    const chosen = chosenValues(name, query).filter((value) => name !== 'source' || titles.has(value));
    const offered = counts ? countedValues(name, counts[name] ?? {}) : (known[name] ?? []).map(uncounted);
    const [most, rest] = [new Map(offered), offered.filter(([value]) => !chosen.includes(value))];
    const shown = [
      ...chosen.map((value) => ({ value, count: most.get(value) ?? null, isChosen: true })),
      ...rest.slice(0, VALUES_MAX).map(([value, count]) => ({ value, count, isChosen: false })),
    ];
    const values = shown.flatMap((one) => {
      const said = name === 'buyer_id' ? buyers.get(one.value) : sayFacet(name, one.value, titles);
      return said || one.isChosen ? [{ ...one, label: said ?? one.value }] : [];
    });
    if (name === 'buyer_id' && chosen.length > 0) values.push(ANY_BUYER);
    return values.length > 1 || chosen.length > 0 ? [{ name: field, label, values }] : [];
  });
}

/**
 * Counts the facets of a search. A facet with a chosen value is
 * counted without its own filter, so that its other values have counts too.
 */
export async function countFacets(services: Services, scope: Scope, query: Query, results: Results): Promise<Counts> {
  const under = PAGE_FACETS[scope].filter((name) => KINDS[name].filters.some((filter) => filter in query));
  const counted = await Promise.all(
    under.map(async (name) => {
      const without = { limit: 1, facets: [name] };
      const found = await findHits(services, scope, withoutFilters(query, KINDS[name].filters), without);
      return found.results?.facets ?? {};
    }),
  );
  return Object.assign({ ...results.facets }, ...counted);
}

function withoutFilters(query: Query, filters: readonly string[]): Query {
  const kept = Object.entries(query).filter(([name]) => !filters.includes(name) && name !== 'cursor');
  return Object.fromEntries(kept);
}

const uncounted = (value: string): [string, null] => [value, null];

/** The valid chosen values, in their canonical form. */
function chosenValues(name: PageFacet, query: Query): string[] {
  const { field } = KINDS[name];
  const values = splitValues(field, query[field]).filter((value) => !isMultiValue(field) || isValidValue(field, value));
  return [...new Set(values.map((value) => canonicalValue(field, value)))];
}

/** The counted values that are valid filters, sorted. Objects do not keep the order of keys that look like numbers. */
function countedValues(name: PageFacet, counts: Readonly<Record<string, number>>): [string, number][] {
  const usable = Object.entries(counts).filter(([value]) => isUsable(name, value));
  if (name === 'value_band') return usable.toSorted(([a], [b]) => lowerBoundOf(a) - lowerBoundOf(b));
  return usable.toSorted(([, a], [, b]) => b - a);
}

/** The whole country is counted separately, but as a filter it includes every region. */
function isUsable(name: PageFacet, value: string): boolean {
  if (name === 'value_band') return bandBounds(value) !== null;
  if (name !== 'region') return true;
  return canonicalValue('region', value).length > 2 && (isRegionName(value) || regionOfCode(value) !== null);
}

function sayFacet(name: PageFacet, value: string, titles: SourceTitles): string {
  if (name === 'value_band') return formatBand(value);
  const said = labelValue(KINDS[name].field, value, titles);
  return name === 'cpv_division' && said === value ? `CPV ${value}` : said;
}
