import { describe, expect, it } from 'vitest';
import type { OfWorker } from '../../../api/cluster/questions.ts';
import { makeTurns } from '../../../api/cluster/turns.ts';
import type { Peer } from '../../../api/concurrency/peer.ts';

const makeWorker = (): Peer<OfWorker> => ({ ask: () => Promise.reject(new Error('not asked')), lose: () => undefined });

describe('the turns of several processes', () => {
  it('come one after the other in their order, and too many are refused', async () => {
    const turns = makeTurns();
    const [a, b, c] = [makeWorker(), makeWorker(), makeWorker()];
    const done: string[] = [];
    expect(turns.take(a, 'x', 1)).toBe(true);
    const second = Promise.resolve(turns.take(b, 'x', 1)).then(() => done.push('b'));
    expect(turns.take(c, 'x', 1)).toBe(false);
    expect(turns.take(c, 'y', 1)).toBe(true);
    expect(done).toEqual([]);
    turns.end('x');
    await second;
    expect(turns.take(c, 'x', 0)).toBe(false);
    turns.end('x');
    expect(turns.take(c, 'x', 0)).toBe(true);
  });

  it('of a process that is gone are passed on', async () => {
    const turns = makeTurns();
    const [a, b, c] = [makeWorker(), makeWorker(), makeWorker()];
    turns.take(a, 'x', 9);
    void turns.take(b, 'x', 9);
    const third = turns.take(c, 'x', 9);
    turns.leave(b);
    turns.leave(a);
    expect(await third).toBe(true);
    // So is one that was itself passed on, and no turn of another process ends with it.
    const fourth = turns.take(a, 'x', 9);
    turns.take(b, 'y', 9);
    turns.leave(c);
    expect(await fourth).toBe(true);
    expect(turns.take(a, 'y', 0)).toBe(false);
  });
});
