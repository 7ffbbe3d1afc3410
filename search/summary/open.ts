import type { Settings } from '../../schema/config/settings.ts';
import { type Database, DatabaseAway } from '../../schema/db/interface.ts';
import { extension, SMALL_HEAP } from '../../schema/process/child.ts';
import { makeWorkerPool, type WorkerPool } from '../../schema/process/pool.ts';
import { SearchUnavailable } from '../engine.ts';
import type { SummaryAnswer, SummaryQuery } from './pass.ts';
import type { Answer, Ask } from './reader.ts';

/** How long one summary may take: its process is killed then. */
const DEADLINE_MS = 5_000;

/** Adds up contracts in another process, so that no call waits. */
export interface Summaries {
  /** @throws SearchUnavailable past the deadline, where too much is asked at once, or while the columns are filled for the first time; DatabaseAway */
  summarise(query: SummaryQuery): Promise<SummaryAnswer>;
  close(): Promise<void>;
}

export type SummaryReaders = WorkerPool<Ask, Answer>;

const refuse = (reason: string, cause?: Error) => new SearchUnavailable(`the summary ${reason}`, { cause });

/** The process that keeps the columns of a folder and adds up. @param deadlineMs how long one summary may take */
export function makeSummaryReaders({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>, deadlineMs = DEADLINE_MS): SummaryReaders {
  const script = new URL(`./reader${extension()}`, import.meta.url);
  return makeWorkerPool<Ask, Answer>({
    script,
    args: [DATA_DIR],
    workers: 1,
    deadlineMs,
    refuse,
    nodeArguments: SMALL_HEAP,
  });
}

type CatalogueSettings = Pick<Settings, 'CATALOGUE_URL' | 'CATALOGUE_AUTH_TOKEN'>;

/**
 * Summaries of the contracts of a catalogue.
 * @param catalogue where it is read at the moment: a copy of a server changes its file
 */
export function openSummaries(
  { CATALOGUE_URL, CATALOGUE_AUTH_TOKEN: authToken }: CatalogueSettings,
  catalogue: Pick<Database, 'url' | 'copyAge'>,
  readers: SummaryReaders,
): Summaries {
  const from = () => ({ url: catalogue.copyAge ? catalogue.url : CATALOGUE_URL, authToken });
  return {
    async summarise(query) {
      const answer = await readers.ask({ ...from(), kind: 'summarise', query });
      if (answer.kind === 'summary') return answer.answer;
      const message = 'message' in answer ? answer.message : 'was misunderstood';
      if (answer.kind === 'unavailable') throw refuse(message);
      if (answer.kind === 'away') throw new DatabaseAway(message);
      throw new Error(`the summary reader failed: ${message}`);
    },
    close: () => readers.close(),
  };
}
