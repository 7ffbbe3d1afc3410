import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers } from './axe.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { makeSeededEngine } from './engine.ts';
import { PERSONAL, PUBLIC } from './kinds.ts';
import { seedCatalogue } from './seed.ts';
import { type Site, startSite } from './site.ts';

describe.skipIf(!hasChromium())('axe-core finds no barrier, in light and in dark,', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    site = await startSite({}, makeSeededEngine());
    await seedCatalogue(site.house.catalogue);
    browser = await launchChromium();
    page = await browser.newPage({ baseURL: site.url, viewport: { width: 1200, height: 800 } });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it.each(PUBLIC)('at %s', async (path) => {
    await page.goto(path);
    expect(await findBarriers(page)).toEqual([]);
  });

  it('on the page of whoever asks too often', async () => {
    const busy = await startSite({ WEB_REQUESTS_PER_MINUTE: '1' }, makeSeededEngine());
    try {
      await page.goto(`${busy.url}/pricing`);
      expect((await page.goto(`${busy.url}/docs`))?.status()).toBe(429);
      expect(await findBarriers(page)).toEqual([]);
    } finally {
      await busy.close();
    }
  });

  it('for somebody who signs up, fails to sign in, and makes a key', async () => {
    await page.goto('/sign-in');
    await page.getByLabel('E-mail address').fill('nobody@example.org');
    await page.getByLabel(/Password/).fill('not the right password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await signUp(page, site);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel(/Name of a new key/).fill('laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#new-key').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    for (const path of PERSONAL) {
      await page.goto(path);
      expect({ path, found: await findBarriers(page) }).toEqual({ path, found: [] });
    }
  }, 30_000);
});

async function signUp(page: Page, { operator }: Site): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel(/Your name/).fill('Ada');
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await page.getByLabel(/Password/).fill('a long enough password');
  const link = await operator.readLink(() => page.getByRole('button', { name: 'Create account' }).click());
  await page.waitForURL('**/sign-up/sent');
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(link);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel(/Password/).fill('a long enough password');
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await page.waitForURL('**/dashboard');
}
