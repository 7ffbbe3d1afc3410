import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { type Asked, ask } from '../../support/client.ts';
import { type BuiltServer, buildServer, type Customer } from '../../support/services.ts';
import { begin, seen, testRows } from '../test-operations.ts';
import { readBalance } from '../transports.ts';

let server: BuiltServer;
let other: { url: string };
beforeAll(async () => {
  server = await buildServer({ operations: testRows, credits: 10_000 });
  other = await server.addServer();
});
afterAll(async () => {
  expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  await server.close();
});

let keys = 0;
const newKey = () => `k-${++keys}`;
const keyed = (path: string, idempotencyKey: string, key = server.key, url = server.url): Promise<Asked> =>
  ask(url, path, key, { headers: { 'idempotency-key': idempotencyKey } });
const move = (sql: string, key: string) => server.accounts.write([{ sql, args: [key] }]);
const balanceOf = (accountId: string) => readBalance(server, accountId);
const replayed = (answer: Asked) => answer.headers.get('idempotent-replayed');
const fault = (answer: Asked) => [answer.status, answer.body.detail?.[0]?.type, answer.body.detail?.[0]?.loc];

describe('the same key and the same request', () => {
  it('are answered byte for byte as at first, without the work and without a charge', async () => {
    const key = newKey();
    const first = await keyed('/v1/things/a?limit=7', key);
    const runs = seen.runs;
    await ask(server.url, '/v1/things/b', server.key);
    const again = await keyed('/v1/things/a?limit=7', key);
    expect(again.text).toBe(first.text);
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    expect(seen.runs).toBe(runs + 1);
    expect((await keyed('/v1/things/a?limit=7', key, server.key, other.url)).text).toBe(first.text);
  });

  it('are the same in any order of parameters and over either door', async () => {
    const key = newKey();
    const first = await keyed('/v1/things/a?limit=7&exact=true', key);
    const again = await keyed('/v1/things/a?exact=true&limit=7', key);
    const params = {
      name: 'svc_lookup_thing',
      arguments: { thing_id: 'a', exact: true, limit: 7 },
      _meta: { 'idempotency-key': key },
    };
    const overMcp = await ask(server.url, '/mcp/', server.key, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    expect(again.text).toBe(first.text);
    expect(overMcp.text).toContain(JSON.stringify(first.text));
    expect(overMcp.text).toContain('idempotent-replayed');
  });

  it('are answered when the call spent the last credit', async () => {
    const { key } = await server.addCustomer(5);
    const first = await keyed('/v1/things/a', 'last', key);
    expect(first.body.credits_remaining).toBe(0);
    expect((await keyed('/v1/things/a', 'last', key)).text).toBe(first.text);
    expect((await keyed('/v1/things/a', 'next', key)).status).toBe(402);
  });

  it('belong to one account', async () => {
    const { key } = await server.addCustomer(20);
    await keyed('/v1/things/a', 'shared');
    const theirs = await keyed('/v1/things/a', 'shared', key);
    expect([replayed(theirs), theirs.body.credits_remaining]).toEqual([null, 15]);
  });
});

describe('the same key and another request', () => {
  it('are refused, free, on the same path and on another', async () => {
    const key = newKey();
    await keyed('/v1/things/a', key);
    for (const path of ['/v1/things/b', '/v1/things/a?limit=1']) {
      expect(fault(await keyed(path, key))).toEqual([422, 'idempotency_key_reused', ['header', 'Idempotency-Key']]);
    }
  });
});

describe('a key in flight', () => {
  it.each([
    ['the same process', () => server.url],
    ['another process', () => other.url],
  ])('is 409 on %s, and one charge', async (_where, url) => {
    const key = newKey();
    const { running } = await begin(() => keyed('/v1/things/slowest', key));
    const second = await keyed('/v1/things/slowest', key, server.key, url());
    expect([second.status, second.body.error, second.headers.get('retry-after')]).toEqual([
      409,
      'idempotency_in_flight',
      '1',
    ]);
    const first = await running;
    expect(first.status).toBe(200);
    expect((await keyed('/v1/things/slowest', key, server.key, url())).text).toBe(first.text);
  });

  it('that its process abandoned is free when its time is up, and not before', async () => {
    const claim = (key: string, expiresAt: number) =>
      server.accounts.write([
        {
          sql: `INSERT OR REPLACE INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
                SELECT account_id, ?1, fingerprint, 'running', 'dead', ?2, 'then', 0 FROM idempotency WHERE key = 'like-this' LIMIT 1`,
          args: [key, expiresAt],
        },
      ]);
    await keyed('/v1/things/a', 'like-this');
    for (const aheadMs of [-1, 86_400_000]) {
      const key = newKey();
      await claim(key, Date.now() + 60_000);
      expect((await keyed('/v1/things/a', key)).status).toBe(409);
      await claim(key, Date.now() + aheadMs);
      const taken = await keyed('/v1/things/a', key);
      expect([taken.status, replayed(taken)]).toEqual([200, null]);
    }
  });

  it('that was overtaken after its claim ran out gives the overtaker’s answer, charged once', async () => {
    const { key: apiKey, accountId }: Customer = await server.addCustomer(20);
    const { running: slow } = await begin(() => keyed('/v1/things/slowest', 'late', apiKey));
    await move('UPDATE idempotency SET claim_expires_at = 0 WHERE key = ?', 'late');
    const fast = await keyed('/v1/things/slowest', 'late', apiKey, other.url);
    const overtaken = await slow;
    expect([overtaken.status, fast.status].sort()).toEqual([200, 409]);
    expect(await balanceOf(accountId)).toBe(15);
  });

  it('that was overtaken by one still at work pays nothing, as that one may find nothing', async () => {
    const { key: apiKey, accountId }: Customer = await server.addCustomer(20);
    const { running: slow } = await begin(() => keyed('/v1/things/slowest', 'robbed', apiKey));
    await move("UPDATE idempotency SET claim_token = 'of another' WHERE key = ?", 'robbed');
    expect([(await slow).status, await balanceOf(accountId)]).toEqual([409, 20]);
  });

  it('that was overtaken does not make a second time what the overtaker made and paid for', async () => {
    const { key: apiKey, accountId }: Customer = await server.addCustomer(20);
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'made' };
    const body = JSON.stringify({ tags: ['slow at first'] });
    const make = (url: string) => ask(url, '/v1/things', apiKey, { method: 'POST', headers, body });
    const { running: slow } = await begin(() => make(server.url));
    await move('UPDATE idempotency SET claim_expires_at = 0 WHERE key = ?', 'made');
    const fast = await make(other.url);
    const overtaken = await slow;
    expect([fast.status, replayed(fast), overtaken.text, replayed(overtaken)]).toEqual([200, null, fast.text, 'true']);
    const made = await server.accounts.read({ sql: "SELECT 1 FROM account WHERE id LIKE 'thing %'" });
    expect([made.length, await balanceOf(accountId)]).toEqual([1, 10]);
  });
});

