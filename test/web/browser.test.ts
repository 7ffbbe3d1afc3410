import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from './chromium.ts';
import { makeSeededEngine } from './engine.ts';
import { IDS, seedCatalogue } from './seed.ts';
import { type Site, startSite } from './site.ts';

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

  it('reaches the content and the forms by keyboard alone', async () => {
    await page.goto('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('query');
  });
});
