import { request } from 'node:http';
import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { makeWebApp } from '../../../api/web/app.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { begin, testRows } from '../test-operations.ts';

let server: BuiltServer;
afterEach(() => server.close());

const CLIENT = '198.51.100.7';

/** A server with pages, and the lines that it logs. */
async function build(settings: Record<string, string> = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const web = (of: BuiltServer['services']) => makeWebApp(of, pino({ level: 'silent' }));
  server = await buildServer({ operations: testRows, settings, log, web });
  const answered = () => lines.filter(({ msg }) => msg === 'answered');
  return { lines, answered };
}

const TOOL_CALL = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc_lookup_thing', arguments: { thing_id: 'a-private-question' } },
  }),
};

/** The same, which asks for what is left to the SDK. */
const leftToSdk = (more: object, headers: object = {}) => ({
  ...TOOL_CALL,
  headers: { ...TOOL_CALL.headers, ...headers },
  body: JSON.stringify({
    ...JSON.parse(TOOL_CALL.body),
    params: { name: 'svc_lookup_thing', arguments: { thing_id: 'slow' }, ...more },
  }),
});
const ENVELOPED = leftToSdk(
  {
    _meta: {
      [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
      [CLIENT_CAPABILITIES_META_KEY]: {},
      [LOG_LEVEL_META_KEY]: 'info',
    },
  },
  { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'svc_lookup_thing' },
);

describe('a request', () => {
  it('is a line where ACCESS_LOG is on: who, what and how it ended, without address, path or query', async () => {
    const { answered } = await build({ ACCESS_LOG: 'on' });
    const headers = { 'x-forwarded-for': CLIENT };
    const paid = await ask(server.url, '/v1/things/a-private-question', server.key, { headers });
    await ask(server.url, '/mcp', server.key, TOOL_CALL);
    await ask(server.url, '/v1/things/a-private-question', 'svc_live_wrong', { headers });
    await ask(server.url, '/notices/a-private-question?q=a-private-question');
    await expect.poll(answered).toHaveLength(4);
    const who = { account: server.accountId, key: server.keyId };
    const rest = { door: 'rest', operation: 'lookup_thing', status: 200, credits: 5, ...who };
    expect(answered()).toMatchObject([
      { ...rest, request_id: paid.headers.get('x-request-id'), ms: expect.any(Number) },
      { ...rest, door: 'mcp' },
      { door: 'rest', operation: 'lookup_thing', status: 401, credits: 0 },
      { door: 'web', operation: '/notices/:id', status: 404, credits: 0 },
    ]);
    expect(answered()[2]).not.toHaveProperty('account');
    expect(JSON.stringify(answered())).not.toMatch(/private-question|198\.51|127\.0|::1|svc_live/);
  });

  it('that is answered again, refused or free says that it cost nothing', async () => {
    const { answered } = await build({ ACCESS_LOG: 'on' });
    const again = { headers: { 'idempotency-key': 'once' } };
    await ask(server.url, '/v1/things/a', server.key, again);
    await ask(server.url, '/v1/things/a', server.key, again);
    await ask(server.url, '/v1/things/gone', server.key);
    await expect.poll(answered).toHaveLength(3);
    expect(answered().map(({ credits }) => credits)).toEqual([5, 0, 0]);
  });

  it.each([
    ['gone', 404],
    ['faulty', 500],
    ['', 422],
  ])(
    'over MCP that is refused has the status of its refusal, in the line and in the metrics: %j',
    async (id, status) => {
      const { answered } = await build({ ACCESS_LOG: 'on' });
      const body = TOOL_CALL.body.replace('a-private-question', id);
      expect((await ask(server.url, '/mcp', server.key, { ...TOOL_CALL, body })).status).toBe(200);
      await expect.poll(answered).toMatchObject([{ door: 'mcp', operation: 'lookup_thing', status, credits: 0 }]);
      const metrics = await (await fetch(`${server.privateUrl}/metrics`)).text();
      expect(metrics).toContain(`seconds_count{door="mcp",operation="lookup_thing",status="${status}"} 1`);
    },
  );

  it.each([
    ['/v1/things/slow', {}, { status: 200, credits: 5 }],
    ['/v1/things/slow-and-faulty', {}, { status: 500, credits: 0 }],
    ['/mcp', { ...TOOL_CALL, body: TOOL_CALL.body.replace('a-private-question', 'slow') }, { status: 200, credits: 5 }],
    ['/mcp', leftToSdk({ task: {} }), { status: 200, credits: 5 }],
    ['/mcp', ENVELOPED, { status: 499, credits: 5 }],
  ])(
    'whose client left says how it ended and what it cost: %s',
    async (path, call: Partial<typeof TOOL_CALL>, outcome) => {
      const { answered } = await build({ ACCESS_LOG: 'on' });
      const { method = 'GET', headers = {}, body } = call;
      const own = { ...headers, authorization: `Bearer ${server.key}` };
      const client = request(server.url + path, { method, headers: own, agent: false }).on('error', () => undefined);
      await begin(async () => client.end(body));
      client.destroy();
      await expect.poll(answered).toHaveLength(1);
      expect(answered()).toMatchObject([{ operation: 'lookup_thing', ...outcome, cut_short: true }]);
      expect(await readBalance(server.services.accounts, server.accountId)).toBe(250 - outcome.credits);
    },
  );

  it('is no line where it is off, as by default', async () => {
    const { answered } = await build();
    await ask(server.url, '/v1/things/a', server.key);
    await server.close();
    expect(answered()).toEqual([]);
    server = await buildServer();
  });

  it('of a page is counted under the pattern of the page, and no other', async () => {
    await build();
    for (const path of ['/notices/000001-2026', '/notices/000002-2026', '/search?q=1', '/nowhere/1', '/nowhere/2'])
      await fetch(`${server.url}${path}`);
    const metrics = await (await fetch(`${server.privateUrl}/metrics`)).text();
    const counted = [...metrics.matchAll(/seconds_count\{door="web",operation="([^"]*)",status="(\d+)"\} (\d+)/g)];
    expect(counted.map(([, operation, status, count]) => [operation, status, count])).toEqual(
      expect.arrayContaining([
        ['/notices/:id', '404', '2'],
        ['', '404', '2'],
      ]),
    );
    expect(metrics).not.toContain('000001-2026');
  });
});

describe('X-Forwarded-For', () => {
  it.each([
    ['0', 1],
    ['1', 0],
  ])('with TRUST_PROXY=%s is warned of %i times', async (TRUST_PROXY, times) => {
    const { lines } = await build({ TRUST_PROXY });
    for (let call = 0; call < 3; call++)
      await ask(server.url, '/openapi.json', undefined, { headers: { 'x-forwarded-for': CLIENT } });
    const warned = lines.filter(({ msg }) => String(msg).includes('TRUST_PROXY'));
    expect(warned).toHaveLength(times);
    expect(JSON.stringify(warned)).not.toContain(CLIENT);
  });
});

it('downloads, and events of payments, have allowances of their own', async () => {
  await build({ KEY_REQUESTS_PER_MINUTE: '1' });
  const statusOf = async (path: string, init: RequestInit = {}) => (await fetch(server.url + path, init)).status;
  expect([await statusOf('/openapi.json'), await statusOf('/openapi.json')]).toEqual([200, 429]);
  const download = '/v1/exports/exp_none/download?expires=1&signature=x';
  expect([await statusOf(download), await statusOf(download)]).toEqual([expect.any(Number), 429]);
  const event = { method: 'POST', body: '{}' };
  expect([await statusOf('/webhooks/stripe', event), await statusOf('/webhooks/stripe', event)]).toEqual([404, 429]);
});
