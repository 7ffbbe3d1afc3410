import type { EnqueuedTaskPromise } from 'meilisearch';

const WAIT = { timeout: 600_000, interval: 20 };

/** A task that the server accepted and then failed at. */
export class TaskFailed extends Error {
  override name = 'TaskFailed';
}

/** Waits for a task to be done. @throws TaskFailed, as the client's own wait resolves a failed task like any other. */
export async function finishTask(enqueued: EnqueuedTaskPromise): Promise<void> {
  const task = await enqueued.waitTask(WAIT);
  if (task.status === 'succeeded') return;
  throw new TaskFailed(
    `Meilisearch task ${task.uid} (${task.type}) ${task.status}: ${task.error?.message ?? 'no reason given'}`,
  );
}
