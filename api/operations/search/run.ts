import { omitEmpty } from '../../../schema/answers/omit-empty.ts';
import { statusNow } from '../../../schema/catalogue/live.ts';
import { placeOf } from '../../../schema/reference/regions.ts';
import { readSigned, signText } from '../../../schema/text/signed.ts';
import { collectionOf } from '../../../search/collections/index.ts';
import {
  type AnyHit,
  BadCursor,
  type Match,
  type Scope,
  type SearchAnswer,
  type SearchEngine,
  type SearchHit,
  type SearchQuery,
  type SearchSort,
} from '../../../search/engine.ts';
import type { FacetName } from '../../../search/filters/facets.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { withOriginal } from '../../../search/names/notices.ts';
import { countParts, parseQuery, saysNothing } from '../../../search/query/parse.ts';
import { carryCursor } from '../../../search/results/cursor.ts';
import { InvalidInput } from '../../contract/errors.ts';
import type { Services } from '../../contract/operation.ts';
import { readFreshness } from '../../reads/sources.ts';
import {
  effectiveFilters,
  type GivenFilters,
  ID_FILTERS,
  parseFacets,
  readValues,
  sayFilters,
} from '../filters/apply.ts';
import { findUnknownFilters, UNKNOWN_KEPT, UNKNOWN_MAX, type UnknownFilters } from '../filters/known.ts';
import { queryWords } from '../shared/inputs.ts';

/** Inputs that every search has. */
interface SearchInput extends GivenFilters {
  query?: string | undefined;
  match: Match;
  limit: number;
  cursor?: string | undefined;
  sort?: SearchSort | undefined;
  facets?: string | undefined;
  detail?: string | undefined;
  fields?: string | undefined;
  highlight: boolean;
}

interface Searched<Hit extends AnyHit = SearchHit> {
  answer: SearchAnswer<Hit>;
  /** Everything in the result except its items. */
  frame: ReturnType<typeof toFrame>;
}

/** Asks the engine of notices. An identifier of the buyer becomes its buyer_id first. @throws InvalidInput for a cursor of another query. */
export function search(services: Services, scope: Exclude<Scope, 'contracts'>, input: SearchInput): Promise<Searched> {
  return searchIn(services.search, services, scope, input);
}

/** Asks the engine of a given scope; otherwise like `search`. @throws InvalidInput for a cursor of another query. */
export async function searchIn<Hit extends AnyHit>(
  engine: SearchEngine<Hit>,
  services: Services,
  scope: Scope,
  input: SearchInput,
): Promise<Searched<Hit>> {
  const collection = collectionOf({ scope });
  const filters = await effectiveFilters(services.catalogue, filtersOf(input));
  const facets = parseFacets(input.facets, collection.facets);
  const query: SearchQuery = {
    scope,
    text: await withOriginal(services.catalogue, input.query ?? '*'),
    match: input.match,
    filters,
    limit: input.limit,
    now: services.clocks.catalogueNow(),
    ...omitEmpty({ sort: input.sort, cursor: input.cursor, highlight: input.highlight || null }),
    ...(facets.length > 0 && { facets }),
  };
  const answer = saysNothing(query.text)
    ? nothingFound(engine, facets)
    : await findOrRefuse(engine, services.secret, query, idsAsGiven(filters, filtersOf(input)));
  const unknown = await findUnknownFilters(services.catalogue, filters, { found: answer.total > 0 });
  const any = await countAny(engine, query, answer);
  const asOf = await readFreshness(services.catalogue);
  return { answer, frame: toFrame(input, filters, answer, { asOf, unknown, any, newest: collection.newest }) };
}

/** How many contain some of the words, if none contains all; undefined where that does not apply, or cannot be answered now. */
async function countAny(
  engine: SearchEngine<AnyHit>,
  query: SearchQuery,
  { total }: SearchAnswer<AnyHit>,
): Promise<number | undefined> {
  if (total > 0 || query.match === 'any') return undefined;
  const parts = countParts(parseQuery(query.text));
  if (parts === 0) return undefined;
  if (parts === 1) return 0;
  const { cursor: _cursor, facets: _facets, highlight: _highlight, ...same } = query;
  const [any] = await Promise.allSettled([engine.find({ ...same, match: 'any', limit: 1 })]);
  return any.status === 'fulfilled' ? any.value.total : undefined;
}

/** No notice contains only signs; the engines would treat them as an empty query, and everything would be found and charged. */
function nothingFound({ name: engine }: { name: SearchEngine['name'] }, facets: FacetName[]): SearchAnswer<never> {
  return {
    hits: [],
    total: 0,
    exact: true,
    nextCursor: null,
    ...(facets.length > 0 && { facets: Object.fromEntries(facets.map((name) => [name, {}])) }),
    meta: { engine, bounded: false, corrections: [], matched: 'all', ignoredWords: 0 },
  };
}

