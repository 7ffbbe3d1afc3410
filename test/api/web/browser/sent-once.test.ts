import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addWatch } from '../../../jobs/watches/seed.ts';
import { type Site, startSite } from '../site.ts';
import { PASSWORD } from '../visitor.ts';
import { hasChromium, openPage } from './chromium.ts';

const ADA = { name: 'Ada', email: 'ada@example.org', password: PASSWORD };

describe.skipIf(!hasChromium())('a second click while the answer to the first is on its way loses nothing', () => {
  let site: Site;
  let page: Page;

  beforeAll(async () => {
    site = await startSite();
    page = await openPage({ baseURL: site.url });
  });
  afterAll(async () => {
    await page?.close();
    await site?.close();
  });
  beforeEach(() => page.unrouteAll());

  /** Follows the link that is mailed after a form of somebody elsewhere, and types the password. */
  async function follow(form: '/sign-up' | '/forgotten'): Promise<void> {
    const visitor = site.visitor();
    await visitor.get(form);
    await page.goto(await site.operator.readLink(() => visitor.post(form, ADA)));
    await page.getByLabel(/password/i).fill(PASSWORD);
  }

  /** Clicks, and once more when the server has done what was asked and its answer has not arrived. */
  async function clickTwice(name: string): Promise<void> {
    const button = page.getByRole('button', { name });
    await button.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    const click = () => page.mouse.click(x + width / 2, y + height / 2);
    let isFirst = true;
    await page.route('**/*', async (route) => {
      if (route.request().method() !== 'POST' || !isFirst) return route.continue();
      isFirst = false;
      const response = await route.fetch({ maxRedirects: 0 });
      await click();
      await route.fulfill({ response });
    });
    await click();
  }

  it('of a sign-up that is confirmed', async () => {
    await follow('/sign-up');
    await clickTwice('Confirm and sign in');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  it('of the new secret of a webhook', async () => {
    const { accounts } = site.services;
    const [account] = await accounts.read<{ id: string }>({ sql: 'SELECT id FROM account WHERE user_id IS NOT NULL' });
    const { id } = await addWatch(accounts, { account_id: account?.id ?? '' });
    await page.goto(`/dashboard/watches/${id}`);
    await clickTwice('New secret');
    await page.getByText('whsec_').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/watches/${id}/rotate`);
  });

  it('of a new password', async () => {
    await follow('/forgotten');
    await clickTwice('Set the password');
    await page.getByText('Your new password is set').waitFor();
  });

  /** Sends a new password and stops it. Returns how often a form was sent since. */
  async function stopFirst(): Promise<() => number> {
    await follow('/forgotten');
    const browser = await page.context().newCDPSession(page);
    let sent = 0;
    await page.route('**/*', async (route) => {
      if (route.request().method() === 'POST' && sent++ === 0) await browser.send('Page.stopLoading');
      else await route.continue();
    });
    await Promise.all([page.waitForEvent('requestfailed'), setPassword().click()]);
    return () => sent;
  }

  const setPassword = () => page.getByRole('button', { name: 'Set the password' });

  it('and is sent where the first was stopped', async () => {
    const sent = await stopFirst();
    await setPassword().click();
    await page.getByText('Your new password is set').waitFor();
    expect(sent()).toBe(2);
  });

  const QUESTION = 'This was sent, and there is no answer yet. Send it again?';

  it('and ten seconds later if the reader wants it, in a browser that does not report that it was stopped', async () => {
    await page.addInitScript(() => Object.defineProperty(globalThis, 'navigation', { value: undefined }));
    await page.clock.install();
    const sent = await stopFirst();
    await setPassword().click();
    expect(sent()).toBe(1);
    await page.clock.fastForward(10_001);
    const asked = page.waitForEvent('dialog').then((dialog) => dialog.accept().then(() => dialog.message()));
    await setPassword().click();
    await page.getByText('Your new password is set').waitFor();
    expect([sent(), await asked]).toEqual([2, QUESTION]);
  });

  it('however long it is on its way, unless the reader wants it', async () => {
    await page.close();
    page = await openPage({ baseURL: site.url });
    // More than ten seconds pass from one click to the next.
    await page.addInitScript(() => {
      let now = 0;
      performance.now = () => (now += 11_000);
    });
    await follow('/forgotten');
    const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss().then(() => dialog.message()));
    await clickTwice('Set the password');
    await page.getByText('Your new password is set').waitFor();
    expect(await asked).toBe(QUESTION);
  });
});
