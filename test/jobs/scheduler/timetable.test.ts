import { validate } from 'node-cron';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { sources } from '../../../ingest/sources/index.ts';
import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import { acquireLease, withLease } from '../../../jobs/process/lease.ts';
import { followTimetable } from '../../../jobs/scheduler/follow.ts';
import { makeTimetable, type TimetableEntry } from '../../../jobs/scheduler/timetable.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

describe('the timetable', () => {
  const timetable = makeTimetable(sources);

  it('has a line for every source, with its own cron line, and the upkeep jobs', () => {
    expect(timetable.map(({ job, cron }) => [job, cron])).toEqual([
      ...sources.map(({ id, timetable }) => [`ingest:${id}`, timetable]),
      ['rewalk:find_a_tender', '10 2 * * *'],
      ['rewalk:contracts_finder', '10 2 * * *'],
      ['witness:contracts_finder', '30 4 * * *'],
      ['probe:find_a_tender', '0 5 * * *'],
      ['probe:contracts_finder', '0 5 * * *'],
      ['search', '* * * * *'],
      ['exports', '* * * * * *'],
      ['low_balance', '*/5 * * * *'],
      ['watches', '* * * * *'],
      ['webhooks', '* * * * * *'],
      ['watch_mail', '* * * * *'],
      ['seal', '* * * * *'],
      ['takedown', '* * * * *'],
      ['upkeep', '7 * * * *'],
    ]);
  });

  it('can be read by the library', () => {
    expect(timetable.filter(({ cron }) => !validate(cron))).toEqual([]);
  });
});

