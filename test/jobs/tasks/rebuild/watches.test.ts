import { afterAll, beforeAll, expect, it } from 'vitest';
import { matchChanges } from '../../../../jobs/tasks/watches.ts';
import { readBalance } from '../../../../schema/accounts/ledger/transfers.ts';
import { openCatalogue } from '../../../../schema/db/open-catalogue.ts';
import { addWatch, openAccount } from '../../watches/seed.ts';
import { copyJobs, type FilledJobs, findTemplate, makeLate, rebuild, storeReleases } from './filled-services.ts';

let filled: FilledJobs;
beforeAll(async () => {
  const template = await findTemplate(10);
  filled = await copyJobs(template);
});
afterAll(() => filled.close());

it('a watch delivers once what comes after a move, though another jobs process has not noticed the move', async () => {
  const { jobs } = filled;
  const { CATALOGUE_URL: url } = jobs.settings;
  const unaware = await openCatalogue({ url, durability: 'normal', lookEveryMs: 3_600_000 });
  await rebuild(jobs);
  const account = await openAccount(jobs.accounts, 100);
  const [{ head = 0 } = {}] = await jobs.catalogue.read<{ head: number }>({
    sql: "SELECT value AS head FROM counter WHERE name = 'seq'",
  });
  await addWatch(jobs.accounts, { account_id: account, filters: '{"query":"paving"}', position: head });
  await storeReleases(jobs, 'find_a_tender', makeLate(900_001, 1));
  for (const catalogue of [jobs.catalogue, unaware, jobs.catalogue]) await matchChanges({ ...jobs, catalogue });
  expect(await jobs.accounts.read({ sql: 'SELECT items FROM watch_delivery' })).toEqual([{ items: 1 }]);
  expect(await readBalance(jobs.accounts, account)).toBe(98);
  await unaware.close();
});
