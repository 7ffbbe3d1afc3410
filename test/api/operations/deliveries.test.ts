import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWatch } from '../../../api/operations/watches/create-watch.ts';
import { deleteWatch } from '../../../api/operations/watches/delete-watch.ts';
import { updateWatch } from '../../../api/operations/watches/update-watch.ts';
import { createKey, revokeKey } from '../../../schema/accounts/customer/account.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { sealWatchSecret } from '../../../schema/accounts/watches/secret.ts';
import { type SearchQuery, SearchUnavailable } from '../../../search/engine.ts';
import { parseQuery } from '../../../search/query/parse.ts';
import { type Asked, ask } from '../../support/client.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { callMcp } from '../transports.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildSampleServer({ settings: { WATCH_DELIVERIES_PER_HOUR: '10' } });
});
afterAll(() => server?.close());

const send = (method: string, path: string, body: unknown = {}): Promise<Asked> =>
  ask(server.url, `/v1${path}`, server.key, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

const WATCH = {
  name: 'Cleaning',
  on: 'notices',
  filters: { query: 'cleaning' },
  deliver: { webhook: 'https://hooks.example.org/a' },
};
const create = () => send('POST', '/watches', WATCH);

it('a watch that was changed or deleted is not made again by a repeat of the request that made it', async () => {
  const { key } = await server.addCustomer(10);
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' };
  const made = () => ask(server.url, '/v1/watches', key, { method: 'POST', body: JSON.stringify(WATCH), headers });
  const { watch_id: id } = (await made()).body;
  const name = { method: 'PATCH', body: '{"name":"Another"}', headers: { 'content-type': 'application/json' } };
  await ask(server.url, `/v1/watches/${id}`, key, name);
  expect((await made()).body.detail).toMatchObject([
    { msg: expect.stringContaining('not what this request asks for'), type: 'idempotency_key_expired' },
  ]);
  await ask(server.url, `/v1/watches/${id}`, key, { method: 'DELETE' });
  const msg = 'The watch that this key made was deleted; use a new key';
  const detail = [{ loc: ['header', 'Idempotency-Key'], msg, type: 'idempotency_key_expired' }];
  for (let repeat = 0; repeat < 2; repeat++) expect(await made()).toMatchObject({ status: 422, body: { detail } });
  expect((await ask(server.url, '/v1/watches', key)).body.count).toBe(0);
});

it('a watch whose secret AUTH_SECRET no longer opens is answered to a repeat without it', async () => {
  const { key } = await server.addCustomer(10);
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' };
  const made = () => ask(server.url, '/v1/watches', key, { method: 'POST', body: JSON.stringify(WATCH), headers });
  const { watch_id: id, secret } = (await made()).body;
  const sealed = sealWatchSecret(secret, id, 'another one, of 32 characters or more');
  await server.accounts.write([{ sql: 'UPDATE watch SET secret = ? WHERE id = ?', args: [sealed, id] }]);
  const { status, body } = await made();
  expect([status, body.watch_id, body.secret]).toEqual([200, id, undefined]);
});

it('changes of a watch that come at once all count, and none fails where it is deleted meanwhile', async () => {
  const { watch_id } = (await create()).body;
  const caller = { accountId: server.accountId, keyId: '' };
  const change = (changes: object) => updateWatch.run({ watch_id, ...changes }, server.services, caller);
  const changes = [{ name: 'Another' }, { credits_per_day_max: 6 }, { filters: { query: 'roads' } }, { every: 'day' }];
  await Promise.all(changes.map(change));
  const { body } = await ask(server.url, `/v1/watches/${watch_id}`, server.key);
  expect(body).toMatchObject(Object.assign({}, ...changes));
  const end = () => deleteWatch.run({ watch_id }, server.services, caller);
  const found = await Promise.all([change({ name: 'Last' }), end(), change({ filters: { query: 'bridges' } })]);
  expect(found.map(({ kind }) => kind)).toEqual(['answer', 'answer', 'nothing']);
});

it('no watch is made by a key whose monthly cap pays for no delivery', async () => {
  const createWith = async (monthlyCap: number) =>
    callMcp(server.url, 'svc_create_watch', WATCH, (await server.addCustomer(10, { monthlyCap })).key);
  const msg = 'A delivery costs 2 credits, and this key may spend 1 a month; create the watch with another key';
  expect((await createWith(1)).body.detail).toEqual([{ loc: ['arguments', 'deliver'], msg, type: 'value_error' }]);
  expect((await createWith(2)).body).toMatchObject({ status: 'active' });
});

it('a watch names what its search corrected of the words, as it corrects nothing itself', async () => {
  const { key } = await server.addCustomer(10);
  const estimateOf = async (query: string) =>
    (await callMcp(server.url, 'svc_create_watch', { ...WATCH, filters: { query } }, key)).body.last_seven_days;
  const right = await estimateOf('maintenance');
  expect(right).toEqual({ item_count: expect.any(Number), credits: expect.any(Number) });
  expect(await estimateOf('maintenanec')).toEqual({
    ...right,
    corrections: [{ from: 'maintenanec', to: 'maintenance' }],
  });
});

it('the estimate of a watch reads what it looks for as the watch does, and completes no last word', async () => {
  const filters = { query: 'cleaning ', buyer_id: 'https://example.org/buyers/GB-NHS-RX1' };
  const { accountId, keyId } = await server.addCustomer(10);
  const asked: SearchQuery[] = [];
  const { search } = server.services;
  const find = (query: SearchQuery) => {
    asked.push(query);
    return search.find(query);
  };
  await createWatch.run(
    createWatch.input.parse({ ...WATCH, filters }),
    { ...server.services, search: { ...search, find } },
    { accountId, keyId },
  );
  expect(asked).toMatchObject([{ filters: { buyer_id: 'GB-NHS-RX1' } }]);
  expect(asked.map(({ text }) => parseQuery(text))).toMatchObject([{ words: ['cleaning'], partial: null }]);
});

const OTHER = { name: 'other', prefix: 'svc_live_', at: '2026-01-01T00:00:00Z' };
const addKey = (accountId: string, monthlyCap = 10) => createKey(server.accounts, { ...OTHER, accountId, monthlyCap });

it('a watch whose key was revoked counts against the key that resumes it', async () => {
  const { key, keyId, accountId } = await server.addCustomer(10);
  const { body: made } = await callMcp(server.url, 'svc_create_watch', WATCH, key);
  const other = await addKey(accountId);
  await revokeKey(server.accounts, accountId, keyId, '2026-01-02T00:00:00Z');
  const resume = () =>
    callMcp(server.url, 'svc_manage_watch', { watch_id: made.watch_id, action: 'resume' }, other.key);
  expect((await resume()).body.watch).toMatchObject({ status: 'active' });
  const sql = 'SELECT key_id FROM watch WHERE id = ?';
  expect(await server.accounts.read({ sql, args: [made.watch_id] })).toEqual([{ key_id: other.id }]);
});

it('a watch whose key was revoked is resumed by no key whose monthly cap pays for no delivery', async () => {
  const { key, keyId, accountId } = await server.addCustomer(10);
  const small = await addKey(accountId, 1);
  const { watch_id } = (await callMcp(server.url, 'svc_create_watch', WATCH, key)).body;
  const act = async (action: string) =>
    (await callMcp(server.url, 'svc_manage_watch', { watch_id, action }, small.key)).body;
  await act('pause');
  expect((await act('resume')).watch).toMatchObject({ status: 'active' });
  await revokeKey(server.accounts, accountId, keyId, '2026-01-02T00:00:00Z');
  const msg = 'A delivery costs 2 credits, and this key may spend 1 a month; resume the watch with another key';
  expect((await act('resume')).detail).toEqual([{ loc: ['arguments', 'watch_id'], msg, type: 'value_error' }]);
});

it('no watch is made while the search that estimates it is away', async () => {
  const { accountId, keyId, key } = await server.addCustomer(10);
  const away = { find: () => Promise.reject(new SearchUnavailable('away')) };
  const services = { ...server.services, search: { ...server.services.search, ...away } };
  const wanted = createWatch.input.parse(WATCH);
  await expect(createWatch.run(wanted, services, { accountId, keyId })).rejects.toThrow(SearchUnavailable);
  expect((await ask(server.url, '/v1/watches', key)).body.count).toBe(0);
});

describe('a delivery of a watch', () => {
  it('is tried, listed and sent again, free', async () => {
    const { watch_id: id } = (await create()).body;
    const tested = await send('POST', `/watches/${id}/test`);
    expect(tested.body).toMatchObject({ kind: 'test', status: 'waiting', item_count: 0, credits: 0 });
    const { delivery_id } = tested.body;
    const { body: listed } = await ask(server.url, `/v1/watches/${id}/deliveries`, server.key);
    expect(listed).toMatchObject({ count: 1, items: [{ delivery_id, attempts: 0 }], next_cursor: null });
    const retry = `/watches/${id}/deliveries/${delivery_id}/retry`;
    expect((await send('POST', retry)).body).toMatchObject({ delivery_id, status: 'waiting' });
    await server.accounts.write([
      { sql: "UPDATE watch_delivery SET body = NULL, status = 'delivered' WHERE id = ?", args: [delivery_id] },
    ]);
    expect(await send('POST', retry)).toMatchObject({ status: 409, body: { error: 'not_kept' } });
    expect((await send('POST', `/watches/${id}/deliveries/wd_nothing/retry`)).status).toBe(404);
  });

  it('is sent again at most as often in an hour as an account delivers; a repeat under its key is no other', async () => {
    const { key } = await server.addCustomer(10);
    const asked = (path: string, once: string) =>
      ask(server.url, `/v1/watches${path}`, key, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': once },
        ...(path === '' && { body: JSON.stringify(WATCH) }),
      });
    const { watch_id: id } = (await asked('', 'made')).body;
    const { delivery_id } = (await asked(`/${id}/test`, 'tested')).body;
    const again = (once: string) => asked(`/${id}/deliveries/${delivery_id}/retry`, once);
    for (let number = 1; number <= 10; number++) expect((await again(`once-${number}`)).status).toBe(200);
    expect((await again('once-10')).status).toBe(200);
    const refused = await again('once-11');
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('is sent again by a resumed watch, which counts as one that is sent again', async () => {
    const { key } = await server.addCustomer(10);
    const asked = (method: string, path: string, body: object) =>
      ask(server.url, `/v1/watches${path}`, key, {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const { watch_id: id } = (await asked('POST', '', WATCH)).body;
    const resume = async () => {
      await asked('PATCH', `/${id}`, { paused: true });
      return asked('PATCH', `/${id}`, { paused: false });
    };
    for (let number = 1; number <= 10; number++) expect((await resume()).body.status).toBe('active');
    expect((await asked('PATCH', `/${id}`, { paused: false })).status).toBe(200);
    expect(await resume()).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
  });

  it('is tried, and sent again, once under an Idempotency-Key, over both transports', async () => {
    const [{ watch_id: id }, { watch_id: another }] = [(await create()).body, (await create()).body];
    const post = (path: string, once: string) =>
      ask(server.url, `/v1/watches${path}`, server.key, { method: 'POST', headers: { 'idempotency-key': once } });
    const count = async () => (await ask(server.url, `/v1/watches/${id}/deliveries`, server.key)).body.count;
    const [first, second] = await Promise.all([post(`/${id}/test`, 'a-test'), post(`/${id}/test`, 'a-test')]);
    expect([first.status, second.body.delivery_id]).toEqual([200, first.body.delivery_id]);
    const overMcp = await callMcp(server.url, 'svc_manage_watch', { watch_id: id, action: 'test' }, server.key, {
      'idempotency-key': 'a-test',
    });
    expect([overMcp.body.delivery.delivery_id, await count()]).toEqual([first.body.delivery_id, 1]);
    const reused = [{ loc: ['header', 'Idempotency-Key'], type: 'idempotency_key_reused' }];
    expect((await post(`/${another}/test`, 'a-test')).body.detail).toMatchObject(reused);
    const retry = `/${id}/deliveries/${first.body.delivery_id}/retry`;
    const delivered = () =>
      server.accounts.write([{ sql: "UPDATE watch_delivery SET status = 'delivered' WHERE watch_id = ?", args: [id] }]);
    await delivered();
    expect((await post(retry, 'again')).body.status).toBe('waiting');
    await delivered();
    expect((await post(retry, 'again')).body.status).toBe('delivered');
    expect((await post(retry, 'once-more')).body.status).toBe('waiting');
    const other = (await post(`/${another}/test`, 'another-test')).body.delivery_id;
    expect((await post(`/${another}/deliveries/${other}/retry`, 'once-more')).body.detail).toMatchObject(reused);
  });

  it('is asked for under a key of its own: one that stands for another request, free or paid for, is refused', async () => {
    const keyed = (path: string, once: string, body?: object) =>
      ask(server.url, `/v1${path}`, server.key, {
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
        headers: { 'idempotency-key': once, 'content-type': 'application/json' },
      });
    const reused = { status: 422, body: { detail: [{ type: 'idempotency_key_reused' }] } };
    const { watch_id: id } = (await keyed('/watches', 'made', WATCH)).body;
    expect(await keyed(`/watches/${id}/test`, 'made', {})).toMatchObject(reused);
    expect(await keyed('/notices/search?query=cleaning', 'made')).toMatchObject(reused);
    const { delivery_id } = (await keyed(`/watches/${id}/test`, 'tried', {})).body;
    expect(await keyed('/watches', 'tried', WATCH)).toMatchObject(reused);
    expect(await keyed(`/watches/${id}/deliveries/${delivery_id}/retry`, 'tried', {})).toMatchObject(reused);
    expect((await keyed('/notices/search?query=cleaning', 'paid')).status).toBe(200);
    expect(await keyed('/watches', 'paid', WATCH)).toMatchObject(reused);
    // A refused call leaves its key free, and the ledger knows of no charge without its line.
    expect((await keyed('/watches/wat_none/test', 'refused', {})).status).toBe(404);
    expect((await keyed(`/watches/${id}/test`, 'refused', {})).status).toBe(200);
    expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  });
});
