import type { Settings } from '../../schema/config/settings.ts';
import { fromReaderFault } from '../../schema/db/interface.ts';
import { catalogueAt, placeOf } from '../../schema/db/moved.ts';
import { extension } from '../../schema/process/child.ts';
import { boundedHeap, COLLECTING } from '../../schema/process/heap.ts';
import { makeWorkerPool, type WorkerPool } from '../../schema/process/pool.ts';
import { SearchUnavailable } from '../engine.ts';
import type { SummaryAnswer, SummaryQuery } from './pass.ts';
import type { Answer, Ask, Task } from './reader.ts';

/** How long one summary may take before its process is killed. */
const DEADLINE_MS = 5_000;

/** Adds up contracts in another process, so that no call waits. */
export interface Summaries {
  /** @throws SearchUnavailable past the deadline, where too much is requested at once, or while the columns are filled for the first time; DatabaseAway */
  summarise(query: SummaryQuery): Promise<SummaryAnswer>;
  /** Begins to maintain the columns, so that the first summary does not have to wait for them. @throws the same */
  follow(): Promise<void>;
  close(): Promise<void>;
}

export type SummaryReaders = WorkerPool<Ask, Answer>;

const refuse = (reason: string, cause?: Error) => new SearchUnavailable(`the summary ${reason}`, { cause });

/** The process that maintains the columns of a folder and adds up. @param deadlineMs how long one summary may take */
export function makeSummaryReaders({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>, deadlineMs = DEADLINE_MS): SummaryReaders {
  const script = new URL(`./reader${extension()}`, import.meta.url);
  return makeWorkerPool<Ask, Answer>({
    script,
    args: [DATA_DIR],
    workers: 1,
    deadlineMs,
    refuse,
    nodeArguments: [...boundedHeap(), COLLECTING],
  });
}

/**
 * Summaries of the contracts of a catalogue. Its methods throw SearchUnavailable while the columns are not complete or past
 * the deadline, DatabaseAway if a server does not answer, and DatabaseFault where a file cannot be used, as on a full disk. Any
 * other fault of the reader is an Error.
 * @param urlNow returns the current address of the catalogue: a copy of a server changes its file, and a server may move
 */
export function openSummaries(
  settings: Parameters<typeof catalogueAt>[0] & Pick<Settings, 'DATA_DIR'>,
  readers = makeSummaryReaders(settings),
  urlNow = () => settings.CATALOGUE_URL,
): Summaries {
  const ask = async (asked: Task): Promise<Answer> => {
    const answer = await readers.ask({ ...placeOf(catalogueAt(settings), urlNow()), ...asked });
    if (answer.kind === 'unavailable') throw new SearchUnavailable(answer.message, { reason: 'behind' });
    if (answer.kind === 'fault') throw fromReaderFault(answer, 'summary reader');
    return answer;
  };
  return {
    async summarise(query) {
      const answer = await ask({ kind: 'summarise', query });
      if (answer.kind !== 'summary')
        throw new Error(`the summary reader gave an answer of another kind: ${answer.kind}`);
      return answer.answer;
    },
    async follow() {
      await ask({ kind: 'follow' });
    },
    close: () => readers.close(),
  };
}
