import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../../api/operations/index.ts';
import { hintValue } from '../../../api/validation/hints.ts';
import { findTooLong } from '../../../api/validation/inputs.ts';
import { makeWebApp } from '../../../api/web/app.ts';
import { readQuery, runForPage } from '../../../api/web/queries/run-operation.ts';
import { FILTERS } from '../../../search/filters/index.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

/** Inputs longer than anything that is taken are refused by their length, before they are split, matched or explained. */

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ credits: 1_000, web: makeWebApp });
});
afterAll(() => server.close());

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function callTool(name: string, given: Record<string, unknown>) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: `svc_${name}`, arguments: given } };
  const answer = await ask(server.url, '/mcp/', server.key, {
    method: 'POST',
    body: JSON.stringify(message),
    headers: JSON_BODY,
  });
  return JSON.parse(answer.body.result.content[0].text).detail;
}

const LISTS = ['cpv', 'region', 'stage', 'notice_type', 'source', 'fields', 'facets'];
const LONG = [
  ['commas', ','.repeat(90_000)],
  ['values', '1,'.repeat(45_000)],
  ['words', 'services '.repeat(10_000)],
  ['digits and a letter', `${'1'.repeat(90_000)}x`],
] as const;

describe('a long text is refused by its length alone', () => {
  const textual = operations.flatMap((operation) =>
    Object.keys(operation.input.shape).map((name) => [operation.name, name, operation] as const),
  );

  it.each(textual)('%s: %s', (_operation, name, operation) => {
    for (const [, text] of LONG) {
      expect(findTooLong(operation, { [name]: text })).toEqual([
        expect.objectContaining({ path: [name], type: 'string_too_long' }),
      ]);
    }
  });

  it.each(LONG)('of %s, once for each input, over REST, MCP and in a body', async (_what, text) => {
    const search = await callTool(
      'search_notices',
      Object.fromEntries(LISTS.map((name) => [name, text.slice(0, 9_000)])),
    );
    expect(search.map(({ loc, type }: Record<string, unknown>) => [loc, type])).toEqual(
      LISTS.map((name) => [['arguments', name], 'string_too_long']),
    );
    const bounds = await callTool('search_notices', { value_min: text });
    expect(bounds).toEqual([expect.objectContaining({ loc: ['arguments', 'value_min'], type: 'string_too_long' })]);
    const body = await ask(server.url, '/v1/exports', server.key, {
      method: 'POST',
      body: JSON.stringify({ cpv: text, dry_run: true }),
      headers: JSON_BODY,
    });
    expect(body.body.detail).toEqual([
      expect.objectContaining({ loc: ['body', 'cpv'], type: 'string_too_long', ctx: { max_length: 1_000 } }),
    ]);
    const address = await ask(
      server.url,
      `/v1/notices/search?stage=${text.slice(0, 7_000).replaceAll(' ', '+')}`,
      server.key,
    );
    expect(address.body.detail).toEqual([
      expect.objectContaining({ loc: ['query', 'stage'], type: 'string_too_long' }),
    ]);
  });

  it('on a page as over the API', async () => {
    const [search] = operations.filter(({ name }) => name === 'search_notices');
    for (const name of LISTS) {
      const asked = readQuery(search as never, { [name]: ','.repeat(7_900) });
      const found = await runForPage(search as never, asked, server.services);
      expect(found).toMatchObject({ kind: 'refused', faults: [expect.stringMatching(/at most [\d,]+ characters/)] });
    }
  });
});

describe('a text that grows when its ligatures are written out', () => {
  const SIGNS = ['\ufdfa', '\u33ae', '\u3300'];
  const accepted = operations.flatMap((operation) =>
    ['query', 'name', 'buyer_id', 'company_number', 'framework_id', 'notice_id', 'region']
      .filter((name) => name in operation.input.shape)
      .map((name) => [operation.name, name, operation] as const),
  );

  it.each(accepted)('%s: %s is as long as what is searched for', (_operation, name, operation) => {
    for (const sign of SIGNS) {
      const [fault] = findTooLong(operation, { [name]: sign.repeat(300) });
      expect(fault).toMatchObject({ path: [name], type: 'string_too_long' });
    }
    // Letters with accents and of other scripts count as one each.
    for (const letter of ['\u1ebf', '\uac00', '\u0439'])
      expect(findTooLong(operation, { [name]: letter.repeat(180) })).toEqual([]);
  });

  it('is refused before it reaches an engine, over REST, MCP and on pages', async () => {
    const searched = vi.spyOn(server.services.search, 'find');
    const text = SIGNS[0]?.repeat(300) ?? '';
    const sent = encodeURIComponent(text);
    const rest = [`/v1/companies/${encodeURIComponent(text.slice(0, 200))}`, `/v1/notices/search?query=${sent}`];
    for (const path of rest) {
      const { status, body } = await ask(server.url, path, server.key);
      expect([status, body.detail[0].type, body.detail[0].msg]).toEqual([
        422,
        'string_too_long',
        expect.stringContaining('written out'),
      ]);
    }
    expect((await callTool('lookup_buyer', { name: text }))[0].type).toBe('string_too_long');
    expect((await ask(server.url, `/notices?query=${sent}`)).status).toBe(422);
    expect((await ask(server.url, `/companies?name=${sent}`)).text).toContain('written out');
    expect(searched).not.toHaveBeenCalled();
    // What is typed into the one box is cut, and the page says so.
    expect((await ask(server.url, `/search?query=${sent}`)).status).toBe(200);
    expect(searched).toHaveBeenCalled();
    for (const [{ text: asked }] of searched.mock.calls)
      expect((asked ?? '').normalize('NFKC').length).toBeLessThanOrEqual(300);
    searched.mockRestore();
  });
});

