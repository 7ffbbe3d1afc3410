import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../site.ts';
import type { Visitor } from '../visitor.ts';

let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  const cards = { STRIPE_SECRET_KEY: 'sk_test_of_no_account', STRIPE_WEBHOOK_SECRET: 'whsec_of_no_account' };
  site = await startSite(cards);
  visitor = await site.addPerson({ email: 'ada@example.org' });
  await visitor.post('/dashboard/keys', { name: 'standing' });
});
afterAll(() => site?.close());

it.each([
  ['/dashboard/keys', { name: 'a <new> key', expires: '2999-12-31', cap: '500' }, 'API keys'],
  ['/dashboard/keys/roll', { key: 'any' }, 'Roll standing'],
  ['/dashboard/keys/revoke', { key: 'any' }, 'Revoke standing'],
  ['/dashboard/settings', { name: 'Countess' }, 'Where you are signed in'],
  ['/dashboard/settings/password', { present: 'secret words', password: 'secret words too' }, 'Change the password'],
  ['/dashboard/settings/sessions', { which: 'all' }, 'Sign out everywhere'],
  ['/dashboard/settings/delete', { password: 'secret words', word: 'DELETE' }, 'Delete for good'],
  ['/dashboard/billing/checkout', { credits: '4321' }, 'Another number of credits'],
  ['/sign-out', {}, 'Signed in as Ada'],
])(
  'a stale form of %s does nothing, and stands there again with what was typed but passwords',
  async (path, fields: Record<string, string>, part) => {
    const stale = { ...fields, form_token: 'of an older session' };
    const { status, html } = await visitor.post(path, stale);
    expect([status, html]).toEqual([403, expect.stringContaining('open for too long')]);
    expect(html).toContain(part);
    for (const [name, typed] of Object.entries(fields)) {
      if (['present', 'password'].includes(name)) expect(html).not.toContain(typed);
      if (['name', 'expires', 'cap', 'credits'].includes(name))
        expect(html).toContain(`value="${typed.replace('<', '&lt;')}"`);
    }
    // Its address, asked for again, leads on.
    expect([200, 303]).toContain((await visitor.get(path)).status);
    const after = await visitor.get('/dashboard');
    expect([after.status, after.html.match(/aria-label="Roll /g)?.length]).toEqual([200, 1]);
  },
);

it('a name is shown on one line, and nothing in it hides or reverses the words after it', async () => {
  await visitor.get('/dashboard/settings');
  await visitor.post('/dashboard/settings', { name: ' A\u0000da\u202E \r\n Bcc ' });
  expect((await visitor.get('/dashboard')).html).toContain('Signed in as A da Bcc<');
  for (const name of ['Bcc: Ada', '\u{1F680}', 'A'.repeat(81)])
    expect([name, (await visitor.post('/dashboard/settings', { name })).status]).toEqual([name, 422]);
  expect((await visitor.get('/dashboard')).html).toContain('Signed in as A da Bcc<');
  expect((await visitor.post('/dashboard/settings', { name: '\u202E\u0007' })).status).toBe(422);
});

it.each([
  ['/sign-up', { name: 'Bo', email: 'bo@example.org', password: 'secret words' }],
  ['/sign-in', { email: 'ada@example.org', password: 'secret words' }],
  ['/forgotten', { email: 'ada@example.org' }],
  ['/reset', { link: 'any', password: 'secret words' }],
  ['/confirm', { link: 'any', password: 'secret words' }],
])('a form of %s counts only from our own page, though nobody is signed in yet', async (path, fields) => {
  const stranger = site.visitor();
  await stranger.get('/sign-in');
  const elsewhere = await stranger.post(path, fields, { origin: 'https://evil.example' });
  const forged = await stranger.post(path, { ...fields, form_token: 'of no page' });
  expect([elsewhere.status, forged.status]).toEqual([403, 403]);
  expect((await stranger.post(path, fields)).status).not.toBe(403);
});
