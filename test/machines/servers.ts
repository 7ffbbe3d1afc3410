import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findFreePort } from '../support/free-port.ts';
import { createNamespace, hasLibsql, type LibsqlProcess, startLibsql } from '../support/libsql-process.ts';
import { until } from './until.ts';

/** Two servers that were started here. */
export interface DatabaseServers {
  catalogue: LibsqlProcess;
  accounts: LibsqlProcess;
}

/** A server that can be killed and started again at its address. */
export interface ServerProcess {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Addresses of two empty databases, of the catalogue and the accounts, with a comma between; the second one durable. */
const given = process.env.LIBSQL_URLS;
const meiliBinary = process.env.MEILI_BIN;

/** Whether there are libSQL servers, to start or from outside; prints what is skipped where there are none. */
export function hasServers(what: string): boolean {
  return given !== undefined || hasLibsql(what);
}

/** Starts two libSQL servers, the accounts in a durable namespace; or uses those of `LIBSQL_URLS`. */
export async function findServers(folder: string) {
  const [catalogueUrl, accountsUrl] = given?.split(',') ?? [];
  if (catalogueUrl && accountsUrl)
    return { servers: null, urls: { CATALOGUE_URL: catalogueUrl, ACCOUNTS_URL: accountsUrl } };
  const catalogue = await startLibsql({ folder: join(folder, 'catalogue-server') });
  const accounts = await startLibsql({ folder: join(folder, 'accounts-server'), namespaces: true });
  await createNamespace(accounts, 'accounts', { durability_mode: 'strong' });
  const urls = { CATALOGUE_URL: catalogue.url, ACCOUNTS_URL: `${accounts.socketUrl}/dev/accounts` };
  return { servers: { catalogue, accounts }, urls };
}

/** Starts a Meilisearch, where `MEILI_BIN` names its program, and returns the settings for it. */
export async function startMeili(folder: string) {
  if (!meiliBinary) return null;
  const address = `127.0.0.1:${await findFreePort()}`;
  const key = 'a key of sixteen bytes or more';
  let child: ChildProcess | undefined;
  const server = {
    settings: { MEILI_URL: `http://${address}`, MEILI_KEY: key },
    async start() {
      const places = ['--db-path', folder, '--dump-dir', `${folder}-dumps`, '--snapshot-dir', `${folder}-snapshots`];
      child = spawn(meiliBinary, [...places, '--http-addr', address, '--master-key', key, '--no-analytics'], {
        stdio: 'ignore',
      });
      const isUp = () =>
        fetch(`http://${address}/health`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until('Meilisearch to answer', isUp);
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
  await server.start();
  return server;
}
