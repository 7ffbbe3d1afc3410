import { type EnqueuedTaskPromise, type Meilisearch, MeilisearchTaskTimeOutError, type Task } from 'meilisearch';

/** Most tasks take moments; the others are checked less often, in rounds, as every check in a round leaves a listener behind. */
const ROUNDS = [
  { timeout: 2_000, interval: 20 },
  ...Array.from({ length: 10 }, () => ({ timeout: 60_000, interval: 200 })),
];

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
 * Waits until the server has done everything that it was sent before, ten minutes at most. Tasks outlive the process that sent
 * them. @throws MeilisearchTaskTimeOutError
 */
export async function passQueue(client: Meilisearch, index: string): Promise<void> {
  // They are done in order, so one that changes nothing comes last. Where there is no such index it fails, which says as much.
  const last = client.index(index).deleteDocument('nothing');
  await waitInRounds((round) => last.waitTask(round));
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
