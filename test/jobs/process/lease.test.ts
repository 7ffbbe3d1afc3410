import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  acquireLease,
  fenceStatement,
  readHolder,
  releaseLease,
  renewLease,
  withLease,
} from '../../../jobs/process/lease.ts';
import { describeFault } from '../../../jobs/startup/front-door.ts';
import { markAbandonedRuns } from '../../../jobs/tasks/upkeep.ts';
import { type Database, DatabaseBusy } from '../../../schema/db/interface.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { keptBySignal } from '../../support/kept-by-signal.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

const write = {
  sql: "INSERT INTO limiter (name, next_at) VALUES ('x', 1) ON CONFLICT DO UPDATE SET next_at = next_at + 1",
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const DAY_MS = 86_400_000;
/** To a lease, a clock put forward is an expiry that has come so much nearer: the database's own clock is not ours to set. */
const shiftClock = (byMs: number) =>
  catalogue.write([{ sql: 'UPDATE lease SET expires_at = expires_at - ?', args: [byMs] }]);

function startHolder(ttlMs: number) {
  const child = spawn(process.execPath, [
    ...scriptArguments('test/jobs/process/lease-holder.ts'),
    catalogue.url,
    String(ttlMs),
  ]);
  const lines: string[] = [];
  child.stdout.on('data', (bytes: Buffer) => lines.push(...bytes.toString().trim().split('\n')));
  child.stderr.on('data', (bytes: Buffer) => lines.push(`stderr: ${bytes}`));
  return { child, lines, ended: once(child, 'close') };
}

async function until(holders: ReturnType<typeof startHolder>[], said: RegExp): Promise<void> {
  while (!holders.some(({ lines }) => lines.some((line) => said.test(line)))) {
    if (holders.every(({ child }) => child.exitCode !== null)) throw new Error(holders[0]?.lines.join('\n'));
    await wait(10);
  }
}

describe('a lease', () => {
  it('is held by one at a time, and free again when released', async () => {
    const first = await acquireLease(catalogue, 'a', { holder: 'one' });
    expect(first).not.toBeNull();
    // Two jobs of one process have the same name.
    for (const holder of ['one', 'two']) expect(await acquireLease(catalogue, 'a', { holder })).toBeNull();
    expect(await readHolder(catalogue, 'a')).toMatchObject({ holder: 'one' });
    if (first) await releaseLease(catalogue, first);
    expect(await readHolder(catalogue, 'a')).toBeNull();
    expect(await acquireLease(catalogue, 'a', { holder: 'two' })).not.toBeNull();
  });

  it('that ran out may be taken by another; its first holder can neither renew nor write nor release it', async () => {
    const first = await acquireLease(catalogue, 'b', { holder: 'one', ttlMs: 20 });
    if (!first) throw new Error('the lease was free');
    await wait(30);
    const second = await acquireLease(catalogue, 'b', { holder: 'two' });
    if (!second) throw new Error('the lease had run out');
    expect(await renewLease(catalogue, first)).toBe(false);
    await releaseLease(catalogue, first);
    await expect(catalogue.write([fenceStatement(first), write])).rejects.toThrow('lease lost');
    await catalogue.write([fenceStatement(second), write]);
    expect(await catalogue.read({ sql: "SELECT next_at FROM limiter WHERE name = 'x'" })).toEqual([{ next_at: 1 }]);
    expect(await catalogue.read({ sql: 'SELECT * FROM fence' })).toEqual([]);
  });

  it('stays with its holder when the clock is put forward, until another process takes it', async () => {
    const first = await acquireLease(catalogue, 'forward', { holder: 'one' });
    if (!first) throw new Error('the lease was free');
    await shiftClock(DAY_MS);
    await catalogue.write([fenceStatement(first), write]);
    expect(await renewLease(catalogue, first)).toBe(true);
    expect(await acquireLease(catalogue, 'forward', { holder: 'two' })).toBeNull();
    await shiftClock(DAY_MS);
    expect(await acquireLease(catalogue, 'forward', { holder: 'two' })).not.toBeNull();
    await expect(catalogue.write([fenceStatement(first), write])).rejects.toThrow('lease lost');
  });

  it('of a killed process does not live on for a day when the clock is put back', async () => {
    const killed = await acquireLease(catalogue, 'back', { holder: 'one' });
    await shiftClock(-DAY_MS);
    expect(await readHolder(catalogue, 'back')).toBeNull();
    expect(await acquireLease(catalogue, 'back', { holder: 'two' })).not.toBeNull();
    if (killed) await expect(catalogue.write([fenceStatement(killed), write])).rejects.toThrow('lease lost');
  });

  it('tells a killed run from one at work by the clock of the database, not of the process that asks', async () => {
    const run = {
      sql: "INSERT INTO run (id, job, source, started_at, state) VALUES ('r', 'ingest', 's', '2026', 'running')",
    };
    const lease = await acquireLease(catalogue, 'ingest:s', { holder: 'one', ttlMs: 60_000 });
    await catalogue.write([run, markAbandonedRuns(new Date(Date.now() + DAY_MS))]);
    expect(await catalogue.read({ sql: 'SELECT state FROM run' })).toEqual([{ state: 'running' }]);
    await shiftClock(-DAY_MS);
    await catalogue.write([markAbandonedRuns(new Date())]);
    expect(await catalogue.read({ sql: 'SELECT state FROM run' })).toEqual([{ state: 'abandoned' }]);
    if (lease) await releaseLease(catalogue, lease);
  });

  it('without a source keeps the runs of its job, and of no other', async () => {
    const lease = await acquireLease(catalogue, 'rebuild', { holder: 'one', ttlMs: 60_000 });
    await catalogue.write([
      {
        sql: `INSERT INTO run (id, job, source, started_at, state) VALUES ('own', 'rebuild', NULL, '2026', 'running'),
              ('other', 'ingest', 'rebuild', '2026', 'running')`,
      },
      markAbandonedRuns(new Date()),
    ]);
    const states = await catalogue.read({ sql: "SELECT id, state FROM run WHERE id IN ('own', 'other') ORDER BY id" });
    expect(states).toEqual([
      { id: 'other', state: 'abandoned' },
      { id: 'own', state: 'running' },
    ]);
    if (lease) await releaseLease(catalogue, lease);
  });

  it('is kept by heartbeats past its time to live and given back after a failure', async () => {
    const work = async () => {
      await wait(2_500);
      expect(await readHolder(catalogue, 'c')).toMatchObject({ holder: 'one' });
      throw new Error('the job broke');
    };
    await expect(withLease(catalogue, 'c', { holder: 'one', ttlMs: 1_000 }, work)).rejects.toThrow('the job broke');
    expect(await readHolder(catalogue, 'c')).toBeNull();
  });

  it('is renewed twice before it would run out, so that one heartbeat may fail', async (test) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    test.onTestFinished(() => void vi.useRealTimers());
    const write = vi.fn(catalogue.write);
    await withLease({ ...catalogue, write }, 'i', { holder: 'one' }, () => vi.advanceTimersByTimeAsync(29_999));
    expect([write.mock.calls.length, vi.getTimerCount()]).toEqual([4, 0]);
  });

  it('stops its job with the process, whose signal then remembers nothing of it', async () => {
    const stopping = new AbortController();
    const use = (name: string) =>
      withLease(catalogue, name, { holder: 'one', signal: stopping.signal }, async () => null);
    await use('e');
    const before = keptBySignal(stopping.signal);
    for (let turn = 0; turn < 20; turn++) await use('e');
    expect(keptBySignal(stopping.signal)).toBe(before);
    const done = await withLease(catalogue, 'e', { holder: 'one', signal: stopping.signal }, async ({ signal }) => {
      stopping.abort(new Error('the process is stopping'));
      return (signal.reason as Error).message;
    });
    expect(done).toEqual({ acquired: true, result: 'the process is stopping' });
  });

  it('outlasts a database that is busy at heartbeats and when it is given back', async () => {
    let [beats, busy] = [0, true];
    const database: Database = {
      ...catalogue,
      async write(statements) {
        if (statements[0]?.sql.startsWith('UPDATE lease')) beats += 1;
        else if (statements[0]?.sql.startsWith('INSERT')) return catalogue.write(statements);
        if (busy) throw new DatabaseBusy('another process writes');
        return catalogue.write(statements);
      },
    };
    const work = async ({ signal }: { signal: AbortSignal }) => {
      await vi.waitUntil(() => beats >= 2, LIMITS_MS.wait);
      busy = false;
      await vi.waitUntil(() => beats >= 4, LIMITS_MS.wait);
      busy = true;
      return signal.aborted;
    };
    const done = await withLease(database, 'f', { holder: 'one', ttlMs: 60 }, work);
    expect(done).toEqual({ acquired: true, result: false });
  });

  it('says in a sentence that it was lost, where its fence refuses a batch', async () => {
    const robbed = withLease(catalogue, 'g', { holder: 'one' }, async ({ fence }) => {
      await catalogue.write([{ sql: "UPDATE lease SET token = 'stolen' WHERE name = 'g'" }]);
      await catalogue.write([fence, write]);
    });
    expect(describeFault(await robbed.catch((error) => error))).toMatch(/^lease lost: another process .*restored$/);
  });

  it('stops its job when it was lost', async () => {
    const done = await withLease(catalogue, 'd', { holder: 'one', ttlMs: 60 }, async ({ signal }) => {
      await catalogue.write([{ sql: "UPDATE lease SET token = 'stolen' WHERE name = 'd'" }]);
      if (!signal.aborted) await once(signal, 'abort');
      return (signal.reason as Error).message;
    });
    expect(done).toEqual({ acquired: true, result: 'the lease d went to another process' });
  });

  it('stops its job when a heartbeat cannot be written, and the job knows why', async () => {
    const broken: Database = {
      ...catalogue,
      write: async (statements) => {
        if (statements[0]?.sql.startsWith('UPDATE lease')) throw new Error('the disk is broken');
        return catalogue.write(statements);
      },
    };
    const done = await withLease(broken, 'h', { holder: 'one', ttlMs: 60 }, async ({ signal }) => {
      if (!signal.aborted) await once(signal, 'abort');
      return (signal.reason as Error).message;
    });
    expect(done).toEqual({ acquired: true, result: 'the disk is broken' });
  });
});

describe('two job processes on one database', () => {
  it('never do one job twice', async () => {
    const holders = [startHolder(30_000), startHolder(30_000)];
    await until(holders, /^refused/);
    for (const { child } of holders) child.stdin.end();
    await Promise.all(holders.map(({ ended }) => ended));
    const said = holders.map(({ lines }) => lines.at(-1) ?? '').sort();
    expect(said).toEqual([expect.stringMatching(/^refused: process \d+$/), 'written']);
    expect(await catalogue.read({ sql: "SELECT value FROM meta WHERE name LIKE 'job-%'" })).toHaveLength(1);
  });

  it('leave a paused holder unable to write once another has its lease', async () => {
    const holder = startHolder(200);
    await until([holder], /^holding/);
    holder.child.kill('SIGSTOP');
    await wait(300);
    const lease = await acquireLease(catalogue, 'ingest:test', { holder: 'the next' });
    expect(lease).not.toBeNull();
    holder.child.kill('SIGCONT');
    holder.child.stdin.end();
    await holder.ended;
    expect(holder.lines.at(-1)).toMatch(/^not written: .*lease lost/);
    if (lease) await catalogue.write([fenceStatement(lease), write]);
  });
});
