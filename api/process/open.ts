import type { Logger } from 'pino';
import { openExports } from '../../schema/accounts/exports/open-storage.ts';
import { makeClocks } from '../../schema/config/clocks.ts';
import { readSecret } from '../../schema/config/secret.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { assertDurable } from '../../schema/db/durability.ts';
import type { Database } from '../../schema/db/interface.ts';
import { awaitMigrated } from '../../schema/db/migrate.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { openReader } from '../../schema/db/open-reader.ts';
import type { SearchReaders } from '../../search/embedded/engine.ts';
import { openSearch } from '../../search/open.ts';
import { openSummaries, type SummaryReaders } from '../../search/summary/open.ts';
import { type Machine, makeOwnMachine } from '../concurrency/machine.ts';
import { startWriter } from '../concurrency/writer.ts';
import type { Services } from '../contract/operation.ts';
import { type LongReadPool, openLongReads } from '../find/readers.ts';
import { openRows, type RowReaders } from '../reads/export-rows/counter.ts';

/** Lists are prepared once the first calls are answered, as their reader takes processor time from those. */
const PREPARE_MS = 3_000;

/** What a process shares with the others of its machine. */
export interface Shared {
  machine: Machine;
  search: SearchReaders;
  rows: RowReaders;
  longReads: LongReadPool;
  summaries: SummaryReaders;
  /** Writes a batch to the accounts' file together with those of the other processes. */
  writeAccounts: Database['write'];
}

/**
 * The services of an API process: the catalogue read-only, the accounts durable, search as a reader. Waits until the
 * jobs process has migrated both databases. @param shared - absent where the process is alone
 */
export async function openServices(
  settings: Settings,
  log: Logger,
  shared?: Shared,
): Promise<Services & { close(): Promise<void> }> {
  const catalogue = await openReader(settings, log);
  const opened = await awaitMigrated(
    () =>
      openDatabase({
        url: settings.ACCOUNTS_URL,
        authToken: settings.ACCOUNTS_AUTH_TOKEN,
        durability: 'full',
        mustExist: true,
      }),
    'accounts',
    (said) => log.warn(said),
  );
  await assertDurable(opened);
  const accounts = opened.url.startsWith('file:') ? await writeApart(opened, shared) : opened;
  // Only now: if DATA_DIR is mistyped there is no folder, and this process must not create one.
  const secret = await readSecret(settings);
  const search = await openSearch(settings, catalogue, 'reader', shared?.search);
  const isFile = settings.CATALOGUE_URL.startsWith('file:');
  const urlNow = isFile ? undefined : () => catalogue.url;
  const rows = openRows(settings, shared?.rows, urlNow);
  const longReads = openLongReads(settings, shared?.longReads, urlNow);
  const summaries = openSummaries(settings, shared?.summaries, urlNow);
  // If this fails, the first summary meets the fault and reports it.
  void Promise.allSettled([summaries.follow()]);
  const preparing = setTimeout(() => void Promise.allSettled([longReads.prepareLists()]), PREPARE_MS).unref();
  log.info({ search: search.name }, 'databases at this version');
  return {
    settings,
    clocks: makeClocks(settings.AS_OF),
    catalogue,
    accounts,
    search,
    rows,
    longReads,
    summaries,
    machine: shared?.machine ?? makeOwnMachine(),
    ...(await openExports(settings, accounts)),
    secret,
    async close() {
      clearTimeout(preparing);
      await rows.close();
      await longReads.close();
      await summaries.close();
      await search.close();
      await catalogue.close();
      await accounts.close();
    },
  };
}

/** The accounts' file, read here, and written by a thread or, for several processes, by the one that they have in common. */
async function writeApart(accounts: Database, shared: Shared | undefined): Promise<Database> {
  if (shared) return { ...accounts, write: shared.writeAccounts, writesApart: true };
  const writer = await startWriter(accounts.url);
  return {
    ...accounts,
    write: writer.write,
    writesApart: true,
    async close() {
      await writer.close();
      await accounts.close();
    },
  };
}
