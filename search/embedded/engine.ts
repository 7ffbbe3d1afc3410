import { fromReaderFault } from '../../schema/db/interface.ts';
import { extension } from '../../schema/process/child.ts';
import { boundedHeap } from '../../schema/process/heap.ts';
import { makeWorkerPool, type PoolOptions, type WorkerPool } from '../../schema/process/pool.ts';
import { COLLECTIONS } from '../collections/index.ts';
import type { Collection, ShownDocument } from '../collections/shape.ts';
import {
  type AnyHit,
  BadCursor,
  type SearchEngine,
  type SearchHit,
  type SearchQuery,
  SearchUnavailable,
} from '../engine.ts';
import { type ReadShown, readInOrder, toHit } from '../results/shown.ts';
import { versionOf } from './layout/tables.ts';
import type { Answer, Ask } from './reader.ts';
import type { IndexFiles } from './store/files.ts';

/** The embedded engine with access to its readers, for metrics of processes. */
export interface EmbeddedEngine<Hit extends AnyHit = SearchHit> extends SearchEngine<Hit> {
  readonly readers: Pick<WorkerPool<Ask, Answer>, 'pids'>;
}

/** How indexes are read. Those at `urls` (`file:…`) are opened before the first query. */
type ReaderOptions = Pick<PoolOptions, 'warm' | 'deadlineMs' | 'waitMs'> & {
  urls: readonly string[];
  readers?: number;
};

/** The index of an engine: of notices by default, and with readers of its own unless it shares some. */
type EngineOptions = Omit<ReaderOptions, 'urls'> & {
  url: string;
  /** The index stores no text. */
  readShown: ReadShown;
  collection?: Collection;
  shared?: SearchReaders;
};

/** Each batch is a segment of the index. With a fifth of them, a new index takes an eighth less time (measured). */
const BATCH_ROWS = 10_000;

const refuse = (reason: string, cause?: Error) => new SearchUnavailable(`search ${reason}`, { cause });

/** Processes that answer questions about indexes, which this process or another one writes. */
export type SearchReaders = WorkerPool<Ask, Answer>;

/** Starts processes that read the indexes at some addresses. */
export function makeSearchReaders({ urls, readers: workers, ...times }: ReaderOptions): SearchReaders {
  const script = new URL(`./reader${extension()}`, import.meta.url);
  return makeWorkerPool<Ask, Answer>({
    ...times,
    nodeArguments: boundedHeap(),
    ...(workers ? { workers } : {}),
    script,
    args: urls,
    refuse,
  });
}

/**
 * The engine that needs only a file. Queries run in reader processes.
 * @param files the index, open for writing; null for an engine that only reads
 */
export function makeEmbeddedEngine<Hit extends AnyHit = SearchHit>(
  files: IndexFiles | null,
  { url, readShown, collection = COLLECTIONS.notices, shared, ...times }: EngineOptions,
): EmbeddedEngine<Hit> {
  const readers = shared ?? makeSearchReaders({ ...times, urls: [url] });
  const writer = (): IndexFiles => {
    if (!files) throw new Error('this search index was opened for reading');
    return files;
  };
  const highlight = async (documents: ShownDocument[], expression: string | null) => {
    if (expression === null || documents.length === 0) return [];
    const texts = documents.map(({ title, description }) => ({ title, description }));
    const marked = await readers.ask({ url, kind: 'mark', texts, expression });
    return marked.kind === 'marked' ? marked.highlights : fail(marked);
  };
  const show = async (ids: string[], expression: string | null): Promise<Hit[]> => {
    const documents = await readInOrder(readShown, ids);
    const highlights = await highlight(documents, expression);
    return documents.map((document, at) => toHit<Hit>(document, collection, highlights[at]));
  };
  return {
    name: 'embedded',
    collection: collection.name,
    version: versionOf(collection),
    batchRows: BATCH_ROWS,
    readers,
    async find(query) {
      const answer = await readers.ask({ url, kind: 'find', query: toSent(query) });
      if (answer.kind !== 'found') return fail(answer);
      const { ids, mark, ...found } = answer.found;
      return { ...found, hits: await show(ids, mark) };
    },
    async matchAll(query) {
      const answer = await readers.ask({ url, kind: 'match', query: toSent(query) });
      return answer.kind === 'matched' ? answer.matches : fail(answer);
    },
    async listMatches(query, from, most) {
      const answer = await readers.ask({ url, kind: 'list', query: toSent(query), from, most });
      return answer.kind === 'listed' ? answer.list : fail(answer);
    },
    async readCursor() {
      if (files) return files.readCursor();
      const answer = await readers.ask({ url, kind: 'cursor' });
      if (answer.kind === 'cursor') return answer.cursor;
      if (answer.kind === 'unavailable') return null;
      throw new Error('message' in answer ? answer.message : otherKind(answer));
    },
    store: async (batch) => writer().store(batch),
    openBuild: async () => writer().openBuild(),
    tidy: async () => writer().tidy(),
    async close() {
      if (!shared) await readers.close();
      await files?.close();
    },
  };
}

function toSent(query: SearchQuery) {
  return { ...query, now: query.now.toISOString() };
}

function fail(answer: Answer): never {
  if (answer.kind === 'bad-cursor') throw new BadCursor(answer.message);
  if (answer.kind === 'unavailable') throw new SearchUnavailable(answer.message);
  if (answer.kind === 'fault') throw fromReaderFault(answer, 'search reader');
  throw new Error(otherKind(answer));
}

function otherKind({ kind }: Answer): string {
  return `the search reader gave an answer of another kind: ${kind}`;
}
