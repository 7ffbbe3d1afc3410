import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { sources } from '../../ingest/sources/index.ts';
import { openJobsServices } from '../../jobs/startup/open-services.ts';
import { findChangedSuccessions, ingestSource, syncIndex } from '../../jobs/tasks/run.ts';
import { createAccount, createKey } from '../../schema/accounts/customer/account.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import { readSettings } from '../../schema/config/settings.ts';
import type { Database } from '../../schema/db/interface.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { openCatalogue } from '../../schema/db/open-catalogue.ts';
import { syncSearch } from '../../search/index/sync.ts';
import { openSearch } from '../../search/open.ts';
import { makeBucket, type TestBucket } from '../support/bucket.ts';
import { makeFolder } from '../support/databases.ts';
import { findFreePort } from '../support/free-port.ts';
import type { Customer } from '../support/services.ts';
import { makeSample } from '../upstream/sample/make.ts';
import { startUpstream } from '../upstream/server.ts';
import { upstreamSettings } from '../upstream/settings.ts';
import { type MachineProcess, makeProcess } from './process.ts';
import { type DatabaseServers, findServers, type ServerProcess, startMeili } from './servers.ts';

/** A machine with an API process. Its folder is its own. */
export interface ApiMachine extends MachineProcess {
  url: string;
  privateUrl: string;
  settings: Record<string, string>;
  /** What fills its search index, where it reads from a copy of the catalogue. */
  index?: MachineProcess;
}

/** The layout of the README on loopback: see `startLayout`. */
export interface Layout {
  apis: readonly ApiMachine[];
  jobs: MachineProcess;
  /** The address of the jobs' private server. */
  jobsPort: string;
  /** Null where `LIBSQL_URLS` names servers from outside. */
  servers: DatabaseServers | null;
  /** The Meilisearch of all machines, where `MEILI_BIN` names its program. */
  meili: ServerProcess | null;
  bucket: TestBucket;
  /** Settings that all machines share. */
  shared: Record<string, string>;
  /** The test's own connections. */
  catalogue: Database;
  accounts: Database;
  /** A working API key with credits. */
  addCustomer(credits: number): Promise<Customer>;
  /** A folder for one more machine. */
  makeMachineFolder(name: string): Promise<string>;
  close(): Promise<void>;
}

interface LayoutOptions {
  /** Machines with an API process; default 2. */
  apis?: number;
  /** Whether API machines read from a copy of the catalogue, and fill a search index of their own. */
  copies?: boolean;
}

const SINCE = new Date('2025-08-01T00:00:00Z');
const SECRET = 'of this installation, on each machine the same';

/**
 * Starts the layout of several machines: API processes and one with jobs, each with a folder of its own, two libSQL servers
 * (the accounts in a durable namespace) and a bucket. The catalogue holds a small sample, ingested over its server.
 */
export async function startLayout(options: LayoutOptions = {}): Promise<Layout> {
  const { apis: count = 2, copies = false } = options;
  const folder = await makeFolder();
  const { servers, urls } = await findServers(folder.path);
  const meili = await startMeili(join(folder.path, 'meilisearch'));
  const bucket = await makeBucket();
  const data = makeSample({ notices: 300, buyers: 30, companies: 120 });
  const upstream = await startUpstream({ data });
  const shared = {
    ...urls,
    ...bucket.settings,
    ...meili?.settings,
    AS_OF: data.asOf.toISOString(),
    ...SAME_EVERYWHERE,
    ...loopbackSettings(upstream.url),
  };
  const makeMachineFolder = async (name: string) => {
    const path = join(folder.path, name);
    await mkdir(path, { recursive: true });
    return path;
  };
  const jobsSettings = {
    ...shared,
    DATA_DIR: await makeMachineFolder('jobs'),
    JOBS_PRIVATE_PORT: String(await findFreePort()),
  };
  await fill(jobsSettings);
  const jobs = makeProcess('jobs', jobsSettings);
  const names = Array.from({ length: count }, (_, index) => `api-${index + 1}`);
  const make = copies ? makeCopyingApi : makeApi;
  const apis = await Promise.all(names.map(async (name) => make(shared, await makeMachineFolder(name))));
  for (const each of [jobs, ...apis]) await each.start();
  const catalogue = await openDatabase({ url: shared.CATALOGUE_URL, durability: 'full' });
  const accounts = await openDatabase({ url: shared.ACCOUNTS_URL, durability: 'full' });
  return {
    apis,
    jobs,
    jobsPort: jobsSettings.JOBS_PRIVATE_PORT,
    bucket,
    servers,
    meili,
    shared,
    catalogue,
    accounts,
    makeMachineFolder,
    addCustomer: (credits) => addCustomer(accounts, credits),
    async close() {
      await Promise.all([jobs, ...apis].map((each) => each.kill()));
      await catalogue.close();
      await accounts.close();
      await Promise.all([servers?.catalogue, servers?.accounts, meili].map((server) => server?.kill()));
      await Promise.all([upstream.close(), bucket.close()]);
      await folder.remove();
    },
  };
}

