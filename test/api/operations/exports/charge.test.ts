import { request } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Operation } from '../../../../api/contract/operation.ts';
import { bulkExport } from '../../../../api/operations/exports/bulk.ts';
import { readExport } from '../../../../schema/accounts/exports/states.ts';
import { grantStatement, REVENUE } from '../../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../../schema/accounts/ledger/verify.ts';
import { rowsOf } from '../../../support/catalogue-services.ts';
import { ask } from '../../../support/client.ts';
import { noticeRow, seed } from '../../../support/seed.ts';
import { type BuiltServer, buildServer, type Customer } from '../../../support/services.ts';

/** Rows enough for three readings of keys. */
const ROWS = 2_500;
let built: BuiltServer;
/** What happens before rows are counted, and before their keys are read. */
let beforeStep: (() => Promise<void>) | undefined;
let beforeKeys: (() => Promise<void>) | undefined;

beforeAll(async () => {
  built = await buildServer({
    credits: 250,
    fill: (catalogue) =>
      seed(
        catalogue,
        Array.from({ length: ROWS }, (_, at) => noticeRow(`${String(at).padStart(6, '0')}-2026`, `ocds-h6vhtk-${at}`)),
      ),
    rows: (catalogue) => {
      const rows = rowsOf(catalogue);
      return {
        ...rows,
        async count(walk) {
          await beforeStep?.();
          return rows.count(walk);
        },
        async keys(...asked) {
          await beforeKeys?.();
          return rows.keys(...asked);
        },
      };
    },
  });
});
afterAll(() => built.close());

const post = (key: string, body: unknown, url = built.url) =>
  ask(url, '/v1/exports', key, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const countExports = async () =>
  (await built.accounts.read({ sql: "SELECT id FROM export WHERE status <> 'staged'" })).length;
const countCharges = async () =>
  (
    await built.accounts.read({
      sql: "SELECT id FROM transfer WHERE kind = 'charge' AND from_account = ?",
      args: [built.accountId],
    })
  ).length;

/** Sends an export and goes away while its rows are counted; resolves when the server knows, or has answered. */
async function postAndLeave(headers: Record<string, string>): Promise<void> {
  const { services, key, url } = built;
  const sent = request(`${url}/v1/exports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  sent.on('error', () => undefined);
  const counting = new Promise<void>((resolve) => {
    beforeStep = async () => {
      beforeStep = undefined;
      sent.destroy();
      await new Promise((settled) => setTimeout(settled, 50));
      resolve();
    };
  });
  sent.end();
  await counting;
  // The debit, if there is one, waits for the turn of the next write.
  await services.accounts.write([]);
}

it('who cannot pay for the fewest rows is refused before they are counted; a quote needs no credit', async () => {
  const { key } = await built.addCustomer(99);
  let steps = 0;
  beforeStep = async () => void steps++;
  const { status, body } = await post(key, { buyer_id: 'nobody' });
  beforeStep = undefined;
  expect([status, body.required, body.balance, steps]).toEqual([402, 100, 99, 0]);
  expect((await post(key, { dry_run: true })).body).toMatchObject({ status: 'quote', rows: 1_000 });
});

it('one account counts one thing at a time, and few wait', async () => {
  const { key } = await built.addCustomer(0);
  let [running, most, refused] = [0, 0, 0];
  beforeStep = async () => {
    most = Math.max(most, ++running);
    await vi.waitUntil(() => refused === 3, 60_000);
    running -= 1;
  };
  const posted = Array.from({ length: 8 }, () => post(key, { dry_run: true }));
  for (const one of posted) void one.then(({ status }) => status === 429 && refused++);
  const answers = await Promise.all(posted);
  beforeStep = undefined;
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
  expect([most, (await post(key, { dry_run: true })).status]).toEqual([1, 200]);
});

it('an export that finds nothing costs nothing', async () => {
  const { key } = await built.addCustomer(100);
  const { status, body } = await post(key, { buyer_id: 'nobody' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ export_id: null, status: 'quote', rows: 0, credits_charged: 0, credits_remaining: 100 });
});

it('one that costs more than there is says what it costs, and makes nothing', async () => {
  const { key } = await built.addCustomer(250);
  const { status, body } = await post(key, { max_rows: 2_500 });
  expect(status).toBe(402);
  expect(body).toMatchObject({ error: 'insufficient_credits', action: 'bulk_export', required: 300, balance: 250 });
  expect(await countExports()).toBe(0);
});

it('one whose client goes away while it is counted is neither made nor charged', async () => {
  await postAndLeave({});
  await new Promise((settled) => setTimeout(settled, 100));
  expect([await countExports(), await countCharges()]).toEqual([0, 0]);
});

const countStaged = async () => [
  (await built.accounts.read({ sql: "SELECT id FROM export WHERE status = 'staged'" })).length,
  (await built.accounts.read({ sql: 'SELECT 1 FROM export_row' })).length,
];

it.each<[string, number, (customer: Customer) => Promise<void>]>([
  [
    'its credits are spent meanwhile',
    402,
    async ({ accountId }) => {
      const at = new Date().toISOString();
      await built.accounts.write([
        {
          sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, created_at)
              VALUES (?, 'charge', ?, ?, 250, 'lookup_company', 'r', ?)`,
          args: [`charge:spent-${accountId}`, accountId, REVENUE, at],
        },
      ]);
    },
  ],
  [
    'a later call takes its key over',
    409,
    async ({ accountId }) => {
      await built.accounts.write([
        { sql: "UPDATE idempotency SET claim_token = 'another' WHERE account_id = ?", args: [accountId] },
      ]);
    },
  ],
  [
    'its rows go',
    503,
    async () => {
      await built.catalogue.write([{ sql: 'UPDATE notice SET gone = 1 WHERE rowid <= 600' }]);
    },
  ],
])('where %s it is %i, charged nothing, and leaves no rows behind', async (_what, status, happens) => {
  const customer = await built.addCustomer(250);
  let steps = 0;
  beforeKeys = async () => {
    if (steps++ === 1) await happens(customer);
  };
  const sent = await ask(built.url, '/v1/exports', customer.key, {
    method: 'POST',
    body: JSON.stringify({ max_rows: 2_000 }),
    headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
  });
  beforeKeys = undefined;
  await built.catalogue.write([{ sql: 'UPDATE notice SET gone = 0' }]);
  expect([sent.status, steps > 1]).toEqual([status, true]);
  expect(await countStaged()).toEqual([0, 0]);
  const charged = "SELECT 1 FROM transfer WHERE from_account = ? AND action = 'bulk_export'";
  expect(await built.accounts.read({ sql: charged, args: [customer.accountId] })).toEqual([]);
});

