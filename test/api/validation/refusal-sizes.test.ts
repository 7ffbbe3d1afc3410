import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../api/operations/index.ts';
import { makeWebApp } from '../../../api/web/app.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

/** No refusal is long, whatever was sent: at most 16 kB over REST, MCP and the web. */

const BYTES_MAX = 16 * 1024;
const LONG = '"\\£'.repeat(3_000);
const manyNames = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, '1']));

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ credits: 100_000, web: makeWebApp });
});
afterAll(() => server.close());

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return ask(server.url, path, server.key, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...JSON_BODY, ...headers },
  });
}

function rpc(method: string, params: Record<string, unknown>, { modern = false, id = 1 as unknown } = {}) {
  const name = String(params.name ?? params.uri ?? '');
  const headers = modern
    ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name ? { 'mcp-name': name } : {}) }
    : {};
  const sent = modern ? { ...params, _meta: MODERN } : params;
  return post('/mcp/', { jsonrpc: '2.0', id, method, params: sent }, headers as Record<string, string>);
}

/** An address as it stands, which `fetch` would encode. */
function askRaw(url: string, path: string): Promise<{ status: number; bytes: number }> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path }, (response) => {
      let bytes = 0;
      response.on('data', (part: Buffer) => (bytes += part.length));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
    }).on('error', reject);
  });
}

const bytes = ({ text }: { text: string }) => Buffer.byteLength(text);

describe('unknown parameters', () => {
  it.each([
    ['names without values', Array.from({ length: 4_000 }, (_, at) => at.toString(36)).join('&')],
    ['names and values', new URLSearchParams(manyNames(700)).toString()],
    ['one name again and again', `a=${'&a='.repeat(2_000)}`],
  ])('in an address, %s: refused before they are read', async (_what, query) => {
    for (const path of ['/v1/status', '/v1/notices/search']) {
      const { status, body, text } = await ask(server.url, `${path}?${query.slice(0, 8_000)}`, server.key);
      expect([status, body.detail]).toEqual([
        422,
        [expect.objectContaining({ loc: ['query'], type: 'too_long', ctx: { max_length: 100 } })],
      ]);
      expect(text.length).toBeLessThan(500);
    }
  });

  it('in a body and in arguments: too many are counted, not named', async () => {
    const sent = manyNames(400);
    const body = await post('/v1/exports', sent);
    const tool = await rpc('tools/call', { name: 'svc_search_notices', arguments: sent });
    expect(body.body.detail).toEqual([expect.objectContaining({ loc: ['body'], type: 'too_long' })]);
    const refused = JSON.parse(tool.body.result.content[0].text);
    expect(refused.detail).toEqual([expect.objectContaining({ loc: ['arguments'], type: 'too_long' })]);
  });

  it('are named, twenty at most, the first five with the nearest', async () => {
    const names = new URLSearchParams(manyNames(60));
    const rest = await ask(server.url, `/v1/notices/search?${names}`, server.key);
    const tool = await rpc('tools/call', { name: 'svc_search_notices', arguments: manyNames(60) });
    for (const { detail } of [rest.body, JSON.parse(tool.body.result.content[0].text)]) {
      expect(detail).toHaveLength(21);
      expect(detail.filter(({ msg }: { msg: string }) => msg.includes('; '))).toHaveLength(5);
      expect(detail.at(-1)).toMatchObject({ msg: '40 more unknown parameters', type: 'extra_forbidden' });
    }
  });
});

