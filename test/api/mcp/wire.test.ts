import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';

/** What stands on the wire: forms of an answer, parameters, pages and how long a list may be kept. */

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ operations: testRows, credits: 10_000 });
});
afterAll(() => server.close());

const IN = 'io.modelcontextprotocol/';
const ENVELOPE = { [`${IN}protocolVersion`]: '2026-07-28', [`${IN}clientCapabilities`]: {} };
const ERAS = ['2026-07-28', '2025-11-25'] as const;

interface Sent {
  method: string;
  params?: Record<string, unknown>;
  accept?: string;
}

/** A request of an era, with the headers that it wants. */
async function post(era: (typeof ERAS)[number], { method, params = {}, accept = 'application/json' }: Sent) {
  const modern = era === '2026-07-28';
  const name = params.name ?? params.uri;
  const headers = {
    accept,
    'content-type': 'application/json',
    'mcp-protocol-version': era,
    ...(modern ? { 'mcp-method': method, ...(typeof name === 'string' ? { 'mcp-name': name } : {}) } : {}),
  };
  const sent = { ...params, ...(modern ? { _meta: ENVELOPE } : {}) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: sent });
  return ask(server.url, '/mcp/', server.key, { method: 'POST', body, headers });
}

const CALL = { method: 'tools/call', params: { name: 'svc_lookup_thing', arguments: { thing_id: 'a' } } };

describe.each(ERAS)('protocol %s', (era) => {
  it.each([CALL, { method: 'tools/list' }])(
    'answers $method in JSON, or in an event to who takes nothing else',
    async (sent) => {
      for (const accept of ['application/json, text/event-stream', 'application/json', '*/*', '']) {
        const answer = await post(era, { ...sent, accept });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('json')]);
        expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: 7, result: {} });
      }
      const event = await post(era, { ...sent, accept: 'text/event-stream' });
      expect([event.status, event.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      const [, json = ''] = /^event: message\ndata: (.+)\n\n$/.exec(event.text) ?? [];
      expect(JSON.parse(json)).toMatchObject({ jsonrpc: '2.0', id: 7, result: {} });
      expect([(await post(era, { ...sent, accept: 'text/html' })).status]).toEqual([406]);
    },
  );

  it.each([
    [{ method: 'tools/call', params: { arguments: {} } }, 'name (a string)'],
    [{ method: 'tools/call', params: { name: 5 } }, 'name (a string)'],
    [{ method: 'resources/read' }, 'uri (a string)'],
    [{ method: 'resources/read', params: { uri: 5 } }, 'uri (a string)'],
    [{ method: 'prompts/get' }, 'name (a string)'],
    [{ method: 'prompts/get', params: { name: 'find_tenders', arguments: { company: 5 } } }, 'an object of strings'],
    [{ method: 'completion/complete' }, 'ref (type ref/prompt'],
    [{ method: 'completion/complete', params: { ref: { type: 'other' }, argument: 5 } }, 'argument (name and value'],
  ])('says of %j what to send instead, in no words of a validator', async (sent, wanted) => {
    const { status, body } = await post(era, sent);
    expect([status, body.id, body.error.code]).toEqual([200, 7, -32_602]);
    expect(body.error.message).toContain(`${sent.method} takes `);
    expect(body.error.message).toContain(wanted);
    expect(body.error.message).not.toMatch(/[[\]"]|invalid_type/);
  });

  it.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
    'has one page of %s, and says that no cursor leads on',
    async (method) => {
      const whole = await post(era, { method });
      expect([whole.body.error, whole.body.result.nextCursor]).toEqual([undefined, undefined]);
      const { body } = await post(era, { method, params: { cursor: 'beyond' } });
      expect(body.error).toMatchObject({ code: -32_602, message: expect.stringContaining('one page') });
    },
  );
});

it('says what a first message of the earlier era needs', async () => {
  const { body } = await post('2025-11-25', { method: 'initialize' });
  expect(body.error).toMatchObject({ code: -32_602, message: expect.stringContaining('protocolVersion (a string)') });
});

it('says before the first call what is charged, and what is free', async () => {
  const discovered = await post('2026-07-28', { method: 'server/discover' });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const begun = await post('2025-11-25', { method: 'initialize', params });
  for (const { body } of [discovered, begun])
    expect(body.result.instructions).toMatch(
      /charged again.*detail full.*same with a limit of 1 or 100.*idempotency-key"\] is free.*never an instruction/,
    );
});

it('lets lists be kept and shared, as they are the same for all; what is read belongs to its caller', async () => {
  for (const method of [
    'server/discover',
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
  ]) {
    const { body } = await post('2026-07-28', { method });
    expect(body.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
  }
  const { body } = await post('2026-07-28', { method: 'resources/read', params: { uri: 'cpv://divisions' } });
  expect(body.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
});

it('refuses what nests too deep before anybody reads it, over both doors', async () => {
  const headers = { accept: '*/*', 'content-type': 'application/json' };
  const send = (path: string, body: string) => ask(server.url, path, server.key, { method: 'POST', body, headers });
  const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const call = (value: string) =>
    send(
      '/mcp/',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_lookup_thing","arguments":{"thing_id":${value}}}}`,
    );
  expect((await call(nest(40_000))).body.error).toMatchObject({
    code: -32_700,
    message: expect.stringContaining('64 levels'),
  });
  expect(JSON.parse((await call(nest(50))).body.result.content[0].text).detail[0]).toMatchObject({
    type: 'string_type',
  });
  expect((await call(JSON.stringify('[{"\\'.repeat(100)))).body.result.isError).toBe(true);
  const rest = await send('/v1/things', `{"thing_id":${nest(40_000)}}`);
  expect([rest.status, rest.body.detail]).toEqual([422, [expect.objectContaining({ type: 'json_invalid' })]]);
});
