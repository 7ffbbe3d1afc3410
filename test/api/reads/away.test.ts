import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LongReads } from '../../../api/contract/long-reads.ts';
import { makeLongReadPool, openLongReads } from '../../../api/find/readers.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { DatabaseAway } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { type Hrana, startHrana } from '../../support/libsql-server.ts';
import { companyRow, seed } from '../../support/seed.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let server: Hrana;
let longReads: LongReads;
beforeEach(async () => {
  folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  await seed(catalogue, companyRow('GB-COH-00000001', 'ACME LIMITED'));
  await catalogue.close();
  server = await startHrana(join(folder.path, 'catalogue.db'));
  const settings = readSettings({ DATA_DIR: folder.path, CATALOGUE_URL: server.url, AUTH_SECRET: 'x'.repeat(32) });
  longReads = openLongReads(settings, makeLongReadPool(settings));
});
afterEach(async () => {
  await longReads.close();
  server.close();
  await folder.remove();
});

it('lists that were read stay in memory while their server is away', async () => {
  const names = async () => (await longReads.listCompanies({ limit: 5 })).entries.map(({ name }) => name);
  /** How often every supplier was read: from before the first `seq`. */
  const countReadings = () => server.asked.filter((text) => /FROM company c LEFT JOIN.*"-1"/s.test(text)).length;
  expect([await names(), countReadings()]).toEqual([['ACME LIMITED'], 1]);
  server.goAway();
  for (let turn = 0; turn < 3; turn++) await expect(names()).rejects.toThrow(DatabaseAway);
  await server.comeBack();
  expect([await names(), countReadings()]).toEqual([['ACME LIMITED'], 1]);
});
