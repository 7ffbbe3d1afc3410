import { type Answer, compileJob, type Question } from '../../../ingest/workers/job.ts';

/** A worker process that is killed over the ocids that end so: a release that takes all memory looks like this from outside. */
process.on('message', ({ id, ...job }: Question) => {
  if (job.processes.some(({ ocid }) => ocid.endsWith('-00000d'))) process.kill(process.pid, 'SIGKILL');
  else process.send?.({ id, ...compileJob(job) } satisfies Answer);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0, compiled: [], faults: [] } satisfies Answer);
