import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { makeCrew } from '../../../api/cluster/crew.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/**
 * A process that answers once its code is loaded, and ends when it is told to. @param lost - questions that come before: node:cluster
 * drops what is sent while nobody listens
 */
function makeWorker(lost = 0): Worker {
  let heard = 0;
  const load = () => worker.emit('message', { id: 1, question: 'answering', asked: { url: 'http://localhost' } });
  const hear = ({ id, question }: { id: number; question?: string }) => {
    if (question === 'stop') worker.emit('exit', 0, null);
    if (question !== 'alive') return true;
    heard += 1;
    if (heard === lost) setImmediate(load);
    if (heard > lost) worker.emit('message', { id, answered: null });
    return true;
  };
  const child = Object.assign(new EventEmitter(), { pid: 1, kill: () => true });
  const worker = Object.assign(new EventEmitter(), {
    process: child,
    isConnected: () => false,
    isDead: () => false,
    kill: () => undefined,
    send: hear,
  });
  if (lost === 0) setImmediate(load);
  return worker as unknown as Worker;
}

const SURROUNDINGS = {
  log: pino({ level: 'silent' }),
  answer: () => ({}) as never,
  onGone: () => undefined,
  onReplaced: () => undefined,
};

it('a process that cannot be replaced for want of memory is replaced once there is some', async () => {
  vi.spyOn(cluster, 'setupPrimary').mockReturnValue(undefined);
  const first = makeWorker();
  const fork = vi
    .spyOn(cluster, 'fork')
    .mockReturnValueOnce(first)
    .mockImplementationOnce(() => {
      throw new Error('spawn ENOMEM');
    })
    .mockImplementation(() => makeWorker());
  const crew = makeCrew({ processes: 1, hangSeconds: 60, ...SURROUNDINGS });
  await crew.start();
  first.emit('exit', null, 'SIGKILL');
  expect(crew.members()).toEqual([]);
  await expect.poll(() => crew.members().length).toBe(1);
  expect(fork).toHaveBeenCalledTimes(3);
  await crew.close();
});

it('between the starts of two processes, this one has time for a signal or a probe', async () => {
  vi.spyOn(cluster, 'setupPrimary').mockReturnValue(undefined);
  let turn = 0;
  const forkedIn: number[] = [];
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  vi.spyOn(cluster, 'fork').mockImplementation(() => {
    forkedIn.push(turn);
    return makeWorker();
  });
  const crew = makeCrew({ processes: 5, hangSeconds: 60, ...SURROUNDINGS });
  await crew.start();
  clearImmediate(counting);
  expect(crew.members()).toHaveLength(5);
  expect(new Set(forkedIn).size).toBe(5);
  await crew.close();
});

it('a process whose code took long to load is not killed once it answers', async () => {
  vi.spyOn(cluster, 'setupPrimary').mockReturnValue(undefined);
  const worker = makeWorker(10);
  const kill = vi.spyOn(worker.process, 'kill');
  const send = vi.spyOn(worker, 'send');
  vi.spyOn(cluster, 'fork').mockReturnValue(worker);
  const crew = makeCrew({ processes: 1, hangSeconds: 0.03, ...SURROUNDINGS });
  await crew.start();
  await expect.poll(() => send.mock.calls.length + kill.mock.calls.length).toBeGreaterThan(12);
  expect(kill).not.toHaveBeenCalled();
  await crew.close();
});

it('the metrics of a process that hangs are as last read, so that those of the others reach a monitor', async () => {
  vi.spyOn(cluster, 'setupPrimary').mockReturnValue(undefined);
  vi.spyOn(cluster, 'fork').mockReturnValue(makeWorker());
  const crew = makeCrew({ processes: 1, hangSeconds: 60, ...SURROUNDINGS });
  await crew.start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const [member = expect.fail('none answers')] = crew.members();
  const read = [{ name: 'api_credits_charged_total' }] as unknown as typeof member.metrics;
  member.metrics = read;
  const reading = crew.readMetrics(member);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await reading).toEqual(read);
  vi.useRealTimers();
  await crew.close();
});

it('no dead process is replaced once all are to end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(cluster, 'setupPrimary').mockReturnValue(undefined);
  const first = makeWorker();
  const fork = vi
    .spyOn(cluster, 'fork')
    .mockReturnValueOnce(first)
    .mockImplementation(() => makeWorker());
  const crew = makeCrew({ processes: 2, hangSeconds: 60, ...SURROUNDINGS });
  await crew.start();
  first.emit('exit', null, 'SIGKILL');
  expect(vi.getTimerCount()).toBe(1);
  await crew.close();
  expect([vi.getTimerCount(), fork.mock.calls.length]).toEqual([0, 2]);
});