describe('many values', () => {
  it.each(LISTS)('of %s are refused by their count', async (name) => {
    const [detail, ...others] = await callTool('search_notices', { [name]: `${'1,'.repeat(99)},` });
    expect(others).toEqual([]);
    expect(detail).toMatchObject({ loc: ['arguments', name], type: 'too_long', ctx: { max_length: 100 } });
  });

  it('in a list are refused by their count, whatever they are', async () => {
    for (const one of ['1', 0, [], {}, null]) {
      expect(await callTool('search_notices', { cpv: Array.from({ length: 120 }, () => one) })).toEqual([
        expect.objectContaining({ loc: ['arguments', 'cpv'], type: 'too_long' }),
      ]);
    }
  });

  it('as many as a filter takes are let through, with spaces around', () => {
    const [search] = operations.filter(({ name }) => name === 'search_notices');
    const codes = Array.from({ length: 20 }, () => '45000000-7').join(' , ');
    expect(findTooLong(search as never, { cpv: `  ${codes}${' '.repeat(2_000)}` })).toEqual([]);
    expect(
      (search as never as { input: { safeParse(given: unknown): object } }).input.safeParse({ cpv: codes }),
    ).toMatchObject({ success: true });
  });
});

it('looks what was meant by twenty codes at most, and by the beginning of a text', () => {
  const filter = FILTERS.find(({ name }) => name === 'cpv');
  const refused = { accepts: () => true, filter, isList: true, name: 'cpv', type: 'string', example: '33' };
  const twenty = hintValue({ ...refused, input: Array.from({ length: 90 }, (_, at) => `x${at + 10}`).join(',') });
  expect(twenty.match(/\d+/g)).toHaveLength(20);
  expect(hintValue({ ...refused, input: [`${'a '.repeat(40)} construction`] })).not.toContain('45');
});

describe('a body of many values is refused before a schema sees it', () => {
  const post = (path: string, body: string) =>
    ask(server.url, path, server.key, { method: 'POST', body, headers: JSON_BODY });
  const rpc = (method: string, params: unknown) =>
    post('/mcp/', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const zeros = (count: number) => Array.from({ length: count }, () => 0);
  const names = (count: number) => Object.fromEntries(zeros(count).map((_, at) => [`n${at}`, 0]));
  const init = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const shapes = (count: number): [string, unknown][] => [
    ['initialize', { ...init, clientInfo: { ...init.clientInfo, icons: zeros(count) } }],
    ['initialize', { ...init, capabilities: { experimental: names(count) } }],
    ['prompts/get', { name: 'find_tenders', arguments: names(count) }],
    ['ping', names(count)],
    ['tools/call', { name: 'svc_search_notices', arguments: { cpv: zeros(count) } }],
    ['tools/call', { name: 'svc_search_notices', arguments: { cpv: zeros(count).map(() => []) } }],
    ['no/such', zeros(count).map(() => ({}))],
  ];

  it('over MCP, in whatever part of a message', async () => {
    for (const [method, params] of shapes(5_000)) {
      const { status, body, text } = await rpc(method, params);
      expect([method, status, body.error.message]).toEqual([
        method,
        400,
        'Parse error: The body holds more than 500 values',
      ]);
      expect(text.length).toBeLessThan(200);
    }
  });

  it('over REST, and once', async () => {
    for (const sent of [{ query: zeros(5_000) }, names(5_000), { cpv: [zeros(5_000)] }, zeros(5_000)]) {
      const { status, body } = await post('/v1/exports', JSON.stringify(sent));
      expect([status, body.detail]).toEqual([
        422,
        [expect.objectContaining({ loc: ['body'], type: 'too_long', ctx: { max_length: 500 } })],
      ]);
    }
  });

  it('but commas and brackets inside a text are none', async () => {
    const { status, body } = await post('/v1/exports', JSON.stringify({ query: ',[{"\\'.repeat(200), dry_run: true }));
    expect([status, body.status]).toEqual([200, 'quote']);
    expect((await rpc('ping', names(400))).status).toBe(200);
  });
});
