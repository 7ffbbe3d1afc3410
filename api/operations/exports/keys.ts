import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { chunksOf } from '../../../schema/text/memoise.ts';
import {
  type AnyHit,
  type MatchList,
  type MatchPlace,
  type SearchEngine,
  type SearchQuery,
  SearchUnavailable,
} from '../../../search/engine.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { withOriginal } from '../../../search/names/notices.ts';
import { saysNothing } from '../../../search/query/parse.ts';
import { Refusal } from '../../contract/errors.ts';
import type { ListedIdsAsk } from '../../contract/long-reads.ts';
import type { Services } from '../../contract/operation.ts';
import { KEYSET_START, type KeyQuery, type RowKey } from '../../reads/export-rows/keys.ts';
import { readFrameworksOfNotices } from '../../reads/frameworks.ts';
import { sayFilters } from '../filters/apply.ts';
import { appliedToCompanies } from '../search/companies.ts';
import { queryWords } from '../shared/inputs.ts';
import { makeKeyQuery } from './filters.ts';

/** The rows of an export, counted. */
export interface CountedRows {
  rows: number;
  /** How many match, whatever `max_rows` is. */
  matched: number;
  /** Whether there may be more matches than are listed. */
  isAtLeast?: boolean;
  /** The keys of the counted rows, newest first, in steps. @throws SearchUnavailable where some have gone since */
  readKeys(): AsyncGenerator<string[]>;
}

/** The rows wanted from a dataset. */
interface Wanted {
  dataset: ExportDataset;
  filters: SearchFilters;
  query?: string | undefined;
  maxRows: number;
}

/** Keys in memory at once. */
const KEYS_AT_ONCE = 1_000;

/** Ids of a list read at once. */
const LISTED_AT_ONCE = 10_000;

/** Whether the client has disconnected for good. */
export type IsGone = () => boolean;

/** Counts the wanted rows. @throws Refusal where the client has disconnected. */
export async function countWanted(services: Services, wanted: Wanted, isGone?: IsGone): Promise<CountedRows> {
  const { dataset, filters, maxRows } = wanted;
  const query = queryWords(wanted.query);
  if (dataset === 'companies' || dataset === 'buyers') {
    const listed = await countListed(services, await toList(services, dataset, filters, query), maxRows);
    assertHere(isGone);
    return listed;
  }
  if (saysNothing(query)) return { rows: 0, matched: 0, readKeys: readNone };
  if (query !== undefined) {
    const found = await countMatches(services, dataset, { ...wanted, query });
    assertHere(isGone);
    return found;
  }
  const keyQuery = makeKeyQuery(dataset, filters, services.clocks.catalogueNow());
  const matched = await services.rows.count(keyQuery);
  assertHere(isGone);
  const rows = Math.min(matched, maxRows);
  return { rows, matched, readKeys: () => readKeyPages(services, keyQuery, rows) };
}

/** A list of companies or buyers, as requested from its own operation. */
async function toList(
  { catalogue }: Services,
  list: 'companies' | 'buyers',
  filters: SearchFilters,
  query: string | undefined,
): Promise<ListedIdsAsk> {
  const page = { query, limit: LISTED_AT_ONCE };
  if (list === 'buyers') return { list, ...filters, ...page };
  // In a caller's form: several values are one text.
  const given = sayFilters(filters) as Parameters<typeof appliedToCompanies>[1];
  return { list, ...(await appliedToCompanies(catalogue, given)), ...page };
}

/** The rows of a list, newest first. */
async function countListed({ longReads }: Services, asked: ListedIdsAsk, maxRows: number): Promise<CountedRows> {
  const first = await longReads.listIds({ ...asked, limit: Math.min(maxRows, LISTED_AT_ONCE) });
  const rows = Math.min(first.total, maxRows);
  return { rows, matched: first.total, isAtLeast: !first.isWhole, readKeys };

  async function* readKeys(): AsyncGenerator<string[]> {
    let page = first;
    for (let left = rows; left > 0; ) {
      const ids = page.entries.slice(0, left);
      if (ids.length === 0) throw goneMeanwhile();
      yield* chunksOf(ids, KEYS_AT_ONCE);
      left -= ids.length;
      if (left > 0 && page.next) page = await longReads.listIds({ ...asked, after: page.next });
      else if (left > 0) throw goneMeanwhile();
    }
  }
}

async function* readNone(): AsyncGenerator<string[]> {
  // A query of signs alone is not a request for everything.
}

/** Stops, without a charge, where the client has disconnected. @throws Refusal, which nobody reads. */
export function assertHere(isGone?: IsGone): void {
  if (isGone?.()) throw new Refusal(499, 'client_gone', 'The client went away before the rows were counted.');
}

async function* readKeyPages({ rows: reader }: Services, keyQuery: KeyQuery, rows: number): AsyncGenerator<string[]> {
  let after: RowKey = KEYSET_START;
  for (let left = rows; left > 0; ) {
    const keys = await reader.keys(keyQuery, after, Math.min(left, KEYS_AT_ONCE));
    const last = keys.at(-1);
    if (!last) throw goneMeanwhile();
    yield keys.map(({ id }) => id);
    left -= keys.length;
    after = last;
  }
}

/** The rows that the search matches. */
async function countMatches(
  { catalogue, search, clocks }: Services,
  scope: SearchQuery['scope'],
  { filters, query, maxRows }: Wanted & { query: string },
): Promise<CountedRows> {
  const engine: SearchEngine<AnyHit> = scope === 'contracts' ? search.contracts : search;
  const text = await withOriginal(catalogue, query);
  const asked: SearchQuery = { scope, text, filters, limit: KEYS_AT_ONCE, now: clocks.catalogueNow() };
  const { total: matched, start } = await engine.matchAll(asked);
  const rows = Math.min(matched, maxRows);
  return { rows, matched, readKeys: () => readMatches({ engine, catalogue }, asked, start, rows) };
}

async function* readMatches(
  { engine, catalogue }: { engine: SearchEngine<AnyHit>; catalogue: Database },
  asked: SearchQuery,
  start: MatchPlace,
  rows: number,
): AsyncGenerator<string[]> {
  let from: MatchPlace | null = start;
  for (let left = rows; left > 0; ) {
    if (!from) throw goneMeanwhile();
    const { ids, next }: MatchList = await engine.listMatches(asked, from, Math.min(left, KEYS_AT_ONCE));
    const keys = asked.scope === 'frameworks' ? await readFrameworksOfNotices(catalogue, ids) : ids;
    yield keys;
    left -= keys.length;
    from = next;
  }
}

function goneMeanwhile(): SearchUnavailable {
  return new SearchUnavailable('rows of an export went while they were put together');
}
