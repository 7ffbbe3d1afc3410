import {
  type EnqueuedTaskPromise,
  type Meilisearch,
  MeilisearchApiError,
  MeilisearchTaskTimeOutError,
  type Task,
} from 'meilisearch';
import type { FillableIndex, IndexBuild, IndexCursor } from '../engine.ts';
import { type IndexedDocument, toIndexed } from './documents.ts';
import { INDEX_SETTINGS } from './settings.ts';

const CURSOR_ID = 'cursor';

/** Most tasks take moments; the others are looked at less often, in rounds, as every look of a round leaves a listener behind. */
const ROUNDS = [
  { timeout: 2_000, interval: 20 },
  ...Array.from({ length: 10 }, () => ({ timeout: 60_000, interval: 200 })),
];

type StoredCursor = IndexCursor & { name: string };

/** A task that the server accepted and then failed at. */
export class TaskFailed extends Error {
  override name = 'TaskFailed';
}

/** Two indexes that belong together: the notices, and a small one whose single document is the cursor over them. */
export interface IndexPair {
  notices: string;
  state: string;
}

/** The pair that answers and the one that is built next to it. */
export function indexPairs(prefix: string): { live: IndexPair; next: IndexPair } {
  const pair = (suffix: string) => ({ notices: `${prefix}notices${suffix}`, state: `${prefix}notices_state${suffix}` });
  return { live: pair(''), next: pair('_new') };
}

/** A pair as something to be filled: documents first, then removals, the cursor last, each awaited. */
export function fillPair(client: Meilisearch, { notices, state }: IndexPair): FillableIndex {
  return {
    readCursor: () => readStoredCursor(client, state),
    async store({ documents, gone, cursor }) {
      const index = client.index<IndexedDocument>(notices);
      if (documents.length > 0) await finishTask(index.addDocuments(documents.map(toIndexed)));
      if (gone.length > 0) await finishTask(index.deleteDocuments(gone));
      const { seq, id, generation, version } = cursor;
      const stored: StoredCursor = { name: CURSOR_ID, seq, id, generation, version };
      await finishTask(client.index<StoredCursor>(state).addDocuments([stored]));
    },
  };
}

/** The next pair, to be filled and swapped with the live one. */
export function buildPair(client: Meilisearch, pairs: ReturnType<typeof indexPairs>): IndexBuild {
  const { live, next } = pairs;
  return {
    ...fillPair(client, next),
    async clear() {
      await dropPair(client, next);
      await finishTask(client.createIndex(next.state, { primaryKey: 'name' }));
      await finishTask(client.createIndex(next.notices, { primaryKey: 'id' }));
      await finishTask(client.index(next.notices).updateSettings(INDEX_SETTINGS));
    },
    countDocuments: async () => (await client.index(next.notices).getStats()).numberOfDocuments,
    async goLive() {
      const swaps = (['notices', 'state'] as const).map(async (part) => ({
        indexes: [next[part], live[part]] as [string, string],
        // Where there is none to swap with, the new one takes the name.
        rename: !(await isThere(client, live[part])),
      }));
      // One task: a query meets the old pair or the new one.
      await finishTask(client.swapIndexes(await Promise.all(swaps)));
    },
  };
}

/** Removes a pair, as far as it is there. The cursor goes first: what is left of a pair is an empty one. */
export async function dropPair(client: Meilisearch, { notices, state }: IndexPair): Promise<void> {
  for (const name of [state, notices]) {
    if (await isThere(client, name)) await finishTask(client.deleteIndex(name));
  }
}

async function readStoredCursor(client: Meilisearch, state: string): Promise<IndexCursor | null> {
  try {
    const { name: _name, ...cursor } = await client.index<StoredCursor>(state).getDocument(CURSOR_ID);
    return cursor;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function isThere(client: Meilisearch, name: string): Promise<boolean> {
  try {
    await client.getRawIndex(name);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof MeilisearchApiError && error.response.status === 404;
}

/**
 * Waits for a task to be done, ten minutes at most.
 * @throws TaskFailed, as the client's own wait resolves a failed task like any other; MeilisearchTaskTimeOutError.
 */
export async function finishTask(enqueued: EnqueuedTaskPromise): Promise<void> {
  const task = await waitInRounds(enqueued);
  if (task.status === 'succeeded') return;
  throw new TaskFailed(
    `Meilisearch task ${task.uid} (${task.type}) ${task.status}: ${task.error?.message ?? 'no reason given'}`,
  );
}

async function waitInRounds(enqueued: EnqueuedTaskPromise): Promise<Task> {
  let late: unknown;
  for (const round of ROUNDS) {
    try {
      return await enqueued.waitTask(round);
    } catch (error) {
      if (!(error instanceof MeilisearchTaskTimeOutError)) throw error;
      late = error;
    }
  }
  throw late;
}
