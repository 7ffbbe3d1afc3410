import { expect } from 'vitest';
import { makeKeyQuery } from '../../../../api/operations/exports/filters.ts';
import { KEYSET_START, readKeys } from '../../../../api/reads/export-rows/keys.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../../search/collections/index.ts';
import type { AnyHit, SearchEngine } from '../../../../search/engine.ts';
import { syncSearch } from '../../../../search/index/sync.ts';
import { openIndex } from '../../../../search/open.ts';
import { openColumns } from '../../../../search/summary/file.ts';
import { followCatalogue } from '../../../../search/summary/follow.ts';
import { summarise } from '../../../../search/summary/pass.ts';
import { makeSharedReaders } from '../../../search/shared-readers.ts';
import { makeTestEngine } from '../../../search/test-engine.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';

const NOW = new Date('2026-11-20T00:00:00Z');

/** A catalogue with its index of contracts. */
export interface World {
  path: string;
  catalogue: Database;
  engine: SearchEngine<AnyHit>;
}

/** Worlds in folders of their own, whose indexes one process reads, and how all of them are closed. */
export function makeWorlds(): { makeWorld: () => Promise<World>; closeAll: () => Promise<void> } {
  const readers = makeSharedReaders();
  const closing = [readers.close];
  return {
    async makeWorld() {
      const folder = await makeFolder();
      const catalogue = await makeDatabase(folder.path, 'catalogue');
      const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
      const engine = makeTestEngine<AnyHit>(index, {
        catalogue,
        url,
        collection: COLLECTIONS.contracts,
        shared: readers,
      });
      closing.push(
        folder.remove,
        () => catalogue.close(),
        () => engine.close(),
      );
      return { path: folder.path, catalogue, engine };
    },
    async closeAll() {
      for (const close of closing.toReversed()) await close();
    },
  };
}

/** Ids that the search, the export and the summary have of a service, which must agree, and what the summary adds up by service. */
export async function find({ path, catalogue, engine }: World, source?: string) {
  const filters = source === undefined ? {} : { source: [source] };
  await syncSearch(catalogue, engine);
  const { hits, facets } = await engine.find({ scope: 'contracts', filters, limit: 10, now: NOW, facets: ['source'] });
  const ids = hits.map(({ id }) => id).sort();
  const keys = await readKeys(catalogue, makeKeyQuery('contracts', filters, NOW), KEYSET_START, 10);
  expect(keys.map(({ id }) => id).sort()).toEqual(ids);
  const columns = await openColumns(path);
  while (await followCatalogue(catalogue, columns));
  const columnState = await columns.readState();
  if (!columnState) throw new Error('the columns are empty');
  const query = { groupBy: ['source'], cpvLevel: 2, filters, measure: 'value', limit: 9, today: '2026-11-20' } as const;
  const { groups, total } = await summarise(columns, columnState, query);
  await columns.close();
  expect(total.contracts).toBe(ids.length);
  const pence = total.added.GBP?.pence ?? 0;
  return { ids, counts: facets?.source, pence, groups: groups.map((group) => [group.ids[0], group.contracts]) };
}
