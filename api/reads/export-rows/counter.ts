import { type Database, DatabaseAway } from '../../../schema/db/interface.ts';
import { type CataloguePlace, catalogueAt, placeOf } from '../../../schema/db/moved.ts';
import { boundedHeap, extension } from '../../../schema/process/child.ts';
import { makeWorkerPool, type WorkerPool } from '../../../schema/process/pool.ts';
import { SearchUnavailable } from '../../../search/engine.ts';
import { countRows, type KeyWalk, readKeys, type WalkedKey, type WalkPosition } from './keys.ts';

/** How long one question may take before its process is killed. */
const DEADLINE_MS = 10_000;

/** Counts rows and reads their keys in other processes, so that no call waits. */
export interface Rows {
  /** How many rows are wanted. @throws SearchUnavailable past the deadline, or where too much is requested at once; DatabaseAway. */
  count(walk: KeyWalk): Promise<number>;
  /** The keys of at most `rows` wanted rows behind a position, newest first. @throws the same */
  keys(walk: KeyWalk, after: WalkPosition, rows: number): Promise<WalkedKey[]>;
  close(): Promise<void>;
}

export type RowAsk = CataloguePlace & { walk: KeyWalk } & (
    | { kind: 'count' }
    | { kind: 'keys'; after: WalkPosition; rows: number }
  );
export type RowQuestion = RowAsk & { id: number };

export type RowAnswer = { id: number } & (
  | { kind: 'counted'; count: number }
  | { kind: 'keys'; keys: WalkedKey[] }
  | { kind: 'fault'; message: string; isAway: boolean }
);

const refuse = (reason: string, cause?: Error) => new SearchUnavailable(`the row reader ${reason}`, { cause });

export type RowReaders = WorkerPool<RowAsk, RowAnswer>;

/** Processes that read rows, which start when first needed. */
export function makeRowReaders(deadlineMs = DEADLINE_MS): RowReaders {
  const script = new URL(`./reader${extension()}`, import.meta.url);
  return makeWorkerPool<RowAsk, RowAnswer>({ script, deadlineMs, refuse, nodeArguments: boundedHeap() });
}

/**
 * Rows of the catalogue, read in separate processes. @param urlNow - where the catalogue is read at the moment: a copy of a
 * server changes its file, and a server may move
 */
export function openRows(
  settings: Parameters<typeof catalogueAt>[0],
  readers = makeRowReaders(),
  urlNow = () => settings.CATALOGUE_URL,
): Rows {
  const from = () => placeOf(catalogueAt(settings), urlNow());
  return {
    async count(walk) {
      const answer = await readers.ask({ ...from(), kind: 'count', walk });
      return answer.kind === 'counted' ? answer.count : fail(answer);
    },
    async keys(walk, after, rows) {
      const answer = await readers.ask({ ...from(), kind: 'keys', walk, after, rows });
      return answer.kind === 'keys' ? answer.keys : fail(answer);
    },
    close: () => readers.close(),
  };
}

/** @throws DatabaseAway where the reader's catalogue is a server that does not answer: this is temporary, and not our fault. */
function fail(answer: RowAnswer): never {
  if (answer.kind === 'fault' && answer.isAway) throw new DatabaseAway(answer.message);
  throw new Error(`the row reader failed: ${'message' in answer ? answer.message : 'it misunderstood'}`);
}

/** The same in this process, for tools and tests that serve no calls. */
export function rowsOf(catalogue: Database): Rows {
  return {
    count: (walk) => countRows(catalogue, walk),
    keys: (walk, after, rows) => readKeys(catalogue, walk, after, rows),
    close: async () => undefined,
  };
}
