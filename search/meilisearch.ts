import { Meilisearch, MeilisearchApiError, MeilisearchError } from 'meilisearch';
import { BadCursor, type IndexCursor, type SearchEngine, SearchUnavailable } from './engine.ts';
import { type IndexedDocument, toIndexed } from './meili/documents.ts';
import { findWithMeilisearch, type RunSearches } from './meili/find.ts';
import { INDEX_SETTINGS } from './meili/settings.ts';
import { finishTask } from './meili/tasks.ts';

const WRITE_TIMEOUT_MS = 60_000;
const CURSOR_ID = 'cursor';

export interface MeilisearchOptions {
  url: string;
  key?: string | undefined;
  /** Prefix of the index names, so that several houses can share a server. */
  prefix?: string;
  /** How long a query may take, in milliseconds. */
  deadlineMs?: number;
}

type StoredCursor = IndexCursor & { name: string };

/** The engine on a Meilisearch server. The cursor is a document of a small index of its own, written after what it covers. */
export function makeMeilisearchEngine({ url, key, prefix = '', deadlineMs = 2_000 }: MeilisearchOptions): SearchEngine {
  const access = { host: url, ...(key === undefined ? {} : { apiKey: key }) };
  const asking = new Meilisearch({ ...access, timeout: deadlineMs });
  const writing = new Meilisearch({ ...access, timeout: WRITE_TIMEOUT_MS });
  const names = { notices: `${prefix}notices`, state: `${prefix}notices_state` };
  const run: RunSearches = async (queries) => {
    const { results } = await asking.multiSearch<
      { queries: ((typeof queries)[number] & { indexUid: string })[] },
      IndexedDocument
    >({
      queries: queries.map((one) => ({ ...one, indexUid: names.notices })),
    });
    return results;
  };
  return {
    name: 'meilisearch',
    find: (query) => findWithMeilisearch(run, query).catch(asUnavailable),
    readCursor: () => readCursor(asking, names.state),
    async store({ documents, gone, cursor }) {
      const notices = writing.index<IndexedDocument>(names.notices);
      if (documents.length > 0) await finishTask(notices.addDocuments(documents.map(toIndexed)));
      if (gone.length > 0) await finishTask(notices.deleteDocuments(gone));
      const { seq, id, generation, version } = cursor;
      const stored: StoredCursor = { name: CURSOR_ID, seq, id, generation, version };
      await finishTask(writing.index<StoredCursor>(names.state).addDocuments([stored]));
    },
    async reset() {
      for (const name of [names.state, names.notices]) await writing.deleteIndexIfExists(name);
      await finishTask(writing.createIndex(names.state, { primaryKey: 'name' }));
      await finishTask(writing.createIndex(names.notices, { primaryKey: 'id' }));
      await finishTask(writing.index(names.notices).updateSettings(INDEX_SETTINGS));
    },
    close: async () => undefined,
  };
}

async function readCursor(client: Meilisearch, index: string): Promise<IndexCursor | null> {
  try {
    const { name: _name, ...cursor } = await client.index<StoredCursor>(index).getDocument(CURSOR_ID);
    return cursor;
  } catch (error) {
    const missing = error instanceof MeilisearchApiError && error.response.status === 404;
    if (missing) return null;
    return asUnavailable(error);
  }
}

/** A server that is down, slow, unfinished or at fault is unavailable; a request it calls wrong is our fault. */
function asUnavailable(error: unknown): never {
  if (error instanceof BadCursor) throw error;
  const refused = error instanceof MeilisearchApiError && error.response.status === 400;
  if (refused || !(error instanceof MeilisearchError)) throw error;
  throw new SearchUnavailable(`Meilisearch does not answer: ${error.message}`, { cause: error });
}
