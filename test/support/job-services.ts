import { pino } from 'pino';
import type { JobsServices } from '../../jobs/process/services.ts';
import { openExports } from '../../schema/accounts/exports/open-storage.ts';
import { makeClocks } from '../../schema/config/clocks.ts';
import { readSettings } from '../../schema/config/settings.ts';
import { standInForBoth } from '../search/both-engines.ts';
import { makeDatabase, makeFolder } from './databases.ts';

const takesEverything = { readCursor: async () => null, store: async () => undefined, close: async () => undefined };

/** An empty index that accepts everything: for jobs that do not concern search. */
const emptySearch = standInForBoth({
  ...takesEverything,
  name: 'embedded' as const,
  find: () => Promise.reject(new Error('nothing is searched here')),
  version: '1',
  openBuild: async () => ({
    ...takesEverything,
    clear: async () => undefined,
    countDocuments: async () => 0,
    goLive: async () => undefined,
  }),
  tidy: async () => undefined,
});

/** The services of jobs in a temporary folder of its own, with two real databases and silent logs. */
export async function makeJobServices(environment: Record<string, string> = {}) {
  const folder = await makeFolder();
  const settings = readSettings({ DATA_DIR: folder.path, JOBS_PRIVATE_PORT: '0', ...environment });
  const accounts = await makeDatabase(folder.path, 'accounts');
  const services: JobsServices = {
    settings,
    clocks: makeClocks(settings.AS_OF),
    catalogue: await makeDatabase(folder.path, 'catalogue'),
    accounts,
    search: emptySearch,
    ...(await openExports(settings, accounts)),
    log: pino({ level: 'silent' }),
    holder: 'a test',
  };
  return {
    services,
    folder: folder.path,
    async close() {
      await services.catalogue.close();
      await services.accounts.close();
      await folder.remove();
    },
  };
}
