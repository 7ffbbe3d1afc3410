import type { z } from 'zod';
import { IndexOutdated } from '../../../search/engine.ts';
import { FILTERS } from '../../../search/filters/index.ts';
import { filterNames, rowsOf } from '../../../search/filters/read.ts';
import type { Operation, Services } from '../../contract/operation.ts';
import type { frameworkItem } from '../../operations/frameworks/answer.ts';
import type { contractItem } from '../../operations/search/contract-shapes.ts';
import { searchContracts } from '../../operations/search/contracts.ts';
import { searchFrameworks } from '../../operations/search/frameworks.ts';
import { searchNotices } from '../../operations/search/notices.ts';
import { searchTenders } from '../../operations/search/tenders.ts';
import { findSlip, hintName } from '../../validation/words.ts';
import { usualValues } from '../filters/values.ts';
import { type Outcome, readQuery, refuseWords, runForPage } from './run-operation.ts';

export type Scope = 'notices' | 'tenders' | 'contracts' | 'frameworks';
/** The fields of a search in an address, by their API names. None is blank. */
export type Query = Readonly<Record<string, string>>;

/** A search result. */
export interface Hit {
  notice_id: string;
  title: string;
  buyer?: string | null | undefined;
  buyer_id?: string | undefined;
  published?: string | undefined;
  published_at?: string | undefined;
  ocid?: string | undefined;
  deadline?: string | null | undefined;
  tender_expected?: string | undefined;
  value?: number | null | undefined;
  currency?: string | undefined;
  region?: string | undefined;
  also_on?: readonly string[] | undefined;
  stage?: string | undefined;
  source?: string | undefined;
  extract?: string | undefined;
  highlight?: string | undefined;
}

/** A contract that was found. */
export type ContractHit = z.input<typeof contractItem>;

/** A framework that was found. */
export type FrameworkHit = z.input<typeof frameworkItem>;

/** What a search of each scope finds. */
interface HitOf {
  notices: Hit;
  tenders: Hit;
  contracts: ContractHit;
  frameworks: FrameworkHit;
}

export interface Results<One = Hit> {
  items: readonly One[];
  total: number;
  /** False where there may be more than `total`. */
  exact: boolean;
  next: string | null | undefined;
  /** Corrected typing errors. */
  corrections: readonly { from: string; to: string }[];
  /** Facet -> value -> number of results. */
  facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Source -> the instant up to which its data is complete. */
  asOf: Readonly<Record<string, string | null>>;
  /** If nothing matches all words: how many results match some, and the first of them. */
  any?: number | undefined;
  some?: Results<One>;
}

/** Either the results, or sentences that say why the search was not run. */
export type FoundHits<One = Hit> =
  | { results: Results<One>; faults: readonly string[] }
  | { results: null; faults: readonly string[] };

/** Fields that the page sets itself, not the address. */
const PRESENTATION = ['limit', 'facets', 'fields', 'detail', 'highlight'];
/** Defaults of each search, and fields that do not change what is found. */
const PRESUMED: Readonly<Record<Scope, Query>> = {
  notices: presumedOf('notices'),
  tenders: presumedOf('tenders'),
  contracts: presumedOf('contracts'),
  frameworks: presumedOf('frameworks'),
};
const OPERATIONS: Readonly<Record<Scope, Operation>> = {
  notices: searchNotices as unknown as Operation,
  tenders: searchTenders as unknown as Operation,
  contracts: searchContracts as unknown as Operation,
  frameworks: searchFrameworks as unknown as Operation,
};

function presumedOf(scope: Scope): Query {
  return { query: '*', match: 'all', sort: 'relevance', facets: '1', ...usualValues(scope) };
}

/**
 * Reads the search of an address: known fields that are not blank, in the API's order. Unknown names are left out. The page
 * chooses the facets; the address only says whether to count them.
 */
