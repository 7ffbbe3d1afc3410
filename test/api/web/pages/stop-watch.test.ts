import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWebApp } from '../../../../api/web/app.ts';
import type { WatchRow } from '../../../../schema/accounts/watches/row.ts';
import { stopToken } from '../../../../schema/accounts/watches/secret.ts';
import { addWatch } from '../../../jobs/watches/seed.ts';
import { type BuiltServer, buildServer } from '../../../support/services.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ web: makeWebApp });
});
afterAll(() => server?.close());

const readRow = async (id: string) =>
  (await server.accounts.read<WatchRow>({ sql: 'SELECT * FROM watch WHERE id = ?', args: [id] }))[0];

it('the link of an old mail does not stop a watch that delivers to a webhook by now', async () => {
  const { id } = await addWatch(server.accounts, { account_id: server.accountId });
  const stop = `${server.url}/watches/stop/${stopToken(id, server.services.secret)}`;
  expect((await fetch(stop, { method: 'POST' })).status).toBe(200);
  expect(await readRow(id)).toMatchObject({ state: 'active' });
});

it('one click in a mail pauses its watch; reading the link or forging one does nothing', async () => {
  const { id } = await addWatch(server.accounts, { account_id: server.accountId, webhook: null, every: 'day' });
  const stop = `${server.url}/watches/stop/${stopToken(id, server.services.secret)}`;
  expect((await fetch(stop)).status).toBe(200);
  const forged = await fetch(`${stop.slice(0, -1)}!`, { method: 'POST' });
  expect([forged.status, await forged.text()]).toEqual([404, expect.stringContaining('href="/dashboard/watches"')]);
  expect(await readRow(id)).toMatchObject({ state: 'active' });
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const stopped = await fetch(stop, { method: 'POST', body });
  expect([stopped.status, await stopped.text()]).toEqual([
    200,
    expect.stringContaining(`href="/dashboard/watches/${id}"`),
  ]);
  expect(await readRow(id)).toMatchObject({ state: 'paused', reason: 'unsubscribed' });
});
