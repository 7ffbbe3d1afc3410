import { setImmediate as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOwnMachine } from '../../api/concurrency/machine.ts';
import type { Services } from '../../api/contract/operation.ts';
import { deleteWatch } from '../../api/operations/watches/delete-watch.ts';
import { beginNow } from '../../api/operations/watches/store.ts';
import { rotateSecret, updateWatch } from '../../api/operations/watches/update-watch.ts';
import { readWatch } from '../../schema/accounts/watches/lifecycle.ts';
import type { WatchRow } from '../../schema/accounts/watches/row.ts';
import { DatabaseAway, DatabaseFault, type Statement } from '../../schema/db/interface.ts';
import { addWatch } from '../jobs/watches/seed.ts';
import { type BuiltServer, buildServer } from '../support/services.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer();
});
afterAll(() => server.close());

/** What the API of one more machine has: a line of its own, and accounts that take a while to answer, as on a server. */
function openMachine(): Services {
  const { accounts } = server;
  const read = async <T>(statement: Statement) => {
    const rows = await accounts.read<T>(statement);
    await pause();
    return rows;
  };
  return { ...server.services, machine: makeOwnMachine(), accounts: { ...accounts, read } };
}

it('keeps every change of a watch where two machines change it at the same time', async () => {
  const { accountId, keyId, accounts } = server;
  const { id: watch_id } = await addWatch(accounts, { account_id: accountId, filters: '{"query":"bridges"}' });
  const change = (services: Services, changes: object) =>
    updateWatch.run(updateWatch.input.parse({ watch_id, ...changes }), services, { accountId, keyId }, () => false);
  const [one, other] = [openMachine(), openMachine()];
  await Promise.all([
    change(one, { name: 'Tunnels' }),
    change(other, { credits_per_day_max: 10 }),
    change(other, { filters: { query: 'tunnels' } }),
    change(one, { changes: ['gone'] }),
  ]);
  const [row] = await accounts.read<WatchRow>({ sql: 'SELECT * FROM watch WHERE id = ?', args: [watch_id] });
  expect(row).toMatchObject({
    name: 'Tunnels',
    credits_per_day_max: 10,
    filters: '{"query":"tunnels"}',
    changes: '["gone"]',
  });
});

it('gets one new secret where two machines are sent the same form, so that the former one still signs', async () => {
  const { accountId, accounts } = server;
  const { id } = await addWatch(accounts, { account_id: accountId });
  const read = async () => (await readWatch(accounts, accountId, id)) as WatchRow;
  const former = String((await read()).secret);
  const made = await Promise.all([openMachine(), openMachine()].map((machine) => rotateSecret(machine, id, former)));
  expect(made.filter((secret) => secret !== undefined)).toHaveLength(1);
  expect(await read()).toMatchObject({ former_secret: former });
});

it('says that there is no such watch where another machine deletes it while it is changed', async () => {
  const { accountId, keyId, accounts } = server;
  const { id: watch_id } = await addWatch(accounts, { account_id: accountId });
  const machine = openMachine();
  const deleting: Services = {
    ...machine,
    accounts: {
      ...machine.accounts,
      async write(statements) {
        const outcomes = await accounts.write(statements);
        await deleteWatch.run({ watch_id }, openMachine(), { accountId, keyId }, () => false);
        return outcomes;
      },
    },
  };
  const given = updateWatch.input.parse({ watch_id, paused: true });
  expect(await updateWatch.run(given, deleting, { accountId, keyId }, () => false)).toMatchObject({ kind: 'nothing' });
});

it('begins a watch at what its server has, or at the copy of a machine while the server is away', async () => {
  const { catalogue } = server;
  await catalogue.write([{ sql: "INSERT OR REPLACE INTO counter (name, value) VALUES ('seq', 7)" }]);
  const copy = async <T>() => [{ from: 0, head: 3 }] as T[];
  const beginOn = async (readNewest: typeof catalogue.read) => {
    const services = { ...openMachine(), catalogue: { ...catalogue, read: copy, readNewest } };
    return (await beginNow(services, 'run')).position;
  };
  expect(await beginOn(catalogue.read)).toBe(7);
  expect(await beginOn(() => Promise.reject(new DatabaseAway('away')))).toBe(3);
  await expect(beginOn(() => Promise.reject(new DatabaseFault('damaged')))).rejects.toThrow('damaged');
});
