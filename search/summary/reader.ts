import { setTimeout as pause } from 'node:timers/promises';
import { type Database, isPassing, type ReaderFault, toReaderFault } from '../../schema/db/interface.ts';
import type { CataloguePlace } from '../../schema/db/moved.ts';
import { openCatalogue } from '../../schema/db/open-catalogue.ts';
import { type ProcessLock, takeLock } from '../../schema/db/process-lock.ts';
import { reportIfDamaged } from '../../schema/db/replica/files.ts';
import { collectWhenIdle } from '../../schema/process/heap.ts';
import { makeSequence, serveParent } from '../../schema/process/serve.ts';
import { type ColumnFile, columnPath, isOfDamage, openColumns, removeColumns } from './file.ts';
import { countColumnLag, followCatalogue, forgetUnusedNames } from './follow.ts';
import { type SummaryAnswer, type SummaryQuery, summarise } from './pass.ts';

/** A question; `follow` only says where the catalogue is. */
export type Task = { kind: 'follow' } | { kind: 'summarise'; query: SummaryQuery };
export type Ask = CataloguePlace & Task;
type Question = Ask & { id: number };

type Answered =
  | { kind: 'following' }
  | { kind: 'summary'; answer: SummaryAnswer }
  | { kind: 'unavailable'; message: string }
  | ReaderFault;
export type Answer = { id: number } & Answered;

/** The most changed rows applied before an answer; further ones are applied while idle. */
const AT_ONCE_ROWS = 500;
const LOOK_AGAIN_MS = 2_000;
/** Between two batches, so that a question does not wait for all of them. */
const PAUSE_MS = 5;

/** The open resources of this process. */
interface Opened {
  url: string;
  catalogue: Database;
}

/** The process that maintains the columns and adds up: answers one question at a time, and applies changes in between. */
function serve(folder: string): void {
  const reader = makeReader(folder);
  const isDone = collectWhenIdle();
  serveParent<Question>((question) => reader.answer(question).finally(isDone));
  void followWhileIdle(reader);
}

function makeReader(folder: string) {
  let file: ColumnFile | undefined;
  let lock: ProcessLock | null = null;
  let opened: Opened | undefined;
  let hasForgotten = false;
  const runNext = makeSequence();
  const open = async ({ url, authToken, successorToken }: CataloguePlace) => {
    if (opened?.url !== url) {
      await opened?.catalogue.close();
      opened = undefined;
      const place = { url, authToken, successorToken };
      opened = { url, catalogue: await openCatalogue({ ...place, durability: 'normal', readOnly: true }) };
    }
    file ??= await openColumns(folder);
    lock ??= takeWriting();
    return { catalogue: opened.catalogue, file };
  };
  // Of several processes over one folder, one writes.
  const takeWriting = () => takeLock(`${columnPath(folder)}.lock`);
  /** Damaged columns are filled again, as the catalogue has all of their contents. Other errors are thrown. */
  const heal = async (error: unknown) => {
    if (!isOfDamage(folder, error)) throw error;
    await file?.close();
    file = undefined;
    lock ??= takeWriting();
    if (lock) await removeColumns(folder);
  };
  /** Applies the next batch. What was taken down while no process followed is only unused after the last. */
  const follow = async (catalogue: Database, columns: ColumnFile) => {
    if (await followCatalogue(catalogue, columns)) return true;
    if (!hasForgotten) await forgetUnusedNames(columns);
    hasForgotten = true;
    return false;
  };
  return {
    answer: (question: Question) =>
      runNext(() => answerQuestion(question, { open, heal, mayWrite: () => lock !== null })),
    /** Applies the next batch, once it is known where the catalogue is. @returns whether there may be more */
    follow: () =>
      runNext(
        async () =>
          lock !== null &&
          opened !== undefined &&
          file !== undefined &&
          (await follow(opened.catalogue, file).catch(heal)) === true,
      ),
  };
}

/** What a question may use. */
interface Access {
  open(from: Question): Promise<{ catalogue: Database; file: ColumnFile }>;
  heal(error: unknown): Promise<void>;
  mayWrite(): boolean;
}

async function answerQuestion(question: Question, access: Access): Promise<Answered> {
  try {
    const answered = await answerNow(question, access).catch(access.heal);
    return answered ?? { kind: 'unavailable', message: 'the contracts are being prepared for summaries' };
  } catch (error) {
    return toReaderFault(error, isPassing(error) || (await reportIfDamaged(question.url, error)));
  }
}

/** Null where the columns are not complete yet. */
async function answerNow(question: Question, { open, mayWrite }: Access): Promise<Answered | null> {
  const { catalogue, file } = await open(question);
  if (question.kind === 'follow') return { kind: 'following' };
  const columnState = await file.readState();
  const lag = await countColumnLag(catalogue, columnState, AT_ONCE_ROWS + 1);
  const isLittle = lag <= AT_ONCE_ROWS && (lag > 0 || !columnState?.whole);
  if (mayWrite() && isLittle) await followCatalogue(catalogue, file, AT_ONCE_ROWS + 1);
  const answer = await answerUnchanged(file, question.query);
  return answer && { kind: 'summary', answer };
}

/** Another process may have written between two pieces: then everything is added up again. Null where the columns are not complete yet. */
async function answerUnchanged(file: ColumnFile, query: SummaryQuery): Promise<SummaryAnswer | null> {
  for (;;) {
    const before = file.database.version?.();
    const columnState = await file.readState();
    if (!columnState?.whole) return null;
    const answer = await summarise(file, columnState, query);
    if (before === file.database.version?.()) return answer;
  }
}

/** Runs for ever: applies one batch after another until there is none, then looks again after a while. */
async function followWhileIdle({ follow }: ReturnType<typeof makeReader>): Promise<never> {
  for (;;) {
    // The next question also meets a failure, and reports it; here it is tried again.
    const [done] = await Promise.allSettled([follow()]);
    const waitMs = done.status === 'fulfilled' && done.value ? PAUSE_MS : LOOK_AGAIN_MS;
    await pause(waitMs);
  }
}

const [, , folder] = process.argv;
if (folder && process.connected) serve(folder);
