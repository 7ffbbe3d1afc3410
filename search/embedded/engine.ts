import { extension, SMALL_HEAP } from '../../schema/process/child.ts';
import { makeWorkerPool, type PoolOptions, type WorkerPool } from '../../schema/process/pool.ts';
import { BadCursor, type SearchAnswer, type SearchEngine, SearchUnavailable } from '../engine.ts';
import { VERSION } from './layout/tables.ts';
import type { Answer, Ask } from './reader.ts';
import type { IndexFiles } from './store/files.ts';
import { readIndexCursor, storeDocuments } from './store/statements.ts';

/** The embedded engine with its readers in sight, for those who watch processes. */
export interface EmbeddedEngine extends SearchEngine {
  readonly readers: Pick<WorkerPool<Ask, Answer>, 'pids'>;
}

/** Where the index is (`file:…`), and how it is read. */
export type EngineOptions = Pick<PoolOptions, 'warm' | 'deadlineMs' | 'waitMs'> & { url: string; readers?: number };

const refuse = (reason: string, cause?: Error) => new SearchUnavailable(`search ${reason}`, { cause });

/** Processes that answer questions about an index, of this process or of another one. */
export type SearchReaders = WorkerPool<Ask, Answer>;

/** Readers of the index at `url`. */
export function makeSearchReaders({ url, readers: workers, ...times }: EngineOptions): SearchReaders {
  const script = new URL(`./reader${extension()}`, import.meta.url);
  return makeWorkerPool<Ask, Answer>({
    ...times,
    nodeArguments: SMALL_HEAP,
    ...(workers ? { workers } : {}),
    script,
    args: [url],
    refuse,
  });
}

/**
 * The engine that needs nothing but a file. Queries run in reader processes; only a writer may store.
 * @param files the index open for writing, or null for an engine that only reads
 * @param from the readers to ask, or how to start them
 */
export function makeEmbeddedEngine(files: IndexFiles | null, from: EngineOptions | SearchReaders): EmbeddedEngine {
  const readers = 'ask' in from ? from : makeSearchReaders(from);
  const writer = (): IndexFiles => {
    if (!files) throw new Error('this search index was opened for reading');
    return files;
  };
  return {
    name: 'embedded',
    version: VERSION,
    readers,
    async find(query) {
      const sent = { ...query, now: query.now.toISOString() };
      return unwrap(await readers.ask({ kind: 'find', query: sent }));
    },
    async readCursor() {
      if (files) return readIndexCursor(await files.live());
      const answer = await readers.ask({ kind: 'cursor' });
      if (answer.kind === 'cursor') return answer.cursor;
      if (answer.kind === 'unavailable') return null;
      throw new Error('message' in answer ? answer.message : 'the search reader misunderstood');
    },
    store: async (batch) => storeDocuments(await writer().live(), batch),
    openBuild: async () => writer().openBuild(),
    tidy: async () => writer().tidy(),
    async close() {
      await readers.close();
      await files?.close();
    },
  };
}

function unwrap(answer: Answer): SearchAnswer {
  if (answer.kind === 'found') return answer.answer;
  const message = 'message' in answer ? answer.message : 'the search reader misunderstood';
  if (answer.kind === 'bad-cursor') throw new BadCursor(message);
  if (answer.kind === 'unavailable') throw new SearchUnavailable(message);
  throw new Error(`the search reader failed: ${message}`);
}
