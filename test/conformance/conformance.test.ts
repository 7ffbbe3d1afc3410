import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBalance } from '../api/doors.ts';
import { connect, GENERATIONS } from '../api/mcp-clients.ts';
import { FIXTURE_CREDITS } from './extras.ts';
import { type ConformanceServer, startConformanceServer } from './server.ts';

/** `npm run conformance` runs the public suite against this server; here: that it is ours, and charges. */
describe('the server of the conformance suite', () => {
  let server: ConformanceServer;
  beforeAll(async () => {
    server = await startConformanceServer();
  });
  afterAll(() => server.close());

  it.each(GENERATIONS)(
    'answers fixtures and our own tools to a client of %s, each for its price',
    async (generation) => {
      const { house, url } = server;
      const before = await readBalance(house, house.accountId);
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
});
