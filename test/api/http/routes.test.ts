import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { begin, testRows } from '../test-operations.ts';
import { countTokens } from '../tokens.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ operations: testRows, settings: { CORS_ORIGINS: 'https://app.example' } });
});
afterAll(() => server.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = JSON_TYPE,
  path = '/v1/things',
) => ask(server.url, path, server.key, { method: 'POST', body, headers });
const details = (body: { detail: { loc: unknown; type: unknown }[] }) =>
  body.detail.map(({ loc, type }) => [loc, type]);

describe('an address', () => {
  it('that is none is 404, one for another method 405 with Allow', async () => {
    expect((await ask(server.url, '/v1/nothing', server.key)).body).toMatchObject({ error: 'no_such_route' });
    expect((await ask(server.url, '/elsewhere')).body).toMatchObject({ error: 'no_such_route' });
    const deleted = await ask(server.url, '/v1/things/a', server.key, { method: 'DELETE' });
    expect([deleted.status, deleted.body.error, deleted.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET',
    ]);
    const posted = await ask(server.url, '/v1/things', server.key);
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('that costs credits refuses HEAD', async () => {
    const { key } = await server.addCustomer(20);
    expect((await ask(server.url, '/v1/things/a', key, { method: 'HEAD' })).status).toBe(405);
    expect((await ask(server.url, '/v1/things/a', key)).body.credits_remaining).toBe(15);
  });

  it('that was routed before is answered as at first: its own parameters and query, every caller, every method', async () => {
    const { key } = await server.addCustomer(50);
    const paths = ['/v1/things/a?limit=7', '/v1/things/b?limit=7', '/v1/things/a?limit=8', '/v1/things/a%20b'];
    const said = async (path: string) => {
      const { status, body } = await ask(server.url, path, key);
      return [status, body.thing_id, body.limit];
    };
    const first = await Promise.all(paths.map(said));
    expect(first).toEqual([
      [200, 'a', 7],
      [200, 'b', 7],
      [200, 'a', 8],
      [200, 'a b', 25],
    ]);
    expect(await Promise.all(paths.map(said))).toEqual(first);
    expect((await ask(server.url, paths[0] ?? '')).status).toBe(401);
    for (const method of ['HEAD', 'POST', 'DELETE'])
      expect((await ask(server.url, paths[0] ?? '', key, { method })).status).toBe(405);
  });

  it('of fixed words is not taken for a parameter', async () => {
    expect(details((await ask(server.url, '/v1/things/search', server.key)).body)[0]).toEqual([
      ['query', 'name'],
      'missing',
    ]);
  });

  it('that is too long is 414, however long, that is badly encoded 422; headers beyond all measure are 431', async () => {
    expect((await ask(server.url, `/v1/things/${'a'.repeat(9_000)}`, server.key)).body).toMatchObject({
      error: 'url_too_long',
    });
    const garbled = await ask(server.url, '/v1/things/%E0%A4%A', server.key);
    expect(details(garbled.body)).toEqual([[['path'], 'string_unicode']]);
    expect(garbled.headers.get('cache-control')).toBe('private, no-store');
    const endless = await ask(server.url, `/v1/things/${'a'.repeat(60_000)}`, server.key);
    expect([endless.status, endless.body.error]).toEqual([414, 'url_too_long']);
    expect(endless.body.request_id).toBe(endless.headers.get('x-request-id'));
    const heavy = await ask(server.url, '/v1/things/a', server.key, { headers: { 'x-much': 'a'.repeat(60_000) } });
    expect([heavy.status, heavy.body.error]).toEqual([431, 'headers_too_large']);
  });
});

describe('what is not found', () => {
  it('suggests a few short names however many are near', async () => {
    const { text, body } = await ask(server.url, '/v1/things/crowded', server.key);
    expect(body.candidates).toHaveLength(5);
    expect(countTokens(text)).toBeLessThan(2_500);
  });
});

describe('an input', () => {
  it('is read as the type its schema names and refused in the contract’s words', async () => {
    const wrong = await ask(server.url, '/v1/things/a?limit=x&kinds=big&exact=yes&kind=huge', server.key);
    expect(wrong.body.detail).toEqual([
      { loc: ['query', 'kinds'], msg: "Unknown parameter 'kinds'; did you mean 'kind'?", type: 'extra_forbidden' },
      {
        loc: ['query', 'limit'],
        msg: 'Input should be an integer, for example 25',
        type: 'int_parsing',
        input: 'x',
      },
      { loc: ['query', 'exact'], msg: 'Input should be a boolean; send true', type: 'bool_parsing', input: 'yes' },
      {
        loc: ['query', 'kind'],
        msg: "Input should be one of 'big', 'small'",
        type: 'literal_error',
        input: 'huge',
        ctx: { expected: "'big', 'small'" },
      },
    ]);
  });

  it.each([
    ['limit=101', 'less_than_equal'],
    ['limit=0', 'greater_than_equal'],
    ['limit=2.5', 'int_parsing'],
    ['limit=1&limit=2', 'int_type'],
    ['limit=', 'int_parsing'],
    ['__proto__=1', 'extra_forbidden'],
    ['thing_id=b', 'extra_forbidden'],
  ])('%s is refused', async (query, type) => {
    const answer = await ask(server.url, `/v1/things/a?${query}`, server.key);
    expect([answer.status, answer.body.detail[0]]).toMatchObject([422, { type, loc: ['query', query.split('=')[0]] }]);
  });
});

describe('a body', () => {
  it('may be absent, and is judged by its schema', async () => {
    expect((await ask(server.url, '/v1/things', server.key, { method: 'POST' })).body.rows).toBe(1);
    const quoted = JSON.stringify({ tags: [`"${'['.repeat(100)}`] });
    expect((await post(quoted)).status).toBe(200);
    const wrong = await post('{"rows":-1,"colour":true,"tags":["a",7]}');
    expect(details(wrong.body)).toEqual([
      [['body', 'colour'], 'extra_forbidden'],
      [['body', 'rows'], 'greater_than_equal'],
      [['body', 'tags', 1], 'string_type'],
    ]);
    expect(details((await post('{}', JSON_TYPE, '/v1/things?rows=2')).body)).toEqual([
      [['query', 'rows'], 'extra_forbidden'],
    ]);
  });

  it.each([
    ['broken JSON', '{"rows":', JSON_TYPE, 422],
    ['no object', '[1]', JSON_TYPE, 422],
    ['null', 'null', JSON_TYPE, 422],
    [
      'bytes that are no UTF-8',
      new Uint8Array([...Buffer.from('{"tags":["'), 0xe9, ...Buffer.from('"]}')]),
      JSON_TYPE,
      422,
    ],
    ['another type', 'rows=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['an encoding', '{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }, 415],
    ['10 MB', `"${'x'.repeat(10_000_000)}"`, JSON_TYPE, 413],
  ])('with %s is refused', async (_case, body, headers, status) => {
    expect((await post(body, headers)).status).toBe(status);
  });
});

describe('every answer', () => {
  it('has an id of its own and says what is left of the allowance', async () => {
    const ids = new Set<string | null>();
    for (const path of ['/v1/things/a', '/v1/things/gone', '/v1/nothing', '/openapi.json', '/elsewhere']) {
      const { headers } = await ask(server.url, path, server.key);
      ids.add(headers.get('x-request-id'));
      expect(headers.get('ratelimit-policy')).toMatch(/^"(key|address)";q=\d+;w=60$/);
      expect(headers.get('ratelimit')).toMatch(/^"(key|address)";r=\d+;t=\d+$/);
    }
    const { status, headers } = await ask(server.url, '/v1/things/a');
    expect([status, headers.get('ratelimit')?.split(';')[0]]).toEqual([401, '"address"']);
    const preflight = await ask(server.url, '/v1/things/a', undefined, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, 'GET, OPTIONS']);
    expect(preflight.headers.get('ratelimit')).toMatch(/^"address";/);
    expect(ids.size).toBe(5);
  });

  it('is readable by the named origins alone', async () => {
    const from = (origin: string, method = 'GET') =>
      ask(server.url, '/v1/things/a', server.key, { method, headers: { origin } });
    for (const [origin, allowed] of [
      ['https://app.example', 'https://app.example'],
      ['https://evil.example', null],
    ] as const) {
      const { headers } = await from(origin);
      // A cache must not serve one origin with what another may read.
      expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
        allowed,
        expect.stringMatching(/^Origin\b/),
      ]);
    }
    const exposed = (await from('https://app.example')).headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit', 'Retry-After', 'Idempotent-Replayed']),
    );
    const preflight = await from('https://app.example', 'OPTIONS');
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, OPTIONS']);
    const sendable = preflight.headers.get('access-control-allow-headers')?.split(', ');
    expect(sendable).toEqual(expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key']));
  });
});

