import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../schema/database.ts';
import type { Settings } from '../schema/env.ts';
import { makeEmbeddedEngine } from './embedded/engine.ts';
import { type IndexFiles, openIndexFiles } from './embedded/files.ts';
import type { SearchEngine } from './engine.ts';
import { withFallback } from './failover.ts';
import { makeMeilisearchEngine } from './meilisearch.ts';

/**
 * The search engine that the settings ask for: Meilisearch where there is one, with the embedded engine behind it; else the embedded one.
 * A `reader` (the API) never writes; the `writer` (jobs) fills the index.
 */
export async function openSearch(
  settings: Pick<Settings, 'DATA_DIR' | 'MEILI_URL' | 'MEILI_KEY' | 'MEILI_INDEX_PREFIX'>,
  _catalogue: Database,
  role: 'reader' | 'writer',
): Promise<SearchEngine> {
  const embedded =
    role === 'writer'
      ? await openWriter(settings.DATA_DIR)
      : makeEmbeddedEngine(null, { url: indexUrl(settings.DATA_DIR), warm: !settings.MEILI_URL });
  if (!settings.MEILI_URL) return embedded;
  const { MEILI_URL, MEILI_KEY: key, MEILI_INDEX_PREFIX: prefix } = settings;
  return withFallback(makeMeilisearchEngine({ url: MEILI_URL, key, prefix }), embedded);
}

/** The index of a folder, open for writing; its file is made where there is none. */
export async function openIndex(folder: string): Promise<{ index: IndexFiles; url: string }> {
  await mkdir(folder, { recursive: true });
  const url = indexUrl(folder);
  return { index: await openIndexFiles(url), url };
}

async function openWriter(folder: string): Promise<SearchEngine> {
  const { index, url } = await openIndex(folder);
  return makeEmbeddedEngine(index, { url });
}

function indexUrl(folder: string): string {
  return `file:${join(folder, 'search.db')}`;
}
