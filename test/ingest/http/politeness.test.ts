import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Priority } from '../../../ingest/context.ts';
import { type HttpClient, makeHttpClient } from '../../../ingest/http/client.ts';
import type { Fetcher } from '../../../ingest/http/fetch.ts';
import { type Limiter, makeLimiter } from '../../../ingest/http/limiter.ts';
import type { BudgetOf } from '../../../ingest/source.ts';
import { companiesHouse } from '../../../ingest/sources/companies-house.ts';
import { procurement, procurementOther } from '../../../ingest/sources/find-a-tender.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeGate } from '../../upstream/limits.ts';
import { startUpstream, type Upstream } from '../../upstream/server.ts';
import { makeData, makeNotices } from '../small-world.ts';
import { makeSharedClock, type SharedClock } from './shared-clock.ts';

const settings = readSettings({});
const GAP_MS = 12_500;
const WINDOWS = ['/api/1.0/ocdsReleasePackages?limit=100', '/Published/Notices/OCDS/Search?limit=100'];
const BY_ID = ['/api/1.0/ocdsReleasePackages/000001-2026'];
const OTHER = ['/Harvester/Notices/Data/CSV/2026/11/19', '/Published/OCDS/Record/ocds-b5fd17-1'];

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let clock: SharedClock;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  clock = makeSharedClock();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await catalogue.close();
  await folder.remove();
});

/** A limiter with a connection of its own, as another process has it. */
async function openLimiter(priority: Priority, budget: BudgetOf = procurement): Promise<Limiter> {
  const own = await openDatabase({ url: catalogue.url, durability: 'normal' });
  closing.push(() => own.close());
  const { wallNow, sleep } = clock;
  return makeLimiter({ ...budget(settings), catalogue: own, wallNow, sleep, priority });
}

async function openStrictUpstream(): Promise<Upstream> {
  const data = makeData({ findATender: makeNotices(3, 3_600_000) });
  const upstream = await startUpstream({ data, enforceLimits: true, now: clock.elapsedMs });
  closing.push(() => upstream.close());
  return upstream;
}

async function openHttpClient(priority: Priority, budget: BudgetOf = procurement): Promise<HttpClient> {
  const { wallNow, sleep } = clock;
  const limiter = await openLimiter(priority, budget);
  return makeHttpClient({ fetcher, limiter, sleep, wallNow, log: pino({ level: 'silent' }) });
}

