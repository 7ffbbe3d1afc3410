import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../../api/server.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { type Asked, ask } from '../../support/client.ts';
import { type Hrana, startHrana } from '../../support/libsql-server.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { begin, testRows } from '../test-operations.ts';
import { readBalance } from '../transports.ts';

/** One server on the accounts' file, another on the same accounts over a stand-in of a libSQL server's protocol. */
let server: BuiltServer;
let hrana: Hrana;
let accounts: Database;
let remote: RunningServer;
beforeAll(async () => {
  server = await buildServer({ operations: testRows });
  hrana = await startHrana(join(server.folder, 'accounts.db'));
  accounts = await openDatabase({ url: hrana.url, durability: 'full' });
  const log = pino({ level: 'silent' });
  remote = await startServer({ ...server.services, accounts }, { operations: testRows, log, web: null });
});
afterAll(async () => {
  expect((await verifyLedger(accounts)).faults).toEqual([]);
  await remote.close();
  await accounts.close();
  hrana.close();
  await server.close();
});

const keyed = (url: string, path: string, apiKey: string, key: string): Promise<Asked> =>
  ask(url, path, apiKey, { headers: { 'idempotency-key': key } });
const replayed = (answer: Asked) => answer.headers.get('idempotent-replayed');

describe('accounts on a libSQL server', () => {
  it('are charged once for a key, whichever process answers, and give the same bytes again', async () => {
    const { key, accountId } = await server.addCustomer(20);
    const first = await keyed(remote.url, '/v1/things/a', key, 'k');
    expect([first.status, first.body.credits_remaining]).toEqual([200, 15]);
    for (const url of [remote.url, server.url]) {
      const again = await keyed(url, '/v1/things/a', key, 'k');
      expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    }
    expect((await keyed(remote.url, '/v1/things/b', key, 'k')).body.detail[0].type).toBe('idempotency_key_reused');
    expect(await readBalance(server, accountId)).toBe(15);
  });

  it('say 409 while a call of the key runs elsewhere', async () => {
    const { key } = await server.addCustomer(20);
    const { running } = await begin(() => keyed(server.url, '/v1/things/slowest', key, 'k'));
    expect((await keyed(remote.url, '/v1/things/slowest', key, 'k')).status).toBe(409);
    expect((await running).status).toBe(200);
  });

  it('pay for half of the calls at once where they can pay for half', async () => {
    const { key, accountId } = await server.addCustomer(30 * 5);
    const asked = Array.from({ length: 60 }, (_, index) =>
      ask(index % 3 === 0 ? server.url : remote.url, '/v1/things/a', key),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(30).fill(200), ...Array(30).fill(402)]);
    expect(await readBalance(server, accountId)).toBe(0);
  });
});

describe('a server whose answer is lost', () => {
  it.each([1, 2])('is sent again (%s lost), and the call is charged once and answered', async (lost) => {
    const { key, accountId } = await server.addCustomer(20);
    hrana.loseAnswers(lost);
    const unkeyed = await ask(remote.url, '/v1/things/a', key);
    expect([unkeyed.status, unkeyed.body.credits_remaining]).toEqual([200, 15]);
    hrana.loseAnswers(lost);
    const first = await keyed(remote.url, '/v1/things/a', key, 'k');
    expect([first.status, replayed(first), first.body.credits_remaining]).toEqual([200, null, 10]);
    expect((await keyed(server.url, '/v1/things/a', key, 'k')).text).toBe(first.text);
    expect(await readBalance(server, accountId)).toBe(10);
  });

  it('is said to be unsure where it stays silent, and the key still leads to the one charge', async () => {
    const { key, accountId } = await server.addCustomer(20);
    hrana.loseAnswers(4);
    const unsure = await keyed(remote.url, '/v1/things/a', key, 'k');
    expect([unsure.status, unsure.body.error]).toEqual([503, 'unavailable']);
    expect(unsure.text).not.toContain('Nothing was charged');
    await server.accounts.write([{ sql: "UPDATE idempotency SET claim_expires_at = 0 WHERE state = 'running'" }]);
    const again = await keyed(remote.url, '/v1/things/a', key, 'k');
    expect(again.status).toBe(200);
    expect(await readBalance(server, accountId)).toBe(15);
  });
});
