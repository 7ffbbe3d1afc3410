import { type Database, isPassing } from '../../../schema/db/interface.ts';
import { openCatalogue } from '../../../schema/db/open-catalogue.ts';
import type { RowAnswer, RowQuestion } from './counter.ts';
import { countRows, readKeys } from './keys.ts';

/** The process that counts rows: the catalogue, opened read-only when first asked, one question after the other. */
function serve(): void {
  let opened: Promise<Database> | undefined;
  let openedUrl: string | undefined;
  process.on('message', async (question: RowQuestion) => {
    const { url, authToken, successorToken } = question;
    if (url !== openedUrl) {
      await close(opened);
      opened = undefined;
      openedUrl = url;
    }
    opened ??= openCatalogue({ url, authToken, successorToken, durability: 'normal', readOnly: true });
    const answer = await answerQuestion(opened, question);
    if (answer.kind === 'fault') opened = undefined;
    if (process.connected) process.send?.(answer);
  });
  // The parent is gone or has let go: nothing here is worth finishing.
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole group; the parent ends its readers itself, after the last answer.
  process.on('SIGINT', () => undefined);
  process.send?.({ id: 0, kind: 'ready' });
}

/** What was opened before another copy of a server took its place; what could not be opened has nothing to close. */
async function close(opened: Promise<Database> | undefined): Promise<void> {
  const [outcome] = await Promise.allSettled([opened]);
  if (outcome.status === 'fulfilled') await outcome.value?.close();
}

async function answerQuestion(opened: Promise<Database>, question: RowQuestion): Promise<RowAnswer> {
  const { id, walk } = question;
  try {
    const catalogue = await opened;
    if (question.kind === 'count') return { id, kind: 'counted', count: await countRows(catalogue, walk) };
    return { id, kind: 'keys', keys: await readKeys(catalogue, walk, question.after, question.rows) };
  } catch (error) {
    return { id, kind: 'fault', message: (error as Error).message, isAway: isPassing(error) };
  }
}

if (process.connected) serve();
