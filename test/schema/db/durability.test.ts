import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertDurable } from '../../../schema/db/durability.ts';
import { generationFiles, pointerPath } from '../../../schema/db/generations.ts';
import { type Database, DatabaseAway } from '../../../schema/db/interface.ts';
import { migrate } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { findDatabaseFault } from '../../../schema/db/readiness.ts';
import { indexUrl } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import {
  createNamespace,
  hasLibsql,
  type LibsqlProcess,
  setDurability,
  startLibsql,
} from '../../support/libsql-process.ts';
import { startHrana } from '../../support/libsql-server.ts';
import { runCli, runHere } from '../../support/run-command.ts';
import { ROOT } from '../../support/source-files.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const open = (url: string) => openDatabase({ url, durability: 'full' });

async function withServer<T>(level: string, work: (accounts: Database, url: string) => Promise<T>): Promise<T> {
  const server = await startHrana(join(folder.path, `${randomUUID()}.db`), level);
  const accounts = await open(server.url);
  try {
    return await work(accounts, server.url);
  } finally {
    await accounts.close();
    server.close();
  }
}

describe('an accounts server', () => {
  it.each(['OFF', 'NORMAL'])('that waits for its disk as %s does is refused with how to set it', (level) =>
    withServer(level, async (accounts) => {
      await expect(assertDurable(accounts)).rejects.toThrow(/would lose charges.*durability_mode.*strong.*are cleared/);
    }),
  );

  it.each(['FULL', 'EXTRA'])('that waits as %s does is taken', (level) => withServer(level, assertDurable));

  it('that loses the setting while it is used makes its processes not ready', () =>
    withServer('NORMAL', async (accounts) => {
      await migrate(accounts, 'accounts');
      const fault = await findDatabaseFault(accounts, 'accounts', { writable: true });
      expect(fault).toMatch(/^accounts: the accounts server confirms writes before they are on its disk/);
    }));

  it('is refused by a command before a table is made on it', () =>
    withServer('NORMAL', async (accounts, url) => {
      const environment = { DATA_DIR: folder.path, ACCOUNTS_URL: url, AUTH_SECRET: 'a'.repeat(32) };
      const refused = await runHere(environment, 'migrate');
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/^the accounts server confirms writes/),
      ]);
      await expect(accounts.read({ sql: 'SELECT 1 FROM transfer' })).rejects.toThrow(/no such table/);
    }));

  it('that is away is away, and is not said to be set wrongly', async () => {
    const server = await startHrana(join(folder.path, 'away.db'));
    server.close();
    await expect(assertDurable(await open(server.url))).rejects.toThrow(DatabaseAway);
  });
});

describe.skipIf(!hasLibsql('what a libSQL server says of its durability'))('a libSQL server', () => {
  let server: LibsqlProcess;
  beforeAll(async () => {
    server = await startLibsql({ folder: join(folder.path, 'served'), namespaces: true });
  });
  afterAll(() => server?.kill());

  it('is refused as it starts, taken once it is set, and a namespace keeps it when it starts again', async () => {
    await createNamespace(server, 'accounts', { durability_mode: 'relaxed' });
    const before = await open(`${server.url}/dev/accounts`);
    await expect(assertDurable(before)).rejects.toThrow(/synchronous is 1/);
    await before.close();
    await setDurability(server, 'accounts', 'strong');
    const accounts = await open(`${server.url}/dev/accounts`);
    await assertDurable(accounts);
    await server.kill();
    await server.start();
    await assertDurable(accounts);
    await accounts.close();
  });

  it('is refused by a command that ends, although it has the catalogue open over a WebSocket', async () => {
    const [catalogue, accounts] = ['facts', 'customers'];
    await createNamespace(server, catalogue);
    await createNamespace(server, accounts, { durability_mode: 'strong' });
    const environment = {
      DATA_DIR: join(folder.path, 'operator'),
      AUTH_SECRET: 'a'.repeat(32),
      CATALOGUE_URL: `${server.socketUrl}/dev/${catalogue}`,
      ACCOUNTS_URL: `${server.socketUrl}/dev/${accounts}`,
    };
    expect(await runCli(environment, 'migrate')).toMatchObject({ code: 0, stderr: '' });
    await setDurability(server, accounts, 'relaxed');
    const refused = await runCli(environment, 'status');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^the accounts server confirms writes/)]);
    await setDurability(server, accounts, 'strong');
    // No file of an index: what opens after both databases fails.
    await mkdir(pointerPath(generationFiles(indexUrl(environment.DATA_DIR))));
    expect(await runCli(environment, 'search', 'sync')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('EISDIR'),
    });
  });

  it('is set as the compose file sets it, where there is no namespace and where there is one', async () => {
    const compose = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8');
    const [, script = ''] = /\n {6}- -e\n {6}- \|\n((?: {8}.*\n)+)/.exec(compose) ?? [];
    const here = script
      .replace('http://127.0.0.1:9090', server.adminUrl)
      .replace('namespaces/accounts/', 'namespaces/composed/');
    const run = () => promisify(execFile)(process.execPath, ['-e', here]);
    const expectDurable = async () => {
      const accounts = await open(`${server.url}/dev/composed`);
      await assertDurable(accounts);
      await accounts.close();
    };
    await run();
    await expectDurable();
    await setDurability(server, 'composed', 'relaxed');
    await run();
    await expectDurable();
  });
});
