import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';
import { readBalance } from '../transports.ts';
import { killAll, loadApi, startApi } from './processes.ts';

const canTrace = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) {
  console.warn(
    'durability.test: no strace that works here, so the sync calls are not watched; the pragma and the order are.',
  );
}

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ operations: testRows });
});
afterAll(() => server.close());

const pragma = async (name: string) =>
  Object.values((await server.services.accounts.read<Record<string, unknown>>({ sql: `PRAGMA ${name}` }))[0] ?? {})[0];

describe('a debit', () => {
  it('is committed with synchronous=FULL in a write-ahead log, on the connection that the API bills over', async () => {
    expect([await pragma('synchronous'), await pragma('journal_mode')]).toEqual([2, 'wal']);
  });

  it('is on the disk before its answer leaves', async () => {
    const { key, accountId } = await server.addCustomer(20);
    const paused = holdWrites(server.services.accounts);
    const answer = ask(server.url, '/v1/things/a', key);
    const answered = vi.fn();
    answer.then(answered);
    await paused.begun;
    expect(await readBalance(server, accountId)).toBe(20);
    expect(answered).not.toHaveBeenCalled();
    paused.release();
    expect((await answer).body.credits_remaining).toBe(15);
    expect(await readBalance(server, accountId)).toBe(15);
  });

  it.skipIf(!canTrace)('is followed by a sync of the log before the first byte of its answer', async () => {
    const trace = join(server.folder, 'trace');
    const watched = [
      '-D',
      '-f',
      '--seccomp-bpf',
      '-y',
      '-s',
      '40',
      '-e',
      'trace=fsync,fdatasync,write,writev,pwrite64',
      '-o',
      trace,
    ];
    const api = await startApi(loadApi(server, ['strace', ...watched]), 'test');
    const { key } = await server.addCustomer(20);
    expect((await ask(api.url, '/v1/things/a', key)).status).toBe(200);
    await killAll([api]);
    const calls = (await readFile(trace, 'utf8')).split('\n');
    const answered = calls.findIndex((call) => call.includes('HTTP/1.1 200'));
    const logged = calls.findLastIndex((call, index) => index < answered && /pwrite64\(.*accounts\.db-wal/.test(call));
    const synced = calls.findIndex((call, index) => index > logged && /f(data)?sync\(.*accounts\.db-wal/.test(call));
    expect([logged > 0, synced > logged, answered > synced]).toEqual([true, true, true]);
  });
});

/** Lets the next write wait until it is released. */
function holdWrites(database: Database): { begun: Promise<void>; release(): void } {
  const { write } = database;
  const [begun, begin] = makeSignal();
  const [released, release] = makeSignal();
  database.write = async (statements) => {
    database.write = write;
    begin();
    await released;
    return write(statements);
  };
  return { begun, release };
}

function makeSignal(): [Promise<void>, () => void] {
  const signal = new EventEmitter();
  return [once(signal, 'given').then(() => undefined), () => void signal.emit('given')];
}
