import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../schema/config/settings.ts';
import type { Database } from '../schema/db/interface.ts';
import { makeEmbeddedEngine, makeSearchReaders, type SearchReaders } from './embedded/engine.ts';
import { LAYOUT } from './embedded/layout/tables.ts';
import { type IndexFiles, openIndexFiles } from './embedded/store/files.ts';
import type { SearchEngine } from './engine.ts';
import { withFallback } from './index/failover.ts';
import { readLag } from './index/health.ts';
import { makeMeilisearchEngine } from './meilisearch/engine.ts';

/**
 * The search engine that the settings ask for: Meilisearch where there is one, with the embedded engine behind it; else the embedded one.
 * A `reader` (the API) never writes; the `writer` (jobs) fills the index.
 * @param readers - those that a reader asks; default: its own
 */
export async function openSearch(
  settings: Pick<Settings, 'DATA_DIR' | (`MEILI_${string}` & keyof Settings)>,
  catalogue: Database,
  role: 'reader' | 'writer',
  readers?: SearchReaders,
): Promise<SearchEngine> {
  const embedded =
    role === 'writer'
      ? await openWriter(settings.DATA_DIR)
      : makeEmbeddedEngine(null, readers ?? openReaders(settings));
  if (!settings.MEILI_URL) return embedded;
  const { MEILI_URL: url, MEILI_KEY: key, MEILI_INDEX_PREFIX: prefix, MEILI_LAG_ROWS: lagRowsMax } = settings;
  const deadlineMs = settings.MEILI_DEADLINE_SECONDS * 1_000;
  return withFallback(makeMeilisearchEngine({ url, key, prefix, deadlineMs }), embedded, {
    lagRowsMax,
    readLag: (engine) => readLag(catalogue, engine, lagRowsMax + 1),
  });
}

/** Readers of the embedded index that the settings name; where Meilisearch answers, none starts before it is needed. */
export function openReaders({ DATA_DIR, MEILI_URL }: Pick<Settings, 'DATA_DIR' | 'MEILI_URL'>): SearchReaders {
  return makeSearchReaders({ url: indexUrl(DATA_DIR), warm: !MEILI_URL });
}

/** The index of a folder, open for writing; its file is made where there is none. */
export async function openIndex(folder: string, layout = LAYOUT): Promise<{ index: IndexFiles; url: string }> {
  await mkdir(folder, { recursive: true });
  const url = indexUrl(folder, layout);
  return { index: await openIndexFiles(url), url };
}

async function openWriter(folder: string): Promise<SearchEngine> {
  const { index, url } = await openIndex(folder);
  return makeEmbeddedEngine(index, { url });
}

/** Address of the index of a folder, of the layout that this program reads and writes. */
export function indexUrl(folder: string, layout = LAYOUT): string {
  return `file:${join(folder, `search.${layout}.db`)}`;
}
