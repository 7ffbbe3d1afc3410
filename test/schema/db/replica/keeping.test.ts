import processes from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../schema/db/interface.ts';
import { takeLock } from '../../../../schema/db/process-lock.ts';
import { lockPath } from '../../../../schema/db/replica/files.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { useMachine } from './machine.ts';

const { open, said, path: folderPath, files, openHere } = useMachine();

/** As Node starts a process. */
type Fork = (script: URL, args: string[], options: processes.ForkOptions) => processes.ChildProcess;

describe('a copy of a server', () => {
  it('is kept by one process, however many open it, and by the next when that ends', async () => {
    const [first] = [await openHere(), await openHere()];
    const isKept = () => {
      const lock = takeLock(lockPath(files()));
      lock?.release();
      return lock === null;
    };
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

  const { fork } = processes;
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
    const use = (made: typeof fork) => {
      processes.fork = made;
      syncBuiltinESMExports();
    };
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
});