function filtersOf(input: SearchInput): GivenFilters {
  const { query, match, limit, cursor, sort, facets, detail, fields, highlight, ...filters } = input;
  return filters;
}

/** The same filters with ids as they were given. */
function idsAsGiven(filters: SearchFilters, given: Readonly<Record<string, unknown>>): SearchFilters {
  const ids = ID_FILTERS.filter((name) => name in filters).map((name) => [name, readValues(name, given[name])]);
  return { ...filters, ...Object.fromEntries(ids) };
}

/**
 * Cursors are signed: a forged one could ask for what follows the last page, and count it free.
 * @param former - the filters of the page before, if its ids were those that were given
 */
async function findOrRefuse<Hit extends AnyHit>(
  engine: SearchEngine<Hit>,
  secret: string,
  query: SearchQuery,
  former: SearchFilters,
): Promise<SearchAnswer<Hit>> {
  const seal = { secret, purpose: ['search-cursor'] };
  const cursor = query.cursor === undefined ? undefined : readSigned(seal, query.cursor);
  try {
    if (cursor === null) throw new BadCursor('not a cursor');
    const carried = cursor && carryCursor(cursor, { ...query, filters: former }, query);
    const answer = await engine.find({ ...query, ...(carried && { cursor: carried }) });
    return { ...answer, nextCursor: answer.nextCursor && signText(seal, answer.nextCursor) };
  } catch (error) {
    if (!(error instanceof BadCursor)) throw error;
    const msg = `${error.message}; send meta.next_cursor of the page before, or leave it out for the first page`;
    throw new InvalidInput({ path: ['cursor'], msg, type: 'value_error', input: query.cursor });
  }
}

/** What an answer says in addition to its hits. */
interface Around {
  asOf: Record<string, string | null>;
  unknown: UnknownFilters | undefined;
  any: number | undefined;
  newest: SearchSort;
}

function toFrame(
  input: SearchInput,
  filters: SearchFilters,
  answer: SearchAnswer<AnyHit>,
  { asOf, unknown, any, newest }: Around,
) {
  const { engine, failover, bounded, corrections, synonyms, matched, ignoredWords } = answer.meta;
  const asksAll = queryWords(input.query) === undefined;
  return {
    count: answer.hits.length,
    total: answer.total,
    total_is: answer.exact ? ('exact' as const) : ('at_least' as const),
    ...(answer.facets && { facets: answer.facets as Record<FacetName, Record<string, number>> }),
    meta: {
      query: input.query ?? '*',
      filters: sayFilters(filters),
      sort: input.sort ?? (asksAll ? newest : 'relevance'),
      as_of: asOf,
      engine,
      ...(failover && { failover }),
      ranking_limited: bounded,
      match: input.match,
      match_level: matched,
      ...(any !== undefined && { any }),
      ...(ignoredWords > 0 && { ignored_words: ignoredWords }),
      corrections,
      ...(synonyms && { synonyms }),
      ...(unknown && { unknown_filters: unknown }),
      next_cursor: answer.nextCursor,
    },
  };
}

/** What a brief page says about all its matches, where it counts them, and about filters with unknown values. */
export const SEARCH_KEPT = ['total', 'total_is', 'facets', 'meta.any', ...UNKNOWN_KEPT];
/** How many entries a brief page keeps of each facet. */
export const SEARCH_MAX = { items: 100, ...UNKNOWN_MAX };

/** A page of a search. A page without items is free, so it does not count any matches. */
export function toPage<T>(items: T[], frame: Searched['frame']) {
  if (items.length > 0) return { kind: 'answer' as const, body: { items, ...frame, count: items.length } };
  const { total, total_is, facets, ...rest } = frame;
  const counts = total === 0 ? { total, total_is, ...(facets && { facets }) } : {};
  return { kind: 'answer' as const, body: { items, ...rest, ...counts, count: 0 }, charge: 'none' as const };
}

/** The fields of a hit that both searches add to its stated ones; `now` decides its status. */
export function toSearchItem(hit: SearchHit, now: Date) {
  const place = placeOf(hit.regions);
  return omitEmpty({
    ocid: hit.ocid,
    buyer_id: hit.buyer_id,
    extract: hit.extract,
    highlight: hit.highlight,
    published_at: hit.published_at,
    deadline_at: hit.deadline_at,
    tender_expected: hit.tender_expected,
    value: hit.value,
    currency: hit.value === null ? null : hit.currency,
    cpv: hit.cpvs[0],
    region: place?.name,
    region_code: place?.code,
    nation: hit.nation,
    source: hit.source,
    also_on: hit.sources.slice(1),
    stage: hit.stage,
    notice_type: hit.notice_type,
    status: statusNow(hit.status, hit, now),
    framework_id: hit.framework_id ?? hit.within_framework,
    url: hit.url,
  });
}
