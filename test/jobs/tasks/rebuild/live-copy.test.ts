import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RebuildOvertaken } from '../../../../ingest/rebuild/move.ts';
import { openLiveCopy, workFiles } from '../../../../ingest/rebuild/server/copy.ts';
import { migrate } from '../../../../schema/db/migrate.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { takeLock } from '../../../../schema/db/process-lock.ts';
import { lockPath } from '../../../../schema/db/replica/files.ts';
import { startFlawedLog } from '../../../schema/db/replica/flawed-log.ts';
import { makeFolder } from '../../../support/databases.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { hasLibsql, startLibsql } from '../../../support/libsql-process.ts';

import { LIMITS_MS } from '../../../support/time-limits.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

it('the copy of a server that is away is waited for until the rebuild is stopped', async () => {
  const stop = new AbortController();
  const said: string[] = [];
  const say = (_level: string, message: string) => {
    said.push(message);
    setImmediate(() => stop.abort(new Error('stopped by SIGINT')));
  };
  const server = { url: `http://127.0.0.1:${await findFreePort()}` };
  const opened = openLiveCopy(workFiles(folder.path), { server, say, signal: stop.signal });
  await expect(opened).rejects.toThrow('stopped by SIGINT');
  expect(said).toEqual([expect.stringContaining('ECONNREFUSED')]);
});

it('a folder in which another process rebuilds is not used', async () => {
  const files = workFiles(folder.path);
  await mkdir(files.folder);
  const lock = takeLock(lockPath(files));
  const server = { url: 'http://127.0.0.1:9' };
  await expect(openLiveCopy(files, { server, say: () => undefined })).rejects.toThrow(RebuildOvertaken);
  lock?.release();
});

const isHere = hasLibsql('a rebuild of a catalogue on a real libSQL server that hangs while it is copied');
it.skipIf(!isHere)('a server that hangs while it is copied ends the rebuild, which would wait for ever', async () => {
  const server = await startLibsql({ folder: join(folder.path, 'server') });
  const catalogue = await openDatabase({ url: server.url, durability: 'normal' });
  await migrate(catalogue, 'catalogue');
  const flawed = await startFlawedLog(server);
  const copy = await openLiveCopy(workFiles(folder.path), { server: flawed, say: () => undefined });
  const count = (name: string) =>
    catalogue.write([{ sql: 'INSERT INTO counter (name, value) VALUES (?, 1)', args: [name] }]);
  await count('compared with the server');
  await copy.refresh();
  await count('not applied');
  await flawed.become('hangs');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const failed = expect(copy.refresh()).rejects.toThrow(RebuildOvertaken);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: LIMITS_MS.wait });
  vi.advanceTimersByTime(120_000);
  await failed;
  await flawed.close();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0), { timeout: LIMITS_MS.wait });
  vi.useRealTimers();
  copy.close();
  await catalogue.close();
  await server.kill();
});
