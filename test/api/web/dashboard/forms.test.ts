import { afterEach, describe, expect, it } from 'vitest';
import type { Line } from '../../../../api/concurrency/machine.ts';
import { openAuth } from '../../../../api/web/auth/open.ts';
import { type Site, startSite } from '../site.ts';
import { signUp, wordsIn } from '../visitor.ts';

let site: Site | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const PERSON = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' };

describe('behind https', () => {
  it('every cookie is Secure, HttpOnly and Lax, and HSTS keeps the browser on https', async () => {
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
    const auth = await openAuth(site.services.settings, site.services.secret, {
      ...site.services,
      mail: null,
      log: site.operator.log,
    });
    await site.services.accounts.write([{ sql: 'ALTER TABLE auth_user RENAME TO auth_user_gone' }]);
    const fault = await auth.signIn(PERSON).catch((error: unknown) => error);
    await auth.close();
    expect(fault).toBeInstanceOf(Error);
    expect(`${(fault as Error).stack} ${String((fault as Error).cause)}`).not.toContain(PERSON.email);
  });

  it('a person sees a page without inner words', async () => {
    site = await startSite();
    const visitor = site.visitor();
    await visitor.get('/sign-in');
    await site.services.accounts.write([{ sql: 'ALTER TABLE auth_user RENAME TO auth_user_gone' }]);
    const { status, html } = await visitor.post('/sign-in', PERSON);
    expect(status).toBe(500);
    expect(html).toContain('Something went wrong on our side');
    expect(html).not.toMatch(/sqlite|auth_user|select/i);
  });
});

describe('when many sign in at once', () => {
  it('their passwords are hashed in turn, and those for whom there is no room are asked to wait', async () => {
    site = await startSite();
    const { settings, secret, ...services } = site.services;
    const inTurn = (line: Line) => Promise.reject(line.refuse());
    const machine = { ...services.machine, inTurn };
    const visitor = site.visitor();
    await visitor.get('/sign-up');
    const address = await site.operator.readLink(() => visitor.post('/sign-up', PERSON));
    const link = address.split('link=')[1] ?? '';
    const auth = await openAuth(settings, secret, { ...services, machine, mail: null, log: site.operator.log });
    for (const refused of [auth.signIn(PERSON), auth.signUp(PERSON), auth.confirm(link, PERSON.password)])
      await expect(refused).rejects.toMatchObject({ status: 429, waitSeconds: 10 });
    await auth.close();
  });
});

describe('signing up', () => {
  it('says of each field what is wrong with it, next to it, and keeps what was typed', async () => {
    site = await startSite();
    const visitor = site.visitor();
    await visitor.get('/sign-up');
    const { status, html } = await visitor.post('/sign-up', { name: ' ', email: 'ada@', password: 'short' });
    expect(status).toBe(422);
    expect(html).toContain('No account was created yet');
    for (const [id, words] of [
      ['name', 'Enter your name'],
      ['email', 'Enter an e-mail address'],
      ['password', 'Enter a password of 10 to 128 characters'],
    ]) {
      expect(html).toMatch(new RegExp(`<p class="fault" id="${id}-fault">${words}`));
      expect(html).toMatch(new RegExp(`<input id="${id}"[^>]*aria-invalid="true" aria-describedby="${id}-fault"`));
    }
    expect(html).toContain('value="ada@"');
    const next = await visitor.post('/sign-up', { name: 'Ada', email: 'ada@', password: 'a long enough password' });
    expect(next.html.match(/class="fault"/g)).toHaveLength(1);
    expect(await site.services.accounts.read({ sql: 'SELECT 1 FROM sign_up_day' })).toEqual([]);
  });

  it('is one press away on the front page and among the prices, which name bundles and estimate a month', async () => {
    site = await startSite({ PENCE_PER_CREDIT: '2', VAT_PERCENT: '20' });
    for (const path of ['/', '/pricing'])
      expect((await site.visitor().get(path)).html).toMatch(/<a class="button" href="\/sign-up">/);
    const asked =
      '/pricing?search_tenders=1,000&search_notices=0&get_notice=0&company_profile=1&buyer_profile=0&export_rows=1001';
    const { html } = await site.visitor().get(asked);
    expect(wordsIn(html)).toContain('1,000 credits : £20.00 net, £24.00 with VAT');
    // 1,000 searches at 2, a profile at 12, two started blocks at 100.
    expect(wordsIn(html)).toContain('2,212 credits a month: £44.24 net, £53.09 with VAT');
    expect(wordsIn((await site.visitor().get('/pricing?get_notice=many')).html)).toContain('Enter whole numbers');
  });
});
