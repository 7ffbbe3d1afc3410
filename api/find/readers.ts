import type { Settings } from '../../schema/config/settings.ts';
import { type Database, fromReaderFault, type ReaderFault } from '../../schema/db/interface.ts';
import { type CataloguePlace, catalogueAt, placeOf } from '../../schema/db/moved.ts';
import { extension } from '../../schema/process/child.ts';
import { boundedHeap, COLLECTING, YOUNG_HEAP } from '../../schema/process/heap.ts';
import { makeWorkerPool, type PoolOptions, type WorkerPool } from '../../schema/process/pool.ts';
import { SearchUnavailable } from '../../search/engine.ts';
import type { LongReads } from '../contract/long-reads.ts';

/** How long one question may take before its process is killed. The first list reads every supplier. */
const DEADLINE_MS = 20_000;

/** Several times what lists of 5,700,000 registered companies take. */
const LISTS_MEGABYTES = 1_200;

/**
 * The possible questions, by name; null where one cannot be answered yet. A reading process loads the code of a question when it
 * is first asked: lists need none of the schemas of look-ups, which take ten megabytes.
 */
export const TASKS = {
  lookUpCompanies: async () => (await import('./many.ts')).lookUpCompanies,
  listBuyers: async () => (await import('./lists.ts')).listBuyersAt,
  listCompanies: async () => (await import('../../search/directory/companies.ts')).listCompanies,
  listIds: async () => (await import('./lists.ts')).listIds,
  prepareLists: async () => (await import('./lists.ts')).prepareLists,
  readChangesPage: async () => (await import('../../search/changes/page.ts')).readChangesPage,
} satisfies Record<string, () => Promise<(catalogue: Database, asked: never, folder?: string) => Promise<unknown>>>;
type Tasks = { [K in keyof typeof TASKS]: Awaited<ReturnType<(typeof TASKS)[K]>> };

type Asked<K extends keyof Tasks> = Parameters<Tasks[K]>[1];
type Answered<K extends keyof Tasks> = Awaited<ReturnType<Tasks[K]>>;

export type LongReadAsk = CataloguePlace & { task: keyof Tasks; asked: unknown };
export type LongReadAnswer = { id: number } & ({ kind: 'answer'; answer: unknown } | ReaderFault);

export type LongReadPool = WorkerPool<LongReadAsk, LongReadAnswer>;

/**
 * Three processes, which start when first needed: for look-ups, for lists and for changes. The one for lists keeps its
 * filter data in memory and is prepared at start-up. None waits for a look-up of a hundred names, nor for the first list.
 */
export function makeLongReadPool({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>, deadlineMs = DEADLINE_MS): LongReadPool {
  const start = (what: string, heap = boundedHeap(), options: Partial<PoolOptions> = {}) =>
    makeWorkerPool<LongReadAsk, LongReadAnswer>({
      script: new URL(`./reader${extension()}`, import.meta.url),
      args: [DATA_DIR],
      workers: 1,
      deadlineMs,
      refuse: (reason, cause) => new SearchUnavailable(`the ${what} reader ${reason}`, { cause }),
      nodeArguments: [...heap, COLLECTING],
      ...options,
    });
  const lookUps = start('look-up');
  const changes = start('changes', [...boundedHeap(), ...YOUNG_HEAP]);
  // It begins by reading every supplier and company, for a minute or more, while calls are answered.
  const lists = start('list', boundedHeap(LISTS_MEGABYTES), { givesWay: true });
  const readers: Partial<Record<keyof Tasks, typeof lists>> = { lookUpCompanies: lookUps, readChangesPage: changes };
  const all = [lookUps, changes, lists];
  return {
    ask: (asked) => (readers[asked.task] ?? lists).ask(asked),
    pids: () => all.flatMap((pool) => pool.pids()),
    async close() {
      await Promise.all(all.map((pool) => pool.close()));
    },
  };
}

/** @throws SearchUnavailable where there is no list yet */
function whole<T>(list: T | null): T {
  if (list === null) throw new SearchUnavailable('the data of lists is being read', { reason: 'behind' });
  return list;
}

/**
 * Catalogue work in separate processes. Each task throws SearchUnavailable past its deadline or while a list is still being
 * read, DatabaseAway if a server does not answer, and DatabaseFault where a file cannot be used. Any other fault is an Error.
 * @param urlNow returns the current address of the catalogue: a copy of a server changes its file, and a server may move
 */
export function openLongReads(
  settings: Parameters<typeof catalogueAt>[0] & Pick<Settings, 'DATA_DIR'>,
  readers = makeLongReadPool(settings),
  urlNow = () => settings.CATALOGUE_URL,
): LongReads {
  const ask = async <K extends keyof Tasks>(task: K, asked: Asked<K>): Promise<Answered<K>> => {
    const answer = await readers.ask({ ...placeOf(catalogueAt(settings), urlNow()), task, asked });
    // It is sent as JSON, which can carry all of it.
    if (answer.kind === 'answer') return answer.answer as Answered<K>;
    throw fromReaderFault(answer, 'look-up reader');
  };
  return {
    lookUpCompanies: (asked) => ask('lookUpCompanies', asked),
    listBuyers: async (asked) => whole(await ask('listBuyers', asked)),
    listCompanies: async (asked) => whole(await ask('listCompanies', asked)),
    listIds: async (asked) => whole(await ask('listIds', asked)),
    prepareLists: async () => void (await ask('prepareLists', {})),
    readChangesPage: (asked) => ask('readChangesPage', asked),
    close: () => readers.close(),
  };
}
