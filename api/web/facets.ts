import { CPV_DIVISIONS } from '../../schema/cpv.ts';
import { regionOfCode } from '../../schema/regions.ts';
import type { FacetName } from '../../search/engine.ts';
import { noticeFilters } from '../operations/shared/search-inputs.ts';
import { type Query, type Results, type Scope, shortestQuery } from './find-hits.ts';
import { labelNoticeType, labelSource, labelStage } from './labels.ts';
import { withQuery } from './links.ts';

/** The facets of a result page, in the order in which they stand. */
export const PAGE_FACETS = {
  tenders: ['region', 'cpv_division', 'value_band', 'buyer_id', 'notice_type', 'source'],
  notices: ['stage', 'region', 'cpv_division', 'value_band', 'buyer_id', 'notice_type', 'source'],
} as const satisfies Record<Scope, readonly FacetName[]>;

const WHOLE_COUNTRY = 'United Kingdom';
/** Values shown of each: the most frequent. */
const VALUES_MAX = 12;

export interface FacetValue {
  label: string;
  count: number;
  /** The same search with the value as its filter. */
  href: string;
}

export interface FacetGroup {
  name: string;
  label: string;
  values: readonly FacetValue[];
}

type PageFacet = (typeof PAGE_FACETS)[Scope][number];

interface Kind {
  label: string;
  /** The value as a filter; null where the API takes no such one. */
  filter(value: string): Query | null;
  /** The names of those filters. */
  filters: readonly string[];
  say(value: string): string;
}

const sameName = (name: string, label: string, say: (value: string) => string): Kind => ({
  label,
  filters: [name],
  filter: (value) => ({ [name]: value }),
  say,
});

const KINDS: Readonly<Record<PageFacet, Kind>> = {
  region: {
    ...sameName('region', 'Region', (value) => regionOfCode(value)?.name ?? value),
    filter: (value) => (isPlace(value) ? { region: value } : null),
  },
  cpv_division: {
    label: 'What is bought',
    filters: ['cpv'],
    filter: (value) => ({ cpv: value }),
    say: (value) => CPV_DIVISIONS.find(({ code }) => code === value)?.name ?? `CPV ${value}`,
  },
  value_band: { label: 'Value', filters: ['value_min', 'value_max'], filter: bandFilter, say: sayBand },
  stage: sameName('stage', 'Stage', labelStage),
  notice_type: sameName('notice_type', 'Notice type', labelNoticeType),
  source: sameName('source', 'Source', labelSource),
  buyer_id: sameName('buyer_id', 'Buyer', (value) => value),
};

/** The whole country is told apart from its regions in a notice; as a filter it means every one of them. */
function isPlace(region: string): boolean {
  return region !== WHOLE_COUNTRY && noticeFilters.region.safeParse(region).success;
}

/**
 * Whether counts come with the results unasked. Over a million notices they take 8 to 20 ms of a reader's time where ten
 * thousand match, against 3 for the few that can be bid for now: so elsewhere they come by a link.
 */
export function countsAtOnce(scope: Scope, query: Query): boolean {
  const asked = Object.keys(shortestQuery(query)).filter((name) => name !== 'sort' && name !== 'cursor');
  return query.facets !== undefined || asked.length === 0 || (scope === 'tenders' && !asked.includes('status'));
}

/** The same search with its counts. */
export function countsAddress(scope: Scope, query: Query): string {
  return addressOf(scope, query, { facets: '1' });
}

/** Buyers whose names the groups of these results would show. */
export function facetBuyers({ facets }: Results): string[] {
  return Object.keys(facets.buyer_id ?? {}).slice(0, VALUES_MAX);
}

/**
 * The counts of a search as links that add a filter. A facet whose filter is in force is left out, as that filter stands
 * above the results with the link that takes it away; so is one with a single value, which would narrow nothing.
 * @param buyers - names of buyers by their id
 */
export function groupFacets(
  scope: Scope,
  query: Query,
  results: Results,
  buyers: ReadonlyMap<string, string>,
): FacetGroup[] {
  return PAGE_FACETS[scope].flatMap((name) => {
    const kind = KINDS[name];
    if (kind.filters.some((filter) => filter in query)) return [];
    const link = (value: string, count: number): FacetValue[] => {
      const filter = kind.filter(value);
      const label = name === 'buyer_id' ? buyers.get(value) : kind.say(value);
      return filter && label ? [{ label, count, href: addressOf(scope, query, filter) }] : [];
    };
    const counted = Object.entries(results.facets[name] ?? {});
    // Values that look like numbers lose their place in an object: they are put in order again.
    const ordered = counted.sort(([a, most], [b, more]) =>
      name === 'value_band' ? lowestOf(a) - lowestOf(b) : more - most,
    );
    const values = ordered.slice(0, VALUES_MAX).flatMap(([value, count]) => link(value, count));
    return values.length > 1 ? [{ name, label: kind.label, values }] : [];
  });
}

/** A page of the list belongs to the search without the filter. */
function addressOf(scope: Scope, { cursor: _, ...query }: Query, filter: Query): string {
  return withQuery(`/${scope}`, { ...query, ...filter });
}

const BAND = /^(\d+)(?:-(\d+)|\+)$/;

function bandFilter(band: string): Query | null {
  const [, least, most] = BAND.exec(band) ?? [];
  if (least === undefined) return null;
  return { ...(least !== '0' && { value_min: least }), ...(most !== undefined && { value_max: most }) };
}

function lowestOf(band: string): number {
  return Number(BAND.exec(band)?.[1] ?? 0);
}

function sayBand(band: string): string {
  const [, least = '0', most] = BAND.exec(band) ?? [];
  if (most === undefined) return `${sayPounds(Number(least))} and more`;
  const until = sayPounds(Number(most) + 1);
  return least === '0' ? `Below ${until}` : `${sayPounds(Number(least))} to ${until}`;
}

function sayPounds(pounds: number): string {
  return pounds < 1_000_000 ? `£${pounds.toLocaleString('en-GB')}` : `£${pounds / 1_000_000} million`;
}
