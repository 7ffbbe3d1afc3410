import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import { type SearchQuery, SearchUnavailable } from '../../../search/engine.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { saysNothing } from '../../../search/query/parse.ts';
import { DEPTH_MAX } from '../../../search/results/cursor.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Services } from '../../contract/operation.ts';
import { type KeyWalk, WALK_START, type WalkPosition } from '../../reads/export-rows/keys.ts';
import { makeWalk, wordsOf } from './filters.ts';

/** The rows that an export would hold, counted. */
export interface CountedRows {
  rows: number;
  /** How many match, whatever `max_rows` is. */
  matched: number;
  exact: boolean;
  /** The keys of the rows, newest first, some at a time: as many as were counted. @throws SearchUnavailable where some have gone since */
  readKeys(): AsyncGenerator<string[]>;
}

/** What is wanted of a dataset. */
export interface Wanted {
  dataset: ExportDataset;
  filters: SearchFilters;
  query?: string | undefined;
  maxRows: number;
  /** Nothing but the counts is wanted: no keys are held for them where the search knows them. */
  countsOnly?: boolean;
}

/** Keys in memory at once. */
const KEYS_AT_ONCE = 1_000;
const PAGE_HITS = 500;

/** Datasets whose words the search engine knows. */
const SCOPES: Partial<Record<ExportDataset, SearchQuery['scope']>> = {
  notices: 'notices',
  tenders: 'tenders',
  frameworks: 'frameworks',
};

/** Says whether the client has gone away for good. */
export type IsGone = () => boolean;

/** Counts the wanted rows. @throws Refusal where the client has disconnected. */
export async function countWanted(services: Services, wanted: Wanted, isGone?: IsGone): Promise<CountedRows> {
  const { dataset, filters, maxRows } = wanted;
  const query = wanted.query === undefined || wanted.query === '*' ? undefined : wanted.query;
  if (saysNothing(query)) return countedKeys([], { matched: 0, exact: true });
  const scope = SCOPES[dataset];
  if (query !== undefined && scope) return countHits(services, scope, { ...wanted, query }, isGone);
  const walk = makeWalk(dataset, filters, wordsOf(query), services.clocks.catalogueNow());
  const matched = await services.rows.count(walk);
  assertHere(isGone);
  const rows = Math.min(matched, maxRows);
  return { rows, matched, exact: true, readKeys: () => readWalk(services, walk, rows) };
}

/** Stops, without a charge, where the client has disconnected. @throws Refusal, which nobody reads. */
export function assertHere(isGone?: IsGone): void {
  if (isGone?.()) throw new Refusal(499, 'client_gone', 'The client went away before the rows were counted.');
}

async function* readWalk({ rows: reader }: Services, walk: KeyWalk, rows: number): AsyncGenerator<string[]> {
  let after: WalkPosition = WALK_START;
  for (let left = rows; left > 0; ) {
    const keys = await reader.keys(walk, after, Math.min(left, KEYS_AT_ONCE));
    const last = keys.at(-1);
    if (!last) throw new SearchUnavailable('rows of an export went while they were put together');
    yield keys.map(({ id }) => id);
    left -= keys.length;
    after = last;
  }
}

function countedKeys(keys: readonly string[], counts: Pick<CountedRows, 'matched' | 'exact'>): CountedRows {
  async function* readKeys(): AsyncGenerator<string[]> {
    for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) yield keys.slice(from, from + KEYS_AT_ONCE);
  }
  return { ...counts, rows: keys.length, readKeys };
}

/** How many rows the search finds, newest first, as deep as it goes; with their keys unless only the counts are wanted. */
async function countHits(
  { search, clocks }: Services,
  scope: SearchQuery['scope'],
  { filters, query, maxRows, countsOnly }: Wanted & { query: string },
  isGone?: IsGone,
): Promise<CountedRows> {
  const asked = { scope, text: query, filters, sort: '-published' as const, now: clocks.catalogueNow() };
  if (countsOnly) {
    const { total, exact } = await search.find({ ...asked, limit: 1 });
    const rows = Math.min(total, maxRows, DEPTH_MAX);
    // A total that is merely "at least" says how many rows there are only where they are more than are wanted.
    if (exact || rows < total) return { ...countedKeys([], { matched: total, exact }), rows };
  }
  const keys = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const answer = await search.find({ ...asked, limit: PAGE_HITS, ...(cursor && { cursor }) });
    for (const hit of answer.hits) {
      const key = scope === 'frameworks' ? hit.framework_id : hit.id;
      if (key) keys.add(key);
    }
    const isLast = answer.nextCursor === null;
    if (keys.size >= maxRows || isLast) {
      const isAll = isLast && keys.size < DEPTH_MAX;
      const matched = isAll ? keys.size : Math.max(answer.total, keys.size);
      return countedKeys([...keys].slice(0, maxRows), { matched, exact: isAll || answer.exact });
    }
    cursor = answer.nextCursor ?? undefined;
    assertHere(isGone);
  }
}
