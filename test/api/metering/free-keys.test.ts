import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../support/client.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildSampleServer({ settings: { WATCHES_PER_ACCOUNT: '1' } });
});
afterAll(() => server?.close());

const json = { 'content-type': 'application/json' };
const WATCH = {
  name: 'Cleaning',
  on: 'notices',
  filters: { query: 'cleaning' },
  deliver: { webhook: 'https://hooks.example.org/a' },
};

it('the key of a free call that is refused is free at once for any request; that of a repeat is kept', async () => {
  const make = (key: string, more: object = {}) =>
    ask(server.url, '/v1/watches', server.key, {
      method: 'POST',
      body: JSON.stringify({ ...WATCH, ...more }),
      headers: { ...json, 'idempotency-key': key },
    });
  const kept = () =>
    server.accounts.read({ sql: "SELECT key, state FROM idempotency WHERE key IN ('first', 'second') ORDER BY key" });
  const { body: first } = await make('first');
  expect(await make('second')).toMatchObject({ status: 409, body: { error: 'too_many_watches' } });
  expect(await kept()).toEqual([{ key: 'first', state: 'free' }]);
  await ask(server.url, `/v1/watches/${first.watch_id}`, server.key, { method: 'DELETE', body: '{}', headers: json });
  expect(await make('second', { name: 'Roads' })).toMatchObject({ status: 200, body: { name: 'Roads' } });
  // A repeat that is refused leaves the key with the call that took it.
  expect((await make('first')).status).toBeGreaterThanOrEqual(400);
  expect(await kept()).toEqual([
    { key: 'first', state: 'free' },
    { key: 'second', state: 'free' },
  ]);
});
