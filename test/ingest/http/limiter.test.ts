import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeHttpClient } from '../../../ingest/http/client.ts';
import { openFetcher } from '../../../ingest/http/fetch.ts';
import { type LimiterOptions, makeLimiter } from '../../../ingest/http/limiter.ts';
import { procurement } from '../../../ingest/sources/find-a-tender.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { type Database, DatabaseAway, DatabaseBusy, OutcomeUnknown } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { startHrana } from '../../support/libsql-server.ts';
import { startUpstream } from '../../upstream/server.ts';
import { makeData, makeVirtualClock, type VirtualClock } from '../small-world.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let clock: VirtualClock;
beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  clock = makeVirtualClock();
});
afterEach(async () => {
  await catalogue.close();
  await folder.remove();
});

const optionsOf = (database: Database, gapMs = 12_500, wallNow = () => new Date(clock.nowMs())): LimiterOptions => ({
  catalogue: database,
  wallNow,
  sleep: clock.sleep,
  name: 'procurement',
  gapMs,
  slowGapMs: 15_000,
  priority: 'nightly',
});
/** What a question to a busy server takes: by so much may two machines differ in what they read of its clock. */
const MEASURED_MS = 2_000;
const open = (...options: Parameters<typeof optionsOf>) => makeLimiter(optionsOf(...options));

it('no gap after a refusal is shorter than the one before it, whatever the settings', () => {
  const gapAfter = (settings: Record<string, string>) => procurement(readSettings(settings)).slowGapMs;
  expect(gapAfter({})).toBe(15_000);
  expect(gapAfter({ PROCUREMENT_GAP_SECONDS: '20' })).toBe(20_000);
});

