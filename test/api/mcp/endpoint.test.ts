import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';
import { connect, GENERATIONS, type McpClient } from './clients.ts';

/** A page of another site that may call. */
const APP = 'https://app.example';
let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ operations: testRows, credits: 10_000, settings: { MCP_ORIGINS: APP } });
});
afterAll(() => server.close());

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'svc_lookup_thing', arguments: { thing_id: 'a' } },
};
const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

function post(path: string, body: unknown, key: string | undefined = server.key, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(server.url, path, key, { method: 'POST', body: text, headers: { ...ACCEPT, ...headers } });
}

describe.each(GENERATIONS)('a client of %s', (generation) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(generation, `${server.url}/mcp/`, server.key);
    await client.listTools();
  });
  afterAll(() => client.close());

  it('lists every row as a tool', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['svc_lookup_thing', 'svc_make_thing']);
    expect(tools[0]).toMatchObject({
      title: 'Look up a thing',
      description: 'Use this in tests. Costs 5 credits; nothing found is free.',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      inputSchema: { type: 'object', required: ['thing_id'], additionalProperties: false },
      outputSchema: { type: 'object' },
    });
    expect(tools[1]).toMatchObject({ annotations: { readOnlyHint: false, idempotentHint: false } });
  });

  it('gets an answer as structure and as the same JSON in text, and pays for it', async () => {
    const { accountId: _, key } = await server.addCustomer(12);
    const paying = await connect(generation, `${server.url}/mcp/`, key);
    const answer = await paying.call('svc_lookup_thing', { thing_id: 'a' });
    expect(answer.isError).toBeFalsy();
    expect(answer.structuredContent).toMatchObject({ thing_id: 'a', credits_charged: 5, credits_remaining: 7 });
    expect(JSON.parse(answer.text)).toEqual(answer.structuredContent);
    await paying.call('svc_lookup_thing', { thing_id: 'a' });
    const refused = await paying.call('svc_lookup_thing', { thing_id: 'a' });
    expect(refused.isError).toBe(true);
    expect(JSON.parse(refused.text)).toMatchObject({
      error: 'insufficient_credits',
      action: 'lookup_thing',
      required: 5,
      balance: 2,
    });
    await paying.close();
  });

  it('reads what was wrong, structured where it is not checked against the output schema', async () => {
    const wrong = await client.call('svc_lookup_thing', { thing_id: 'a', limit: 'many', colour: 1 });
    expect(wrong.isError).toBe(true);
    const { detail } = JSON.parse(wrong.text);
    expect(detail.map(({ loc, type }: { loc: unknown; type: unknown }) => [loc, type])).toEqual([
      [['arguments', 'limit'], 'int_parsing'],
      [['arguments', 'colour'], 'extra_forbidden'],
    ]);
    expect(wrong.structuredContent).toEqual(generation === '2026-07-28' ? { detail } : undefined);
  });

  it('hears of nothing found and of our faults without their words', async () => {
    const gone = await client.call('svc_lookup_thing', { thing_id: 'gone' });
    expect(gone.isError).toBe(true);
    expect(JSON.parse(gone.text)).toMatchObject({
      error: 'not_found',
      credits_charged: 0,
      candidates: [{ id: 'a', name: 'A' }],
    });
    const faulty = await client.call('svc_lookup_thing', { thing_id: 'faulty' });
    expect(JSON.parse(faulty.text)).toMatchObject({ error: 'internal_error' });
    expect(faulty.text).not.toContain('hunter2');
  });

  it('learns in the protocol that a tool does not exist', async () => {
    await expect(client.call('svc_nothing', {})).rejects.toThrow(/Unknown tool/);
  });

  it('retries a call by the key in its _meta without paying twice', async () => {
    const meta = { 'idempotency-key': `meta-${generation.replaceAll(' ', '-')}` };
    const first = await client.call('svc_lookup_thing', { thing_id: 'a' }, meta);
    const again = await client.call('svc_lookup_thing', { thing_id: 'a' }, meta);
    expect(again.text).toBe(first.text);
    expect(first._meta?.['idempotent-replayed']).toBeUndefined();
    expect(again._meta?.['idempotent-replayed']).toBe(true);
    const other = await client.call('svc_lookup_thing', { thing_id: 'b' }, meta);
    expect(JSON.parse(other.text).detail[0]).toMatchObject({
      loc: ['_meta', 'idempotency-key'],
      type: 'idempotency_key_reused',
    });
  });
});