/** Settings that all machines share, with any servers, and limits high enough for a test's clients on one address. */
const SAME_EVERYWHERE = {
  AUTH_SECRET: SECRET,
  CONTACT: 'test@example.org',
  LOG_LEVEL: 'info',
  KEY_REQUESTS_PER_MINUTE: '10000000',
  WEB_REQUESTS_PER_MINUTE: '1000000',
  WEB_PAGES_PER_DAY: '1000000',
  SIGN_UPS_PER_NETWORK_DAY: '1000',
};

function loopbackSettings(url: string): Record<string, string> {
  return {
    ...upstreamSettings(url),
    COMPANIES_HOUSE_API_KEY: 'loopback',
    PROCUREMENT_GAP_SECONDS: '0',
    PROCUREMENT_GAP_AFTER_429_SECONDS: '0',
    COMPANIES_HOUSE_GAP_SECONDS: '0',
  };
}

/** A machine with an API process over shared settings, not yet started. Each has its own origin, as behind no balancer. */
export async function makeApi(
  shared: Record<string, string>,
  folder: string,
  more: Record<string, string> = {},
): Promise<ApiMachine & { startProcess(): Promise<void> }> {
  const [port, privatePort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...shared,
    DATA_DIR: folder,
    PORT: String(port),
    PRIVATE_PORT: String(privatePort),
    BASE_URL: url,
    ...more,
  };
  const machine = makeProcess('api', settings);
  return {
    ...machine,
    url,
    privateUrl: `http://127.0.0.1:${privatePort}`,
    settings,
    startProcess: machine.start,
    async start() {
      await fillIndex(settings);
      await machine.start();
    },
  };
}

/** The same with a copy of the catalogue, and a process next to the API that fills the machine's index from it. */
export async function makeCopyingApi(shared: Record<string, string>, folder: string): Promise<ApiMachine> {
  const api = await makeApi(shared, folder, { CATALOGUE_REPLICA: 'on' });
  const index = makeProcess('index', { ...api.settings, JOBS_PRIVATE_PORT: String(await findFreePort()) });
  return {
    ...api,
    index,
    async start() {
      await index.start();
      await api.startProcess();
    },
    async kill() {
      await api.kill();
      await index.kill();
    },
    async signalCopy(signal) {
      for (const one of [api, index]) await one.signalCopy(signal);
    },
  };
}

/** Ingests the sample through the real path. @throws Error where a source fails. */
async function fill(environment: Record<string, string>): Promise<void> {
  const settings = readSettings(environment);
  const services = await openJobsServices(settings, pino({ level: 'silent' }));
  try {
    for (const { id, kind } of sources) {
      const span = kind === 'notices' ? { job: 'ingest' as const, since: SINCE } : {};
      const done = await ingestSource(services, id, span);
      if (!done.acquired || done.result.state === 'failed') throw new Error(`${id}: ${JSON.stringify(done)}`);
    }
    await findChangedSuccessions(services);
    await syncIndex(services);
  } finally {
    await services.close();
  }
}

/**
 * The embedded index of a machine, filled from the catalogue's server before its API starts: a machine that has the catalogue
 * at hand and fills its own index needs none of this.
 */
async function fillIndex(environment: Record<string, string>): Promise<void> {
  const settings = readSettings(environment);
  const catalogue = await openCatalogue({ url: settings.CATALOGUE_URL, durability: 'normal' });
  const search = await openSearch(settings, catalogue, 'writer');
  try {
    await syncSearch(catalogue, search);
  } finally {
    await search.close();
    await catalogue.close();
  }
}

async function addCustomer(accounts: Database, credits: number): Promise<Customer> {
  const at = isoInstant(new Date());
  const { id: accountId } = await createAccount(accounts, { name: 'test', signupCredits: credits, at });
  const { id: keyId, key } = await createKey(accounts, { accountId, name: 'test', prefix: 'svc_live_', at });
  return { accountId, keyId, key };
}
