import { describe, expect, it } from 'vitest';
import type { OfPrimary, OfWorker } from '../../../api/cluster/questions.ts';
import { makeTurns } from '../../../api/cluster/turns.ts';
import { makeSharedMachine } from '../../../api/cluster/worker.ts';
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

  it('are over when the work ends or fails, and one that is refused ends no turn of another', async () => {
    const turns = makeTurns();
    const startProcess = () => {
      const worker = makeWorker();
      const answer = async (question: keyof OfPrimary, asked: OfPrimary['turn'][0]) =>
        question === 'turn' ? turns.take(worker, asked.place, asked.waitingMost) : turns.end(asked.place);
      return makeSharedMachine({ ask: answer as Peer<OfPrimary>['ask'] }, {
        makeWindows: () => expect.fail(),
      } as never);
    };
    const [one, other] = [startProcess(), startProcess()];
    const line = { name: 'exports', waitingMost: 0, refuse: () => new Error('too many wait') };
    const doNothing = () => Promise.resolve('done');
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<string>((_resolve, reject) => {
      fail = reject;
    });
    const working = one.inTurn(line, 'a', () => work);
    for (let times = 0; times < 2; times++)
      await expect(other.inTurn(line, 'a', doNothing)).rejects.toThrow('too many wait');
    expect(await other.inTurn(line, 'b', doNothing)).toBe('done');
    fail(new Error('the disk is full'));
    await expect(working).rejects.toThrow('the disk is full');
    expect(await other.inTurn(line, 'a', doNothing)).toBe('done');
  });
});