describe('the limiter', () => {
  it('keeps the gap between starts of two processes on one catalogue', async () => {
    const other = await openDatabase({ url: catalogue.url, durability: 'normal' });
    const starts: number[] = [];
    const work = async (database: Database) => {
      // The other process may move the clock before we hear of our start, which is at the last time that was read.
      let startMs = 0;
      const limiter = open(database, 12_500, () => {
        startMs = clock.nowMs();
        return new Date(startMs);
      });
      for (let turn = 0; turn < 20; turn++) {
        await limiter.acquire();
        starts.push(startMs);
      }
    };
    await Promise.all([work(catalogue), work(other)]);
    starts.sort((a, b) => a - b);
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12_500);
    expect(starts).toHaveLength(40);
    await other.close();
  });

  it('holds everybody after a refusal and is slower for an hour', async () => {
    const limiter = open(catalogue);
    await limiter.acquire();
    const refusedMs = clock.nowMs();
    await limiter.hold(120_000, true);
    await limiter.acquire();
    expect(clock.nowMs() - refusedMs).toBe(120_000);
    await limiter.acquire();
    expect(clock.nowMs() - refusedMs).toBe(135_000);
    const readGap = async () => {
      await limiter.acquire();
      const startMs = clock.nowMs();
      await limiter.acquire();
      return clock.nowMs() - startMs;
    };
    await clock.sleep(3_400_000);
    expect(await readGap()).toBe(15_000);
    await clock.sleep(200_000);
    expect(await readGap()).toBe(12_500);
  });

  it('is not released by a second refusal that asks for a shorter wait', async () => {
    const limiter = open(catalogue);
    const refusedMs = clock.nowMs();
    await limiter.hold(120_000, false);
    await limiter.hold(30_000, false);
    await limiter.acquire();
    expect(clock.nowMs() - refusedMs).toBe(120_000);
  });

  it('waits no longer than one gap when the clock was put back', async () => {
    await open(catalogue).acquire();
    clock = makeVirtualClock(clock.nowMs() - 86_400_000);
    expect(await open(catalogue).acquire()).toBe(12_500);
  });

  it('is the same on a database server as on a file', async () => {
    const server = await startHrana(catalogue.url.slice('file:'.length));
    const served = await openDatabase({ url: server.url, durability: 'normal' });
    const countedIn = { name: 'procurement_other', gapMs: 600 };
    const limiter = makeLimiter({ ...optionsOf(served), countedIn });
    expect([await limiter.acquire(), await limiter.acquire()]).toEqual([0, 12_500]);
    expect(await catalogue.read({ sql: 'SELECT * FROM limiter_waiter' })).toEqual([]);
    const rows = await catalogue.read<{ name: string; left: number }>({
      sql: 'SELECT name, next_at - set_at AS left FROM limiter ORDER BY name',
    });
    expect(rows).toEqual([
      { name: 'procurement', left: 12_500 },
      { name: 'procurement_other', left: 600 },
    ]);
    await served.close();
    server.close();
  });

  it('keeps the gap between machines whose clocks are a minute apart', async () => {
    const server = await startHrana(catalogue.url.slice('file:'.length));
    const starts: number[] = [];
    const machines = await Promise.all(
      [0, 60_000].map(async (aheadMs) => {
        const served = await openDatabase({ url: server.url, durability: 'normal' });
        let startMs = 0;
        const limiter = open(served, 12_500, () => {
          startMs = clock.nowMs();
          return new Date(startMs + aheadMs);
        });
        // It compares its clock with the server's, which does not follow the virtual one.
        await limiter.hold(0, false);
        return { served, limiter, startedMs: () => startMs };
      }),
    );
    const work = async ({ limiter, startedMs }: (typeof machines)[number]) => {
      for (let turn = 0; turn < 10; turn++) {
        await limiter.acquire();
        starts.push(startedMs());
      }
    };
    await Promise.all(machines.map(work));
    starts.sort((a, b) => a - b);
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(12_500 - MEASURED_MS);
    for (const { served } of machines) await served.close();
    server.close();
  });

  it('stops waiting on an abort signal', async () => {
    const stop = new AbortController();
    const limiter = open(catalogue);
    await limiter.acquire();
    stop.abort(new Error('enough'));
    await expect(limiter.acquire(stop.signal)).rejects.toThrow('enough');
  });

  it.each([new OutcomeUnknown('its disk failed'), new DatabaseAway('the server does not answer')])(
    'waits for a catalogue that is busy, and for none that fails: $name',
    async (fault) => {
      const faults = [new DatabaseBusy('an ingest writes'), fault];
      const write: Database['write'] = (batch) =>
        faults.length > 0 ? Promise.reject(faults.shift()) : catalogue.write(batch);
      await expect(open({ ...catalogue, write }).acquire()).rejects.toBe(fault);
      expect(clock.slept).toHaveLength(1);
    },
  );

  it('takes no time towards this machine', async () => {
    const limiter = open(catalogue, 0);
    for (let turn = 0; turn < 50; turn++) await limiter.acquire();
    expect(clock.slept).toEqual([]);
  });
});

describe('200 requests to both procurement services', () => {
  const ask = async (gapMs: number) => {
    const upstream = await startUpstream({ data: makeData(), enforceLimits: true, now: () => clock.nowMs() });
    const fetcher = openFetcher({ userAgent: 'uk-procurement-data/1.0 (+ingest@example.org)', timeoutMs: 5_000 });
    const client = makeHttpClient({
      fetcher,
      limiter: open(catalogue, gapMs),
      sleep: clock.sleep,
      wallNow: () => new Date(clock.nowMs()),
      log: pino({ level: 'silent' }),
    });
    for (let turn = 0; turn < 200; turn++) {
      const path = turn % 2 ? '/Published/Notices/OCDS/Search' : '/api/1.0/ocdsReleasePackages';
      await client.fetch({ url: `${upstream.url}${path}?limit=100` });
    }
    await client.close();
    await upstream.close();
    return upstream.requests.map(({ status }) => status);
  };

  it('are never refused at the set gap by a service that enforces its real limits', async () => {
    const statuses = await ask(12_500);
    expect(statuses).toHaveLength(200);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('are all answered in the end when the gap is too short, with no refusal repeated at once', async () => {
    const statuses = await ask(5_000);
    expect(statuses.filter((status) => status === 200)).toHaveLength(200);
    expect(statuses).toContain(429);
    expect(statuses.join(' ')).not.toContain('429 429');
  });
});
