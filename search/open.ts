import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../schema/database.ts';
import { openDatabase } from '../schema/db.ts';
import type { Settings } from '../schema/env.ts';
import { makeEmbeddedEngine } from './embedded/engine.ts';
import { CREATE_STATE } from './embedded/tables.ts';
import type { SearchEngine } from './engine.ts';

/**
 * The search engine that the settings ask for. A `reader` (the API) never writes; the `writer` (jobs) fills the index.
 */
export async function openSearch(
  settings: Pick<Settings, 'DATA_DIR' | 'MEILI_URL' | 'MEILI_KEY' | 'MEILI_INDEX_PREFIX'>,
  _catalogue: Database,
  role: 'reader' | 'writer',
): Promise<SearchEngine> {
  const url = `file:${join(settings.DATA_DIR, 'search.db')}`;
  return makeEmbeddedEngine(role === 'writer' ? await openIndex(settings.DATA_DIR, url) : null, { url });
}

/** The index open for writing; its file is made where there is none. */
async function openIndex(folder: string, url: string): Promise<Database> {
  await mkdir(folder, { recursive: true });
  const index = await openDatabase({ url, durability: 'normal' });
  // WAL is a property of the file: readers go on while a batch is written.
  await index.read({ sql: 'PRAGMA journal_mode=WAL' });
  await index.write([{ sql: CREATE_STATE }]);
  return index;
}
