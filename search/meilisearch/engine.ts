import { isDeepStrictEqual } from 'node:util';
import { Meilisearch, MeilisearchApiError, MeilisearchError, MeilisearchRequestTimeOutError } from 'meilisearch';
import { COLLECTIONS } from '../collections/index.ts';
import type { Collection, ShownDocument } from '../collections/shape.ts';
import { indexVersion } from '../documents/from-row.ts';
import {
  type AnyHit,
  BadCursor,
  type CollectionName,
  type FailoverReason,
  type FillableIndex,
  type IndexBuild,
  type IndexCursor,
  IndexOutdated,
  type SearchEngine,
  type SearchHit,
  type SearchQuery,
  SearchUnavailable,
} from '../engine.ts';
import { countParts, parseQuery } from '../query/parse.ts';
import { type ReadShown, readInOrder, toHit } from '../results/shown.ts';
import { type IndexedDocument, KEY, keyOf, toIndexed } from './documents.ts';
import { findWithMeilisearch, highlightOf } from './find.ts';
import { listMatchesWithMeilisearch, matchAllWithMeilisearch } from './matches.ts';
import { type RunSearches, runSearches } from './run.ts';
import { indexSettings } from './settings.ts';
import { finishTask, passQueue, TaskFailed } from './tasks.ts';
import { countUnread } from './ways.ts';

const WRITE_TIMEOUT_MS = 60_000;
/** The server sends a compressed answer in pieces, and waits some 40 ms between them until the first is acknowledged (1.50, measured). */
const AS_IT_IS = { headers: { 'Accept-Encoding': 'identity' } };

interface MeilisearchOptions {
  url: string;
  key?: string | undefined;
  /** Prefix of the index names, so that several installations can share a server. */
  prefix?: string;
  /** How long a query and all its requests may take, in milliseconds. */
  deadlineMs?: number;
  /** What it finds; default: notices. */
  collection?: Collection;
  /** What was taken down is not shown, however far the index is behind. */
  readShown: ReadShown;
}

/**
 * The engine on a Meilisearch server. Its methods throw SearchUnavailable where the server is away, slow or failing, and for more
 * matches than it counts where another engine can list them.
 */
export function makeMeilisearchEngine<Hit extends AnyHit = SearchHit>({
  url,
  key,
  prefix = '',
  deadlineMs = 1_000,
  collection = COLLECTIONS.notices,
  readShown,
}: MeilisearchOptions): SearchEngine<Hit> {
  const access = { host: url, ...(key === undefined ? {} : { apiKey: key }), requestInit: AS_IT_IS };
  const asking = new Meilisearch({ ...access, timeout: deadlineMs });
  const writing = new Meilisearch({ ...access, timeout: WRITE_TIMEOUT_MS });
  const pairs = indexPairs(prefix, collection.name);
  const version = indexVersion([indexSettings(collection), KEY]);
  const ask = async <A>(work: (run: RunSearches) => Promise<A>): Promise<A> => {
    const deadline = AbortSignal.timeout(deadlineMs);
    const run = runSearches(asking, pairs.live.documents, deadline);
    return work(run).catch(async (error: unknown) => {
      if (isBadRequest(error) && (await isOfOtherVersion()))
        throw new IndexOutdated('the index of Meilisearch lacks what is asked for', { cause: error, reason: 'behind' });
      return refuse(error, deadline.aborted);
    });
  };
  const isOfOtherVersion = async () => {
    const cursor = await readStoredCursor(asking, pairs.live.state).catch(refuse);
    return cursor !== null && cursor.version !== version;
  };
  return {
    name: 'meilisearch',
    collection: collection.name,
    version,
    declines,
    async find(query) {
      const { found, ...answer } = await ask((run) => findWithMeilisearch(run, query));
      const marked = new Map(found.map((one) => [one.id, one]));
      const rows = await readInOrder(readShown, [...marked.keys()]);
      const highlight = (row: ShownDocument) => (query.highlight ? highlightOf(marked.get(row.id), row) : null);
      return { ...answer, hits: rows.map((row) => toHit<Hit>(row, collection, highlight(row))) };
    },
    // Each of its requests has the deadline to itself.
    matchAll: (query, isAlone = false) =>
      matchAllWithMeilisearch((searches) => ask((run) => run(searches)), query, isAlone),
    listMatches: (query, from, most) => ask((run) => listMatchesWithMeilisearch(run, query, from, most)),
    readCursor: () => fillPair(asking, pairs.live, collection).readCursor().catch(refuse),
    settle: () => passQueue(writing, pairs.live.state).catch(refuse),
    store: (batch) => fillPair(writing, pairs.live, collection).store(batch).catch(refuse),
    openBuild: async () => refusing(buildPair(writing, pairs, collection)),
    tidy: () => dropPair(writing, pairs.next).catch(refuse),
    close: async () => undefined,
  };
}

/** It ranks any of several words less well, and reads only a limited number of words. */
function declines({ text, match }: SearchQuery): FailoverReason | null {
  const parsed = parseQuery(text);
  if (parsed.either.length > 0 || (match === 'any' && countParts(parsed) > 1)) return 'any';
  return countUnread(parsed, match) > 0 ? 'long' : null;
}

