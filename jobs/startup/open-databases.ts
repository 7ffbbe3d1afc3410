import { access, constants } from 'node:fs/promises';
import type { Logger } from 'pino';
import { exportFolder } from '../../schema/accounts/exports/storage.ts';
import { ensureFolder } from '../../schema/config/ensure-folder.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { assertDurable } from '../../schema/db/durability.ts';
import { type Database, pathOfFile } from '../../schema/db/interface.ts';
import { type DatabaseName, migrate } from '../../schema/db/migrate.ts';
import { catalogueAt, describeMove } from '../../schema/db/moved.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { openCatalogue } from '../../schema/db/open-catalogue.ts';
import { makeGivingWay, makePatient } from '../../schema/db/patient.ts';
import { assertThere, findMissing, type Making } from './missing-databases.ts';

/** Both databases, and the addresses of those that were created. */
export interface Opened {
  catalogue: Database;
  accounts: Database;
  made: string[];
}

/**
 * Opens both databases for writing at this program's version, and enters the sources in the catalogue. @throws ExpectedFault
 * where one is missing and may not be created; DatabaseFault where the accounts' server is not durable.
 */
export async function openDatabases(settings: Settings, making: Making, log?: Logger): Promise<Opened> {
  const missing = await findMissing(settings, making);
  // Finds an unwritable folder now, rather than at the first export.
  const folder = settings.EXPORTS_URL ? settings.DATA_DIR : exportFolder(settings);
  await ensureFolder(folder);
  await access(folder, constants.W_OK | constants.X_OK);
  const catalogue = await OPENERS.catalogue(settings, log);
  const accounts = await orClosed([catalogue], () => OPENERS.accounts(settings));
  const made = missing.map((name) => pathOfFile({ catalogue, accounts }[name].url));
  return { catalogue, accounts, made };
}

/** Opens one of them in the same way, for work that uses only that one: the server of the other may be away. */
export async function openOne(settings: Settings, name: DatabaseName): Promise<Database> {
  await assertThere(settings, name);
  return await OPENERS[name](settings);
}

const OPENERS: Record<DatabaseName, (settings: Settings, log?: Logger) => Promise<Database>> = {
  async catalogue(settings, log) {
    const onMoved = (url: string) => log?.warn(describeMove(url));
    const catalogue = await openCatalogue({ ...catalogueAt(settings), durability: 'normal', onMoved });
    return orClosed([catalogue], async () => {
      await migrate(catalogue, 'catalogue');
      // Loaded here, as commands about accounts need none of it.
      const { registerSources } = await import('../../ingest/runs/record.ts');
      await registerSources(catalogue, (await import('../../ingest/sources/index.ts')).sources);
      return catalogue;
    });
  },
  async accounts({ ACCOUNTS_URL: url, ACCOUNTS_AUTH_TOKEN: authToken }) {
    const accounts = await openDatabase({ url, authToken, durability: 'full' });
    return orClosed([accounts], async () => {
      await assertDurable(accounts);
      await migrate(accounts, 'accounts');
      // Customers wait for debits, nobody for jobs.
      return makeGivingWay(accounts);
    });
  },
};

/** Does `work`, and closes the databases where that fails: an open connection to a server would keep the process from ending. */
export async function orClosed<T>(databases: Database[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (const database of databases) await database.close();
    throw error;
  }
}

/** How long a jobs process waits for database servers that start after it. */
const SERVERS_MS = 60_000;

/** Waits until database servers answer. @throws DatabaseAway when one has not within a minute. */
export async function awaitServers(settings: Settings, log: Logger): Promise<void> {
  for (const [url, authToken] of [
    [settings.CATALOGUE_URL, settings.CATALOGUE_AUTH_TOKEN],
    [settings.ACCOUNTS_URL, settings.ACCOUNTS_AUTH_TOKEN],
  ] as const) {
    if (url.startsWith('file:')) continue;
    const server = await openDatabase({ url, authToken, durability: 'full', readOnly: true });
    const onAway = (err: unknown) => log.warn({ err }, 'a database server does not answer yet; waiting for it');
    await makePatient(server, { forMs: SERVERS_MS, onAway })
      .read({ sql: 'SELECT 1' })
      .finally(() => server.close());
  }
}
