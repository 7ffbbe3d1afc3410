import type { Numbered } from './child.ts';
import { END_SIGNALS } from './end-signals.ts';

/**
 * Serves the process that started this one with `startWorker`, and ends with it.
 * @param answer returns the answer to a question, without its number; a failure ends this process
 */
export function serveParent<Q extends Numbered>(answer: (question: Q) => object | Promise<object>): void {
  process.on('message', async (question: Q) => {
    const answered = await answer(question);
    say({ ...answered, id: question.id });
  });
  process.on('disconnect', endWithParent);
  // Ctrl-C reaches the whole process group, and systemd's SIGTERM every process of a service. The parent stops its workers
  // itself, after the last answer.
  for (const signal of END_SIGNALS) process.on(signal, () => undefined);
  // The first message means that this process is ready.
  say({ id: 0 });
}

/** Sends to the parent, which may have ended since this process was started, or while it worked. */
function say(message: Numbered): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error) endWithParent();
  });
}

/** The parent has ended or disconnected, so nothing here is worth finishing. */
function endWithParent(): void {
  process.exit(0);
}

/** Returns a function that runs pieces of work one after another. Each caller receives its own result or failure. */
export function makeSequence(): <R>(work: () => Promise<R>) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = Promise.allSettled([done]);
    return done;
  };
}