describe('the address', () => {
  it.each(['/mcp', '/mcp/'])('%s answers a call, never with a redirect', async (path) => {
    const answer = await post(path, CALL);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('credits_charged');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.headers.get('ratelimit')).toBeTruthy();
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26'])('speaks protocol %s', async (version) => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 't', version: '1' } };
    const answer = await post('/mcp/', { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(answer.text).toContain(`"protocolVersion":"${version}"`);
    const call = await post('/mcp/', CALL, server.key, { 'mcp-protocol-version': version });
    expect(call.text).toContain('"structuredContent"');
  });

  it('answers 401 with a challenge and no hint of OAuth', async () => {
    for (const [key, error] of [
      [undefined, 'missing_api_key'],
      ['svc_live_wrong', 'invalid_api_key'],
    ] as const) {
      const answer = await ask(server.url, '/mcp/', key, {
        method: 'POST',
        body: JSON.stringify(CALL),
        headers: ACCEPT,
      });
      expect([answer.status, answer.body.error]).toEqual([401, error]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    for (const path of ['oauth-authorization-server', 'oauth-protected-resource', 'oauth-protected-resource/mcp']) {
      const answer = await ask(server.url, `/.well-known/${path}`);
      expect([answer.status, answer.body.error]).toEqual([404, 'no_such_route']);
    }
  });

  it.each(['GET', 'DELETE', 'PUT'])('refuses %s', async (method) => {
    const answer = await ask(server.url, '/mcp/', server.key, { method, headers: ACCEPT });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses a foreign origin and lets its own in', async () => {
    const from = (origin: string) => post('/mcp/', CALL, server.key, { origin });
    for (const foreign of ['https://evil.example', 'null']) expect((await from(foreign)).status).toBe(403);
    for (const own of [new URL(server.settings.BASE_URL).origin, 'http://127.0.0.1:6274', APP]) {
      const { status, headers } = await from(own);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, own]);
      expect(headers.get('cache-control')).toBe('private, no-store');
    }
    const preflight = { method: 'OPTIONS', headers: { origin: APP } };
    expect((await ask(server.url, '/mcp/', undefined, preflight)).status).toBe(204);
  });

  it('refuses a host name that is not its own, as it listens on loopback', async () => {
    const { hostname, port } = new URL(server.url);
    const status = await new Promise((resolve, reject) => {
      const headers = { ...ACCEPT, host: 'rebound.example', authorization: `Bearer ${server.key}` };
      const asked = httpRequest({ hostname, port, path: '/mcp/', method: 'POST', headers }, ({ statusCode }) =>
        resolve(statusCode),
      );
      asked.on('error', reject).end(JSON.stringify(CALL));
    });
    expect(status).toBe(403);
  });

  it('refuses what is no message', async () => {
    for (const none of ['{"jsonrpc":', '']) expect((await post('/mcp/', none)).body.error.code).toBe(-32_700);
    for (const other of [[CALL, CALL], 'null', '5', '"text"'])
      expect((await post('/mcp/', other)).body.error.code).toBe(-32_600);
    expect((await post('/mcp/', 'x'.repeat(200_000))).status).toBe(413);
    expect((await post('/mcp/', CALL, server.key, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it.each(['application/json', '*/*', 'text/event-stream, application/*'])('answers who accepts %s', async (accept) => {
    const answer = await post('/mcp/', CALL, server.key, { accept });
    expect(answer.body.result.structuredContent).toMatchObject({ thing_id: 'a', credits_charged: 5 });
    expect(JSON.parse(answer.body.result.content[0].text)).toEqual(answer.body.result.structuredContent);
  });

  it('says one thing of each wrong argument', async () => {
    const given = { thing_id: [], limit: 'many', name: [5], kind: 'middling', colour: 1, size: 2 };
    const answer = await post('/mcp/', { ...CALL, params: { ...CALL.params, arguments: given } });
    const { detail } = JSON.parse(answer.body.result.content[0].text);
    expect(detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type])).toEqual([
      ['thing_id', 'string_type'],
      ['limit', 'int_parsing'],
      ['name', 'string_type'],
      ['kind', 'literal_error'],
      ['colour', 'extra_forbidden'],
      ['size', 'extra_forbidden'],
    ]);
  });

  it('says what to send in the place of arguments that are no object', async () => {
    const call = (more: object) => post('/mcp/', { ...CALL, params: { ...CALL.params, ...more } });
    const listed = await call({ arguments: ['a'] });
    expect(JSON.parse(listed.body.result.content[0].text).detail[0]).toMatchObject({ loc: ['arguments'] });
    const none = await call({ arguments: null });
    expect(JSON.parse(none.body.result.content[0].text).detail[0]).toMatchObject({
      loc: ['arguments', 'thing_id'],
      type: 'missing',
    });
    const numbered = await call({ _meta: { 'idempotency-key': 5 } });
    expect(JSON.parse(numbered.body.result.content[0].text).detail[0]).toMatchObject({
      loc: ['_meta', 'idempotency-key'],
      type: 'string_type',
    });
    const misspelt = await call({ name: 'svc_lookup_things' });
    expect(misspelt.body).toMatchObject({
      id: 1,
      error: { code: -32_602, message: "Unknown tool: svc_lookup_things; did you mean 'svc_lookup_thing'?" },
    });
  });

  it('leaves to the SDK what is no plain call', async () => {
    const bodies = [
      { ...CALL, jsonrpc: '1.0' },
      ...[null, 1.5].map((id) => ({ ...CALL, id })),
      ...[undefined, null, { name: 5 }, { ...CALL.params, _meta: null }].map((params) => ({ ...CALL, params })),
    ];
    for (const body of bodies) expect((await post('/mcp/', body)).body.error.code).toBeLessThan(-32_000);
    const unknown = await post('/mcp/', CALL, server.key, { 'mcp-protocol-version': '1999-01-01' });
    expect(unknown.status).toBe(400);
    expect((await post('/mcp/', CALL, server.key, { accept: 'text/html' })).status).toBe(406);
    const { id: _id, ...notification } = CALL;
    expect((await post('/mcp/', notification)).status).toBe(202);
  });

  it('stops a key that was revoked in the middle of a session', async () => {
    const { key, keyId } = await server.addCustomer(50);
    const client = await connect('1.x', `${server.url}/mcp`, key);
    await server.accounts.write([
      { sql: "UPDATE api_key SET revoked_at = '2026-01-01T00:00:00Z' WHERE id = ?", args: [keyId] },
    ]);
    const refused = await client.call('svc_lookup_thing', { thing_id: 'a' });
    expect(JSON.parse(refused.text).error).toBe('invalid_api_key');
    await client.close();
  });
});
