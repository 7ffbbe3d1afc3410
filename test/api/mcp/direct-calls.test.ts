import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';

/** Plain tool calls of protocol 2026-07-28, which are answered without the SDK, beside those that it answers. */

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ operations: testRows, credits: 10_000 });
});
afterAll(() => server.close());

const TOOL = 'svc_lookup_thing';
const IN = 'io.modelcontextprotocol/';
const ENVELOPE = {
  [`${IN}protocolVersion`]: '2026-07-28',
  [`${IN}clientInfo`]: { name: 'test', version: '1' },
  [`${IN}clientCapabilities`]: {},
};
/** An envelope that says so is the SDK's to answer. */
const BY_SDK = { [`${IN}logLevel`]: 'info' };
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': TOOL };

interface Sent {
  args?: unknown;
  name?: string;
  meta?: Record<string, unknown>;
  params?: object;
  headers?: Record<string, string | undefined>;
  id?: unknown;
}

function send({ args = { thing_id: 'a' }, name = TOOL, meta = {}, params = {}, headers = {}, id = 1 }: Sent) {
  const all = { name, arguments: args, _meta: { ...ENVELOPE, ...meta }, ...params };
  const named = { ...HEADERS, 'mcp-name': name, ...headers };
  const sent = Object.entries({ accept: 'application/json, text/event-stream', ...named });
  return ask(server.url, '/mcp/', server.key, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: all }),
    headers: {
      'content-type': 'application/json',
      ...Object.fromEntries(sent.flatMap(([header, value]) => (value === undefined ? [] : [[header, value]]))),
    },
  });
}

/** Without what differs from one call to the next. */
function alike(text: string): unknown {
  const same = text
    .replace(/(\\?"(charge_id|request_id)\\?"):\\?"[\w-]+\\?"/g, '$1:0')
    .replace(/(\\?"(credits_remaining|balance|run)\\?"):\d+/g, '$1:0');
  return JSON.parse(same);
}

describe('a plain call is answered as the SDK would', () => {
  it.each<[string, Sent]>([
    ['an answer', {}],
    ['a text as its id', { id: 'seven' }],
    ['a wrong argument', { args: { thing_id: 'a', limit: 'many', colour: 1 } }],
    ['no arguments', { args: undefined }],
    ['nothing found', { args: { thing_id: 'gone' } }],
    ['our fault', { args: { thing_id: 'faulty' } }],
    ['an unknown tool', { name: 'svc_lookup_things' }],
    ['a client that does not say who it is', { meta: { [`${IN}clientInfo`]: undefined } }],
    ['a token for progress', { meta: { progressToken: 'p' } }],
  ])('%s', async (_what, sent) => {
    const own = await send(sent);
    const sdk = await send({ ...sent, meta: { ...sent.meta, ...BY_SDK } });
    // Only the SDK's own answers come in pieces.
    expect([own.headers.has('content-length'), sdk.headers.has('content-length')]).toEqual([true, false]);
    expect([own.status, alike(own.text)]).toEqual([sdk.status, alike(sdk.text)]);
    expect(own.body.jsonrpc).toBe('2.0');
  });

  it('also to a retry, which says so', async () => {
    const meta = { 'idempotency-key': 'plain-1' };
    const first = await send({ meta });
    const own = await send({ meta, id: 2 });
    const sdk = await send({ meta: { ...meta, ...BY_SDK }, id: 2 });
    expect(own.body.result._meta['idempotent-replayed']).toBe(true);
    expect(own.body).toEqual(sdk.body);
    expect(own.body.result.structuredContent).toEqual(first.body.result.structuredContent);
  });
});

describe('what disagrees is refused as the specification says', () => {
  it.each<[string, Sent, number, number]>([
    ['no version in the headers', { headers: { 'mcp-protocol-version': undefined } }, 400, -32_020],
    ['another version in the headers', { headers: { 'mcp-protocol-version': '2025-11-25' } }, 400, -32_020],
    ['no method in the headers', { headers: { 'mcp-method': undefined } }, 400, -32_020],
    ['another method in the headers', { headers: { 'mcp-method': 'tools/list' } }, 400, -32_020],
    ['no name in the headers', { headers: { 'mcp-name': undefined } }, 400, -32_020],
    ['another name in the headers', { headers: { 'mcp-name': 'svc_make_thing' } }, 400, -32_020],
    ['a name in broken Base64', { headers: { 'mcp-name': '=?base64?%%?=' } }, 400, -32_020],
    ['no capabilities', { meta: { [`${IN}clientCapabilities`]: undefined } }, 400, -32_602],
    ['capabilities that are none', { meta: { [`${IN}clientCapabilities`]: 5 } }, 400, -32_602],
    ['a client without a name', { meta: { [`${IN}clientInfo`]: {} } }, 400, -32_602],
    ['an envelope that is missing', { params: { _meta: undefined } }, 400, -32_602],
    ['an id that is none', { id: 1.5 }, 400, -32_600],
  ])('%s', async (_what, sent, status, code) => {
    const { body, status: answered } = await send(sent);
    expect([answered, body.error.code]).toEqual([status, code]);
  });

  it('a version that nobody speaks, with those that are spoken', async () => {
    const version = '2031-01-01';
    const asked = await send({
      headers: { 'mcp-protocol-version': version },
      meta: { [`${IN}protocolVersion`]: version },
    });
    expect(asked.status).toBe(400);
    expect(asked.body.error).toMatchObject({ code: -32_022, data: { supported: ['2026-07-28'], requested: version } });
  });

  it('and a name in Base64 that agrees is read', async () => {
    const encoded = `=?base64?${Buffer.from(TOOL).toString('base64')}?=`;
    const { body } = await send({ headers: { 'mcp-name': encoded } });
    expect(body.result.structuredContent).toMatchObject({ thing_id: 'a' });
  });
});
