import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../api/contract/operation.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { OutcomeUnknown } from '../../../schema/db/interface.ts';
import { type Asked, ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { seen, testRows } from '../test-operations.ts';
import { readBalance } from '../transports.ts';

const lastingRows = testRows.map((row): Operation => ({ ...row, lasting: true }));

let server: BuiltServer;
let other: { url: string };
beforeAll(async () => {
  server = await buildServer({ operations: lastingRows, credits: 10_000 });
  other = await server.addServer();
  for (const { url } of [server, other]) await ask(url, '/v1/things/a', server.key);
});
afterAll(async () => {
  expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  await server.close();
});

let keys = 0;
const newKey = () => `k-${++keys}`;
const keyed = (
  idempotencyKey: string,
  { path = '/v1/things/a', key = server.key, url = server.url } = {},
): Promise<Asked> => ask(url, path, key, { headers: { 'idempotency-key': idempotencyKey } });
const replayed = (answer: Asked) => answer.headers.get('idempotent-replayed');
const readKey = (key: string) =>
  server.accounts.read<{ state: string }>({ sql: 'SELECT state FROM idempotency WHERE key = ?', args: [key] });

/** A claim of a call that is running in a process elsewhere. */
const claimElsewhere = (key: string, expiresMs: number) => {
  const sql = `INSERT OR REPLACE INTO idempotency
      (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
    SELECT account_id, ?1, fingerprint, 'running', 'elsewhere', ?2, 'then', 0 FROM idempotency WHERE key = 'like-this'`;
  return server.accounts.write([{ sql, args: [key, expiresMs] }]);
};

it('a keyed call whose answer ingest compiled is charged in one commit too, where nothing is kept', async () => {
  const compiled = testRows.map((row): Operation => ({ ...row, readText: async () => '{"thing_id":"compiled"}' }));
  const compiling = await buildServer({ operations: compiled });
  try {
    const { accounts } = compiling.services;
    const { write } = accounts;
    let commits = 0;
    accounts.write = (statements) => {
      commits += 1;
      return write(statements);
    };
    const call = () => ask(compiling.url, '/v1/things/a', compiling.key, { headers: { 'idempotency-key': 'k' } });
    const [first, again] = [await call(), await call()];
    accounts.write = write;
    expect(first.body).toMatchObject({ thing_id: 'compiled', credits_charged: 5, credits_remaining: 245 });
    expect([again.text, replayed(again), commits]).toEqual([first.text, 'true', 2]);
  } finally {
    await compiling.close();
  }
});

it('the answer that ingest compiled is kept for later calls with other keys', async () => {
  let reads = 0;
  const readText = async () => `{"thing_id":"read ${++reads}"}`;
  const compiling = await buildServer({ operations: lastingRows.map((row): Operation => ({ ...row, readText })) });
  try {
    const call = (key: string) =>
      ask(compiling.url, '/v1/things/a', compiling.key, { headers: { 'idempotency-key': key } });
    const bodies = [await call('k1'), await call('k2')].map(({ body }) => body);
    expect(bodies).toMatchObject([{ thing_id: 'read 1' }, { thing_id: 'read 1' }]);
    expect(reads).toBe(1);
  } finally {
    await compiling.close();
  }
});

describe('a keyed call whose answer is kept', () => {
  it('is charged, stored and done in one commit, without the work, and repeated byte for byte', async () => {
    const { accounts } = server.services;
    const { write } = accounts;
    const [runs, before] = [seen.runs, await readBalance(server, server.accountId)];
    let commits = 0;
    accounts.write = (statements) => {
      commits += 1;
      return write(statements);
    };
    const key = newKey();
    const first = await keyed(key);
    accounts.write = write;
    expect([first.status, replayed(first), commits, seen.runs]).toEqual([200, null, 1, runs]);
    expect(first.body).toMatchObject({ credits_charged: 5, credits_remaining: before - 5 });
    for (const url of [server.url, other.url]) {
      const again = await keyed(key, { url });
      expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    }
    expect(await readBalance(server, server.accountId)).toBe(before - 5);
  });

  it('is refused, free, where its key was used for another request', async () => {
    const key = newKey();
    await keyed(key, { path: '/v1/things/b' });
    const second = await keyed(key);
    expect([second.status, second.body.detail?.[0]?.type]).toEqual([422, 'idempotency_key_reused']);
  });

  it('that cannot be paid is 402 and leaves its key free', async () => {
    const { key: apiKey } = await server.addCustomer(4);
    const key = newKey();
    expect((await keyed(key, { key: apiKey })).status).toBe(402);
    expect(await readKey(key)).toEqual([]);
  });

  it('waits for a call elsewhere that has its key, and takes over where that one ended without a word', async () => {
    await keyed('like-this');
    const key = newKey();
    await claimElsewhere(key, Date.now() + 60_000);
    expect((await keyed(key)).status).toBe(409);
    await claimElsewhere(key, Date.now() - 1);
    const taken = await keyed(key);
    expect([taken.status, replayed(taken), await readKey(key)]).toEqual([200, null, [{ state: 'done' }]]);
    expect((await keyed(key)).text).toBe(taken.text);
  });

  it('that cannot be paid is 402 where a claim on its key had run out', async () => {
    const { key: apiKey, accountId } = await server.addCustomer(4);
    const key = newKey();
    await claimElsewhere(key, Date.now() - 1);
    await server.accounts.write([
      { sql: 'UPDATE idempotency SET account_id = ? WHERE key = ?', args: [accountId, key] },
    ]);
    expect((await keyed(key, { key: apiKey })).status).toBe(402);
  });

  it('is charged once where the database did not confirm its commit', async () => {
    const { accounts } = server.services;
    const { write } = accounts;
    const before = await readBalance(server, server.accountId);
    accounts.write = async (statements) => {
      accounts.write = write;
      await write(statements);
      throw new OutcomeUnknown('no answer');
    };
    const key = newKey();
    const first = await keyed(key);
    expect(first.body).toMatchObject({ credits_charged: 5, credits_remaining: before - 5 });
    expect([replayed(first), (await keyed(key)).text]).toEqual([null, first.text]);
    expect(await readBalance(server, server.accountId)).toBe(before - 5);
  });

  it('is charged once however many come at once, to two processes', async () => {
    const before = await readBalance(server, server.accountId);
    const key = newKey();
    const urls = [server.url, other.url];
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => keyed(key, { url: urls[at % 2] ?? '' })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await readBalance(server, server.accountId)).toBe(before - 5);
  });
});