describe('a refusal is at most 16 kB', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'whatever is sent to %s',
    async (_name, operation) => {
      const inputs = Object.keys(operation.input.shape);
      const named = { [LONG]: 1, ...manyNames(70) };
      const monsters = [
        Object.fromEntries(inputs.map((name) => [name, LONG])),
        Object.fromEntries(inputs.map((name) => [name, Array.from({ length: 400 }, () => '"\\"')])),
        Object.fromEntries(inputs.map((name) => [name, manyNames(300)])),
        { ...Object.fromEntries(inputs.map((name) => [name, 'x'.repeat(900)])), ...named },
      ];
      for (const sent of monsters) {
        for (const modern of operation.restOnly ? [] : [false, true]) {
          const answer = await rpc('tools/call', { name: `svc_${operation.name}`, arguments: sent }, { modern });
          expect([200, 400, 413]).toContain(answer.status);
          expect(bytes(answer)).toBeLessThanOrEqual(BYTES_MAX);
        }
        for (const { method, path } of operation.bindings) {
          const place = path.replace(/:\w+/g, encodeURIComponent(LONG.slice(0, 900)));
          const query = new URLSearchParams(sent as Record<string, string>).toString().slice(0, 5_000);
          const answer =
            method === 'POST'
              ? await post(`/v1${place}`, sent)
              : await ask(server.url, `/v1${place}?${query}`, server.key);
          expect(answer.status >= 400 || inputs.length === 0).toBe(true);
          expect(bytes(answer)).toBeLessThanOrEqual(BYTES_MAX);
        }
      }
    },
  );

  it('of names in the address of a POST, of headers, of what is no route', async () => {
    const key = { 'idempotency-key': 'x'.repeat(12_000), 'content-type': 'application/json' };
    const answers = [
      await post(`/v1/exports?${new URLSearchParams(manyNames(90))}`, {}),
      await post(`/v1/exports?${'x'.repeat(8_000)}=1`, {}),
      await post('/v1/exports', {}, key),
      await ask(server.url, '/v1/notices/search', 'x'.repeat(12_000)),
      await ask(server.url, `/v1/${'%C2%A3'.repeat(1_000)}`, server.key),
      await ask(server.url, `/v1/notices/%FF${'x'.repeat(4_000)}`, server.key),
    ];
    expect(answers.map((answer) => [answer.status >= 400, bytes(answer) < 5_000])).toEqual(
      answers.map(() => [true, true]),
    );
  });

  it.each([false, true])('of every MCP method, with everything long (protocol 2026-07-28: %s)', async (modern) => {
    const long = LONG.repeat(2);
    const asked: [string, Record<string, unknown>][] = [
      ['initialize', { protocolVersion: long, capabilities: {}, clientInfo: { name: long, version: long } }],
      ['tools/call', { name: 'x'.repeat(9_000), arguments: {} }],
      ['resources/read', { uri: `notice://${'x'.repeat(9_000)}` }],
      ['resources/read', { uri: `notice://a?${Object.keys(manyNames(2_000)).join('&')}` }],
      ['resources/read', { uri: long }],
      ['prompts/get', { name: 'x'.repeat(9_000) }],
      ['prompts/get', { name: 'find_tenders', arguments: { company: long } }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: long }, argument: { name: long, value: long } }],
      ['tools/list', { cursor: long }],
      [`x${long}`, {}],
      ['ping', { [long]: long }],
    ];
    for (const [method, params] of asked)
      for (const id of [1, long]) {
        const answer = await rpc(method, params, { modern, id }).catch((error: Error) => error.message);
        // What is no header at all is refused by the client.
        if (typeof answer === 'string') continue;
        expect([method.slice(0, 20), answer.status, bytes(answer)]).toEqual([
          method.slice(0, 20),
          answer.status,
          Math.min(bytes(answer), BYTES_MAX),
        ]);
      }
  });

  it('of pages', async () => {
    const long = encodeURIComponent('"<£'.repeat(600));
    const paths = [`/${long}`, `/notices/${long}`, `/companies/${long}`, `/search?query=${long}&cpv=${long}`];
    const FILTERS = [
      'stage',
      'sort',
      'cpv',
      'region',
      'source',
      'notice_type',
      'value_min',
      'published_from',
      'buyer_id',
      'cursor',
      'match',
    ];
    // As few servers would send it and any client can: not percent-encoded.
    const raw = ['"', ',', '",', '1,', '<'].map((sign) => sign.repeat(7_900 / sign.length));
    const refused = raw.flatMap((text) => [
      ...FILTERS.flatMap((name) => [`/notices?${name}=${text}`, `/tenders?${name}=${text}`]),
      `/notices?stage=x&query=${text.slice(0, 7_800)}`,
      `/notices?${FILTERS.map((name) => `${name}=${text.slice(0, 700)}`).join('&')}`,
      `/notices?stage=${text.slice(0, 190)}`,
      `/frameworks?query=${text}`,
      `/notices.atom?stage=${text}`,
    ]);
    for (const path of refused) {
      const answer = await askRaw(server.url, path);
      expect([path.slice(0, 120), answer.status]).toEqual([
        path.slice(0, 120),
        expect.toSatisfy((status) => [200, 422].includes(status as number)),
      ]);
      if (answer.status === 422)
        expect([path.slice(0, 120), answer.bytes]).toEqual([path.slice(0, 120), Math.min(answer.bytes, BYTES_MAX)]);
    }
    for (const path of [...paths, `/notices?query=${long}&sort=${long}&limit=${long}`, `/x?${'a&'.repeat(3_900)}`]) {
      const answer = await ask(server.url, path);
      expect([path.slice(0, 12), answer.status, bytes(answer)]).toEqual([
        path.slice(0, 12),
        answer.status,
        Math.min(bytes(answer), BYTES_MAX),
      ]);
    }
  });
});