it('one that was sent under a key is made all the same, for the retry', async () => {
  await postAndLeave({ 'idempotency-key': 'k-1' });
  await expect.poll(countCharges).toBe(1);
  const again = await ask(built.url, '/v1/exports', built.key, {
    method: 'POST',
    headers: { 'idempotency-key': 'k-1' },
  });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect([await countExports(), await countCharges()]).toEqual([1, 1]);
});

it('one whose id was lost is found by its charge in the ledger, by its own account only', async () => {
  const ledger = await ask(built.url, '/v1/ledger', built.key);
  const { charge_id } = ledger.body.items.find(({ kind }: { kind: string }) => kind === 'charge');
  const { status, body } = await ask(built.url, `/v1/exports/${charge_id}`, built.key);
  expect([status, body.status, body.rows]).toEqual([200, 'processing', 1_000]);
  const other = await ask(built.url, '/v1/exports/ch_of_something_else', built.key);
  expect([other.status, other.body.candidates.map(({ id }: { id: string }) => id)]).toEqual([404, [body.export_id]]);
  const { key } = await built.addCustomer(0);
  const stranger = await ask(built.url, `/v1/exports/${charge_id}`, key);
  expect([stranger.status, stranger.body.candidates]).toEqual([404, undefined]);
  expect((await verifyLedger(built.accounts)).faults).toEqual([]);
});

it.each([0, -1, 1.5, 1e30, 1_000_001, 'ten', null, true, [1]])('max_rows of %j is refused, free', async (max_rows) => {
  const { status, body } = await post(built.key, { max_rows });
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'max_rows']]);
  expect(await countCharges()).toBe(1);
});

it('credits that come while an export is put together pay for it', async () => {
  let grant: (() => Promise<unknown>) | undefined;
  const late: Operation = {
    ...(bulkExport as Operation),
    async run(...given) {
      const found = await (bulkExport as Operation).run(...given);
      await grant?.();
      return found;
    },
  };
  const server = await buildServer({
    operations: [late],
    credits: 100,
    fill: (catalogue) =>
      seed(
        catalogue,
        Array.from({ length: 1_001 }, (_, index) => noticeRow(`${100_000 + index}-2026`, `ocds-h6vhtk-${index}`)),
      ),
  });
  const order = () => post(server.key, { max_rows: 2_000 }, server.url);
  expect(await order()).toMatchObject({
    status: 402,
    body: { error: 'insufficient_credits', required: 200, balance: 100 },
  });
  expect(await server.accounts.read({ sql: 'SELECT id FROM export' }), 'nothing was put together').toEqual([]);
  const at = new Date().toISOString();
  grant = () => server.accounts.write([grantStatement({ key: 'late', accountId: server.accountId, credits: 100, at })]);
  const paid = await order();
  expect(paid).toMatchObject({ status: 200, body: { status: 'processing', rows: 1_001, credits_charged: 200 } });
  expect(await readExport(server.accounts, paid.body.export_id)).toMatchObject({ status: 'processing' });
  await server.close();
});
