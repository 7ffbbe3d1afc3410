import { afterEach, describe, expect, it } from 'vitest';
import { openAuth } from '../../api/web/auth/auth.ts';
import { type Site, startSite } from './site.ts';
import { signUp } from './visitor.ts';

let site: Site | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const PERSON = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' };

describe('behind https', () => {
  it('every cookie is Secure, HttpOnly and Lax, and the browser is told to stay on https', async () => {
    site = await startSite({ APP_URL: 'https://data.example' });
    const visitor = site.visitor();
    const first = await visitor.get('/sign-up');
    expect(first.headers.get('strict-transport-security')).toContain('max-age=31536000');
    const answer = await signUp(visitor, site.operator, PERSON, { origin: 'https://data.example' });
    const lines = [...first.headers.getSetCookie(), ...answer.headers.getSetCookie()];
    expect(answer.location).toBe('/dashboard');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line).toMatch(/^__(Host|Secure)-/);
      expect(line).toMatch(/; ?Secure/i);
      expect(line).toMatch(/; ?HttpOnly/i);
      expect(line).toMatch(/; ?SameSite=Lax/i);
    }
  });
});

describe('when the accounts cannot be read', () => {
  it('the fault that reaches the log names no person', async () => {
    site = await startSite();
    const auth = await openAuth(site.house.settings, site.house.secret, {
      accounts: site.house.accounts,
      mail: null,
      log: site.operator.log,
    });
    await site.house.accounts.write([{ sql: 'ALTER TABLE auth_user RENAME TO auth_user_gone' }]);
    const fault = await auth.signIn(PERSON).catch((error: unknown) => error);
    await auth.close();
    expect(fault).toBeInstanceOf(Error);
    expect(`${(fault as Error).stack} ${String((fault as Error).cause)}`).not.toContain(PERSON.email);
  });

  it('a person sees a page without inner words', async () => {
    site = await startSite();
    const visitor = site.visitor();
    await visitor.get('/sign-in');
    await site.house.accounts.write([{ sql: 'ALTER TABLE auth_user RENAME TO auth_user_gone' }]);
    const { status, html } = await visitor.post('/sign-in', PERSON);
    expect(status).toBe(500);
    expect(html).toContain('Something went wrong on our side');
    expect(html).not.toMatch(/sqlite|auth_user|select/i);
  });
});