export function readSearchQuery(scope: Scope, sent: Record<string, unknown>): Query {
  const fields = Object.entries(readQuery(OPERATIONS[scope], sent));
  const filters = fields.filter(([name]) => !PRESENTATION.includes(name)).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(filters), ...(fields.some(([name]) => name === 'facets') && { facets: '1' }) };
}

/**
 * Why names in an address are refused that were meant as filters of its search: misspelt ones, and those of another search.
 * A page shows that they narrow nothing; nobody looks at a feed.
 */
export function refuseNames(scope: Scope, sent: Readonly<Record<string, unknown>>): string[] {
  const names = ['query', ...filterNames(scope)];
  return Object.keys(sent).flatMap((name) => {
    if (name in OPERATIONS[scope].input.shape) return [];
    // An address copied from the source of a page has `&amp;`; some programs write lists as `region[]`.
    const bare = name.slice(0, 64).replace(/^amp;|\[\d*\]$/g, '');
    const hint = hintName(bare, names, rowsOf(scope), findSlip);
    const isMeant = !hint.startsWith('; there are') || FILTERS.some((row) => row.name === bare);
    // Some hints name a call of the API.
    return isMeant ? `Unknown parameter '${name.slice(0, 64)}'${hint.includes('{') ? '' : hint}` : [];
  });
}

/** The words and filters of a form as the search's inputs, in the types of JSON. */
export function readSearchInput(scope: Scope, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names: readonly string[] = ['query', ...filterNames(scope)];
  return Object.fromEntries(
    Object.entries(readQuery(OPERATIONS[scope], sent)).filter(([name]) => names.includes(name)),
  );
}

/** The same search without default values. */
export function shortestQuery(scope: Scope, query: Query): Query {
  return Object.fromEntries(Object.entries(query).filter(([name, value]) => PRESUMED[scope][name] !== value));
}

/** Searches with the API's operation. Matching words are highlighted. */
export async function findHits<S extends Scope>(
  services: Services,
  scope: S,
  query: Query,
  presented: { limit?: number; facets?: readonly string[] },
): Promise<FoundHits<HitOf[S]>> {
  const faults = refuseWords(query.query);
  if (faults.length > 0) return { results: null, faults };
  const { facets, limit } = presented;
  const words = query.query !== undefined && query.query !== '*';
  const operation = OPERATIONS[scope];
  const asked = {
    query: '*',
    ...readQuery(operation, query),
    ...(limit && { limit }),
    ...(words && { highlight: true }),
  };
  const counted = facets ? { ...asked, facets: facets.join(',') } : asked;
  const found = await runForPage(operation, counted, services).catch((error: unknown) => {
    // An older index may lack one of the facets.
    if (!facets || !(error instanceof IndexOutdated)) throw error;
    return runForPage(operation, asked, services);
  });
  return toFound(found as Outcome<SearchBody<HitOf[S]>>);
}

/** Like `findHits`. If nothing matches all words, results that match some are added. */
export async function findHitsOrSome<S extends Scope>(
  services: Services,
  scope: S,
  query: Query,
  presented: { limit?: number; facets?: readonly string[] },
): Promise<FoundHits<HitOf[S]>> {
  const found = await findHits(services, scope, query, presented);
  if (!found.results?.any) return found;
  const { facets: _, ...same } = presented;
  const { results: some } = await findHits(services, scope, { ...query, match: 'any' }, same);
  return some ? { ...found, results: { ...found.results, some } } : found;
}

interface SearchBody<One> {
  items: readonly One[];
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

function toFound<One>(found: Outcome<SearchBody<One>>): FoundHits<One> {
  if (found.kind === 'refused') return { results: null, faults: found.faults };
  if (found.kind === 'nothing') return { results: null, faults: [found.message] };
  const { items, total = 0, total_is, facets = {}, meta } = found.body;
  const { next_cursor: next, corrections, as_of: asOf, any } = meta;
  return { results: { items, total, exact: total_is === 'exact', next, corrections, facets, asOf, any }, faults: [] };
}
