import { expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { awaitMigrated, migrate } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeFolder } from '../../support/databases.ts';

it('who waits for a database to be migrated has it open once, however often it was looked at', async () => {
  const folder = await makeFolder();
  const openFile = () => openDatabase({ url: `file:${folder.path}/accounts.db`, durability: 'full' });
  let [opened, closed] = [0, 0];
  const open = async (): Promise<Database> => {
    const database = await openFile();
    opened += 1;
    const close = () => {
      closed += 1;
      return database.close();
    };
    return { ...database, close };
  };
  const waiting = awaitMigrated(open, 'accounts', () => undefined);
  await expect.poll(() => opened).toBeGreaterThan(2);
  const jobs = await openFile();
  await migrate(jobs, 'accounts');
  const database = await waiting;
  expect(opened - closed).toBe(1);
  await Promise.all([database.close(), jobs.close()]);
  await folder.remove();
});