describe('too many requests', () => {
  it('are 429 with Retry-After, for the key alone, and free', async () => {
    const small = await buildServer({ operations: testRows, settings: { KEY_REQUESTS_PER_MINUTE: '3' } });
    const { key } = await small.addCustomer(50);
    const asked = () => ask(small.url, '/v1/things/a', small.key);
    const statuses = [await asked(), await asked(), await asked(), await asked()].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await asked();
    expect([refused.body.error, refused.headers.get('ratelimit')]).toEqual([
      'rate_limited',
      expect.stringMatching(/^"key";r=0;/),
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(small.url, '/v1/things/a', key)).status).toBe(200);
    expect((await ask(small.url, '/v1/things/a?limit=0', small.key)).status).toBe(429);
    await small.close();
  });
});

describe('the servers', () => {
  it('tell an operator, on their private address, how they are', async () => {
    await ask(server.url, '/v1/things/a', server.key);
    expect((await ask(server.privateUrl, '/healthz')).text).toBe('ok\n');
    expect((await ask(server.privateUrl, '/readyz')).text).toBe('ready\n');
    expect((await ask(server.privateUrl, '/metrics')).text).toMatch(
      /api_credits_charged_total\{operation="lookup_thing"\} \d+/,
    );
    expect((await ask(server.url, '/metrics')).status).toBe(404);
  });

  it('finish what runs before they end, charged', async () => {
    const { key, accountId } = await server.addCustomer(20);
    const leaving = await server.addServer();
    const { running } = await begin(() => ask(leaving.url, '/v1/things/slowest', key));
    await leaving.close();
    expect((await running).body.credits_remaining).toBe(15);
    await expect(ask(leaving.url, '/v1/things/a', key)).rejects.toThrow();
    const [row] = await server.accounts.read<{ balance: number }>({
      sql: 'SELECT balance FROM account WHERE id = ?',
      args: [accountId],
    });
    expect(row?.balance).toBe(15);
  });
});
