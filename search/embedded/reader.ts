import type { Database } from '../../schema/db/interface.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { BadCursor, SearchUnavailable } from '../engine.ts';
import { findEmbedded } from './find.ts';
import { followLive, type WithLive } from './follow.ts';
import type { Answer, Question } from './messages.ts';
import { CREATE_SCRATCH } from './rank/hits.ts';
import { readIndexCursor } from './store/statements.ts';
import { warm, workWhenIdle } from './warm.ts';

/** How much of the index file this process may map into memory and keep of it. */
const TUNING = ['PRAGMA mmap_size=2147483648', 'PRAGMA cache_size=-65536'];

/** The reader process: the live index, opened read-only when first asked, one question after the other. */
function serve(url: string): void {
  const withLive = followLive(url, openIndex);
  let lastAskedMs = 0;
  process.on('message', async (question: Question) => {
    lastAskedMs = performance.now();
    const answer = await answerQuestion(withLive, question);
    if (process.connected) process.send?.(answer);
  });
  // The parent is gone or has let go: nothing here is worth finishing.
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole group; the parent closes its readers itself, after the last answer.
  process.on('SIGINT', () => undefined);
  process.send?.({ id: 0, kind: 'ready' } satisfies Answer);
  // So that no question waits for the opening, nor for what most queries need; an index that was succeeded is let go, as its
  // file takes room for as long as it is open.
  void workWhenIdle(
    () => withLive(async ({ warming }) => !(await warming.next()).done),
    () => lastAskedMs,
  );
}

async function answerQuestion(withLive: WithLive<OpenedIndex>, question: Question): Promise<Answer> {
  const { id } = question;
  try {
    return await withLive(async ({ index, scratch }): Promise<Answer> => {
      if (question.kind === 'cursor') return { id, kind: 'cursor', cursor: await readIndexCursor(index) };
      const query = { ...question.query, now: new Date(question.query.now) };
      return { id, kind: 'found', answer: await findEmbedded(index, scratch, query) };
    });
  } catch (error) {
    const kind =
      error instanceof BadCursor ? 'bad-cursor' : error instanceof SearchUnavailable ? 'unavailable' : 'fault';
    return { id, kind, message: (error as Error).message };
  }
}

interface OpenedIndex {
  index: Database;
  scratch: Database;
  /** What is still to be read before anybody asks. */
  warming: AsyncGenerator<void>;
  close(): Promise<void>;
}

async function openIndex(url: string): Promise<OpenedIndex> {
  const index = await openDatabase({ url, durability: 'normal', readOnly: true }).catch((error: Error) => {
    throw new SearchUnavailable('the search index is not there yet', { cause: error });
  });
  if (!(await isFilled(index))) {
    await index.close();
    throw new SearchUnavailable('the search index is not there yet');
  }
  for (const sql of TUNING) await index.read({ sql });
  const scratch = await openDatabase({ url: 'file::memory:', durability: 'normal' });
  await scratch.write([{ sql: CREATE_SCRATCH }]);
  return {
    index,
    scratch,
    warming: warm(index),
    async close() {
      await index.close();
      await scratch.close();
    },
  };
}

async function isFilled(index: Database): Promise<boolean> {
  const rows = await index.read({ sql: "SELECT 1 FROM sqlite_master WHERE name = 'word'" });
  return rows.length > 0;
}

const [, , url] = process.argv;
if (url && process.connected) serve(url);