describe('a key older than 24 hours', () => {
  it('is refused, free, with its body still kept or dropped', async () => {
    const key = newKey();
    await keyed('/v1/things/a', key);
    await move('UPDATE idempotency SET expires_at = 1 WHERE key = ?', key);
    expect(fault(await keyed('/v1/things/a', key))).toEqual([
      422,
      'idempotency_key_expired',
      ['header', 'Idempotency-Key'],
    ]);
    await move('UPDATE idempotency SET body = NULL WHERE key = ?', key);
    expect(fault(await keyed('/v1/things/a', key))[1]).toBe('idempotency_key_expired');
  });
});

describe('only what was charged is remembered', () => {
  it.each(['gone', 'faulty', 'untrue', 'empty'])('%s leaves the key free', async (thing) => {
    const key = newKey();
    const first = await keyed(`/v1/things/${thing}`, key);
    expect((await keyed(`/v1/things/${thing}`, key)).status).toBe(first.status);
    const [row] = await server.accounts.read<{ held: number }>({
      sql: 'SELECT count(*) AS held FROM idempotency WHERE key = ?',
      args: [key],
    });
    expect(row?.held).toBe(0);
    expect((await keyed('/v1/things/a', key)).status).toBe(200);
  });
});

/** A tool call under a key, given with the call or in the header. */
const overMcp = (given: { meta?: unknown; header?: string }, apiKey = server.key) => {
  const _meta = given.meta === undefined ? {} : { _meta: { 'idempotency-key': given.meta } };
  const params = { name: 'svc_lookup_thing', arguments: { thing_id: 'a' }, ..._meta };
  return ask(server.url, '/mcp/', apiKey, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(given.header === undefined ? {} : { 'idempotency-key': given.header }),
    },
  });
};

describe('a key over MCP', () => {
  it.each([
    ['no characters', ''],
    ['256 characters', 'x'.repeat(256)],
    ['other letters than ASCII', 'clé'],
    ['a number', 7],
  ])('of %s is refused, free', async (_name, meta) => {
    const { key, accountId } = await server.addCustomer(20);
    const { result } = (await overMcp({ meta }, key)).body;
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0].text).detail[0].loc).toEqual(['_meta', 'idempotency-key']);
    expect(await balanceOf(accountId)).toBe(20);
  });

  it.each([1, 255])('of %s characters is one, the same with the call and in the header', async (length) => {
    const { key, accountId } = await server.addCustomer(20);
    const name = 'z'.repeat(length);
    const first = (await overMcp({ meta: name }, key)).body.result;
    const again = (await overMcp({ header: name }, key)).body.result;
    expect(again).toEqual({ ...first, _meta: { 'idempotent-replayed': true } });
    const rest = await keyed('/v1/things/a', name, key);
    expect([rest.text, replayed(rest)]).toEqual([first.content[0].text, 'true']);
    expect(await balanceOf(accountId)).toBe(15);
  });
});

describe('a key whose caller may not call any more', () => {
  it('is 401 as every call is, replay or not', async () => {
    const { key, keyId } = await server.addCustomer(20);
    await keyed('/v1/things/a', 'k', key);
    await move("UPDATE api_key SET revoked_at = '2026-01-01T00:00:00Z' WHERE id = ?", keyId);
    const fresh = await server.addServer();
    expect((await keyed('/v1/things/a', 'k', key, fresh.url)).status).toBe(401);
  });
});

describe('a key that is none', () => {
  it.each([
    ['', 'string_too_short'],
    ['x'.repeat(256), 'string_too_long'],
    ['two words', 'string_pattern_mismatch'],
    ['caf\u00e9', 'string_pattern_mismatch'],
  ])('%j is refused', async (key, type) => {
    expect(fault(await keyed('/v1/things/a', key))).toEqual([422, type, ['header', 'Idempotency-Key']]);
  });

  it.each([1, 255])('of %s characters is one', async (length) => {
    expect((await keyed('/v1/things/a', 'y'.repeat(length))).status).toBe(200);
  });
});
