import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKey, readKeys } from '../../../schema/accounts/customer/account.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ operations: testRows });
});
afterAll(async () => {
  expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  await server.close();
});

const balanceOf = (accountId: string) => readBalance(server.accounts, accountId);
const make = (key: string, rows: number, headers: Record<string, string> = {}) =>
  ask(server.url, '/v1/things', key, {
    method: 'POST',
    body: JSON.stringify({ rows }),
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('a metered answer', () => {
  it('says what it cost, what is left and which charge it was, and no cache may keep it', async () => {
    const { key, accountId } = await server.addCustomer(20);
    const answer = await ask(server.url, '/v1/things/a', key);
    expect(answer.body).toMatchObject({ thing_id: 'a', limit: 25, credits_charged: 5, credits_remaining: 15 });
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('etag')).toBeNull();
    const [line] = await server.accounts.read<Record<string, unknown>>({
      sql: 'SELECT * FROM transfer WHERE key = ?',
      args: [`charge:${answer.body.charge_id}`],
    });
    expect(line).toMatchObject({
      kind: 'charge',
      from_account: accountId,
      credits: 5,
      action: 'lookup_thing',
      request_id: answer.headers.get('x-request-id'),
    });
  });

  it('strips what its row does not declare', async () => {
    expect((await ask(server.url, '/v1/things/a', server.key)).text).not.toContain('internal_note');
  });
});

describe('a call that is afforded', () => {
  const looks = (spied: { mock: { calls: [{ sql: string }][] } }) =>
    spied.mock.calls.filter(([{ sql }]) => /FROM account a JOIN api_key/.test(sql)).length;

  it('reads the account first only if the last answer did not leave enough', async () => {
    const { key } = await server.addCustomer(12);
    const read = vi.spyOn(server.services.accounts, 'read');
    const seen: [number, number][] = [];
    for (const id of ['a', 'b', 'c']) {
      read.mockClear();
      const { status } = await ask(server.url, `/v1/things/${id}`, key);
      seen.push([status, looks(read)]);
    }
    read.mockRestore();
    expect(seen).toEqual([
      [200, 1],
      [200, 0],
      [402, 1],
    ]);
  });

  it('is refused by its debit if the credits were spent elsewhere; the next one is refused before its work', async () => {
    const { key, accountId } = await server.addCustomer(20);
    await ask(server.url, '/v1/things/a', key);
    const other = await server.addServer();
    for (const id of ['b', 'c', 'd']) await ask(other.url, `/v1/things/${id}`, key);
    await other.close();
    const read = vi.spyOn(server.services.accounts, 'read');
    for (const wanted of [0, 1]) {
      expect([(await ask(server.url, '/v1/things/e', key)).status, looks(read)]).toEqual([402, wanted]);
    }
    read.mockRestore();
    expect(await balanceOf(accountId)).toBe(0);
  });
});

describe('nothing is charged', () => {
  it.each([
    ['nothing found', '/v1/things/gone', 404],
    ['an empty answer', '/v1/things/empty', 200],
    ['a fault of ours', '/v1/things/faulty', 500],
    ['an answer against its schema', '/v1/things/untrue', 500],
    ['a bad input', '/v1/things/a?limit=0', 422],
  ])('for %s', async (_case, path, status) => {
    const { key, accountId } = await server.addCustomer(20);
    const answer = await ask(server.url, path, key);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('hunter2');
    if (status < 422) expect(answer.body).toMatchObject({ credits_charged: 0, credits_remaining: 20 });
    expect(answer.body.charge_id).toBeUndefined();
    expect(await balanceOf(accountId)).toBe(20);
  });

  it('for an answer whose price turns out to be 0', async () => {
    const { key, accountId } = await server.addCustomer(20);
    expect((await make(key, 0)).body).toEqual({ rows: 0, credits_charged: 0, credits_remaining: 20 });
    expect(await balanceOf(accountId)).toBe(20);
  });
});

describe('too few credits', () => {
  it('are reported before the work, with exact figures', async () => {
    const { key } = await server.addCustomer(4);
    const answer = await ask(server.url, '/v1/things/a', key);
    expect(answer.status).toBe(402);
    expect(answer.body).toEqual({
      error: 'insufficient_credits',
      action: 'lookup_thing',
      required: 5,
      balance: 4,
      top_up_url: `${server.settings.APP_URL}/dashboard/top-up`,
      message: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    });
  });

  it('are reported for a price that is known only after the work', async () => {
    const { key, accountId } = await server.addCustomer(25);
    const answer = await make(key, 3);
    expect([answer.status, answer.body.required, answer.body.balance]).toEqual([402, 30, 25]);
    const again = async () => (await make(key, 3, { 'idempotency-key': 'too-dear' })).status;
    expect([await again(), await again()]).toEqual([402, 402]);
    expect((await make(key, 2)).body).toEqual(expect.objectContaining({ credits_charged: 20, credits_remaining: 5 }));
    expect(await balanceOf(accountId)).toBe(5);
  });

  it('of a key’s monthly cap are distinguished', async () => {
    const { key, accountId } = await server.addCustomer(100, { monthlyCap: 12 });
    await ask(server.url, '/v1/things/a', key);
    await ask(server.url, '/v1/things/a', key);
    const answer = await ask(server.url, '/v1/things/a', key);
    expect(answer.status).toBe(402);
    expect(answer.body).toMatchObject({ error: 'key_cap_reached', action: 'lookup_thing', required: 5, balance: 90 });
    expect(await balanceOf(accountId)).toBe(90);
  });

  it('of a key’s monthly cap count what that key spent alone, however its calls are paid', async () => {
    const at = new Date().toISOString();
    const { key, accountId } = await server.addCustomer(100, { monthlyCap: 30 });
    const other = await createKey(server.accounts, { accountId, name: 'other', prefix: 'svc_live_', at });
    const statuses: number[] = [];
    for (const each of [other.key, key]) {
      const once = () => ({ 'idempotency-key': `cap-${statuses.length}` });
      statuses.push((await ask(server.url, '/v1/things/a', each)).status);
      statuses.push((await ask(server.url, '/v1/things/a', each, { headers: once() })).status);
      statuses.push((await make(each, 1)).status, (await make(each, 1, once())).status);
    }
    expect(statuses).toEqual(statuses.map(() => 200));
    expect((await make(key, 1)).body.error).toBe('key_cap_reached');
    expect((await readKeys(server.accounts, accountId, at)).map(({ spent }) => spent)).toEqual([30, 30]);
    expect(await balanceOf(accountId)).toBe(40);
  });

  it.each([
    ['without an Idempotency-Key', () => ({})],
    ['with one', (at: string) => ({ headers: { 'Idempotency-Key': at } })],
  ])('of a key’s monthly cap end with the month, which is UTC’s, %s', async (_how, initOf) => {
    const { key } = await server.addCustomer(100, { monthlyCap: 5 });
    const clock = vi.spyOn(server.services.clocks, 'wallNow');
    const statuses: number[] = [];
    for (const at of ['2026-10-31T23:59:58Z', '2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z', '2026-11-30T12:00:00Z']) {
      clock.mockReturnValue(new Date(at));
      const path = `/v1/things/${Date.parse(at)}`;
      statuses.push((await ask(server.url, path, key, initOf(at))).status);
    }
    clock.mockRestore();
    expect(statuses).toEqual([200, 402, 200, 402]);
  });
});

describe('refusals come in their order', () => {
  it('401 before 422, 422 before 402', async () => {
    const { key } = await server.addCustomer(0);
    expect((await ask(server.url, '/v1/things/a?limit=0')).status).toBe(401);
    expect((await ask(server.url, '/v1/things/a?limit=0', key)).status).toBe(422);
    expect((await ask(server.url, '/v1/things/gone', key)).status).toBe(402);
  });
});

describe('a key that no longer works', () => {
  const freeze = "UPDATE account SET state = 'frozen' WHERE id = (SELECT account_id FROM api_key WHERE id = ?)";
  const stops: [string, string][] = [
    ['revoked', "UPDATE api_key SET revoked_at = '2026-01-01T00:00:00Z' WHERE id = ?"],
    ['of a frozen account', freeze],
  ];

  it.each([...stops, ['expired', "UPDATE api_key SET expires_at = '2026-01-01T00:00:00Z' WHERE id = ?"]])(
    '%s is 401',
    async (_case, sql) => {
      const { key, keyId } = await server.addCustomer(20);
      await server.accounts.write([{ sql, args: [keyId] }]);
      const answer = await ask(server.url, '/v1/things/a', key);
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_api_key']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    },
  );

  describe.each(stops)('%s pays for nothing even while a process still remembers it', (_case, sql) => {
    const keyed = { 'Idempotency-Key': 'stopped' };
    it.each<[string, (key: string) => ReturnType<typeof ask>]>([
      ['for a look-up', (key) => ask(server.url, '/v1/things/a', key)],
      ['for one with an Idempotency-Key', (key) => ask(server.url, '/v1/things/a', key, { headers: keyed })],
      ['for what is made in its commit', (key) => make(key, 1)],
      ['for that with an Idempotency-Key', (key) => make(key, 1, keyed)],
    ])('%s', async (_call, call) => {
      const { key, keyId, accountId } = await server.addCustomer(20);
      await ask(server.url, '/v1/things/a', key);
      await server.accounts.write([{ sql, args: [keyId] }]);
      expect((await call(key)).status).toBe(401);
      expect(await balanceOf(accountId)).toBe(15);
    });
  });
});

describe('a disk without room for the debit', () => {
  it('answers 503 in the one error shape and charges nothing; once it is mended, the next call is charged', async () => {
    const { key, accountId } = await server.addCustomer(5_000);
    const { accounts } = server.services;
    const [size] = await accounts.read<{ page_count: number }>({ sql: 'PRAGMA page_count' });
    await accounts.read({ sql: `PRAGMA max_page_count = ${size?.page_count}` });
    let answer = await ask(server.url, '/v1/things/a', key);
    // The last pages have some room left.
    for (let calls = 1; answer.status === 200 && calls < 900; calls++)
      answer = await ask(server.url, '/v1/things/a', key);
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      error: 'unavailable',
      message: expect.stringContaining('Nothing was charged'),
      request_id: answer.headers.get('x-request-id'),
    });
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(answer.text).not.toMatch(/disk|sqlite|accounts\.db/i);
    const left = await balanceOf(accountId);
    await accounts.read({ sql: 'PRAGMA max_page_count = 1073741823' });
    expect((await ask(server.url, '/v1/things/a', key)).body).toMatchObject({ credits_remaining: (left ?? 0) - 5 });
  });
});
