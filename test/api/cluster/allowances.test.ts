import { describe, expect, it, vi } from 'vitest';
import { makeAllowances, makeShares, type Shares } from '../../../api/cluster/allowances.ts';
import type { OfWorker } from '../../../api/cluster/questions.ts';
import type { Windows } from '../../../api/concurrency/machine.ts';
import type { Peer } from '../../../api/concurrency/peer.ts';

const PROCESSES = 3;
const MOST = 200;

interface Worker {
  windows: Windows;
  /** How often the primary was asked. */
  asked: number;
  isGone: boolean;
}

/** Workers and their primary in one process, with what crosses between them later by a turn of the event loop. */
function makeWorkers(most = MOST, windowSeconds = 60): Worker[] {
  const takeShare = makeAllowances(PROCESSES);
  return Array.from({ length: PROCESSES }, () => {
    const later = () => new Promise((resolve) => setImmediate(resolve));
    const peer = {
      async ask(_question: string, asked: { name: string; id: string }) {
        await later();
        if (worker.isGone) throw new Error('gone');
        return shares.giveBack(asked);
      },
      lose: () => undefined,
    } as Peer<OfWorker>;
    const shares: Shares = makeShares({
      ask: async (_question, asked) => {
        worker.asked += 1;
        await later();
        const share = await takeShare(peer, asked as never);
        await later();
        return share as never;
      },
    });
    const worker: Worker = { windows: shares.makeWindows('keys', most, windowSeconds), asked: 0, isGone: false };
    return worker;
  });
}

const take = async (worker: Worker | undefined, id = 'a') => (await worker?.windows.take(id))?.count ?? Number.NaN;

describe('an allowance that several processes share', () => {
  it('is used up to its last request, and not beyond, however its requests are spread', async () => {
    for (const spread of [
      (n: number) => n % PROCESSES,
      (n: number) => (n < 20 || n >= MOST ? n % PROCESSES : 0),
      () => 1,
    ]) {
      const workers = makeWorkers();
      const counts: number[] = [];
      for (let n = 0; n < MOST + 30; n++) counts.push(await take(workers[spread(n)]));
      expect(counts.filter((count) => count <= MOST)).toHaveLength(MOST);
      expect(counts.slice(-30).every((count) => count > MOST)).toBe(true);
    }
  });

  it('holds for requests that come at once', async () => {
    const workers = makeWorkers();
    const counts = await Promise.all(Array.from({ length: 3 * MOST }, (_, n) => take(workers[n % PROCESSES])));
    expect(counts.filter((count) => count <= MOST)).toHaveLength(MOST);
  });

  it('is shared by processes that ask at once for what another holds and returns, and nothing of it twice', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [one, two, three] = makeWorkers();
    await take(one);
    for (let n = 1; n < MOST - 15; n++) await take(two);
    vi.advanceTimersByTime(1_000);
    const counts = await Promise.all([take(two), take(three), take(one)]);
    expect(counts.filter((count) => count > MOST)).toEqual([]);
    let granted = MOST - 15 + counts.length;
    for (const worker of [one, two, three]) while ((await take(worker)) <= MOST) granted += 1;
    expect(granted).toBe(MOST);
    vi.useRealTimers();
  });

  it('is requested seldom, and not at all once it is used up', async () => {
    const [worker] = makeWorkers(6_000);
    for (let n = 0; n < 6_000; n++) await take(worker);
    expect(worker?.asked).toBeLessThan(600);
    await take(worker);
    const before = worker?.asked;
    for (let n = 0; n < 100; n++) await take(worker);
    expect(worker?.asked).toBe(before);
  });

  it('is told as no more than is left, a second after others used it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [one, ...others] = makeWorkers();
    expect(await take(one)).toBeLessThan(20);
    for (let n = 0; n < 120; n++) await take(others[n % 2]);
    vi.advanceTimersByTime(1_000);
    const count = await take(one);
    // What others have not used of their shares counts as used.
    expect([count >= 122, count <= 122 + 2 * 16]).toEqual([true, true]);
    let granted = 122;
    while ((await take(one)) <= MOST) granted += 1;
    expect(granted).toBe(MOST);
    vi.useRealTimers();
  });

  it('does not come back from a process that ended', async () => {
    const [one, other] = makeWorkers();
    await take(one);
    if (one) one.isGone = true;
    let granted = 0;
    while ((await take(other)) <= MOST) granted += 1;
    expect(granted).toBeLessThan(MOST);
    expect(granted).toBeGreaterThan(MOST / 2);
  });

  it('is whole again when its window is over, and another id has its own', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [worker] = makeWorkers(1, 60);
    expect([await take(worker), await take(worker), await take(worker, 'b')]).toEqual([1, 2, 1]);
    vi.advanceTimersByTime(59_000);
    expect(await take(worker)).toBeGreaterThan(1);
    vi.advanceTimersByTime(1_000);
    expect(await take(worker)).toBe(1);
    vi.useRealTimers();
  });

  it('takes back nothing of a share of another window', async () => {
    const takeShare = makeAllowances(1);
    const peer = { ask: async () => 0, lose: () => undefined } as unknown as Peer<OfWorker>;
    const asked = { name: 'keys', most: 10, windowSeconds: 60, id: 'a' };
    const first = await takeShare(peer, { ...asked, returned: null });
    let given = first.requests;
    for (let asks = 0; asks < 20; asks++) {
      const returned = { requests: 5, endsMs: first.endsMs - 60_000 };
      given += (await takeShare(peer, { ...asked, returned })).requests;
    }
    expect(given).toBe(10);
  });

  it('begins again where the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [worker] = makeWorkers(1, 60);
    expect([await take(worker), await take(worker)]).toEqual([1, 2]);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect([await take(worker), await take(worker)]).toEqual([1, 2]);
    vi.useRealTimers();
  });

  it('takes no memory for ids that have not come', () => {
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
    const before = used();
    const shares = makeShares({ ask: () => Promise.reject(new Error('nobody asks')) });
    const windows = Array.from({ length: 12 }, (_, n) => shares.makeWindows(`${n}`, MOST, 60));
    expect(used() - before, `${windows.length} windows`).toBeLessThan(5_000_000);
  });
});
