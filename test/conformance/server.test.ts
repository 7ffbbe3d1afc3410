import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, GENERATIONS } from '../api/mcp/clients.ts';
import { readBalance } from '../api/transports.ts';
import { FIXTURE_CREDITS } from './extras.ts';
import { type ConformanceServer, startConformanceServer } from './server.ts';

/** `npm run conformance` runs the public suite against this server; here: that it is ours, and charges. */
describe('the server of the conformance suite', () => {
  let conformance: ConformanceServer;
  beforeAll(async () => {
    conformance = await startConformanceServer();
  });
  afterAll(() => conformance.close());

  it.each(GENERATIONS)(
    'answers fixtures and our own tools to a client of %s, each for its price',
    async (generation) => {
      const { server, url } = conformance;
      const before = await readBalance(server, server.accountId);
      const client = await connect(generation, url, 'given on the way');
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['svc_lookup_company', 'svc_get_balance', 'test_simple_text']));
      expect((await client.call('test_simple_text', {})).text).toContain('simple text');
      expect((await client.call('test_tool_with_progress', {})).isError).toBeFalsy();
      expect(JSON.parse((await client.call('svc_get_balance', {})).text).balance).toBe(before - 2 * FIXTURE_CREDITS);
      await expect(client.call('test_nothing', {})).rejects.toThrow(/Unknown tool/);
      await client.close();
    },
  );

  it('lets a tool of the earlier era ask its client on the stream of the call, without a session', async () => {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'legacy' } },
    );
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { username: 'ann' } }));
    await client.connect(new StreamableHTTPClientTransport(new URL(conformance.url)));
    const asked = ['Who is there?', 'And who else?'].map((message) =>
      client.callTool({ name: 'test_elicitation', arguments: { message } }),
    );
    for (const { content } of await Promise.all(asked)) {
      expect(content).toMatchObject([{ text: expect.stringContaining('content={"username":"ann"}') }]);
    }
    await client.close();
  });

  it('takes an answer only from the account that it asked', async () => {
    const { server } = conformance;
    const other = await server.addCustomer(5);
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const post = (key: string, message: object) =>
      fetch(`${server.url}/mcp/`, {
        method: 'POST',
        body: JSON.stringify(message),
        headers: { ...headers, authorization: `Bearer ${key}` },
      });
    const params = { name: 'test_elicitation', arguments: { message: 'Who?' } };
    const call = await post(server.key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const reader = call.body?.pipeThrough(new TextDecoderStream()).getReader();
    const [, id] = /"id":"([^"]+)"/.exec((await reader?.read())?.value ?? '') ?? [];
    const answer = (action: string) => ({ jsonrpc: '2.0', id, result: { action } });
    expect((await post(other.key, answer('decline'))).status).toBe(202);
    expect((await post(server.key, answer('cancel'))).status).toBe(202);
    expect((await reader?.read())?.value).toContain('action=cancel');
  });
});
