import { type EnqueuedTaskPromise, MeilisearchTaskTimeOutError, type Task } from 'meilisearch';

/** Most tasks take moments; the others are looked at less often, in rounds, as every look of a round leaves a listener behind. */
const ROUNDS = [
  { timeout: 2_000, interval: 20 },
  ...Array.from({ length: 10 }, () => ({ timeout: 60_000, interval: 200 })),
];

/** A task that the server accepted and then failed at. */
export class TaskFailed extends Error {
  override name = 'TaskFailed';
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
