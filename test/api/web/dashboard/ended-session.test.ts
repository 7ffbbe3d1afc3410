import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { startHrana } from '../../../support/libsql-server.ts';
import { makeSeededEngine } from '../engine.ts';
import { type Site, startSite } from '../site.ts';
import { PASSWORD, type Visitor } from '../visitor.ts';

const EMAIL = 'ada@example.org';
let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  const cards = { STRIPE_SECRET_KEY: 'sk_test_of_no_account', STRIPE_WEBHOOK_SECRET: 'whsec_of_no_account' };
  site = await startSite(cards, makeSeededEngine());
  visitor = await site.addPerson({ email: EMAIL });
});
afterAll(() => site?.close());

/** Sends a form after the session of its page has ended, and signs in where that leads. */
async function sendLate(path: string, fields: Record<string, string>) {
  // The browser stays known: ten passwords typed in a strange one are too many.
  for (const name of visitor.cookies.keys()) if (name !== 'known') visitor.cookies.delete(name);
  const sent = await visitor.post(path, fields);
  expect(sent).toMatchObject({ status: 303, location: expect.stringMatching(/^\/sign-in\?next=/) });
  const { html } = await visitor.get(sent.location ?? '');
  const next = (/name="next" value="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
  const { location } = await visitor.post('/sign-in', { email: EMAIL, password: PASSWORD, next });
  return { signIn: sent.location ?? '', page: location ?? '' };
}

const WATCH = { on: 'notices', name: 'Our “roads” & bridges', query: '"bridge" works', region: 'TLI', every: 'week' };
const EXPORT = { dataset: 'contracts', query: 'bridge', format: 'jsonl', max_rows: '77' };

it.each([
  ['/dashboard/exports/quote', '/dashboard/exports/new', EXPORT],
  ['/dashboard/exports', '/dashboard/exports/new', EXPORT],
  ['/dashboard/watches', '/dashboard/watches/new', WATCH],
  ['/dashboard/billing/checkout', '/dashboard/billing', { credits: '4,321' }],
  ['/dashboard/keys', '/dashboard', { name: 'Our “portal”', expires: '2999-12-31', cap: '500' }],
])('what was typed in a form of %s stands in it again after the sign-in', async (path, form, fields) => {
  const { page } = await sendLate(path, { ...fields, once: 'o'.repeat(22), key: 'key_1' });
  const { pathname, searchParams } = new URL(page, 'http://a');
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([form, fields]);
  const { status, html } = await visitor.get(page);
  expect(status).toBe(200);
  for (const name of ['name', 'query', 'max_rows', 'credits', 'expires', 'cap'])
    if (name in fields)
      expect(html).toContain(
        `value="${new Map(Object.entries(fields)).get(name)?.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
      );
});

it('nothing was done by it', async () => {
  const made =
    'SELECT (SELECT count(*) FROM export) + (SELECT count(*) FROM watch) + (SELECT count(*) FROM payment) AS made';
  expect(await site.services.accounts.read({ sql: made })).toEqual([{ made: 0 }]);
});

it.each([
  ['/dashboard/keys', '/dashboard'],
  ['/dashboard/settings/password', '/dashboard/settings'],
  ['/dashboard/settings/delete', '/dashboard/settings/delete'],
  ['/dashboard/watches/wat_1/edit', '/dashboard/watches/wat_1/edit'],
  ['/dashboard/watches/wat_1/rotate', '/dashboard/watches/wat_1'],
])('another form, %s, leads back to its page', async (path, page) => {
  const sent = {
    password: 'secret words',
    present: 'secret words',
    word: 'DELETE',
    webhook: 'https://a.example/secret',
  };
  expect((await sendLate(path, sent)).page).toBe(page);
});

it('no address has a secret in it, and where the text is too long it has the form alone', async () => {
  const hook = { ...WATCH, deliver: 'webhook', webhook: 'https://hooks.example.org/secret' };
  const { signIn, page } = await sendLate('/dashboard/watches', hook);
  expect(signIn + page).not.toContain('secret');
  expect(page).toContain('deliver=webhook');
  expect((await sendLate('/dashboard/watches', { ...WATCH, query: '€'.repeat(600) })).page).toBe(
    '/dashboard/watches/new',
  );
});

it('a session survives while the accounts server is away, though its pages are 503', async () => {
  const folder = await makeFolder();
  await (await makeDatabase(folder.path, 'accounts')).close();
  const server = await startHrana(join(folder.path, 'accounts.db'));
  const far = await startSite({ ACCOUNTS_URL: server.url });
  const person = await far.addPerson({ email: EMAIL });
  const stranger = far.visitor();
  await stranger.get('/sign-in');
  server.goAway();
  for (const refused of [
    await person.get('/dashboard'),
    await person.post('/dashboard/keys', { name: 'first' }),
    await stranger.post('/sign-in', { email: EMAIL, password: PASSWORD }),
  ])
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  await server.comeBack();
  expect((await person.get('/dashboard')).status).toBe(200);
  await far.close();
  server.close();
  await folder.remove();
});
