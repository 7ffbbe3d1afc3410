import { fromReaderFault, type ReaderFault } from '../../../schema/db/interface.ts';
import { type CataloguePlace, catalogueAt, placeOf } from '../../../schema/db/moved.ts';
import { extension } from '../../../schema/process/child.ts';
import { boundedHeap } from '../../../schema/process/heap.ts';
import { makeWorkerPool, type WorkerPool } from '../../../schema/process/pool.ts';
import { SearchUnavailable } from '../../../search/engine.ts';
import type { KeyQuery, RowKey } from './keys.ts';

/** How long one question may take before its process is killed. */
const DEADLINE_MS = 10_000;

/** Counts rows and reads their keys in other processes, so that no call waits. */
export interface Rows {
  /**
   * The number of wanted rows.
   * @throws SearchUnavailable past the deadline or if too much is requested at once; DatabaseAway if a server does not answer
   */
  count(query: KeyQuery): Promise<number>;
  /** The keys of at most `rows` wanted rows after a position, newest first. @throws the same */
  keys(query: KeyQuery, after: RowKey, rows: number): Promise<RowKey[]>;
  close(): Promise<void>;
}

export type RowAsk = CataloguePlace & { query: KeyQuery } & (
    | { kind: 'count' }
    | { kind: 'keys'; after: RowKey; rows: number }
  );
export type RowQuestion = RowAsk & { id: number };

export type RowAnswer = { id: number } & (
  | { kind: 'counted'; count: number }
  | { kind: 'keys'; keys: RowKey[] }
  | ReaderFault
);

const refuse = (reason: string, cause?: Error) => new SearchUnavailable(`the row reader ${reason}`, { cause });

export type RowReaders = WorkerPool<RowAsk, RowAnswer>;

/** Processes that read rows, which start when first needed. */
export function makeRowReaders(deadlineMs = DEADLINE_MS): RowReaders {
  const script = new URL(`./reader${extension()}`, import.meta.url);
  return makeWorkerPool<RowAsk, RowAnswer>({ script, deadlineMs, refuse, nodeArguments: boundedHeap() });
}

/**
 * Rows of the catalogue, read in separate processes.
 * @param urlNow returns the current address of the catalogue: a copy of a server changes its file, and a server may move
 */
export function openRows(
  settings: Parameters<typeof catalogueAt>[0],
  readers = makeRowReaders(),
  urlNow = () => settings.CATALOGUE_URL,
): Rows {
  const from = () => placeOf(catalogueAt(settings), urlNow());
  return {
    async count(query) {
      const answer = await readers.ask({ ...from(), kind: 'count', query });
      return answer.kind === 'counted' ? answer.count : fail(answer);
    },
    async keys(query, after, rows) {
      const answer = await readers.ask({ ...from(), kind: 'keys', query, after, rows });
      return answer.kind === 'keys' ? answer.keys : fail(answer);
    },
    close: () => readers.close(),
  };
}

/** @throws DatabaseAway, DatabaseFault; Error for a fault of the program */
function fail(answer: RowAnswer): never {
  if (answer.kind === 'fault') throw fromReaderFault(answer, 'row reader');
  throw new Error('the row reader misunderstood');
}
