import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from './chromium.ts';
import { makeSeededEngine } from './engine.ts';
import { IDS, seedCatalogue } from './seed.ts';
import { type Site, startSite } from './site.ts';

const PASSWORD = 'a long enough password';
const SIZES = [
  { width: 320, height: 700 },
  { width: 1200, height: 900 },
];
const PAGES = [
  '/',
  '/tenders?query=bridge&region=London',
  '/notices',
  `/notices/${IDS.tender}`,
  `/contracts/${IDS.contract}`,
  `/companies/${IDS.company}`,
  '/companies?name=harrow',
  `/buyers/${IDS.buyer}`,
  `/frameworks/${IDS.framework}`,
  '/frameworks',
  '/status',
  '/docs',
  '/docs/agents',
  '/docs/search_tenders',
  '/pricing',
  '/sign-in',
  '/nowhere',
];

describe.skipIf(!hasChromium())('in a real browser', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    site = await startSite({}, makeSeededEngine());
    await seedCatalogue(site.house.catalogue);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  beforeEach(async () => {
    complaints = [];
    page = await browser.newPage({ baseURL: site.url });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => complaints.push(message.text()));
  });
  afterEach(() => page.close());

  it.each(SIZES)('every page fits $width pixels, styled, without a word from the console', async (size) => {
    await page.setViewportSize(size);
    for (const path of PAGES) {
      await page.goto(path);
      const seen = await page.evaluate(() => ({
        over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        styled: getComputedStyle(document.body).display,
      }));
      expect({ path, ...seen }).toEqual({ path, over: 0, styled: 'flex' });
    }
    expect(complaints.filter((words) => !words.includes('404'))).toEqual([]);
  });

  it('walks from a question to the tender, its contract, the supplier and the buyer', async () => {
    await page.goto('/');
    await page.getByRole('searchbox').fill('bridge');
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .getByRole('heading', { name: /^Bridge repair/ })
      .getByRole('link')
      .click();
    expect(await page.locator('.tag').first().textContent()).toMatch(/^Open, /);
    await page.getByRole('link', { name: 'The contract that came of it' }).click();
    await page
      .getByRole('link', { name: /^HARROW & PIKE/ })
      .first()
      .click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('<script>');
    await page
      .getByRole('link', { name: /^Ambleford Council/ })
      .first()
      .click();
    expect(new URL(page.url()).pathname).toBe(`/buyers/${IDS.buyer}`);
  });

  it('signs up, makes a key, sees it once and revokes it, by keyboard and mouse', async () => {
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel(/Your name/).fill('Ada');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel(/Password/).fill(PASSWORD);
    const link = await site.operator.readLink(() => page.keyboard.press('Enter'));
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm and sign in' }).press('Enter');
    await page.waitForURL('**/dashboard');
    expect(await page.locator('.figures strong').first().textContent()).toBe('250');
    await page.getByLabel(/Name of a new key/).fill('laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('#new-key').textContent()) ?? '';
    expect(key.trim()).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(key.trim());
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await page.getByText('revoked').first().waitFor();
    const cookies = await page.context().cookies();
    expect(cookies.length).toBeGreaterThan(1);
    expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax')).toBe(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${site.url}/`);
    expect(complaints).toEqual([]);
  });

  it('reaches the content and the forms by keyboard alone', async () => {
    await page.goto('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('query');
  });
});
