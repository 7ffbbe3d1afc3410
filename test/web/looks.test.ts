import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSmallTargets } from './axe.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { makeSeededEngine } from './engine.ts';
import { PUBLIC } from './kinds.ts';
import { seedCatalogue } from './seed.ts';
import { type Site, startSite } from './site.ts';

/** As a reader may set it who needs more room between letters, words and lines (WCAG 1.4.12). */
const ROOMY = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

describe.skipIf(!hasChromium())('every kind of page', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    site = await startSite({}, makeSeededEngine());
    await seedCatalogue(site.house.catalogue);
    browser = await launchChromium();
    page = await browser.newPage({ baseURL: site.url });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => complaints.push(message.text()));
    await page.addInitScript(() => {
      const moves: number[] = [];
      Object.assign(window, { moves });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moves.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** Pixels that the page is wider than its window. */
  const findOverflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  /** What moved while the page came to be. */
  const findMoves = () => page.evaluate(() => (window as unknown as { moves: number[] }).moves);

  it.each(PUBLIC)('%s stands still and fits, wide and narrow', async (path) => {
    for (const width of [1200, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      expect({ width, over: await findOverflow(), moved: await findMoves() }).toEqual({ width, over: 0, moved: [] });
    }
    expect(await findSmallTargets(page)).toEqual([]);
    await page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    }, ROOMY);
    expect(await findOverflow()).toBe(0);
  });

  it('has nothing to complain of in the console but that some are errors', () => {
    expect(complaints.filter((words) => !/status of 4\d\d/.test(words))).toEqual([]);
  });
});
