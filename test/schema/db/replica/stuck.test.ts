import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { generationPath } from '../../../../schema/db/generations.ts';
import { migrate } from '../../../../schema/db/migrate.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { replicaFiles } from '../../../../schema/db/replica/files.ts';
import { makeKeeper } from '../../../../schema/db/replica/keep.ts';
import { makeFolder } from '../../../support/databases.ts';
import { hasLibsql, startLibsql } from '../../../support/libsql-process.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { startFlawedLog } from './flawed-log.ts';

const isHere = hasLibsql('a copy of a real libSQL server that hangs in the middle of a sync');
afterEach(() => void vi.useRealTimers());

it.skipIf(!isHere)('a sync is stuck where it has applied nothing for a minute, and no sooner', async () => {
  const folder = await makeFolder();
  const server = await startLibsql({ folder: join(folder.path, 'server') });
  const catalogue = await openDatabase({ url: server.url, durability: 'normal' });
  await migrate(catalogue, 'catalogue');
  const flawed = await startFlawedLog(server);
  const files = replicaFiles(folder.path);
  const onStuck = vi.fn();
  const keeper = await makeKeeper({ files, server: flawed, say: () => undefined, onStuck });
  const count = (name: string) =>
    catalogue.write([{ sql: 'INSERT INTO counter (name, value) VALUES (?, 1)', args: [name] }]);
  await keeper.step();
  await count('compared with the server');
  await keeper.step();
  await count('not applied');
  await flawed.become('hangs');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const failed = expect(keeper.step()).rejects.toThrow('the sync failed');
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: LIMITS_MS.wait });
  vi.advanceTimersByTime(55_000);
  // As where a part of it was applied.
  await utimes(generationPath(files, 1), new Date(), new Date());
  vi.advanceTimersByTime(65_000);
  expect(onStuck).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(onStuck).toHaveBeenCalledOnce();
  await flawed.close();
  await failed;
  expect(vi.getTimerCount()).toBe(0);
  keeper.close();
  await catalogue.close();
  await server.kill();
  await folder.remove();
});