/** Bare of the crawler, whose own pace is no part of this. */
const fetcher: Fetcher = {
  async fetch({ url }) {
    const response = await fetch(url, { headers: { 'user-agent': 'uk-procurement-data/1.0 (+ingest@example.org)' } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, retryAfter: response.headers.get('retry-after'), bytes };
  },
  close: async () => undefined,
};

describe('both budgets, used by four processes at once', () => {
  it('are never overdrawn in 230 requests to a service that enforces its real limits', async () => {
    const upstream = await openStrictUpstream();
    const ask = async (client: HttpClient, paths: string[], times: number, pauseMs: number) => {
      for (let turn = 0; turn < times; turn++) {
        await client.fetch({ url: upstream.url + paths[turn % paths.length] });
        if (pauseMs > 0) await clock.sleep(pauseMs);
      }
    };
    const nightly = await openHttpClient('nightly');
    const probe = await openHttpClient('probe');
    const backfill = await openHttpClient('backfill');
    const probing = await openHttpClient('probe', procurementOther);
    await Promise.all([
      clock.act(() => ask(nightly, WINDOWS, 30, 40_000)),
      clock.act(() => ask(probe, BY_ID, 20, 90_000)),
      clock.act(() => ask(backfill, WINDOWS, 80, 0)),
      clock.act(() => ask(probing, OTHER, 100, 0)),
    ]);
    expect(upstream.requests).toHaveLength(230);
    expect(upstream.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect([nightly, probe, backfill, probing].map((client) => client.refused())).toEqual([0, 0, 0, 0]);
  });

  it('leave 240 in two minutes to all paths together, however busy the narrow one is', async () => {
    const upstream = await openStrictUpstream();
    const [strict, wide] = [await openHttpClient('nightly'), await openHttpClient('probe', procurementOther)];
    let going = true;
    const asking = clock.act(async () => {
      while (going) await strict.fetch({ url: upstream.url + WINDOWS[0] });
    });
    await clock.act(async () => {
      for (let turn = 0; turn < 300; turn++) await wide.fetch({ url: upstream.url + OTHER[turn % 2] });
      going = false;
    });
    await asking;
    expect(new Set(upstream.requests.map(({ status }) => status)).has(429)).toBe(false);
    // 300 starts 0.6 s apart and those of the narrow budget that count among them: about three minutes.
    expect(clock.elapsedMs()).toBeGreaterThan(180_000);
    expect(clock.elapsedMs()).toBeLessThan(210_000);
  });
});

describe('a refusal', () => {
  it('of the wide budget holds the narrow one too, and one of the narrow budget that alone', async () => {
    const [strict, wide] = [await openLimiter('nightly'), await openLimiter('probe', procurementOther)];
    const waitOf = async (limiter: Limiter) => {
      const beginMs = clock.elapsedMs();
      await limiter.acquire();
      return clock.elapsedMs() - beginMs;
    };
    await clock.act(async () => {
      await wide.hold(60_000, false);
      expect(await waitOf(strict)).toBe(60_000);
      await strict.hold(60_000, false);
      expect(await waitOf(wide)).toBeLessThan(1_000);
    });
  });
});

describe('the budget of the register', () => {
  it('is never overdrawn in 1,300 requests to a service that allows 600 in five minutes', async () => {
    const gate = makeGate();
    const limiter = await openLimiter('nightly', companiesHouse.budget);
    const refused: number[] = [];
    await clock.act(async () => {
      for (let turn = 0; turn < 1_300; turn++) {
        await limiter.acquire();
        if (gate('/company/00000001', 'a-reader/1.0', clock.elapsedMs())) refused.push(turn);
      }
    });
    expect(refused).toEqual([]);
  });
});

describe('the queue', () => {
  it('lets nightly work wait no longer than one gap behind a backfill, and probes no longer than two', async () => {
    const [nightly, probe, backfill] = [
      await openLimiter('nightly'),
      await openLimiter('probe'),
      await openLimiter('backfill'),
    ];
    const waits: Record<string, number[]> = { nightly: [], probe: [], backfill: [] };
    const work = async (limiter: Limiter, name: string, times: number, pauseMs: number) => {
      for (let turn = 0; turn < times; turn++) {
        waits[name]?.push(await limiter.acquire());
        if (pauseMs > 0) await clock.sleep(pauseMs);
      }
    };
    await Promise.all([
      clock.act(() => work(backfill, 'backfill', 60, 0)),
      clock.act(() => work(nightly, 'nightly', 20, 31_000)),
      clock.act(() => work(probe, 'probe', 10, 57_000)),
    ]);
    expect(Math.max(...(waits.nightly ?? []))).toBeLessThanOrEqual(GAP_MS);
    expect(Math.max(...(waits.probe ?? []))).toBeLessThanOrEqual(2 * GAP_MS + 250);
    expect(waits.backfill).toHaveLength(60);
  });

  it('starts them by class, then by who came first', async () => {
    await (await openLimiter('nightly')).acquire();
    const order: string[] = [];
    const come = async (name: string, priority: Priority, afterMs: number) => {
      const limiter = await openLimiter(priority);
      return () =>
        clock.act(async () => {
          await clock.sleep(afterMs);
          await limiter.acquire();
          order.push(name);
        });
    };
    const all = [
      await come('old history', 'backfill', 1_000),
      await come('a gap', 'probe', 2_000),
      await come('first source', 'nightly', 3_000),
      await come('second source', 'nightly', 4_000),
      await come('more history', 'backfill', 5_000),
    ];
    await Promise.all(all.map((start) => start()));
    expect(order).toEqual(['first source', 'second source', 'a gap', 'old history', 'more history']);
  });

  it('forgets a waiter that was killed, before the gap is over', async () => {
    const backfill = await openLimiter('backfill');
    await clock.act(async () => {
      await backfill.acquire();
      const nowMs = clock.wallNow().getTime();
      const killed = ['procurement', 'killed', 0, nowMs, nowMs + 10_000];
      await catalogue.write([{ sql: 'INSERT INTO limiter_waiter VALUES (?, ?, ?, ?, ?)', args: killed }]);
      expect(await backfill.acquire()).toBe(GAP_MS);
    });
    expect(await catalogue.read({ sql: 'SELECT * FROM limiter_waiter' })).toEqual([]);
  });

  it('is left by a waiter that has to stop', async () => {
    const limiter = await openLimiter('nightly');
    const stop = new AbortController();
    await clock.act(async () => {
      await limiter.acquire();
      stop.abort(new Error('enough'));
      await expect(limiter.acquire(stop.signal)).rejects.toThrow('enough');
    });
    expect(await catalogue.read({ sql: 'SELECT * FROM limiter_waiter' })).toEqual([]);
  });
});

describe('a wall clock that jumps', () => {
  const HOUR_MS = 3_600_000;
  it.each([
    ['back by an hour', -HOUR_MS],
    ['back by a day', -24 * HOUR_MS],
    ['forward by an hour', HOUR_MS],
    ['forward by a day', 24 * HOUR_MS],
  ])('%s while somebody waits: stops nobody for longer than one gap, and nothing is refused', async (_name, byMs) => {
    const upstream = await openStrictUpstream();
    const [nightly, backfill] = [await openHttpClient('nightly'), await openHttpClient('backfill')];
    const waits: number[] = [];
    const ask = async (client: HttpClient) => {
      for (let turn = 0; turn < 20; turn++) {
        const before = client.waitedMs();
        await client.fetch({ url: upstream.url + WINDOWS[0] });
        if (client === nightly) waits.push(client.waitedMs() - before);
      }
    };
    await Promise.all([
      clock.act(() => ask(nightly)),
      clock.act(() => ask(backfill)),
      clock.act(async () => {
        await clock.sleep(30_000);
        clock.shift(byMs);
      }),
    ]);
    // What was waited before the jump, and one whole gap after it.
    expect(Math.max(...waits)).toBeLessThanOrEqual(2 * GAP_MS);
    expect(waits.filter((waitMs) => waitMs > GAP_MS).length).toBeLessThanOrEqual(1);
    expect(upstream.requests.map(({ status }) => status)).toEqual(Array(40).fill(200));
  });
});
