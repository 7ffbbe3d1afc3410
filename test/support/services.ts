import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { makeOwnMachine } from '../../api/concurrency/machine.ts';
import type { Operation, Services } from '../../api/contract/operation.ts';
import { openLongReads } from '../../api/find/readers.ts';
import type { McpExtras } from '../../api/mcp/server.ts';
import { operations } from '../../api/operations/index.ts';
import { openRows, type Rows } from '../../api/reads/export-rows/counter.ts';
import { type RunningServer, startServer, type WebApp } from '../../api/server.ts';
import { createAccount, createKey } from '../../schema/accounts/customer/account.ts';
import { openExports } from '../../schema/accounts/exports/open-storage.ts';
import { isoInstant, makeClocks } from '../../schema/config/clocks.ts';
import { readSecret } from '../../schema/config/secret.ts';
import { readSettings, type Settings } from '../../schema/config/settings.ts';
import type { Database } from '../../schema/db/interface.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { openCatalogue } from '../../schema/db/open-catalogue.ts';
import type { SearchAnswer, Searches } from '../../search/engine.ts';
import { openSummaries } from '../../search/summary/open.ts';
import { standInForBoth } from '../search/both-engines.ts';
import { makeDatabase, makeFolder } from './databases.ts';

export interface BuiltServer extends RunningServer {
  services: Services;
  settings: Settings;
  folder: string;
  /** The catalogue, open for writing; the server itself reads it read-only. */
  catalogue: Database;
  accounts: Database;
  accountId: string;
  keyId: string;
  /** A working API key with `credits`. */
  key: string;
  /** A further account with its own key. */
  addCustomer(credits: number, options?: { monthlyCap?: number }): Promise<Customer>;
  /** A further server on the same databases, as a second process would be. */
  addServer(): Promise<RunningServer & { services: Services }>;
}

export interface Customer {
  accountId: string;
  keyId: string;
  key: string;
}

export interface BuildOptions {
  /** Default: the table. */
  operations?: readonly Operation[];
  /** Settings in addition to the test's own. */
  settings?: Record<string, string>;
  /** Default 250. */
  credits?: number;
  /** A folder of finished databases with empty logs, whose files it starts with. */
  from?: string;
  /** Rows before the server starts. */
  fill?(catalogue: Database, settings: Settings): Promise<void>;
  /** Wraps the server's catalogue, such as `watch`; default: no wrapper. */
  watch?(catalogue: Database): Database;
  /** Default: an engine that finds nothing. */
  search?(settings: Settings, catalogue: Database): Promise<Searches>;
  /** Default: the reader processes of the service. */
  rows?(catalogue: Database): Rows;
  /** Default: the table alone. */
  mcp?: McpExtras;
  /** The destination of its log lines; default: none. */
  log?: Logger;
  /** Default: no pages. */
  web?(services: Services): Promise<WebApp>;
}

/** A whole service in a temporary folder: two databases, a real server on a free port, an account with a key and credits. */
export async function buildServer(options: BuildOptions = {}): Promise<BuiltServer> {
  const folder = await makeFolder();
  if (options.from) await copyDatabases(options.from, folder.path);
  const settings = readSettings({
    PORT: '0',
    PRIVATE_PORT: '0',
    DATA_DIR: folder.path,
    LOG_LEVEL: 'silent',
    KEY_REQUESTS_PER_MINUTE: '1000000',
    WEB_REQUESTS_PER_MINUTE: '1000000',
    WEB_PAGES_PER_DAY: '1000000',
    SIGN_UPS_PER_NETWORK_DAY: '1000',
    SIGN_UPS_PER_DOMAIN_DAY: '1000',
    BASE_URL: 'http://localhost',
    ...options.settings,
  });
  const accounts = await makeDatabase(folder.path, 'accounts');
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  await options.fill?.(catalogue, settings);
  const services = await openServices(settings, options);
  const customer = await addCustomer(accounts, settings, options.credits ?? 250);
  const others: { close(): Promise<void> }[] = [];
  const server = await serve(services, options);

  return {
    ...server,
    ...customer,
    services,
    settings,
    folder: folder.path,
    catalogue,
    accounts,
    addCustomer: (credits, more) => addCustomer(accounts, settings, credits, more),
    async addServer() {
      const other = await openServices(settings, options);
      const running = await serve(other, options);
      const close = async () => {
        await running.close();
        await closeServices(other);
      };
      others.push({ close });
      return { ...running, services: other, close };
    },
    async close() {
      for (const other of others) await other.close();
      await server.close();
      await closeServices(services);
      await accounts.close();
      await catalogue.close();
      await folder.remove();
    },
  };
}

/** A database's side files are removed by the last process that has it open. */
async function copyDatabases(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => !/-(?:shm|wal)$/.test(name));
  await Promise.all(names.map((name) => cp(join(from, name), join(to, name), { recursive: true })));
}

async function openServices(settings: Settings, options: BuildOptions): Promise<Services> {
  const opened = await openCatalogue({ url: settings.CATALOGUE_URL, durability: 'normal', readOnly: true });
  const catalogue = options.watch?.(opened) ?? opened;
  const accounts = await openDatabase({ url: settings.ACCOUNTS_URL, durability: 'full' });
  return {
    settings,
    clocks: makeClocks(settings.AS_OF),
    catalogue,
    accounts,
    ...(await openExports(settings, accounts)),
    search: (await options.search?.(settings, catalogue)) ?? emptySearch,
    rows: options.rows?.(catalogue) ?? openRows(settings),
    longReads: openLongReads(settings),
    summaries: openSummaries(settings),
    machine: makeOwnMachine(),
    secret: await readSecret(settings),
  };
}

async function serve(services: Services, options: BuildOptions): Promise<RunningServer> {
  const web = (await options.web?.(services)) ?? null;
  const log = options.log ?? pino({ level: services.settings.LOG_LEVEL });
  const mcp = options.mcp ? { mcp: options.mcp } : {};
  return startServer(services, { operations: options.operations ?? operations, log, web, ...mcp });
}

async function closeServices(services: Services): Promise<void> {
  await services.search.close();
  await services.rows.close();
  await services.longReads.close();
  await services.summaries.close();
  await services.catalogue.close();
  await services.accounts.close();
}

async function addCustomer(
  accounts: Database,
  settings: Settings,
  credits: number,
  { monthlyCap }: { monthlyCap?: number } = {},
): Promise<Customer> {
  const at = isoInstant(new Date());
  const { id: accountId } = await createAccount(accounts, { name: 'test', signupCredits: credits, at });
  const cap = monthlyCap === undefined ? {} : { monthlyCap };
  const made = await createKey(accounts, { accountId, name: 'test', prefix: settings.KEY_PREFIX, at, ...cap });
  return { accountId, keyId: made.id, key: made.key };
}

/** An engine without documents. */
const emptySearch = standInForBoth({
  name: 'embedded' as const,
  find: async (): Promise<SearchAnswer> => ({
    hits: [],
    total: 0,
    exact: true,
    nextCursor: null,
    meta: { engine: 'embedded', bounded: false, corrections: [], matched: 'all', ignoredWords: 0 },
  }),
  version: '1',
  readCursor: async () => ({ seq: 0, id: '', generation: '1', version: '1' }),
  store: async () => undefined,
  openBuild: () => Promise.reject(new Error('nothing is built here')),
  tidy: async () => undefined,
  close: async () => undefined,
});
