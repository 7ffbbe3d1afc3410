import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import { acquireLease, releaseLease, withLease } from '../../../jobs/process/lease.ts';
import { makeFailureBook } from '../../../jobs/scheduler/failures.ts';
import { followTimetable } from '../../../jobs/scheduler/follow.ts';
import type { Outcome } from '../../../jobs/scheduler/timetable.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
beforeAll(async () => {
  built = await makeJobServices();
});
afterAll(() => built.close());

it('a job that keeps failing in the same way has one row, also after a restore', async () => {
  const { services } = built;
  const { catalogue } = services;
  const { note } = makeFailureBook(services);
  const fail = () => note({ job: 'exports' }, new Error('the bucket is away'));
  const failed = () => catalogue.read({ sql: "SELECT job, error FROM run WHERE state = 'failed'" });
  const row = { job: 'exports', error: expect.stringContaining('the bucket is away') };
  await fail();
  const ended = () => catalogue.read({ sql: 'SELECT ended_at > started_at AS later FROM run' });
  await expect.poll(() => fail().then(ended)).toEqual([{ later: 1 }]);
  expect(await failed()).toEqual([row]);
  await catalogue.write([{ sql: 'DELETE FROM run' }]);
  await fail();
  expect(await failed()).toEqual([row]);
});

// From here on at the same time: each waits for seconds of the clock.
it.concurrent('a job of every second waits after it failed, with one line and one failed run, until it is stopped', async ({
  expect,
}) => {
  const { services } = built;
  const said = vi.fn();
  const metrics = makeMetrics(services);
  const log = pino({}, { write: said });
  const begun = { failing: 0, working: 0 };
  const job = (name: keyof typeof begun, run: () => Promise<Outcome>) => ({
    job: name,
    cron: '* * * * * *',
    atStart: 'always' as const,
    run: () => {
      begun[name] += 1;
      return run();
    },
  });
  const fail = () => Promise.reject(new Error('the database is away'));
  const entries = [job('failing', fail), job('working', () => Promise.resolve(null))];
  const { stop } = await followTimetable({ ...services, log }, entries, metrics);
  await expect.poll(() => begun.working).toBeGreaterThanOrEqual(4);
  await stop();
  expect(begun.failing).toBe(1);
  expect(said).toHaveBeenCalledOnce();
  expect(await metrics.render()).toContain('jobs_runs_total{job="failing",outcome="failed"} 1');
});

it.concurrent('a job that fails again after it succeeded has a failed run for each time', async () => {
  const { services } = built;
  const metrics = makeMetrics(services);
  let runs = 0;
  const fitful = {
    job: 'fitful',
    cron: '* * * * * *',
    atStart: 'always' as const,
    run: () => {
      runs += 1;
      return runs % 2 === 1 ? Promise.reject(new Error('the database is away')) : Promise.resolve(null);
    },
  };
  const { stop } = await followTimetable(services, [fitful], metrics, { failedMs: 0 });
  await vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(4), { timeout: LIMITS_MS.wait });
  await stop();
  const [row] = await services.catalogue.read<{ n: number }>({
    sql: "SELECT count(*) AS n FROM run WHERE job = 'fitful' AND state = 'failed'",
  });
  expect(row?.n).toBe(Math.ceil(runs / 2));
  expect(await metrics.render()).toContain(`jobs_runs_total{job="fitful",outcome="succeeded"} ${Math.floor(runs / 2)}`);
});

it.concurrent.each([
  ['in the pause after it failed', { failedMs: 4_000 }],
  ['while its failure is recorded', { failedMs: 0, failures: { note: () => pause(4_000), forget: () => undefined } }],
])('a job whose time comes %s runs once that has ended', async (_when, options) => {
  const { services } = built;
  const due = new Date(Date.now() + 2_000);
  let runs = 0;
  const hourly = {
    job: 'hourly',
    cron: `${due.getUTCSeconds()} ${due.getUTCMinutes()} * * * *`,
    atStart: 'always' as const,
    run: () => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('the database is away')) : Promise.resolve(null);
    },
  };
  const { stop } = await followTimetable(services, [hourly], makeMetrics(services), options);
  await vi.waitFor(() => expect(runs).toBe(2), { timeout: LIMITS_MS.wait });
  await stop();
});

it.concurrent.each([
  ['once it has succeeded there', 'succeeds'],
  ['once this process is to stop', 'stops'],
])('a missed run that another process holds is not begun here %s', async (_when, what) => {
  const { services } = built;
  const { catalogue } = services;
  const [source, job] = [what, `ingest:${what}`];
  const lease = (await acquireLease(catalogue, job, { holder: 'another process' })) ?? expect.fail('it was free');
  const turns: boolean[] = [];
  const nightly = {
    job,
    cron: '30 3 * * *',
    lastSuccessOf: { job: 'ingest', source },
    atStart: 'when_due' as const,
    async run() {
      const done = await withLease(catalogue, job, { holder: 'this one' }, async () => null);
      turns.push(done.acquired);
      return done.acquired ? null : { heldBy: done.holder };
    },
  };
  let isEnding = false;
  const end = async () => {
    const success = {
      sql: "INSERT INTO run (id, job, source, started_at, ended_at, state) VALUES ('e', 'ingest', ?1, ?2, ?2, 'empty')",
      args: [source, new Date().toISOString()],
    };
    if (what === 'succeeds') await catalogue.write([success]);
    await releaseLease(catalogue, lease);
  };
  // It ends just as it is looked for.
  const read: Database['read'] = async (statement) => {
    if (isEnding && statement.sql.includes('FROM lease')) await end();
    return catalogue.read(statement);
  };
  const here = { ...services, catalogue: { ...catalogue, read } };
  const { running, stop } = await followTimetable(here, [nightly], makeMetrics(here), { leasedMs: 20 });
  await vi.waitFor(() => expect(turns).toEqual([false]), { timeout: LIMITS_MS.wait });
  isEnding = true;
  if (what === 'stops') await stop();
  await vi.waitFor(() => expect(running()).toEqual([]), { timeout: LIMITS_MS.wait });
  expect(turns).toEqual([false]);
  await stop();
});
