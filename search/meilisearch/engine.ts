import { Meilisearch, MeilisearchApiError, MeilisearchError, MeilisearchRequestTimeOutError } from 'meilisearch';
import { indexVersion } from '../documents/from-row.ts';
import { BadCursor, type FailoverReason, type SearchEngine, type SearchQuery, SearchUnavailable } from '../engine.ts';
import { countParts, parseQuery } from '../query/parse.ts';
import type { IndexedDocument } from './documents.ts';
import { countUnread, findWithMeilisearch, type RunSearches } from './find.ts';
import { buildPair, dropPair, fillPair, indexPairs } from './indexes.ts';
import { INDEX_SETTINGS } from './settings.ts';

const WRITE_TIMEOUT_MS = 60_000;
/** The server sends a compressed answer in pieces, and waits some 40 ms between them until the first is acknowledged (1.50, measured). */
const AS_IT_IS = { headers: { 'Accept-Encoding': 'identity' } };
const VERSION = indexVersion(INDEX_SETTINGS);

export interface MeilisearchOptions {
  url: string;
  key?: string | undefined;
  /** Prefix of the index names, so that several houses can share a server. */
  prefix?: string;
  /** How long a query may take with all its requests, in milliseconds. */
  deadlineMs?: number;
}

/** The engine on a Meilisearch server. */
export function makeMeilisearchEngine({ url, key, prefix = '', deadlineMs = 1_000 }: MeilisearchOptions): SearchEngine {
  const access = { host: url, ...(key === undefined ? {} : { apiKey: key }), requestInit: AS_IT_IS };
  const asking = new Meilisearch({ ...access, timeout: deadlineMs });
  const writing = new Meilisearch({ ...access, timeout: WRITE_TIMEOUT_MS });
  const pairs = indexPairs(prefix);
  return {
    name: 'meilisearch',
    version: VERSION,
    declines,
    async find(query) {
      // What is beyond the words that it reads is said in the answer; the other question it would get wrong.
      if (declines(query) === 'any')
        throw new SearchUnavailable('Meilisearch cannot ask for any of several words', { reason: 'any' });
      const deadline = AbortSignal.timeout(deadlineMs);
      return findWithMeilisearch(runSearches(asking, pairs.live.notices, deadline), query).catch((error: unknown) =>
        refuse(error, deadline.aborted),
      );
    },
    readCursor: () => fillPair(asking, pairs.live).readCursor().catch(refuse),
    store: (batch) => fillPair(writing, pairs.live).store(batch),
    openBuild: async () => buildPair(writing, pairs),
    tidy: () => dropPair(writing, pairs.next),
    close: async () => undefined,
  };
}

/** It has no way to ask for any of several words, and reads so many words and no more. */
function declines({ text, match }: SearchQuery): FailoverReason | null {
  const parsed = parseQuery(text);
  if (parsed.either.length > 0 || (match === 'any' && countParts(parsed) > 1)) return 'any';
  return countUnread(parsed) > 0 ? 'long' : null;
}

function runSearches(client: Meilisearch, index: string, signal: AbortSignal): RunSearches {
  return async (queries) => {
    const request = { queries: queries.map((one) => ({ ...one, indexUid: index })) };
    const answer = await client.multiSearch<typeof request, IndexedDocument>(request, { signal });
    // Whatever stands between may answer in its place.
    const sound = answer?.results?.length === queries.length && answer.results.every(({ hits }) => Array.isArray(hits));
    if (!sound) throw new SearchUnavailable('Meilisearch answers nonsense', { reason: 'failing' });
    return answer.results;
  };
}

/** The client wraps its own time-out in a failed request. */
function isTimeOut(error: unknown): boolean {
  if (error instanceof MeilisearchRequestTimeOutError) return true;
  return error instanceof Error && error.cause instanceof MeilisearchRequestTimeOutError;
}

/** Whatever keeps the server from answering, as the port tells it; what it calls wrong is our fault and stays as it is. */
function refuse(error: unknown, late = false): never {
  if (error instanceof BadCursor || error instanceof SearchUnavailable) throw error;
  const said = error instanceof Error ? error.message : String(error);
  if (late || isTimeOut(error))
    throw new SearchUnavailable(`Meilisearch is slow: ${said}`, { cause: error, reason: 'slow' });
  if (error instanceof MeilisearchApiError) {
    if (error.response.status === 400) throw error;
    throw new SearchUnavailable(`Meilisearch fails: ${said}`, { cause: error, reason: 'failing' });
  }
  // An answer that is no JSON.
  if (error instanceof SyntaxError)
    throw new SearchUnavailable('Meilisearch answers nonsense', { cause: error, reason: 'failing' });
  if (!(error instanceof MeilisearchError)) throw error;
  throw new SearchUnavailable(`Meilisearch does not answer: ${said}`, { cause: error });
}
