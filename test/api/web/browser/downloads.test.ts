import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../site.ts';
import { hasChromium, openPage } from './chromium.ts';

describe.skipIf(!hasChromium())('a download', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.close());

  it('whose session has ended leads to the sign-in, and is no file of it', async () => {
    const visitor = await site.addPerson({ email: 'ada@example.org' });
    const page = await openPage({ baseURL: site.url });
    const { hostname } = new URL(site.url);
    const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, domain: hostname, path: '/' }));
    await page.context().addCookies(cookies);
    await page.goto('/dashboard/ledger');
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Download the whole ledger as CSV' }).click();
    await page.waitForURL('**/sign-in?next=ledger');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in');
    await page.close();
  });
});
