import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topUpStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer, type Customer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';
import { connect, GENERATIONS } from './clients.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ operations: testRows });
});
afterAll(() => server.close());

const topUp = () => `${server.settings.APP_URL}/dashboard/top-up`;
const LOOKUP = { name: 'svc_lookup_thing', arguments: { thing_id: 'a' } };

/** The refusal of the same lookup over REST, but for its own request_id. */
async function readRefusal(key: string): Promise<object> {
  const { status, body } = await ask(server.url, '/v1/things/a', key);
  const { request_id, ...refusal } = body;
  expect([status, typeof request_id]).toEqual([402, 'string']);
  return refusal;
}

describe.each(GENERATIONS)('out of credits, to a client of %s that opens no addresses', (generation) => {
  it('is an error with the very body of the 402, readable also after the tools were listed', async () => {
    const { key } = await server.addCustomer(4);
    const client = await connect(generation, `${server.url}/mcp/`, key);
    await client.listTools();
    const refused = await client.call(LOOKUP.name, LOOKUP.arguments);
    expect(refused.isError).toBe(true);
    const { request_id: _, ...body } = JSON.parse(refused.text);
    expect(body).toEqual(await readRefusal(key));
    expect(body).toMatchObject({ error: 'insufficient_credits', required: 5, balance: 4, top_up_url: topUp() });
    expect(refused.structuredContent).toEqual(generation === '2026-07-28' ? JSON.parse(refused.text) : undefined);
    await client.close();
  });
});

describe('out of credits, to a client of 2026-07-28 that opens addresses for its user', () => {
  /** A client whose user answers `action`, after `meanwhile`; it keeps what it was asked to open. */
  async function connectUser({ key }: Customer, action: 'accept' | 'decline', meanwhile?: () => Promise<void>) {
    const capabilities = { elicitation: { url: {} } };
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const opened: unknown[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      opened.push(params);
      await meanwhile?.();
      return { action };
    });
    const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/`), options));
    return { client, opened };
  }

  it('asks to open top_up_url and answers the same call once the credits are there', async () => {
    const customer = await server.addCustomer(4);
    const { client, opened } = await connectUser(customer, 'accept', () => grant(customer.accountId, 10));
    const answer = await client.callTool({ ...LOOKUP, _meta: { 'idempotency-key': 'bought-in-between' } });
    expect(answer.structuredContent).toMatchObject({ thing_id: 'a', credits_charged: 5, credits_remaining: 9 });
    const message = expect.stringContaining('costs 5 credits and the balance is 4');
    expect(opened).toEqual([{ mode: 'url', url: topUp(), message }]);
    const again = await client.callTool({ ...LOOKUP, _meta: { 'idempotency-key': 'bought-in-between' } });
    expect(again.structuredContent).toEqual(answer.structuredContent);
    await client.close();
  });

  it.each(['accept', 'decline'] as const)('asks once: %s without credits is the refusal', async (action) => {
    const customer = await server.addCustomer(4);
    const { client, opened } = await connectUser(customer, action);
    const refused = await client.callTool(LOOKUP);
    expect([opened.length, refused.isError]).toEqual([1, true]);
    expect(refused.structuredContent).toMatchObject({ error: 'insufficient_credits', top_up_url: topUp() });
    await client.close();
  });

  it("does not ask where credits would not help: a key's own cap", async () => {
    const customer = await server.addCustomer(100, { monthlyCap: 4 });
    const { client, opened } = await connectUser(customer, 'accept');
    const refused = await client.callTool(LOOKUP);
    expect(refused.structuredContent).toMatchObject({ error: 'key_cap_reached', required: 5 });
    expect(opened).toEqual([]);
    await client.close();
  });
});

describe.each(GENERATIONS)('a call retried by a client of %s', (generation) => {
  it('is free under the same key, with the last credits already spent by the first', async () => {
    const { key } = await server.addCustomer(5);
    const meta = { 'idempotency-key': 'retried' };
    const first = await connect(generation, `${server.url}/mcp/`, key);
    const paid = await first.call(LOOKUP.name, LOOKUP.arguments, meta);
    await first.close();
    // Another connection: its JSON-RPC ids begin again.
    const second = await connect(generation, `${server.url}/mcp/`, key);
    await second.listTools();
    const again = await second.call(LOOKUP.name, LOOKUP.arguments, meta);
    expect(again.text).toBe(paid.text);
    expect(again._meta?.['idempotent-replayed']).toBe(true);
    await second.close();
  });
});

async function grant(accountId: string, credits: number): Promise<void> {
  const at = '2026-01-01T00:00:00Z';
  await server.accounts.write([topUpStatement({ key: `bought:${accountId}`, accountId, credits, note: 'test', at })]);
}
