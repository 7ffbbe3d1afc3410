import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccount, createKey } from '../../../schema/accounts/customer/account.ts';
import { GRANTED_MAX, grantStatement } from '../../../schema/accounts/ledger/transfers.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { migrate } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { openReplica } from '../../../schema/db/replica/open.ts';
import { createNamespace, type LibsqlProcess, startLibsql } from '../../support/libsql-process.ts';

/** Databases of one kind with the same data, as the settings of a process that serves them. */
export interface World {
  name: string;
  settings: Record<string, string>;
  /** A key whose account has credits for any load. */
  key: string;
}

const LIFTED = { KEY_REQUESTS_PER_MINUTE: '10000000', LOG_LEVEL: 'warn', AUTH_SECRET: 'a'.repeat(32) };

/** The same catalogue on files, on servers, and on servers with a copy next to the API, over WebSockets and over HTTP. */
export async function makeWorlds(demo: string, folder: string): Promise<{ worlds: World[]; close(): Promise<void> }> {
  const files = join(folder, 'files');
  await mkdir(files);
  await copyWhole(join(demo, 'catalogue.db'), join(files, 'catalogue.db'));
  await copyWhole(join(demo, 'accounts.db'), join(files, 'accounts.db'));
  for (const name of await readdir(demo))
    if (/^search\./.test(name) && !/-(wal|shm)$/.test(name)) await copyIndex(join(demo, name), join(files, name));
  const key = await makeCustomer(`file:${files}/accounts.db`);
  const [catalogue, accounts] = [await serveFile(folder, files), await serveAccounts(folder)];
  const servers = { ...LIFTED, CATALOGUE_URL: catalogue.socketUrl, ACCOUNTS_URL: `${accounts.socketUrl}/dev/accounts` };
  const byHttp = { ...LIFTED, CATALOGUE_URL: catalogue.url, ACCOUNTS_URL: `${accounts.url}/dev/accounts` };
  const serverKey = await makeCustomer(servers.ACCOUNTS_URL);
  const [plain, copied, copiedByHttp] = [join(folder, 'servers'), join(folder, 'copied'), join(folder, 'copied-http')];
  for (const place of [plain, copied, copiedByHttp])
    await cp(files, place, { recursive: true, filter: (path) => !/accounts|catalogue/.test(path) });
  await fillCopy(copied, catalogue.url);
  await fillCopy(copiedByHttp, catalogue.url);
  return {
    worlds: [
      { name: 'files', settings: { ...LIFTED, DATA_DIR: files }, key },
      { name: 'servers', settings: { ...servers, DATA_DIR: plain }, key: serverKey },
      { name: 'servers, copy', settings: { ...servers, DATA_DIR: copied, CATALOGUE_REPLICA: 'on' }, key: serverKey },
      {
        name: 'copy, by HTTP',
        settings: { ...byHttp, DATA_DIR: copiedByHttp, CATALOGUE_REPLICA: 'on' },
        key: serverKey,
      },
    ],
    async close() {
      await catalogue.kill();
      await accounts.kill();
    },
  };
}

/** A machine that has run for a while: its copy is whole. */
async function fillCopy(dataDir: string, url: string): Promise<void> {
  const replica = await openReplica({ dataDir, server: { url }, say: () => undefined });
  while (!replica.copyAge?.().answers) await pause(100);
  await replica.close();
}

/** What a database holds, in one file without a log, whichever process has it open. */
async function copyWhole(from: string, to: string): Promise<void> {
  const source = await openDatabase({ url: `file:${from}`, durability: 'normal' });
  await source.read({ sql: 'VACUUM INTO ?', args: [to] });
  await source.close();
  const copy = await openDatabase({ url: `file:${to}`, durability: 'normal' });
  await copy.read({ sql: 'PRAGMA journal_mode=WAL' });
  await copy.close();
}

/** The index is a database, but for the pointer that says which file answers. */
async function copyIndex(from: string, to: string): Promise<void> {
  await (from.endsWith('.db') ? copyWhole(from, to) : cp(from, to));
}

/** A server begins its log with the pages of a database that lies where it keeps its own. */
async function serveFile(folder: string, files: string): Promise<LibsqlProcess> {
  const place = join(folder, 'catalogue-server', 'dbs', 'default');
  await mkdir(place, { recursive: true });
  await cp(join(files, 'catalogue.db'), join(place, 'data'));
  return startLibsql({ folder: join(folder, 'catalogue-server') });
}

async function serveAccounts(folder: string): Promise<LibsqlProcess> {
  const server = await startLibsql({ folder: join(folder, 'accounts-server'), namespaces: true });
  await createNamespace(server, 'accounts', { durability_mode: 'strong' });
  return server;
}

async function makeCustomer(url: string): Promise<string> {
  const accounts: Database = await openDatabase({ url, durability: 'full' });
  await migrate(accounts, 'accounts');
  const at = new Date().toISOString();
  const { id } = await createAccount(accounts, { name: 'bench', signupCredits: 0, at });
  const { key } = await createKey(accounts, { accountId: id, prefix: 'svc_live_', name: 'bench', at });
  await accounts.write([grantStatement({ key: `bench:${id}`, accountId: id, credits: GRANTED_MAX, at })]);
  await accounts.close();
  return key;
}
