import { type Database, DatabaseAway } from '../../schema/db/interface.ts';
import { type CataloguePlace, catalogueAt, placeOf } from '../../schema/db/moved.ts';
import { extension, SMALL_HEAP } from '../../schema/process/child.ts';
import { makeWorkerPool, type WorkerPool } from '../../schema/process/pool.ts';
import { listCompanies } from '../../search/directory/companies.ts';
import { SearchUnavailable } from '../../search/engine.ts';
import type { Aside } from '../contract/aside.ts';
import type { QuestionFault } from '../reads/serve-questions.ts';
import { listBuyersAt, lookUpCompanies } from './many.ts';

/** How long one question may take: its process is killed then. The first list reads every supplier. */
const DEADLINE_MS = 20_000;

/** What can be asked, by name. The reading process answers from the same table. */
export const TASKS = { lookUpCompanies, listBuyers: listBuyersAt, listCompanies } satisfies Record<
  string,
  (catalogue: Database, asked: never) => Promise<unknown>
>;
type Tasks = typeof TASKS;
type Asked<K extends keyof Tasks> = Parameters<Tasks[K]>[1];
type Answered<K extends keyof Tasks> = Awaited<ReturnType<Tasks[K]>>;

export type AsideAsk = CataloguePlace & { task: keyof Tasks; asked: unknown };
export type AsideAnswer = { id: number } & ({ kind: 'answer'; answer: unknown } | QuestionFault);

export type AsideReaders = WorkerPool<AsideAsk, AsideAnswer>;

/** Processes that look up, which start when first asked. */
export function makeAsideReaders(deadlineMs = DEADLINE_MS): AsideReaders {
  const script = new URL(`./reader${extension()}`, import.meta.url);
  const refuse = (reason: string, cause?: Error) => new SearchUnavailable(`the look-up reader ${reason}`, { cause });
  return makeWorkerPool<AsideAsk, AsideAnswer>({ script, deadlineMs, refuse, nodeArguments: SMALL_HEAP });
}

/**
 * Work on the catalogue in processes of their own.
 * @param urlNow - where the catalogue is read at the moment: a copy of a server changes its file, and a server may move
 */
export function openAside(
  settings: Parameters<typeof catalogueAt>[0],
  readers = makeAsideReaders(),
  urlNow = () => settings.CATALOGUE_URL,
): Aside {
  const ask = async <K extends keyof Tasks>(task: K, asked: Asked<K>): Promise<Answered<K>> => {
    const answer = await readers.ask({ ...placeOf(catalogueAt(settings), urlNow()), task, asked });
    // It crosses as JSON, which holds all of it.
    if (answer.kind === 'answer') return answer.answer as Answered<K>;
    if (answer.isAway) throw new DatabaseAway(answer.message);
    throw new Error(`the look-up reader failed: ${answer.message}`);
  };
  return {
    lookUpCompanies: (asked) => ask('lookUpCompanies', asked),
    listBuyers: (asked) => ask('listBuyers', asked),
    listCompanies: (asked) => ask('listCompanies', asked),
    close: () => readers.close(),
  };
}

/** The same in this process, for tools and tests that serve no calls. */
export function asideOf(catalogue: Database): Aside {
  return {
    lookUpCompanies: (asked) => lookUpCompanies(catalogue, asked),
    listBuyers: (asked) => listBuyersAt(catalogue, asked),
    listCompanies: (asked) => listCompanies(catalogue, asked),
    close: async () => undefined,
  };
}
