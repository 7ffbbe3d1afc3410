import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../site.ts';
import { PASSWORD, type Visitor } from '../visitor.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

const addPerson = (email: string) => site.addPerson({ email });

async function signIn(email: string): Promise<Visitor> {
  const visitor = site.visitor();
  await visitor.get('/sign-in');
  await visitor.post('/sign-in', { email, password: PASSWORD });
  return visitor;
}
const isIn = async (visitor: Visitor) => (await visitor.get('/dashboard/settings')).status === 200;

describe('the settings', () => {
  it('list where somebody is signed in, without their machines, and sign out elsewhere or everywhere', async () => {
    const here = await addPerson('bo@example.org');
    const there = await signIn('bo@example.org');
    const { html } = await here.get('/dashboard/settings');
    expect([html.match(/This browser/g)?.length, html.match(/Another browser/g)?.length]).toEqual([1, 1]);
    expect(html).toMatch(/That time is updated once an hour at\s+most/);
    const kept = 'SELECT DISTINCT ip_address, user_agent FROM auth_session';
    expect(await site.services.accounts.read({ sql: kept })).toEqual([{ ip_address: '', user_agent: '' }]);
    const forgotten = await signIn('bo@example.org');
    const last = '(SELECT id FROM auth_session ORDER BY rowid DESC LIMIT 1)';
    await site.services.accounts.write([{ sql: `UPDATE auth_session SET expires_at = 1 WHERE id = ${last}` }]);
    expect((await here.get('/dashboard/settings')).html.match(/Another browser/g)?.length).toBe(1);
    expect(await isIn(forgotten)).toBe(false);
    const others = await here.post('/dashboard/settings/sessions', { which: 'others' });
    expect(others.location).toBe('/dashboard/settings?said=others');
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    const again = await signIn('bo@example.org');
    expect((await here.post('/dashboard/settings/sessions', { which: 'all' })).location).toBe('/sign-in?said=sessions');
    expect([await isIn(here), await isIn(again)]).toEqual([false, false]);
  });

  it('list a browser once that signs in again', async () => {
    const visitor = await addPerson('una@example.org');
    await visitor.get('/sign-in');
    const again = await visitor.post('/sign-in', { email: 'una@example.org', password: PASSWORD });
    expect(again.location).toBe('/dashboard');
    const { html } = await visitor.get('/dashboard/settings');
    expect([html.includes('This browser'), html.includes('Another browser')]).toEqual([true, false]);
  });

  it('keep somebody signed in for a week from the last use, which is noted once an hour at most', async () => {
    const visitor = await addPerson('ida@example.org');
    const look = async () =>
      (await visitor.get('/dashboard')).headers.getSetCookie().filter((cookie) => cookie.includes('session_token'));
    expect(await look()).toEqual([]);
    await site.services.accounts.write([{ sql: 'UPDATE auth_session SET expires_at = expires_at - 2 * 3600000' }]);
    expect(await look()).toEqual([expect.stringContaining('Max-Age=604800')]);
    expect(await look()).toEqual([]);
  });

  it('hold fifty sessions of one person, those used last, and end all others however many there were', async () => {
    const { accounts } = site.services;
    const here = await addPerson('gus@example.org');
    const user = "user_id = (SELECT id FROM auth_user WHERE email = 'gus@example.org')";
    await accounts.write([
      {
        sql: `INSERT INTO auth_session (id, expires_at, token, created_at, updated_at, user_id)
              SELECT 'other' || value, expires_at, 'other' || value, created_at, updated_at - 1 - value, user_id
              FROM auth_session, generate_series(1, 300) WHERE ${user}`,
      },
    ]);
    const listed = async (visitor: Visitor) => {
      const { html } = await visitor.get('/dashboard/settings');
      return [html.split('This browser').length - 1, html.split('Another browser').length - 1];
    };
    const visitor = await signIn('gus@example.org');
    expect(await listed(visitor)).toEqual([1, 49]);
    expect(await isIn(here)).toBe(true);
    await visitor.post('/dashboard/settings/sessions', { which: 'others' });
    expect(await accounts.read({ sql: `SELECT 1 FROM auth_session WHERE ${user}` })).toHaveLength(1);
    expect([await isIn(visitor), await isIn(here)]).toEqual([true, false]);
  });
});
