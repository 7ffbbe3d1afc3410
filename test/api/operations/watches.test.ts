import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseStatement } from '../../../schema/accounts/watches/lifecycle.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { signingSecrets } from '../../../schema/accounts/watches/secret.ts';
import { type Asked, ask } from '../../support/client.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { callMcp } from '../transports.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildSampleServer({ settings: { WATCHES_PER_ACCOUNT: '14', WATCH_DELIVERIES_PER_HOUR: '5' } });
});
afterAll(() => server?.close());

const json = { 'content-type': 'application/json' };
const send = (method: string, path: string, body: unknown = {}, key = server.key): Promise<Asked> =>
  ask(server.url, `/v1${path}`, key, { method, body: JSON.stringify(body), headers: json });

const WATCH = {
  name: 'Cleaning',
  on: 'notices',
  filters: { query: 'cleaning' },
  deliver: { webhook: 'https://hooks.example.org/a' },
};
const create = (more: object = {}, key?: string) => send('POST', '/watches', { ...WATCH, ...more }, key);

async function row(id: string): Promise<WatchRow> {
  const [found] = await server.accounts.read<WatchRow>({ sql: 'SELECT * FROM watch WHERE id = ?', args: [id] });
  return found ?? expect.fail(`no watch ${id}`);
}

/** Where each fault of a 422 lies. */
const places = ({ status, body }: Asked) => [status, ...body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))];

