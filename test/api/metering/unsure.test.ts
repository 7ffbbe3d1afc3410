import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { DatabaseAway, OutcomeUnknown, type Statement } from '../../../schema/db/interface.ts';
import { ask } from '../../support/client.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';

let server: BuiltServer;
let former: Pick<BuiltServer['accounts'], 'read' | 'write'>;
beforeAll(async () => {
  server = await buildSampleServer();
  const { read, write } = server.services.accounts;
  former = { read, write };
});
afterEach(() => void Object.assign(server.services.accounts, former));
afterAll(() => server?.close());

const isCharge = ({ sql }: Statement) => sql.includes('INSERT INTO transfer');

/** The accounts' server writes charges, and loses its first answers; then it cannot be read any more. */
function loseAnswers(times: number): void {
  const read = () => Promise.reject(new DatabaseAway('no answer'));
  let lost = 0;
  Object.assign(server.services.accounts, {
    async write(statements: readonly Statement[]) {
      const outcomes = await former.write(statements);
      if (!statements.some(isCharge)) return outcomes;
      Object.assign(server.services.accounts, { read });
      if (lost++ < times) throw new OutcomeUnknown('no answer');
      return outcomes;
    },
  });
}

/** The accounts' server is gone before a charge reaches it. */
function goAway(): void {
  const away = () => Promise.reject(new DatabaseAway('no answer'));
  Object.assign(server.services.accounts, {
    async write(statements: readonly Statement[]) {
      if (!statements.some(isCharge)) return former.write(statements);
      Object.assign(server.services.accounts, { read: away });
      return away();
    },
  });
}

const EXPORT = { method: 'POST', body: '{"dataset":"buyers","max_rows":1}' };
const JSON_BODY = { 'content-type': 'application/json' };
const balance = async () => (await ask(server.url, '/v1/balance', server.key)).body.balance;

describe('a keyed call that was charged, which nobody could read afterwards', () => {
  it.each([
    ['an export, whose every answer is lost', '/v1/exports', EXPORT, 9, 100],
    ['a search, whose first answer is lost', '/v1/notices/search?limit=1', {}, 1, 2],
    ['a look-up whose answer is compiled, and whose first one is lost', '/v1/companies/99000017', {}, 1, 5],
  ])('does not say that nothing was charged: %s', async (name, path, init, times, credits) => {
    const headers = { ...JSON_BODY, 'idempotency-key': name.replaceAll(' ', '-') };
    const before = await balance();
    loseAnswers(times);
    const unsure = await ask(server.url, path, server.key, { ...init, headers });
    Object.assign(server.services.accounts, former);
    expect([unsure.status, unsure.body.message]).toEqual([503, expect.stringContaining('cannot say whether')]);
    expect(await balance()).toBe(before - credits);
    const again = await ask(server.url, path, server.key, { ...init, headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(await balance()).toBe(before - credits);
  });
});

it('a keyed export whose charge was never written says that nothing was charged', async () => {
  const headers = { ...JSON_BODY, 'idempotency-key': 'never-written' };
  const before = await balance();
  goAway();
  const refused = await ask(server.url, '/v1/exports', server.key, { ...EXPORT, headers });
  Object.assign(server.services.accounts, former);
  expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('Nothing was charged')]);
  expect(await balance()).toBe(before);
});

it('an export without an Idempotency-Key is charged once, though the answer to its charge is lost', async () => {
  const gift = { key: 'twice', accountId: server.accountId, credits: 500, at: '2026-11-21T12:00:00Z' };
  await former.write([grantStatement(gift)]);
  const before = await balance();
  loseAnswers(1);
  const { status, body } = await ask(server.url, '/v1/exports', server.key, { ...EXPORT, headers: JSON_BODY });
  Object.assign(server.services.accounts, former);
  expect([status, body.credits_remaining, await balance()]).toEqual([200, before - 100, before - 100]);
});
