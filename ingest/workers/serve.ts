import { type Answer, compileJob, type Question } from './job.ts';

/** A worker process: runs one job at a time. It opens no database. */
function serve(): void {
  process.on('message', ({ id, ...job }: Question) => {
    const answer: Answer = { id, ...compileJob(job) };
    if (process.connected) process.send?.(answer);
  });
  // The parent has ended or let go: nothing here is worth finishing.
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole group; the parent closes its workers itself.
  process.on('SIGINT', () => undefined);
  process.send?.({ id: 0, compiled: [], faults: [] } satisfies Answer);
}

serve();