describe('a followed timetable', () => {
  let built: Awaited<ReturnType<typeof makeJobServices>>;
  /** In no hour that London has twice: a daily turn in it comes in one of the two only. */
  const NOON = new Date('2026-11-20T12:00:00Z');
  beforeAll(async () => {
    built = await makeJobServices();
    vi.useFakeTimers({ toFake: ['Date'], now: NOON, shouldAdvanceTime: true });
  });
  afterAll(() => built.close().finally(() => void vi.useRealTimers()));

  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const entry = (job: string, run: TimetableEntry['run'], more: Partial<TimetableEntry> = {}): TimetableEntry => ({
    job,
    cron: '* * * * * *',
    atStart: 'always',
    run,
    ...more,
  });
  /** Follows these until the end of the test. */
  const follow = async (
    entries: TimetableEntry[],
    test: TestContext,
    options: Parameters<typeof followTimetable>[3] = { failedMs: 0 },
  ) => {
    const following = await followTimetable(built.services, entries, makeMetrics(built.services), options);
    test.onTestFinished(() => following.stop());
    return following;
  };
  /** Writes down when the last run of each source succeeded. */
  const noteSuccesses = (runs: Record<string, Date>) =>
    built.services.catalogue.write(
      Object.entries(runs).map(([id, at]) => ({
        sql: `INSERT INTO run (id, job, source, started_at, ended_at, state)
          VALUES (?1, 'ingest', ?1, ?2, ?2, 'succeeded')`,
        args: [id, at.toISOString()],
      })),
    );
  /** A job that notes its turns. */
  const noting = (turns: string[], source: string, cron: string) =>
    entry(
      `ingest:${source}`,
      async () => {
        turns.push(source);
        return null;
      },
      { lastSuccessOf: { job: 'ingest', source }, cron, atStart: 'when_due' },
    );
  /** The cron line of every day at the second of an instant. */
  const dailyAt = (instant: Date) => {
    const time = instant.toLocaleTimeString('en-GB', { timeZone: 'Europe/London' });
    const [hour, minute, second] = time.split(':').map(Number);
    return `${second} ${minute} ${hour} * * *`;
  };
  const untilAborted = (signal: AbortSignal) =>
    new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));

  it('shows each job in the metrics before its first run, with no run of any outcome', async (test) => {
    const metrics = makeMetrics(built.services);
    const nightly = noting([], 'find_a_tender', dailyAt(new Date(Date.now() - 3_600_000)));
    await noteSuccesses({ find_a_tender: new Date() });
    const { stop } = await followTimetable(built.services, [nightly], metrics);
    test.onTestFinished(stop);
    const lines = (await metrics.render()).split('\n');
    for (const outcome of ['succeeded', 'failed', 'stopped'])
      expect(lines).toContain(`jobs_runs_total{job="ingest:find_a_tender",outcome="${outcome}"} 0`);
    expect(lines).toContain('jobs_active{job="ingest:find_a_tender"} 0');
  });

  it('warns of no leak where every job runs at once, as at a first start', async (test) => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => void warnings.push(message);
    process.on('warning', note);
    test.onTestFinished(() => void process.off('warning', note));
    const jobs = makeTimetable(sources).map(({ job }) => entry(job, (_house, signal) => untilAborted(signal)));
    const { running } = await follow(jobs, test);
    await expect.poll(() => running().length).toBe(jobs.length);
    // Node warns in a tick of its own.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it('runs on in the hour that London has twice when summer time ends', async (test) => {
    vi.setSystemTime(new Date('2026-10-25T00:10:00Z'));
    test.onTestFinished(() => void vi.setSystemTime(NOON));
    let runs = 0;
    const counting = entry('counting', async () => {
      runs += 1;
      return null;
    });
    await follow([counting], test);
    await expect.poll(() => runs).toBeGreaterThanOrEqual(3);
  });

  it('starts what missed its turn, and only that', async (test) => {
    const started: string[] = [];
    const nightly = (source: string) => noting(started, source, '30 3 * * *');
    await noteSuccesses({
      missed: new Date(Date.now() - 2 * 86_400_000),
      fresh: new Date(),
      clock_was_ahead: new Date(Date.now() + 86_400_000),
    });
    await built.services.catalogue.write([
      {
        sql: `INSERT INTO run (id, job, source, started_at, ended_at, state) VALUES ('f', 'ingest', 'failed', ?1, ?1, 'failed'), ('r', 'rewalk', 'missed', ?1, ?1, 'succeeded'), ('e', 'ingest', 'empty', ?1, ?1, 'empty')`,
        args: [new Date().toISOString()],
      },
    ]);
    await follow(['missed', 'fresh', 'empty', 'failed', 'clock_was_ahead', 'never_ran'].map(nightly), test);
    await expect.poll(() => started).toEqual(['missed', 'failed', 'clock_was_ahead', 'never_ran']);
  });

  it('comes back to a missed turn that a killed process still holds', async (test) => {
    let turns = 0;
    const nightly = entry('nightly', async () => (++turns < 3 ? { heldBy: 'a process that was killed' } : null), {
      cron: '30 3 * * *',
    });
    const following = await follow([nightly], test, { leasedMs: 20 });
    await vi.waitFor(() => expect(turns).toBe(3), { timeout: LIMITS_MS.wait });
    await vi.waitFor(() => expect(following.running()).toEqual([]), { timeout: LIMITS_MS.wait });
  });

  it('makes up a turn whose time passed while the machine slept', async (test) => {
    const due = new Date(Date.now() + 2_000);
    const turns: string[] = [];
    await noteSuccesses({ nightly: new Date(Date.now() - 1_000) });
    await follow([noting(turns, 'nightly', dailyAt(due))], test);
    vi.setSystemTime(due.getTime() + 60_000);
    test.onTestFinished(() => void vi.setSystemTime(NOON));
    await vi.waitFor(() => expect(turns).toEqual(['nightly']), { timeout: LIMITS_MS.wait });
  });

  // From here on at the same time: each waits for seconds of the clock.
  it.concurrent('lets a slow job neither overlap itself nor delay the others, and outlives a failing one', async (test) => {
    const begun: Record<string, number> = { slow: 0, quick: 0, broken: 0 };
    const count = (job: string) => {
      begun[job] = (begun[job] ?? 0) + 1;
    };
    const { running } = await follow(
      [
        entry('slow', (_house, signal) => {
          count('slow');
          return untilAborted(signal);
        }),
        entry('quick', async () => {
          count('quick');
          return null;
        }),
        entry('broken', async () => {
          count('broken');
          throw new Error('broken');
        }),
      ],
      test,
    );
    await test.expect.poll(() => Math.min(begun.quick ?? 0, begun.broken ?? 0)).toBeGreaterThanOrEqual(3);
    expect(begun.slow).toBe(1);
    await test.expect.poll(running).toEqual(['slow']);
  });

  it.concurrent('leaves out a turn that another process, whose clock is ahead, has had already', async (test) => {
    const due = new Date(Date.now() + 2_000);
    const turns: string[] = [];
    const nightly = (source: string) => noting(turns, source, dailyAt(due));
    await noteSuccesses({ done: new Date(due.getTime() + 30_000), waiting: new Date(Date.now() - 1_000) });
    const following = await follow([nightly('done'), nightly('waiting')], test);
    await vi.waitFor(() => expect(turns).toContain('waiting'), { timeout: LIMITS_MS.wait });
    await vi.waitFor(() => expect(following.running()).toEqual([]), { timeout: LIMITS_MS.wait });
    expect(turns).toEqual(['waiting']);
  });

  it.concurrent('takes over a turn in which another process is killed', async (test) => {
    const { catalogue } = built.services;
    const due = new Date(Date.now() + 2_000);
    await noteSuccesses({ taken_over: new Date(Date.now() - 1_000) });
    await acquireLease(catalogue, 'ingest:taken_over', { holder: 'a process that is killed', ttlMs: 4_000 });
    const turns: string[] = [];
    const nightly = entry(
      'ingest:taken_over',
      async () => {
        const done = await withLease(catalogue, 'ingest:taken_over', { holder: 'the other' }, async () => null);
        turns.push(done.acquired ? 'done' : 'held');
        return done.acquired ? null : { heldBy: done.holder };
      },
      {
        cron: dailyAt(due),
        lastSuccessOf: { job: 'ingest', source: 'taken_over' },
        atStart: 'when_due',
      },
    );
    await follow([nightly], test, { leasedMs: 20 });
    await vi.waitFor(() => expect(turns).toEqual(['held', 'done']), { timeout: LIMITS_MS.wait });
  });

  it.concurrent('asks jobs to stop, waits for them, and starts nothing more', async (test) => {
    let ended = false;
    const { stop, running } = await follow(
      [
        entry('slow', async (_house, signal) => {
          await untilAborted(signal);
          await wait(100);
          ended = true;
          return null;
        }),
      ],
      test,
    );
    await stop();
    expect(ended).toBe(true);
    await wait(1_100);
    expect(running()).toEqual([]);
  });
});
