import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHolder, withLease } from '../../../jobs/process/lease.ts';
import { BatchRefused, type Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

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

it('a lease is not said to be lost where a guard of the job itself refuses a batch', async () => {
  const guard = { sql: 'INSERT INTO fence (ok) SELECT 0', guard: true } as const;
  const refused = withLease(catalogue, 'a', { holder: 'one' }, () => catalogue.write([guard]));
  await expect(refused).rejects.toBeInstanceOf(BatchRefused);
  expect(await readHolder(catalogue, 'a')).toBeNull();
});

it('a lease that cannot be given back, and not only for a moment, fails its job', async () => {
  const broken: Database = {
    ...catalogue,
    async write(statements) {
      if (statements[0]?.sql.startsWith('DELETE FROM lease')) throw new Error('the disk is broken');
      return catalogue.write(statements);
    },
  };
  await expect(withLease(broken, 'b', { holder: 'one' }, async () => 1)).rejects.toThrow('the disk is broken');
});
