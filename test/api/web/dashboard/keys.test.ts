import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKeyShaped } from '../../../../schema/accounts/customer/api-key.ts';
import { DatabaseAway, type Statement } from '../../../../schema/db/interface.ts';
import { type Site, startSite } from '../site.ts';
import type { Visitor } from '../visitor.ts';

let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  site = await startSite();
  visitor = await site.addPerson({ email: 'ada@example.org' });
});
afterAll(() => site?.close());

const field = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';
const shown = (html: string) => /id="new-key">([^<]+)</.exec(html)?.[1] ?? '';

describe('the keys of the dashboard', () => {
  it('have a last day and a cap, and are rolled by their owner alone', async () => {
    const created = await visitor.post('/dashboard/keys', { name: 'reporting', expires: '2999-12-31', cap: '500' });
    const list = (await visitor.get('/dashboard')).html;
    expect(list).toContain('until 31 December 2999');
    expect(list).toContain('of 500 credits');
    const id = /name="key" value="([^"]+)"/.exec(list)?.[1] ?? '';
    const rolled = await visitor.post('/dashboard/keys/roll', { key: id });
    expect(rolled.html).toContain('The old key works until');
    expect([isKeyShaped(shown(rolled.html)), shown(rolled.html) === shown(created.html)]).toEqual([true, false]);
    const [, until = ''] = /The old key works until ([^<.]+)/.exec(rolled.html) ?? [];
    const said = `the old key works until ${until}; rolling again ends it at once`;
    expect((await visitor.get('/dashboard')).html).toContain(said);
    const other = await site.addPerson({ email: 'other@example.org' });
    const refused = await other.post('/dashboard/keys/roll', { key: id });
    expect(refused.location).toBe('/dashboard?seen#keys');
    expect((await visitor.post('/dashboard/keys/roll', { key: id, form_token: 'no' })).status).toBe(403);
  });

  it('are made once for a form and shown once: sent again it makes none, and rolls none', async () => {
    const person = await site.addPerson({ name: 'Bo', email: 'bo@example.org' });
    const once = /name="once" value="([^"]+)"/.exec((await person.get('/dashboard')).html)?.[1] ?? '';
    const made = await Promise.all([1, 2, 3].map(() => person.post('/dashboard/keys', { name: 'mine', once })));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 303, 303]);
    const again = await person.get('/dashboard?seen');
    expect(again.html).toContain('nothing was done twice');
    expect(again.html.match(/aria-label="Roll mine"/g)).toHaveLength(1);
    const form = { key: field(again.html, 'key'), hint: field(again.html, 'hint') };
    const rolled = await person.post('/dashboard/keys/roll', form);
    expect([rolled.status, rolled.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect((await person.post('/dashboard/keys/roll', form)).location).toBe('/dashboard?seen#keys');
    expect((await person.get('/dashboard/keys/roll')).location).toBe('/dashboard#keys');
  });

  it('are shown though the accounts cannot be read once they were rolled', async () => {
    const person = await site.addPerson({ name: 'Di', email: 'di@example.org' });
    await person.post('/dashboard/keys', { name: 'server' });
    const key = field((await person.get('/dashboard')).html, 'key');
    const { accounts } = site.services;
    const { read, write } = accounts;
    const away = () => Promise.reject(new DatabaseAway('no answer'));
    const goAway = async (statements: readonly Statement[]) => {
      const outcomes = await write(statements);
      if (statements.some(({ sql }) => sql.includes('former_hash = hash'))) Object.assign(accounts, { read: away });
      return outcomes;
    };
    Object.assign(accounts, { write: goAway });
    const rolled = await person.post('/dashboard/keys/roll', { key });
    Object.assign(accounts, { read, write });
    expect([rolled.status, isKeyShaped(shown(rolled.html))]).toEqual([200, true]);
  });

  it('need a confirmation before they are revoked, and are then folded away', async () => {
    const person = await site.addPerson({ name: 'Cy', email: 'cy@example.org' });
    await person.get('/dashboard');
    await person.post('/dashboard/keys', { name: 'old <laptop>' });
    const key = field((await person.get('/dashboard')).html, 'key');
    const question = await person.get(`/dashboard/keys/${key}/revoke`);
    expect(question.html).toContain('Revoke old &lt;laptop>?');
    expect((await person.get('/dashboard')).html).toContain('until it is revoked');
    expect((await visitor.get(`/dashboard/keys/${key}/revoke`)).location).toBe('/dashboard#keys');
    expect((await person.post('/dashboard/keys/revoke', { key, form_token: 'stale' })).status).toBe(403);
    for (const _twice of [1, 2])
      expect((await person.post('/dashboard/keys/revoke', { key })).location).toBe('/dashboard#keys');
    const after = (await person.get('/dashboard')).html;
    expect(after).toMatch(/No key in use.*<details><summary>1 key that no longer works/s);
    expect((await person.get(`/dashboard/keys/${key}/revoke`)).location).toBe('/dashboard#keys');
    expect((await person.post('/dashboard/keys/roll', { key })).location).toBe('/dashboard?seen#keys');
  });

  it('are a thousand in the life of an account: then they can only be rolled', async () => {
    const person = await site.addPerson({ name: 'Ed', email: 'ed@example.org' });
    await person.post('/dashboard/keys', { name: 'server' });
    const sql = `INSERT INTO api_key (id, account_id, name, hash, hint, created_at, revoked_at)
      SELECT id || ?1, account_id, name, hash || ?1, hint, created_at, created_at FROM api_key WHERE id = ?2`;
    const key = field((await person.get('/dashboard')).html, 'key');
    await site.services.accounts.write(Array.from({ length: 998 }, (_, more) => ({ sql, args: [more, key] })));
    expect((await person.post('/dashboard/keys', { name: 'the last' })).status).toBe(200);
    const refused = await person.post('/dashboard/keys', { name: 'one more' });
    expect([refused.status, refused.html]).toEqual([
      422,
      expect.stringContaining('at most 1,000 keys, revoked ones included. Roll one in use, or ask us for another.'),
    ]);
    expect(isKeyShaped(shown((await person.post('/dashboard/keys/roll', { key })).html))).toBe(true);
  });

  it('are fifty in use at once: those that were revoked or have expired are not among them', async () => {
    const person = await site.addPerson({ name: 'Fay', email: 'fay@example.org' });
    await person.post('/dashboard/keys', { name: 'server' });
    const sql = `INSERT INTO api_key (id, account_id, name, hash, hint, created_at, revoked_at, expires_at)
      SELECT id || ?1, account_id, name, hash || ?1, hint, created_at, iif(?1 = 'revoked', created_at, NULL),
        iif(?1 = 'expired', created_at, NULL) FROM api_key WHERE id = ?2`;
    const key = field((await person.get('/dashboard')).html, 'key');
    const others = ['revoked', 'expired', ...Array.from({ length: 48 }, (_, more) => more)];
    await site.services.accounts.write(others.map((other) => ({ sql, args: [other, key] })));
    expect((await person.post('/dashboard/keys', { name: 'the last' })).status).toBe(200);
    const refused = await person.post('/dashboard/keys', { name: 'one more' });
    expect([refused.status, refused.html]).toEqual([
      422,
      expect.stringContaining('An account has at most 50 keys in use. Revoke one first.'),
    ]);
    await person.post('/dashboard/keys/revoke', { key });
    expect((await person.post('/dashboard/keys', { name: 'one more' })).status).toBe(200);
  });

  it.each([
    ['no name', { name: ' ' }, 'A key needs a name.'],
    ['a last day that has passed', { name: 'k', expires: '2020-01-01' }, 'must be in the future'],
    ['a last day that is none', { name: 'k', expires: 'soon' }, 'must be in the future'],
    ['a last day that no month has', { name: 'k', expires: '2999-02-30' }, 'must be in the future'],
    ['a cap of nothing', { name: 'k', cap: '0' }, 'a whole number of credits from 1'],
    ['a fractional cap', { name: 'k', cap: '1.5' }, 'a whole number of credits'],
    ['a cap too high', { name: 'k', cap: '1000000000' }, 'to 999,999,999'],
  ])('are not made with %s, and the page says why', async (_name, fields: Record<string, string>, why) => {
    const refused = await visitor.post('/dashboard/keys', fields);
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining(why)]);
    const typed = Object.values(fields).filter((value) => value.trim() !== '');
    for (const value of typed) expect(refused.html).toContain(`value="${value}"`);
  });
});
