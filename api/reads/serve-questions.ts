import { type Database, isPassing, type ReaderFault, toReaderFault } from '../../schema/db/interface.ts';
import type { CataloguePlace } from '../../schema/db/moved.ts';
import { openCatalogue } from '../../schema/db/open-catalogue.ts';
import { reportIfDamaged } from '../../schema/db/replica/files.ts';
import { collectWhenIdle } from '../../schema/process/heap.ts';
import { serveParent } from '../../schema/process/serve.ts';

/** The common part of every question to a reading process: its number, and where the catalogue is. */
type CatalogueQuestion = CataloguePlace & { id: number };

/** Answers questions in a separate process: opens the catalogue read-only when first needed, and answers one question at a time. */
export function serveQuestions<Q extends CatalogueQuestion>(
  answer: (catalogue: Database, question: Q) => Promise<object>,
) {
  let opened: Promise<Database> | undefined;
  let openedUrl: string | undefined;
  const isDone = collectWhenIdle();
  serveParent<Q>(async (question) => {
    const { url, authToken, successorToken } = question;
    if (url !== openedUrl) {
      await close(opened);
      opened = undefined;
      openedUrl = url;
    }
    opened ??= openCatalogue({ url, authToken, successorToken, durability: 'normal', readOnly: true });
    const said = await answerOrFault(url, opened, (catalogue) => answer(catalogue, question));
    if (await isUseless(opened, said)) {
      await close(opened);
      opened = undefined;
    }
    isDone();
    return said;
  });
}

/** Whether a catalogue has to be opened again. A server that was away is asked again: what was read of it stays in memory. */
async function isUseless(opened: Promise<Database>, said: object): Promise<boolean> {
  const { kind, of } = said as Partial<ReaderFault>;
  if (kind !== 'fault') return false;
  const [opening] = await Promise.allSettled([opened]);
  return of !== 'away' || opening.status === 'rejected';
}

/** Opened before another copy of a server replaced it, or of no use any more; a failed opening has nothing to close. */
async function close(opened: Promise<Database> | undefined): Promise<void> {
  const [outcome] = await Promise.allSettled([opened]);
  if (outcome.status === 'fulfilled') await outcome.value?.close();
}

async function answerOrFault(
  url: string,
  opened: Promise<Database>,
  answer: (catalogue: Database) => Promise<object>,
): Promise<object | ReaderFault> {
  try {
    return await answer(await opened);
  } catch (error) {
    return toReaderFault(error, isPassing(error) || (await reportIfDamaged(url, error)));
  }
}
