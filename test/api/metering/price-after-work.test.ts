import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { ask } from '../../support/client.ts';
import { registeredRow, seed } from '../../support/seed.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { callMcp, readBalance } from '../transports.ts';

/** A call whose price is known only after the work: 5 credits for each different company found. */

const HELD = ['00000011', '00000012', '00000013'];
let server: BuiltServer;
let urls: string[];
beforeAll(async () => {
  server = await buildServer({
    fill: (catalogue) => seed(catalogue, ...HELD.map((number) => registeredRow(number, `Company ${number}`))),
  });
  urls = [server.url, (await server.addServer()).url];
});
afterAll(async () => {
  expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  await server.close();
});

type Door = 'rest' | 'mcp';
interface Said {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  body: any;
}

async function look(
  door: Door,
  url: string,
  key: string,
  companies: unknown[],
  idempotencyKey?: string,
): Promise<Said> {
  const more: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
  if (door === 'mcp') {
    const { ok, text, body } = await callMcp(url, 'svc_lookup_companies', { companies }, key, more);
    const refused = { insufficient_credits: 402, idempotency_in_flight: 409 }[body.error as string] ?? 422;
    return { status: ok ? 200 : refused, text, body };
  }
  const headers = { 'content-type': 'application/json', ...more };
  return ask(url, '/v1/companies/lookup', key, { method: 'POST', body: JSON.stringify({ companies }), headers });
}

const rows = fc.array(fc.constantFrom<unknown>(...HELD, ...HELD, '99999999', { name: 'Zzyx Unlikely' }, {}, null), {
  minLength: 1,
  maxLength: 8,
});
const priceOf = (companies: unknown[]) => 5 * HELD.filter((number) => companies.includes(number)).length;

describe.each<Door>(['rest', 'mcp'])('over %s, a price known after the work', (door) => {
  it('is charged exactly, once for a key, or refused whole, whatever runs at once', async () => {
    const property = fc.asyncProperty(
      rows,
      fc.integer({ min: -3, max: 12 }),
      fc.boolean(),
      async (companies, spare, keyed) => {
        const price = priceOf(companies);
        const credits = Math.max(5, price + spare);
        const { key, accountId } = await server.addCustomer(credits);
        const calls = [0, 1, 2, 3].map((at) =>
          look(door, urls[at % 2] ?? server.url, key, companies, keyed ? `one-${accountId}` : undefined),
        );
        const answers = await Promise.all(calls);
        const answered = answers.filter(({ status }) => status === 200);
        const left = await readBalance(server, accountId);
        const charged = price === 0 ? 0 : (credits - left) / price;
        const affordable = price === 0 ? 4 : Math.floor(credits / price);
        expect(left).toBe(credits - charged * price);
        for (const { status, body } of answers) {
          expect([200, 402, ...(keyed ? [409] : [])]).toContain(status);
          if (status === 402) expect(body).toMatchObject({ action: 'lookup_companies', required: expect.any(Number) });
          if (status === 200) expect(body.credits_charged).toBe(price);
        }
        const most = keyed ? 1 : 4;
        expect(charged).toBe(price === 0 ? 0 : Math.min(most, affordable));
        if (!keyed) expect(answered.length).toBe(Math.min(4, affordable));
        if (keyed) expect(new Set(answered.map(({ text }) => text)).size).toBe(Math.min(1, affordable));
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  it('is one line of the ledger, under the name of the tool', async () => {
    const { key, accountId } = await server.addCustomer(100);
    const { body } = await look(door, server.url, key, [...HELD, HELD[0], 'nobody at all']);
    expect(body).toMatchObject({ credits_charged: 15, credits_remaining: 85, found_count: 3 });
    const sql = "SELECT credits, action FROM transfer WHERE from_account = ? AND kind = 'charge'";
    expect(await server.accounts.read({ sql, args: [accountId] })).toEqual([
      { credits: 15, action: 'lookup_companies' },
    ]);
  });

  it('is nothing where nothing can be read or found, and for a call that is refused', async () => {
    const { key, accountId } = await server.addCustomer(5);
    expect((await look(door, server.url, key, [{}, null])).body).toMatchObject({
      credits_charged: 0,
      invalid_count: 2,
    });
    expect((await look(door, server.url, key, ['99999999'])).body).toMatchObject({ credits_charged: 0 });
    expect((await look(door, server.url, key, Array(101).fill('11'))).status).toBe(422);
    expect((await look(door, server.url, key, [])).status).toBe(422);
    expect(await look(door, server.url, key, HELD)).toMatchObject({ status: 402, body: { required: 15, balance: 5 } });
    expect(await readBalance(server, accountId)).toBe(5);
  });
});

it('is not worked for at all without the credits for one company', async () => {
  const { key } = await server.addCustomer(4);
  expect(await look('rest', server.url, key, HELD)).toMatchObject({ status: 402, body: { required: 5, balance: 4 } });
});