describe('a watch', () => {
  it('is made, listed, changed and deleted, free, and shows its secret once', async () => {
    const made = await create();
    expect(made).toMatchObject({
      status: 200,
      body: {
        name: 'Cleaning',
        on: 'notices',
        filters: { query: 'cleaning' },
        every: 'run',
        changes: ['new', 'updated'],
        status: 'active',
        secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
        last_seven_days: { item_count: expect.any(Number), credits: expect.any(Number) },
        credits_remaining: 250,
      },
    });
    const { watch_id: id, secret } = made.body;
    expect(signingSecrets(await row(id), server.services.secret, new Date())).toEqual([secret]);
    expect((await row(id)).secret).not.toContain(secret.slice(6, 20));
    const { body: got } = await ask(server.url, `/v1/watches/${id}`, server.key);
    expect(got).toMatchObject({ watch_id: id, deliver: WATCH.deliver });
    expect(got.secret).toBeUndefined();
    const listed = await ask(server.url, '/v1/watches?limit=1', server.key);
    expect(listed.body).toMatchObject({ count: 1, items: [{ watch_id: id }], next_cursor: null });
    const changed = await send('PATCH', `/watches/${id}`, { filters: { query: 'catering', region: 'UKI' } });
    expect(changed.body).toMatchObject({ filters: { query: 'catering', region: 'UKI' } });
    expect((await send('DELETE', `/watches/${id}`)).status).toBe(200);
    expect((await ask(server.url, `/v1/watches/${id}`, server.key)).status).toBe(404);
  });

  it('is paused, resumed and given another secret, while the one before signs for a day', async () => {
    const { watch_id: id, secret } = (await create()).body;
    expect((await send('PATCH', `/watches/${id}`, { paused: true })).body).toMatchObject({
      status: 'paused',
      reason: 'by_owner',
      message: 'Its owner paused it.',
    });
    expect((await send('PATCH', `/watches/${id}`, { paused: false })).body).toMatchObject({ status: 'active' });
    const rotated = (await send('PATCH', `/watches/${id}`, { rotate_secret: true })).body.secret;
    const valid = (at: number) => row(id).then((one) => signingSecrets(one, server.services.secret, new Date(at)));
    expect(await valid(Date.now())).toEqual([rotated, secret]);
    expect(await valid(Date.now() + 86_500_000)).toEqual([rotated]);
  });

  it('is resumed by the operator alone who paused it', async () => {
    const { watch_id: id } = (await create()).body;
    await server.accounts.write([pauseStatement(id, 'by_operator')]);
    const refused = await send('PATCH', `/watches/${id}`, { name: 'Mine', paused: false });
    expect([refused.status, refused.body.error]).toEqual([409, 'paused_by_operator']);
    expect(await row(id)).toMatchObject({ name: 'Cleaning', state: 'paused', reason: 'by_operator' });
  });

  it('is made once under an Idempotency-Key: a repeat answers the same, for a day with its secret', async () => {
    const other = await server.addCustomer(10);
    const post = (more: object = {}, key = server.key, once = 'once') =>
      ask(server.url, '/v1/watches', key, {
        method: 'POST',
        body: JSON.stringify({ ...WATCH, ...more }),
        headers: { ...json, 'idempotency-key': once },
      });
    const [first, second] = await Promise.all([post(), post()]);
    expect(first).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^whsec_/) } });
    expect(second.body).toEqual(first.body);
    expect((await post({}, other.key)).body.watch_id).not.toBe(first.body.watch_id);
    for (const more of [{ name: 'Another' }, { filters: { query: 'roads' } }, { credits_per_day_max: 4 }])
      expect((await post(more)).body.detail).toMatchObject([
        { loc: ['header', 'Idempotency-Key'], type: 'idempotency_key_reused' },
      ]);
    expect((await post({}, server.key, 'not one key')).status).toBe(422);
    const odd = () => post({ name: 'A\u0000B \ud800' }, server.key, 'odd');
    expect([(await odd()).body.name, (await odd()).body.name]).toEqual(['AB \ufffd', 'AB \ufffd']);
    const sql =
      "SELECT expires_at - unixepoch('subsec') * 1000 AS left_ms FROM idempotency WHERE key = 'once' AND state = 'free'";
    const [kept] = await server.accounts.read<{ left_ms: number }>({ sql });
    expect(Math.round((kept?.left_ms ?? 0) / 3_600_000), 'hours that nobody pays for').toBe(24);
    await server.accounts.write([
      { sql: "UPDATE watch SET created_at = '2026-01-01T00:00:00Z' WHERE id = ?", args: [first.body.watch_id] },
    ]);
    const { body } = await post();
    expect([body.watch_id, body.secret]).toEqual([first.body.watch_id, undefined]);
    const { body: listed } = await ask(server.url, '/v1/watches', other.key);
    expect(listed.count).toBe(1);
  });

  it('keeps what it has to send where it is only renamed', async () => {
    const { watch_id: id } = (await create()).body;
    await server.accounts.write([{ sql: "UPDATE watch SET position = 0, changed_at = '' WHERE id = ?", args: [id] }]);
    await send('PATCH', `/watches/${id}`, { name: 'Cleaning again' });
    expect(await row(id)).toMatchObject({ name: 'Cleaning again', position: 0, changed_at: '' });
    await send('PATCH', `/watches/${id}`, { filters: { query: 'roads' } });
    expect((await row(id)).position).toBeGreaterThan(0);
  });

  it('is one of so many of an account, and no other account sees it', async () => {
    const other = await server.addCustomer(10);
    const { watch_id: id } = (await create()).body;
    expect((await ask(server.url, `/v1/watches/${id}`, other.key)).status).toBe(404);
    expect((await send('PATCH', `/watches/${id}`, { name: 'Mine' }, other.key)).status).toBe(404);
    expect((await send('DELETE', `/watches/${id}`, {}, other.key)).status).toBe(404);
    expect((await send('POST', `/watches/${id}/test`, {}, other.key)).status).toBe(404);
    expect((await ask(server.url, `/v1/watches/${id}/deliveries`, other.key)).status).toBe(404);
    const third = await server.addCustomer(10);
    for (let number = 0; number < 14; number++) expect((await create({}, third.key)).status).toBe(200);
    expect(await create({}, third.key)).toMatchObject({ status: 409, body: { error: 'too_many_watches' } });
    const { body } = await ask(server.url, '/v1/watches?limit=7', third.key);
    const next = await ask(server.url, `/v1/watches?limit=7&cursor=${body.next_cursor}`, third.key);
    const ids = [...body.items, ...next.body.items].map(({ watch_id }: { watch_id: string }) => watch_id);
    expect([new Set(ids).size, next.body.next_cursor]).toEqual([14, null]);
    expect((await ask(server.url, `/v1/watches?cursor=${body.next_cursor}`, server.key)).status).toBe(422);
  });
});

