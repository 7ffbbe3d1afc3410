import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { makeCrew } from '../../../api/cluster/crew.ts';

afterEach(() => vi.restoreAllMocks());

/** A process that answers as soon as somebody listens, and ends when it is told to. */
function makeWorker(): Worker {
  const child = Object.assign(new EventEmitter(), { pid: 1, kill: () => true });
  const worker = Object.assign(new EventEmitter(), {
    process: child,
    isConnected: () => false,
    isDead: () => false,
    kill: () => undefined,
    send: ({ question }: { question?: string }) => question === 'stop' && worker.emit('exit', 0, null),
  });
  setImmediate(() => worker.emit('message', { id: 1, question: 'answering', asked: { url: 'http://localhost' } }));
  return worker as unknown as Worker;
}

it('a process that cannot be replaced for want of memory is replaced once there is some', async () => {
  vi.spyOn(cluster, 'setupPrimary').mockReturnValue(undefined);
  const first = makeWorker();
  const fork = vi
    .spyOn(cluster, 'fork')
    .mockReturnValueOnce(first)
    .mockImplementationOnce(() => {
      throw new Error('spawn ENOMEM');
    })
    .mockImplementation(makeWorker);
  const answer = () => ({}) as never;
  const log = pino({ level: 'silent' });
  const unheard = { onGone: () => undefined, onReplaced: () => undefined };
  const crew = makeCrew({ processes: 1, hangSeconds: 60, log, answer, ...unheard });
  await crew.start();
  first.emit('exit', null, 'SIGKILL');
  expect(crew.members()).toEqual([]);
  await expect.poll(() => crew.members().length).toBe(1);
  expect(fork).toHaveBeenCalledTimes(3);
  await crew.close();
});
