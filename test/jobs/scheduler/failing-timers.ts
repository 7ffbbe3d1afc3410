import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import { guardProcess, makeFailureBook } from '../../../jobs/scheduler/failures.ts';
import { followTimetable } from '../../../jobs/scheduler/follow.ts';
import type { Outcome } from '../../../jobs/scheduler/timetable.ts';
import { openLog } from '../../../schema/process/log.ts';
import { makeJobServices } from '../../support/job-services.ts';

/**
 * A jobs process two of whose jobs lose an error where nobody catches it and one of which fails each second, beside one that
 * works. Says on standard output, after its log, what came of it, as one JSON line.
 */
const built = await makeJobServices();
const services = { ...built.services, log: openLog(built.services.settings, 'jobs') };
const metrics = makeMetrics(services);
const failures = makeFailureBook(services);
guardProcess(services.log, metrics, failures);
let worked = 0;
const job = (name: string, run: () => Promise<Outcome>) => ({
  job: name,
  cron: '* * * * * *',
  atStart: 'always' as const,
  run,
});
const following = await followTimetable(
  services,
  [
    job('thrower', async () => {
      if (worked < 2) setTimeout(() => throwLoose());
      return null;
    }),
    job('rejecter', async () => {
      if (worked < 2) void Promise.reject(new Error('a promise that nobody waits for'));
      return null;
    }),
    job('failing', async () => {
      throw new Error('the disk is on fire');
    }),
    job('worker', async () => {
      worked += 1;
      return null;
    }),
  ],
  metrics,
  { failures, failedMs: 0 },
);
while (worked < 3) await new Promise((resolve) => setTimeout(resolve, 50));
await following.stop();
const rows = await services.catalogue.read({ sql: 'SELECT job, state, error FROM run ORDER BY job, error' });
const counted = /^jobs_uncaught_errors_total (\d+)$/m.exec(await metrics.render())?.[1];
console.log(JSON.stringify({ worked, rows, counted: Number(counted) }));
await built.close();
process.exit(0);

function throwLoose(): never {
  throw new Error('a timer that nobody watches');
}
