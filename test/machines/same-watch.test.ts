import { setImmediate as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOwnMachine } from '../../api/concurrency/machine.ts';
import type { Services } from '../../api/contract/operation.ts';
import { updateWatch } from '../../api/operations/watches/update-watch.ts';
import type { WatchRow } from '../../schema/accounts/watches/row.ts';
import type { Statement } from '../../schema/db/interface.ts';
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
    ...{ name: 'Tunnels', credits_per_day_max: 10 },
    ...{ filters: '{"query":"tunnels"}', changes: '["gone"]' },
  });
});
