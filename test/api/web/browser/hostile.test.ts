import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeededEngine } from '../engine.ts';
import { HOSTILE, IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';
import { hasChromium, openPage } from './chromium.ts';
import { findStrangers } from './look.ts';

/** What breaks out of an attribute, a text or a script, and what only its words say is harmful. */
const ASKED = `"'><img src=x onerror=alert(1)>${HOSTILE}</title></script>`;

describe.skipIf(!hasChromium())('what a hostile publisher or visitor writes', () => {
  let site: Site;
  let page: Page;
  const ran: string[] = [];

  beforeAll(async () => {
    site = await startSite({}, makeSeededEngine());
    await seedCatalogue(site.services.catalogue);
    // Without the policy that would stop a script: nothing may depend on it alone.
    page = await openPage({ baseURL: site.url, bypassCSP: true });
    page.on('dialog', async (dialog) => {
      ran.push(dialog.message());
      await dialog.dismiss();
    });
    page.on('pageerror', (error) => ran.push(String(error)));
  });
  afterAll(async () => {
    await page?.close();
    await site?.close();
  });

  // That no page of any kind holds markup of theirs is judged where every kind is looked at.
  it.each([
    '/search?query=bridge',
    '/tenders?query=bridge',
    `/notices/${IDS.tender}`,
    `/contracts/${IDS.contract}`,
    `/companies/${IDS.company}`,
    `/buyers/${IDS.buyer}`,
    `/frameworks/${IDS.framework}`,
  ])('is text and nothing else at %s', async (path) => {
    await page.goto(path);
    expect(await findStrangers(page)).toEqual([]);
    expect(ran).toEqual([]);
  });

  it.each([
    '/notices?query=',
    '/tenders?region=',
    '/notices?buyer_id=',
    '/companies?name=',
    '/companies?query=',
    '/buyers?query=',
    '/buyers?region=',
    '/frameworks?query=',
    '/notices/',
    '/buyers/',
    '/docs/',
    '/',
    '/sign-in?next=',
  ])('is text and nothing else when it is asked for at %s', async (path) => {
    await page.goto(path + encodeURIComponent(ASKED));
    expect(await findStrangers(page)).toEqual([]);
    expect(ran).toEqual([]);
  });

  it('is shown as it was written', async () => {
    await page.goto('/notices');
    expect(await page.getByRole('heading', { level: 2 }).filter({ hasText: HOSTILE }).count()).toBeGreaterThan(0);
  });
});
