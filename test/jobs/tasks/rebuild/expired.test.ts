import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runUpkeep } from '../../../../jobs/tasks/run.ts';
import { copyJobs, findTemplate, rebuild } from './filled-services.ts';

const KEPT = `INSERT INTO contact (ocid, release_id, party_id, email, expires_at)
  VALUES ('o', 'r', 'p', 'jo@example.org', '2099-01-01T00:00:00Z')`;

it('a contact that has expired goes with the generation before, which has it too', async () => {
  const template = await findTemplate();
  const { folder, jobs, close } = await copyJobs(template);
  const keeping = { ...jobs, settings: { ...jobs.settings, KEEP_CONTACTS: 'open_tenders' as const } };
  const left = async () => ({
    contacts: await jobs.catalogue.read({ sql: 'SELECT email FROM contact' }),
    generations: ['catalogue.db', 'catalogue-2.db'].filter((name) => existsSync(join(folder, name))),
  });
  await jobs.catalogue.write([{ sql: KEPT }]);
  await rebuild(jobs);
  await runUpkeep(keeping);
  expect(await left()).toEqual({
    contacts: [{ email: 'jo@example.org' }],
    generations: ['catalogue.db', 'catalogue-2.db'],
  });
  await jobs.catalogue.write([{ sql: "UPDATE contact SET expires_at = '2020-01-01T00:00:00Z'" }]);
  await runUpkeep(keeping);
  expect(await left()).toEqual({ contacts: [], generations: ['catalogue-2.db'] });
  await close();
});
