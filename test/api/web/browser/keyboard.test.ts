import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeSeededEngine } from '../engine.ts';
import { IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';
import { hasChromium, openPage } from './chromium.ts';

/** More stops than any page has. */
const STOPS_MAX = 150;

describe.skipIf(!hasChromium())('by keyboard alone', () => {
  let site: Site;
  let page: Page;

  beforeAll(async () => {
    site = await startSite({}, makeSeededEngine());
    await seedCatalogue(site.services.catalogue);
  });
  afterAll(() => site?.close());
  beforeEach(async () => {
    page = await openPage({ baseURL: site.url, viewport: { width: 1200, height: 700 } });
  });
  afterEach(() => page.close());

  /** What stands under the keys now, whether it is seen, and whether its ring is. */
  const findFocus = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement;
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
      return {
        name: name.replace(/\s+/g, ' ').trim(),
        isSeen: middle !== null && (element.contains(middle) || middle.contains(element)),
        ring: getComputedStyle(element).outlineStyle,
      };
    });

  /** Presses Tab until something of that name has the focus, and sees it all the way. */
  async function tabTo(name: RegExp): Promise<void> {
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      await page.keyboard.press('Tab');
      const focus = await findFocus();
      expect(focus).toMatchObject({ isSeen: true, ring: 'solid' });
      if (name.test(focus.name)) return;
    }
    throw new Error(`nothing called ${name} can be reached at ${page.url()}`);
  }

  async function press(name: RegExp): Promise<void> {
    await tabTo(name);
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  }

  async function type(name: RegExp, text: string): Promise<void> {
    await tabTo(name);
    await page.keyboard.type(text);
  }

  it('the first stop leads past what is the same on every page', async () => {
    await page.goto('/notices');
    await tabTo(/^Skip to the content$/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  });

  it('somebody searches, reads a tender, and moves on to its buyer', async () => {
    await page.goto('/tenders');
    await type(/^What could you supply/, 'bridge');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(new URL(page.url()).searchParams.get('query')).toBe('bridge');
    await press(/^Bridge repair/);
    expect(new URL(page.url()).pathname).toBe(`/notices/${IDS.tender}`);
    await press(/^Ambleford Council/);
    expect(new URL(page.url()).pathname).toBe(`/buyers/${IDS.buyer}`);
  });

  it('every filter is seen, also where a page is small', async () => {
    for (const size of [
      { width: 360, height: 740 },
      { width: 640, height: 450 },
    ])
      for (const path of ['/companies', '/contracts']) {
        await page.setViewportSize(size);
        await page.goto(path);
        await tabTo(/^Narrow these results/);
        await page.keyboard.press('Enter');
        await tabTo(/^Apply$/);
      }
  });

  it('somebody signs up, makes a key, and revokes it', async () => {
    await page.goto('/');
    await press(/^Account$/);
    await press(/^Create an account$/);
    await type(/^Your name/, 'Ada');
    await type(/^E-mail address/, 'ada@example.org');
    await type(/^Password/, 'a long enough password');
    const link = await site.operator.readLink(() => press(/^Create account$/));
    await page.goto(link);
    await type(/^Password/, 'a long enough password');
    await press(/^Confirm and sign in$/);
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    await type(/^Name of a new key/, 'laptop');
    await press(/^Create key$/);
    expect(await page.locator('#new-key').textContent()).toMatch(/svc_live_/);
    await press(/^I have copied it$/);
    await press(/^Revoke laptop$/);
    await press(/^Revoke laptop$/);
    expect(await page.getByText('revoked').count()).toBeGreaterThan(0);
  });
});
