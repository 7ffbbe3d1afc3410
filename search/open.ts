import { join } from 'node:path';
import { ensureFolder } from '../schema/config/ensure-folder.ts';
import type { Settings } from '../schema/config/settings.ts';
import type { Database } from '../schema/db/interface.ts';
import { COLLECTIONS } from './collections/index.ts';
import type { Collection } from './collections/shape.ts';
import { makeEmbeddedEngine, makeSearchReaders, type SearchReaders } from './embedded/engine.ts';
import { layoutOf } from './embedded/layout/tables.ts';
import { type IndexFiles, openIndexFiles } from './embedded/store/files.ts';
import type { AnyHit, SearchEngine, Searches, SearchHit } from './engine.ts';
import { readShown } from './index/changed-rows.ts';
import { withFallback } from './index/failover.ts';
import { readLag } from './index/health.ts';
import { makeMeilisearchEngine } from './meilisearch/engine.ts';
import type { ReadShown } from './results/shown.ts';

type SearchSettings = Pick<Settings, 'DATA_DIR' | (`MEILI_${string}` & keyof Settings)>;

/** A `reader` (the API) never writes; the `writer` (jobs) fills the indexes, and seldom searches. */
type Role = 'reader' | 'writer';

/**
 * The search engines that the settings ask for, one for each collection: Meilisearch if configured, with the embedded engine as
 * its fallback; otherwise the embedded one. @param shared - reader processes for both collections; default: their own
 */
export async function openSearch(
  settings: SearchSettings,
  catalogue: Database,
  role: Role,
  shared?: SearchReaders,
): Promise<Searches> {
  const readers = shared ?? openReaders(settings, role);
  const open = <Hit extends AnyHit>(collection: Collection) =>
    openEngine<Hit>(settings, catalogue, { collection, role, readers });
  const notices = await open<SearchHit>(COLLECTIONS.notices);
  const contracts = await open<AnyHit>(COLLECTIONS.contracts);
  return {
    ...notices,
    contracts,
    async close() {
      await readers.close();
      await Promise.all([notices.close(), contracts.close()]);
    },
  };
}

interface Opening {
  collection: Collection;
  role: Role;
  readers: SearchReaders;
}

async function openEngine<Hit extends AnyHit>(
  settings: SearchSettings,
  catalogue: Database,
  { collection, role, readers }: Opening,
): Promise<SearchEngine<Hit>> {
  const opened = role === 'writer' ? await openIndex(settings.DATA_DIR, collection) : null;
  const file = opened?.url ?? indexUrl(settings.DATA_DIR, collection);
  const show: ReadShown = (ids) => readShown({ catalogue, collection }, ids);
  const embedded = makeEmbeddedEngine<Hit>(opened?.index ?? null, {
    url: file,
    collection,
    shared: readers,
    readShown: show,
  });
  if (!settings.MEILI_URL) return embedded;
  const { MEILI_URL: url, MEILI_KEY: key, MEILI_INDEX_PREFIX: prefix, MEILI_LAG_ROWS: lagRowsMax } = settings;
  const deadlineMs = settings.MEILI_DEADLINE_SECONDS * 1_000;
  const first = makeMeilisearchEngine<Hit>({ url, key, prefix, deadlineMs, collection, readShown: show });
  return withFallback(first, embedded, {
    lagRowsMax,
    // One that must be rebuilt is behind, however few rows there are.
    readLag: (engine) => readLag(catalogue, engine, { most: lagRowsMax + 1, rebuilt: lagRowsMax + 1 }),
  });
}

/** Readers of the embedded indexes that the settings name; for a writer or with Meilisearch, none starts before it is needed. */
export function openReaders(
  { DATA_DIR, MEILI_URL }: Pick<Settings, 'DATA_DIR' | 'MEILI_URL'>,
  role: Role = 'reader',
): SearchReaders {
  const urls = Object.values(COLLECTIONS).map((collection) => indexUrl(DATA_DIR, collection));
  return makeSearchReaders({ urls, warm: role === 'reader' && !MEILI_URL });
}

/** The index of a collection in a folder, open for writing; its file is created where there is none. */
export async function openIndex(
  folder: string,
  collection = COLLECTIONS.notices,
  layout = layoutOf(collection),
): Promise<{ index: IndexFiles; url: string }> {
  await ensureFolder(folder);
  const url = indexUrl(folder, collection, layout);
  return { index: await openIndexFiles(url, collection), url };
}

/** Address of a collection's index in a folder, in the layout of this program. */
export function indexUrl(folder: string, collection = COLLECTIONS.notices, layout = layoutOf(collection)): string {
  return `file:${join(folder, `${collection.stem}.${layout}.db`)}`;
}
