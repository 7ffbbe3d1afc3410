import processes from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open as openFolder, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../schema/db/interface.ts';
import { takeLock } from '../../../../schema/db/process-lock.ts';
import { lockPath, replicaFiles } from '../../../../schema/db/replica/files.ts';
import { startKeeping } from '../../../../schema/db/replica/keeping.ts';
import type { KeepOrder } from '../../../../schema/db/replica/process.ts';
import { extension } from '../../../../schema/process/child.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { useMachine } from './machine.ts';

const { open, said, path: folderPath, files, openHere, away } = useMachine();

const { fork } = processes;
/** As Node starts a process. */
type Fork = (script: URL, args: string[], options: processes.ForkOptions) => processes.ChildProcess;

const KEEPER = new URL(`../../../../schema/db/replica/process${extension()}`, import.meta.url);
const isKept = () => {
  const lock = takeLock(lockPath(files()));
  lock?.release();
  return lock === null;
};
afterEach(() => {
  vi.useRealTimers();
  processes.fork = fork;
  syncBuiltinESMExports();
});

describe('a copy of a server', () => {
  it('is kept by one process, however many open it, and by the next when that ends', async () => {
    const [first] = [await openHere(), await openHere()];
    await vi.waitFor(() => expect(isKept()).toBe(true), { timeout: LIMITS_MS.wait });
    await first.close();
    await vi.waitFor(() => expect(isKept()).toBe(true), { timeout: LIMITS_MS.wait });
    await open.pop()?.close();
    await vi.waitFor(() => expect(isKept()).toBe(false), { timeout: LIMITS_MS.wait });
    open.length = 0;
  });

  it('is kept by one process also where its files were removed meanwhile', async () => {
    const replica = await openHere();
    await untilKept(replica);
    await rm(files().folder, { recursive: true, maxRetries: 10 });
    // Another process could take a lock that nobody has there.
    await vi.waitFor(() => expect(existsSync(lockPath(files()))).toBe(true), { timeout: LIMITS_MS.wait });
    expect(said).toContainEqual(expect.stringContaining('were removed'));
  });

  /** Holds the lock until the replica is open, so that its first process is started later. */
  async function openLocked() {
    await mkdir(files().folder, { recursive: true });
    const lock = takeLock(lockPath(files())) ?? expect.fail('another has the lock');
    const replica = await openHere();
    return { lock, replica };
  }
  /** It has asked the server. */
  const untilKept = (replica: Database) =>
    vi.waitFor(() => expect(replica.copyAge?.().fault).toMatch(/ECONNREFUSED/), { timeout: LIMITS_MS.wait });

  const use = (made: typeof fork) => {
    processes.fork = made;
    syncBuiltinESMExports();
  };
  it.each<[string, Fork]>([
    [
      'no process left',
      (script, args, options) => fork(script, args, { ...options, cwd: join(folderPath(), 'nowhere') }),
    ],
    [
      'no memory left',
      () => {
        throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
      },
    ],
  ])('is kept by the next process where one could not be started, with %s', async (_case, fail) => {
    const { lock, replica } = await openLocked();
    const failing: Fork = (...args) => {
      use(fork);
      return fail(...args);
    };
    use(failing as typeof fork);
    lock.release();
    await untilKept(replica);
    expect(processes.fork).toBe(fork);
  });

  it('is kept once its lock can be taken, with no file left for it before', async () => {
    const { lock, replica } = await openLocked();
    lock.release();
    await rm(lockPath(files()), { force: true });
    await mkdir(lockPath(files()));
    said.length = 0;
    await vi.waitFor(() => expect(said.join()).toMatch(/cannot be started/), { timeout: LIMITS_MS.wait });
    await rm(lockPath(files()), { recursive: true });
    await untilKept(replica);
  });

  it('is opened where its lock cannot be taken at the start, and kept once it can', async () => {
    await mkdir(lockPath(files()), { recursive: true });
    said.length = 0;
    const replica = await openHere();
    expect(said).toEqual([
      expect.stringContaining('the process that keeps the copy of the catalogue cannot be started'),
    ]);
    await rm(lockPath(files()), { recursive: true });
    await untilKept(replica);
  });

  // As a container has its volume once the folder was removed on the host.
  it.skipIf(process.platform !== 'linux')(
    'is kept by nobody where its folder and those above were removed, which is said',
    async () => {
      const removed = join(folderPath(), 'removed');
      await mkdir(removed);
      const handle = await openFolder(removed);
      await rm(removed, { recursive: true });
      const order = { files: replicaFiles(`/proc/self/fd/${handle.fd}/data`), server: { url: away() }, everyMs: 50 };
      const heard: string[] = [];
      const say = (_level: string, message: string) => void heard.push(message);
      const keeping = await startKeeping(order, { say, sayLasting: say });
      expect(heard).toEqual([expect.stringMatching(/cannot be started: ENOENT/)]);
      keeping.stop();
      await handle.close();
    },
  );

  it('is kept by the next process where one is silent for a minute', async () => {
    const started: processes.ChildProcess[] = [];
    const counting: Fork = (...args) => {
      const child = fork(...args);
      started.push(child);
      return child;
    };
    use(counting as typeof fork);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await openHere();
    const [first = expect.fail('none was started')] = started;
    const ended = once(first, 'exit');
    vi.advanceTimersByTime(59_999);
    // Its sign of life.
    first.emit('message', null);
    vi.advanceTimersByTime(59_999);
    expect(first.killed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await ended).toEqual([null, 'SIGKILL']);
    vi.advanceTimersByTime(50);
    await vi.waitFor(() => expect(started).toHaveLength(2), { timeout: LIMITS_MS.wait });
  });
});

describe('a process that keeps a copy', () => {
  beforeEach(() => mkdir(files().folder, { recursive: true }));
  const startKeeper = () => {
    const keeper = processes.fork(KEEPER, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const order: KeepOrder = { files: files(), server: { url: away() }, everyMs: 50 };
    keeper.send(order);
    open.push({ close: () => keeper.kill('SIGKILL') });
    return keeper;
  };

  it('ends with the one that started it, however that ends: the next has the lock', async () => {
    const keeper = startKeeper();
    await once(keeper, 'message');
    expect(isKept()).toBe(true);
    keeper.disconnect();
    await vi.waitFor(() => expect(isKept()).toBe(false), { timeout: LIMITS_MS.wait });
  });

  it('gives signs of life, without which it would be replaced', async () => {
    const heard: unknown[] = [];
    startKeeper().on('message', (word) => heard.push(word));
    await vi.waitFor(() => expect(heard).toContain(null), { timeout: LIMITS_MS.wait });
  });

  it('says why it ends where it cannot take its lock', async () => {
    await mkdir(lockPath(files()));
    const [word] = await once(startKeeper(), 'message');
    expect(word).toMatchObject({
      level: 'warn',
      isLast: true,
      message: expect.stringMatching(/cannot be kept: .*lock\.db/),
    });
  });

  it('ends where another was quicker, so that the lock is looked at again', async () => {
    const lock = takeLock(lockPath(files()));
    const keeper = startKeeper();
    await vi.waitFor(() => expect(keeper.signalCode).toBe('SIGKILL'), { timeout: LIMITS_MS.wait });
    lock?.release();
  });
});
