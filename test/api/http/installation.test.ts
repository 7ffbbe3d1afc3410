import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { findDifferences, joinInstallation } from '../../../schema/accounts/installation.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { type Hrana, startHrana } from '../../support/libsql-server.ts';
import { runHere } from '../../support/run-command.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

const [SECRET, OTHER] = ['of the first machine, on every one the same', 'another one, of 32 characters or more'];
const AT = '2026-11-23T10:00:00.000Z';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let file: Database;
let server: Hrana;
let remote: Database;
beforeAll(async () => {
  folder = await makeFolder();
  file = await makeDatabase(folder.path, 'accounts');
  await (await makeDatabase(folder.path, 'catalogue')).close();
  server = await startHrana(join(folder.path, 'accounts.db'));
  remote = await openDatabase({ url: server.url, durability: 'full' });
});
afterEach(() => file.write([{ sql: 'DELETE FROM installation' }]));
afterAll(async () => {
  await remote.close();
  await file.close();
  server.close();
  await folder.remove();
});

type Machine = Parameters<typeof joinInstallation>[1];

const machines = async (asked: (start: (more: Record<string, string>) => Promise<Started>) => Promise<void>) => {
  const built: BuiltServer[] = [];
  try {
    await asked(async (more) => {
      const said: string[] = [];
      const log = pino({ level: 'warn' }, { write: (line) => void said.push(JSON.parse(line).msg) });
      built.push(await buildServer({ settings: { AUTH_SECRET: SECRET, ...more }, log }));
      const { privateUrl, folder } = built.at(-1) as BuiltServer;
      const ready = async () => {
        const answer = await fetch(`${privateUrl}/readyz`);
        return [answer.status, await answer.text()] as const;
      };
      return { said, folder, ready };
    });
  } finally {
    for (const each of built) await each.close();
  }
};
interface Started {
  said: string[];
  folder: string;
  ready(): Promise<readonly [number, string]>;
}
const cli = (secret: string, ...words: string[]) =>
  runHere({ DATA_DIR: folder.path, ACCOUNTS_URL: server.url, AUTH_SECRET: secret }, 'machines', ...words);

describe('machines on one accounts server', () => {
  it('that start at once have what the first of them wrote', async () => {
    const [first, second] = [SECRET, OTHER].map((secret) => ({ secret, toolPrefix: 'svc_' })) as [Machine, Machine];
    const now = { program: 'one', at: AT };
    await joinInstallation(remote, first, now);
    // It read before the first had written.
    await joinInstallation({ ...remote, read: async () => [] }, { ...second, toolPrefix: 'other_' }, now);
    expect((await findDifferences(remote, first, 'one')).faults).toEqual([]);
    expect((await findDifferences(remote, second, 'one')).faults).toEqual([expect.stringMatching(/^AUTH_SECRET /)]);
  });

  it('are ready only with the AUTH_SECRET and TOOL_PREFIX of the first', () =>
    machines(async (start) => {
      const first = await start({ ACCOUNTS_URL: server.url });
      const alike = await start({ ACCOUNTS_URL: server.url });
      const other = await start({ ACCOUNTS_URL: server.url, AUTH_SECRET: OTHER, TOOL_PREFIX: 'other_' });
      expect([await first.ready(), await alike.ready()]).toEqual(Array(2).fill([200, 'ready\n']));
      const [status, text] = await other.ready();
      expect(status).toBe(503);
      expect(text).toMatch(/^not ready\nAUTH_SECRET differs from the installation's .*\nTOOL_PREFIX differs .*\n$/);
      expect(text).toMatch(/run `cli machines --accept`/);
      expect(other.said.slice(0, 2)).toEqual(text.split('\n').slice(1, -1));
      expect(first.said).toEqual([]);
    }));

  it('have another secret from when an operator accepts it: then those with the former one are not ready', () =>
    machines(async (start) => {
      const former = await start({ ACCOUNTS_URL: server.url });
      const next = await start({ ACCOUNTS_URL: server.url, AUTH_SECRET: OTHER });
      expect((await cli(OTHER)).stdout).toMatch(/AUTH_SECRET +\S+Z +another value\nTOOL_PREFIX +\S+Z +alike/);
      expect((await cli(OTHER, '--accept')).stdout).toMatch(/AUTH_SECRET +\S+Z +alike/);
      expect((await next.ready())[0]).toBe(200);
      expect(await former.ready()).toEqual([503, expect.stringMatching(/^not ready\nAUTH_SECRET differs/)]);
    }));

  it('do not close an account with another secret, with which its address could not be recognised again', async () => {
    await joinInstallation(remote, { secret: SECRET, toolPrefix: 'svc_' }, { program: '1', at: AT });
    await file.write([
      { sql: `INSERT INTO account (id, name, state, created_at) VALUES ('acc_1', 'a', 'active', ?)`, args: [AT] },
    ]);
    const settings = { DATA_DIR: folder.path, ACCOUNTS_URL: server.url, AUTH_SECRET: OTHER };
    const refused = await runHere(settings, 'account', 'close', 'acc_1', '--export', join(folder.path, 'out.json'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^AUTH_SECRET differs/) });
    expect(await file.read({ sql: "SELECT state FROM account WHERE id = 'acc_1'" })).toEqual([{ state: 'active' }]);
  });

  it('that start at once agree on one of them, and say a program other than the last one only as a remark', async () => {
    const all = [SECRET, OTHER].map((secret) => ({ secret, toolPrefix: 'svc_' }));
    await Promise.all(all.map((machine) => joinInstallation(remote, machine, { program: '1.0.0-new', at: AT })));
    const rows = await file.read<{ value: string }>({ sql: 'SELECT * FROM installation' });
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${SECRET}|${OTHER}`));
    await machines(async (start) => {
      const { ready } = await start({ ACCOUNTS_URL: server.url });
      await joinInstallation(remote, all[0] as (typeof all)[0], { program: '1.0.0-newer', at: AT });
      expect((await ready())[1]).toMatch(/^program: this machine runs 1\.0\.0-[0-9a-f]{8}, .* runs 1\.0\.0-newer$/m);
    });
  });
});

it('a machine whose accounts are a file takes its new settings over, and says what that ends', async () => {
  const machine = { secret: SECRET, toolPrefix: 'svc_' };
  const now = { program: '1', at: AT };
  expect(await joinInstallation(file, machine, now)).toEqual([]);
  const changed = await joinInstallation(file, { secret: OTHER, toolPrefix: 'svc_' }, now);
  expect(changed).toEqual([expect.stringMatching(/^AUTH_SECRET has changed: people sign in again/)]);
  expect(await joinInstallation(file, { secret: OTHER, toolPrefix: 'svc_' }, now)).toEqual([]);
});

it('a machine whose clock is behind the newest ledger line says so, but not for some minutes', async () => {
  const machine = { secret: SECRET, toolPrefix: 'svc_' };
  await createAccount(file, { name: 'clock', signupCredits: 250, at: '2026-11-23T10:00:00.000Z' });
  const joinAt = (at: string) => joinInstallation(file, machine, { program: '1', at });
  expect(await joinAt('2025-11-23T10:00:00.000Z')).toEqual([
    expect.stringMatching(
      /^the clock of this machine, at 2025-11-23T\S+, is behind the newest ledger line, of 2026-11-23/,
    ),
  ]);
  expect(await joinAt('2026-11-23T09:56:00.000Z')).toEqual([]);
  expect(await joinAt('2026-11-24T10:00:00.000Z')).toEqual([]);
});
