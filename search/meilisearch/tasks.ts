import { type EnqueuedTaskPromise, type Meilisearch, MeilisearchTaskTimeOutError, type Task } from 'meilisearch';

/** Most tasks take moments; the others are checked less often, in rounds, as every check in a round leaves a listener behind. */
const ROUNDS = [
  { timeout: 2_000, interval: 20 },
  ...Array.from({ length: 10 }, () => ({ timeout: 60_000, interval: 200 })),
];

/** More than wait in a queue at once. */
const TASKS_LISTED = 1_000;

type Round = (typeof ROUNDS)[number];

/** A task that the server accepted but then failed to complete. */
export class TaskFailed extends Error {
  override name = 'TaskFailed';
}

/**
 * Waits for a task to be done, ten minutes at most.
 * @throws TaskFailed, as the client's own wait resolves a failed task like any other; MeilisearchTaskTimeOutError.
 */
export async function finishTask(enqueued: EnqueuedTaskPromise): Promise<void> {
  const task = await waitInRounds((round) => enqueued.waitTask(round));
  if (task.status === 'succeeded') return;
  throw new TaskFailed(
    `Meilisearch task ${task.uid} (${task.type}) ${task.status}: ${task.error?.message ?? 'no reason given'}`,
  );
}

/**
 * Waits for every swap of an index that is still in the queue to be done or to fail, ten minutes at most. A task outlives the
 * process that sent it, and a swap that is made twice brings the old index back. @throws MeilisearchTaskTimeOutError
 */
export async function finishSwaps({ tasks }: Meilisearch, index: string): Promise<void> {
  // The server lists a swap under none of its indexes.
  const { results } = await tasks.getTasks({
    types: ['indexSwap'],
    statuses: ['enqueued', 'processing'],
    limit: TASKS_LISTED,
  });
  const own = results.filter(({ details }) => details?.swaps?.some(({ indexes }) => indexes.includes(index)));
  for (const { uid } of own) await waitInRounds((round) => tasks.waitForTask(uid, round));
}

async function waitInRounds(wait: (round: Round) => Promise<Task>): Promise<Task> {
  let late: unknown;
  for (const round of ROUNDS) {
    try {
      return await wait(round);
    } catch (error) {
      if (!(error instanceof MeilisearchTaskTimeOutError)) throw error;
      late = error;
    }
  }
  throw late;
}
