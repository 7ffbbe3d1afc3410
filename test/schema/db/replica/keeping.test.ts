import processes from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../schema/db/interface.ts';
import { takeLock } from '../../../../schema/db/process-lock.ts';
import { lockPath, replicaFiles } from '../../../../schema/db/replica/files.ts';
import { openReplica } from '../../../../schema/db/replica/open.ts';
import { makeFolder } from '../../../support/databases.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';

/** Nothing listens there. */
let away: string;
let folder: Awaited<ReturnType<typeof makeFolder>>;
const open: Database[] = [];
beforeAll(async () => {
  away = `http://127.0.0.1:${await findFreePort()}`;
});
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
  await folder.remove();
});

const files = () => replicaFiles(folder.path);
const said: string[] = [];
async function openHere(): Promise<Database> {
  const say = (_level: string, message: string) => void said.push(message);
  const replica = await openReplica({ dataDir: folder.path, server: { url: away }, say, everyMs: 50, lookEveryMs: 20 });
  open.push(replica);
  return replica;
}

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
      (script, args, options) => fork(script, args, { ...options, cwd: join(folder.path, 'nowhere') }),
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
