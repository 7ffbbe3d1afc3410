import type { Services } from '../../contract/operation.ts';
import { searchNotices } from '../../operations/search/notices.ts';
import { searchTenders } from '../../operations/search/tenders.ts';
import { type Asked, ask, readQuery, refuseWords } from './run-operation.ts';

export type Scope = 'notices' | 'tenders';
/** The fields of a search as an address holds them, under the API's own names: one text each, none of them blank. */
export type Query = Readonly<Record<string, string>>;

/** One line of a search answer: what a reader needs to choose. */
export interface Hit {
  notice_id: string;
  title: string;
  buyer?: string | null | undefined;
  buyer_id?: string | undefined;
  published?: string | undefined;
  published_at?: string | undefined;
  ocid?: string | undefined;
  deadline?: string | null | undefined;
  value?: number | null | undefined;
  currency?: string | undefined;
  region?: string | undefined;
  stage?: string | undefined;
  source?: string | undefined;
  extract?: string | undefined;
  highlight?: string | undefined;
}

export interface Results {
  items: readonly Hit[];
  total: number;
  /** False where there may be more than `total`. */
  exact: boolean;
  next: string | null | undefined;
  /** Typing mistakes that were forgiven. */
  corrections: readonly { from: string; to: string }[];
  /** Facet -> value -> how many of the results have it. */
  facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Source -> the instant up to which everything is held. */
  asOf: Readonly<Record<string, string | null>>;
  /** Where nothing has all of the words: how many have some, and the first of them. */
  any?: number | undefined;
  some?: Results;
}

/** Either what was found, or in sentences why the search was not run. */
export type FoundHits = { results: Results; faults: readonly string[] } | { results: null; faults: readonly string[] };

/** How a page presents its results is the page's own: an address does not say. */
const PRESENTATION = ['limit', 'facets', 'fields', 'detail', 'highlight'];
/** What a search presumes where the address is silent, and what changes nothing of what is found. */
const PRESUMED: Query = { query: '*', match: 'all', sort: 'relevance', status: 'open', facets: '1' };

/**
 * What an address asks for: the known fields that are not blank, in the API's order. Foreign names are left out; which
 * facets are counted is the page's choice, the address says no more than that they are wanted.
 */
export function readSearchQuery(scope: Scope, came: Record<string, unknown>): Query {
  const held = Object.entries(readQuery(scope === 'notices' ? searchNotices : searchTenders, came));
  const asked = held.filter(([name]) => !PRESENTATION.includes(name)).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(asked), ...(held.some(([name]) => name === 'facets') && { facets: '1' }) };
}

/** The same search in its shortest address: what is presumed anyway is left out. */
export function shortestQuery(query: Query): Query {
  return Object.fromEntries(Object.entries(query).filter(([name, value]) => PRESUMED[name] !== value));
}

/** Asks the same operation as the API. What was asked in words is marked where it stands. */
export async function findHits(
  services: Services,
  scope: Scope,
  query: Query,
  presented: { limit?: number; facets?: readonly string[] } = {},
): Promise<FoundHits> {
  const faults = refuseWords(query.query);
  if (faults.length > 0) return { results: null, faults };
  const { facets, limit } = presented;
  const words = query.query !== undefined && query.query !== '*';
  const more = {
    ...(limit && { limit }),
    ...(facets && { facets: facets.join(',') }),
    ...(words && { highlight: true }),
  };
  return toFound(
    scope === 'notices'
      ? await ask(searchNotices, { ...readQuery(searchNotices, query), ...more }, services)
      : await ask(searchTenders, { query: '*', ...readQuery(searchTenders, query), ...more }, services),
  );
}

/** As `findHits`; where nothing has all of the words, what has some comes with it. */
export async function findHitsOrSome(
  services: Services,
  scope: Scope,
  query: Query,
  presented: { limit?: number; facets?: readonly string[] } = {},
): Promise<FoundHits> {
  const found = await findHits(services, scope, query, presented);
  if (!found.results?.any) return found;
  const { facets: _, ...same } = presented;
  const { results: some } = await findHits(services, scope, { ...query, match: 'any' }, same);
  return some ? { ...found, results: { ...found.results, some } } : found;
}

interface SearchBody {
  items: readonly Hit[];
  total?: number | undefined;
  total_is?: 'exact' | 'at_least' | undefined;
  facets?: Record<string, Record<string, number>> | undefined;
  meta: {
    next_cursor: string | null;
    any?: number | undefined;
    corrections: { from: string; to: string }[];
    as_of: Record<string, string | null>;
  };
}

function toFound(found: Asked<SearchBody>): FoundHits {
  if (found.kind === 'refused') return { results: null, faults: found.faults };
  if (found.kind === 'nothing') return { results: null, faults: [found.message] };
  const { items, total = 0, total_is, facets = {}, meta } = found.body;
  const { next_cursor: next, corrections, as_of: asOf, any } = meta;
  return { results: { items, total, exact: total_is === 'exact', next, corrections, facets, asOf, any }, faults: [] };
}
