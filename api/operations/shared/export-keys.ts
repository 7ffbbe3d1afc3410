import type { Database } from '../../../schema/database.ts';
import type { ExportDataset } from '../../../schema/exports.ts';
import type { SearchFilters, SearchQuery } from '../../../search/engine.ts';
import { saysNothing } from '../../../search/query.ts';
import { Refusal } from '../../errors.ts';
import type { House } from '../../operation.ts';
import { type KeyWalk, readWalkStep, WALK_START, type WalkPosition } from '../../reads/export-keys.ts';
import { makeWalk, wordsOf } from './export-filters.ts';
import { takeTurn } from './turns.ts';

/** The rows that an export would hold. */
export interface FrozenKeys {
  keys: string[];
  /** How many match, whatever `max_rows` is. */
  matched: number;
  exact: boolean;
}

/** What is wanted of a dataset. */
export interface Wanted {
  dataset: ExportDataset;
  filters: SearchFilters;
  query?: string | undefined;
  maxRows: number;
}

/** Rows looked at in one step: a millisecond or two, in which nobody else is answered. */
const STEP_ROWS = 250;
const PAGE_HITS = 500;

/** Datasets whose words the search engine knows. */
const SCOPES: Partial<Record<ExportDataset, SearchQuery['scope']>> = {
  notices: 'notices',
  tenders: 'tenders',
  frameworks: 'frameworks',
};

/** Says whether the client has gone away for good. */
export type IsGone = () => boolean;

/** The keys of the wanted rows, newest first, and how many match in all. @throws Refusal where nobody waits for them any more. */
export async function collectKeys(house: House, wanted: Wanted, isGone?: IsGone): Promise<FrozenKeys> {
  const { dataset, filters, maxRows } = wanted;
  const query = wanted.query === undefined || wanted.query === '*' ? undefined : wanted.query;
  if (saysNothing(query)) return { keys: [], matched: 0, exact: true };
  const scope = SCOPES[dataset];
  if (query !== undefined && scope) return collectHits(house, scope, { ...wanted, query }, isGone);
  const walk = makeWalk(dataset, filters, wordsOf(query), house.clocks.catalogueNow());
  return collectRows(house.catalogue, walk, maxRows, isGone);
}

/** Nothing is made and nothing charged for somebody who broke off. @throws Refusal, which nobody reads. */
export function assertHere(isGone?: IsGone): void {
  if (isGone?.()) throw new Refusal(499, 'client_gone', 'The client went away before the rows were counted.');
}

async function collectRows(catalogue: Database, walk: KeyWalk, maxRows: number, isGone?: IsGone): Promise<FrozenKeys> {
  const keys: string[] = [];
  let matched = 0;
  for (let after: WalkPosition = WALK_START; ; ) {
    const rows = await readWalkStep(catalogue, walk, after, STEP_ROWS);
    for (const row of rows) {
      if (row.hit !== 1) continue;
      matched++;
      if (keys.length < maxRows) keys.push(row.id);
    }
    const last = rows.at(-1);
    if (!last || rows.length < STEP_ROWS) return { keys, matched, exact: true };
    after = { at: last.at, id: last.id };
    await takeTurn();
    assertHere(isGone);
  }
}

/** Pages through the search, newest first, as deep as it goes. */
async function collectHits(
  { search, clocks }: House,
  scope: SearchQuery['scope'],
  { filters, query, maxRows }: Wanted & { query: string },
  isGone?: IsGone,
): Promise<FrozenKeys> {
  const now = clocks.catalogueNow();
  const keys = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const answer = await search.find({
      scope,
      text: query,
      filters,
      sort: '-published',
      limit: PAGE_HITS,
      now,
      ...(cursor && { cursor }),
    });
    for (const hit of answer.hits) {
      const key = scope === 'frameworks' ? hit.framework_id : hit.id;
      if (key) keys.add(key);
    }
    const isAll = answer.nextCursor === null;
    if (keys.size >= maxRows || isAll) {
      const matched = isAll ? keys.size : Math.max(answer.total, keys.size);
      return { keys: [...keys].slice(0, maxRows), matched, exact: isAll || answer.exact };
    }
    cursor = answer.nextCursor ?? undefined;
    assertHere(isGone);
  }
}