describe('the tool that manages a watch', () => {
  const manage = (watch_id: string, action: string, more: object = {}) =>
    callMcp(server.url, 'svc_manage_watch', { watch_id, action, ...more }, server.key);

  it('pauses, resumes, changes, tests and ends it, and shows and resends what it delivered, free', async () => {
    const { watch_id: id, secret } = (await create()).body;
    expect((await manage(id, 'pause')).body).toMatchObject({ watch: { status: 'paused' }, credits_charged: 0 });
    expect((await manage(id, 'resume')).body).toMatchObject({ watch: { status: 'active' } });
    const change = { filters: { query: 'catering' }, every: 'day' };
    expect((await manage(id, 'change', { change })).body).toMatchObject({ watch: change });
    const elsewhere = { on: 'contracts', filters: { query: 'catering', ends_within: 12 } };
    expect((await manage(id, 'change', { change: elsewhere })).body).toMatchObject({ watch: elsewhere });
    expect((await manage(id, 'change', { change: { ...change, on: 'notices' } })).body).toMatchObject({
      watch: change,
    });
    const { delivery } = (await manage(id, 'test')).body;
    expect((await manage(id, 'deliveries')).body.deliveries).toMatchObject([{ delivery_id: delivery.delivery_id }]);
    const again = await manage(id, 'retry', { delivery_id: delivery.delivery_id });
    expect(again.body).toMatchObject({ delivery: { status: 'waiting' } });
    const rotated = (await manage(id, 'rotate_secret')).body.watch.secret;
    expect([rotated.startsWith('whsec_'), rotated === secret]).toEqual([true, false]);
    expect((await manage(id, 'delete')).body).toMatchObject({ watch: { watch_id: id } });
    expect((await manage(id, 'pause')).body).toMatchObject({ error: 'not_found' });
  });

  it.each([
    ['change', {}, 'arguments.change'],
    ['change', { change: { filter: {} } }, 'arguments.change.filter'],
    ['change', { change: { every: 'hour' } }, 'arguments.change.every'],
    ['retry', {}, 'arguments.delivery_id'],
    ['pause', { delivery_id: 'wd_1' }, 'arguments.delivery_id'],
    ['stop', {}, 'arguments.action'],
  ])('refuses %s with %o', async (action, more, place) => {
    const { watch_id: id } = (await create({ name: 'Kept' })).body;
    const { body } = await manage(id, action, more);
    expect(body.detail[0].loc.join('.')).toBe(place);
    await send('DELETE', `/watches/${id}`);
  });
});

describe('tests of a watch', () => {
  it('are deliveries of the hour like any other: what is more is refused, and says when to try again', async () => {
    const { key } = await server.addCustomer(10);
    const { watch_id: id } = (await create({}, key)).body;
    const tests = [];
    for (let number = 0; number < 6; number++) tests.push(await send('POST', `/watches/${id}/test`, {}, key));
    expect(tests.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(tests.at(-1)?.body.error).toBe('rate_limited');
    expect(Number(tests.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('what makes no watch', () => {
  it.each([
    ['neither webhook nor mail', { deliver: {} }, ['body.deliver']],
    ['both', { deliver: { webhook: 'https://a.example', email: true } }, ['body.deliver']],
    ['mail after each run', { deliver: { email: true } }, ['body.every']],
    ['mail of nobody', { deliver: { email: true }, every: 'day' }, ['body.deliver.email']],
    ['another search', { on: 'frameworks' }, ['body.on']],
    ['a filter that its search does not have', { filters: { ends_from: '2026-01-01' } }, ['body.filters.ends_from']],
    ['a wrong value', { filters: { cpv: 'cleaning' } }, ['body.filters.cpv']],
    ['months in another search', { filters: { ends_within: 6 } }, ['body.filters.ends_within']],
    ['no months', { on: 'contracts', filters: { ends_within: 0 } }, ['body.filters.ends_within']],
    ['crossed bounds', { filters: { value_min: 5, value_max: 1 } }, ['body.filters.value_min']],
    ['no changes', { changes: [] }, ['body.changes']],
    ['only the end of what it never delivers', { changes: ['gone'] }, ['body.changes']],
    ['an unknown field', { filter: {} }, ['body.filter']],
  ])('refuses %s', async (_what, more, expected) => {
    expect(places(await create(more)).slice(0, 2)).toEqual([422, ...expected]);
  });

  it('names, of the inputs of its search, those alone that a watch takes', async () => {
    const { body } = await create({ on: 'contracts', filters: { limit: 5, ends_withn: 6 } });
    expect(body.detail.map(({ msg }: { msg: string }) => msg)).toEqual([
      expect.stringMatching(/^Unknown parameter 'limit'; there are query, buyer_id, .*, status, ends_within$/),
      "Unknown parameter 'ends_withn'; did you mean 'ends_within'?",
    ]);
  });

  it.each([
    'http://hooks.example.org/a',
    ...['https://localhost/a', 'https://intranet/a'],
    'https://127.0.0.1/a',
    'https://2130706433/a',
    'https://0x7f.1/a',
    'https://[::1]/a',
    'https://[::ffff:10.0.0.1]/a',
    'https://user:pass@example.org/a',
    'javascript:alert(1)',
    'nothing',
  ])('refuses to call %s', async (webhook) => {
    expect(places(await create({ deliver: { webhook } }))).toEqual([422, 'body.deliver.webhook']);
  });

  it('refuses what matches everything without a most to spend, and says what it would come to', async () => {
    const refused = await create({ filters: {} });
    expect(places(refused)).toEqual([422, 'body.credits_per_day_max']);
    expect(refused.body.detail[0].msg).toMatch(/in the last seven days \d+ items, for at least \d+ credits/);
    expect((await create({ filters: { query: '*' } })).status).toBe(422);
    expect((await create({ filters: {}, credits_per_day_max: 10 })).status).toBe(200);
  });
});
