import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from './chromium.ts';
import { makeSeededEngine } from './engine.ts';
import { DATA } from './kinds.ts';
import { HOSTILE, seedCatalogue } from './seed.ts';
import { type Site, startSite } from './site.ts';

/** What breaks out of an attribute, a text or a script, and what only its words say is harmful. */
const ASKED = `"'><img src=x onerror=alert(1)>${HOSTILE}</title></script>`;

describe.skipIf(!hasChromium())('what a hostile publisher or visitor writes', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  const ran: string[] = [];

  beforeAll(async () => {
    site = await startSite({}, makeSeededEngine());
    await seedCatalogue(site.house.catalogue);
    browser = await launchChromium();
    // Without the policy that would stop a script: nothing may depend on it alone.
    page = await browser.newPage({ baseURL: site.url, bypassCSP: true });
    page.on('dialog', async (dialog) => {
      ran.push(dialog.message());
      await dialog.dismiss();
    });
    page.on('pageerror', (error) => ran.push(String(error)));
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** Where links, forms and pictures lead that are neither ours nor on the web, and elements that only markup of theirs would make. */
  const findStrangers = () =>
    page.evaluate(() => {
      const led = [...document.querySelectorAll('[href], [src], [action]')].flatMap((element) =>
        ['href', 'src', 'action'].flatMap((name) => element.getAttribute(name) ?? []),
      );
      const odd = led.filter((address) => !/^https?:$/.test(new URL(address, location.href).protocol));
      const made = [...document.querySelectorAll('script:not([src]), img, iframe, object, embed, [onerror], [onload]')];
      return [...odd, ...made.map(({ outerHTML }) => outerHTML)];
    });

  it.each(DATA)('is text and nothing else at %s', async (path) => {
    await page.goto(path);
    expect(await findStrangers()).toEqual([]);
    expect(ran).toEqual([]);
  });

  it.each([
    '/notices?query=',
    '/tenders?region=',
    '/notices?buyer_id=',
    '/companies?name=',
    '/buyers?name=',
    '/frameworks?query=',
    '/notices/',
    '/buyers/',
    '/docs/',
    '/',
    '/sign-in?next=',
  ])('is text and nothing else when it is asked for at %s', async (path) => {
    await page.goto(path + encodeURIComponent(ASKED));
    expect(await findStrangers()).toEqual([]);
    expect(ran).toEqual([]);
  });

  it('is shown as it was written', async () => {
    await page.goto('/notices');
    expect(await page.getByRole('heading', { level: 2 }).filter({ hasText: HOSTILE }).count()).toBeGreaterThan(0);
  });
});