/** What the server calls a bad request, such as a filter by what its index does not have. */
function isBadRequest(error: unknown): boolean {
  return error instanceof MeilisearchApiError && error.response.status === 400;
}

/** The client wraps its own time-out in a failed request. */
function isTimeOut(error: unknown): boolean {
  if (error instanceof MeilisearchRequestTimeOutError) return true;
  return error instanceof Error && error.cause instanceof MeilisearchRequestTimeOutError;
}

/** Why the server does not answer, as an error of the port; what the server calls a bad request is our fault and stays as it is. */
function refuse(error: unknown, late = false): never {
  if (error instanceof BadCursor || error instanceof SearchUnavailable) throw error;
  const said = error instanceof Error ? error.message : String(error);
  if (late || isTimeOut(error))
    throw new SearchUnavailable(`Meilisearch is slow: ${said}`, { cause: error, reason: 'slow' });
  if (error instanceof MeilisearchApiError) {
    if (isBadRequest(error)) throw error;
    throw new SearchUnavailable(`Meilisearch fails: ${said}`, { cause: error, reason: 'failing' });
  }
  // An answer that is no JSON.
  if (error instanceof SyntaxError)
    throw new SearchUnavailable('Meilisearch answered with something other than JSON', {
      cause: error,
      reason: 'failing',
    });
  if (!(error instanceof MeilisearchError)) throw error;
  throw new SearchUnavailable(`Meilisearch does not answer: ${said}`, { cause: error });
}

const CURSOR_ID = 'cursor';

type StoredCursor = IndexCursor & { name: string };

/** Two indexes that belong together: the documents, and a small one whose single document is their cursor. */
interface IndexPair {
  documents: string;
  state: string;
}

/** The live pair and the one being built next to it. */
function indexPairs(prefix: string, name: CollectionName): { live: IndexPair; next: IndexPair } {
  const pair = (suffix: string) => ({
    documents: `${prefix}${name}${suffix}`,
    state: `${prefix}${name}_state${suffix}`,
  });
  return { live: pair(''), next: pair('_new') };
}

/** A pair as something to fill: documents first, then removals, the cursor last, each awaited. */
function fillPair(client: Meilisearch, pair: IndexPair, collection: Collection): FillableIndex {
  const { state } = pair;
  return {
    readCursor: () => readStoredCursor(client, state),
    async store({ documents, gone, cursor }) {
      const index = client.index<IndexedDocument>(pair.documents);
      const indexed = documents.map((document) => toIndexed(document, collection));
      if (indexed.length > 0) await finishTask(index.addDocuments(indexed));
      if (gone.length > 0) await finishTask(index.deleteDocuments(gone.map(keyOf)));
      const stored: StoredCursor = { name: CURSOR_ID, ...cursor };
      await finishTask(client.index<StoredCursor>(state).addDocuments([stored]));
    },
  };
}

/** The next pair, to be filled and swapped with the live one. */
function buildPair(client: Meilisearch, pairs: ReturnType<typeof indexPairs>, collection: Collection): IndexBuild {
  const { live, next } = pairs;
  return {
    ...fillPair(client, next, collection),
    async clear() {
      await dropPair(client, next);
      await finishTask(client.createIndex(next.state, { primaryKey: 'name' }));
      await finishTask(client.createIndex(next.documents, { primaryKey: KEY }));
      await finishTask(client.index(next.documents).updateSettings(indexSettings(collection)));
    },
    countDocuments: async () => (await client.index(next.documents).getStats()).numberOfDocuments,
    async goLive() {
      const built = await readStoredCursor(client, next.state);
      const swaps = (['documents', 'state'] as const).map(async (part) => ({
        indexes: [next[part], live[part]] as [string, string],
        // If there is none to swap with, the new one takes the name.
        rename: !(await isThere(client, live[part])),
      }));
      // One task: a query meets the old pair or the new one.
      await finishTask(client.swapIndexes(await Promise.all(swaps))).catch((error: unknown) => {
        // A key of these indexes alone may swap them, and not look at the task, which belongs to none of them.
        if (!isMissing(error)) throw error;
        return passQueue(client, live.state);
      });
      if (!isDeepStrictEqual(await readStoredCursor(client, live.state), built))
        throw new TaskFailed('Meilisearch did not swap the indexes');
    },
  };
}

/** The same methods, with the errors of the port. */
function refusing<Port extends object>(port: Port): Port {
  const methods: [string, (...args: unknown[]) => Promise<unknown>][] = Object.entries(port);
  const caught = methods.map(([name, run]) => [name, (...args: unknown[]) => run(...args).catch(refuse)]);
  return Object.fromEntries(caught) as Port;
}

/** Removes a pair, or what exists of it. The cursor goes first, so that a partly removed pair counts as empty. */
async function dropPair(client: Meilisearch, { documents, state }: IndexPair): Promise<void> {
  for (const name of [state, documents]) {
    if (await isThere(client, name)) await finishTask(client.deleteIndex(name));
  }
}

async function readStoredCursor(client: Meilisearch, state: string): Promise<IndexCursor | null> {
  try {
    const { name: _name, ...cursor } = await client.index<StoredCursor>(state).getDocument(CURSOR_ID);
    return cursor;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function isThere(client: Meilisearch, name: string): Promise<boolean> {
  try {
    await client.getRawIndex(name);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof MeilisearchApiError && error.response.status === 404;
}
