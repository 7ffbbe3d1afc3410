import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';
import { readBalance } from '../transports.ts';
import { type Answered, send, TEST_ASKS, type Transport } from './metered-calls.ts';
import { type ApiProcess, killAll, loadApi, startApi } from './processes.ts';

const CALLS = 1_000;
const PRICE = 5;
let server: BuiltServer;
let processes: ApiProcess[];
beforeAll(async () => {
  server = await buildServer({ operations: testRows });
  processes = await Promise.all([0, 1].map(() => startApi(loadApi(server), 'test')));
});
afterAll(async () => {
  await killAll(processes);
  expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  await server.close();
});

const [lookup = TEST_ASKS[0]] = TEST_ASKS;

/** As many calls as there can be at once, evenly over both processes. */
function askAtOnce(transports: readonly Transport[], apiKey: string): Promise<Answered[]> {
  const asked = Array.from({ length: CALLS }, (_, index) => {
    const transport = transports[index % transports.length] ?? 'rest';
    const url = processes[(index >> 1) % processes.length]?.url ?? '';
    return lookup && send({ url, transport, ask: lookup, apiKey });
  });
  return Promise.all(asked.flatMap((each) => each ?? []));
}

describe('1,000 calls at once on credits for 500, over two processes', () => {
  it.each<[string, Transport[]]>([
    ['over REST', ['rest']],
    ['over MCP', ['mcp']],
    ['over both doors', ['rest', 'mcp']],
  ])('are 500 answers and 500 refusals, %s', async (_name, transports) => {
    const { key, accountId } = await server.addCustomer((CALLS / 2) * PRICE);
    const answers = await askAtOnce(transports, key);
    const good = answers.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text));
    const refused = answers.filter(({ status }) => status === 402);
    expect([good.length, refused.length]).toEqual([CALLS / 2, CALLS / 2]);
    // No two answers spent the same credit: each names a charge of its own and a balance of its own.
    expect(new Set(good.map(({ charge_id: id }) => id)).size).toBe(CALLS / 2);
    const left = good.map(({ credits_remaining: remaining }) => remaining).sort((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: CALLS / 2 }, (_, index) => index * PRICE));
    for (const { text, requestId } of refused) expect(JSON.parse(text)).toEqual(refusal(requestId));
    expect(await readBalance(server, accountId)).toBe(0);
  });
});

function refusal(requestId: string) {
  const url = `${server.settings.APP_URL}/dashboard/top-up`;
  return {
    error: 'insufficient_credits',
    action: 'lookup_thing',
    required: PRICE,
    balance: 0,
    top_up_url: url,
    message: `This call costs 5 credits and the balance is 0. Nothing was charged. Top up at ${url}`,
    request_id: requestId,
  };
}
