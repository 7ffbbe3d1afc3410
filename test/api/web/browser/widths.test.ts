import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeededEngine } from '../engine.ts';
import { IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';
import { hasChromium, openPage } from './chromium.ts';

const TITLE = 'Provision_of_Grounds_Maintenance_and_Associated_Services_2026-2030_Schedule_A';

describe.skipIf(!hasChromium())('where a title is one long word and a value has a note', () => {
  let site: Site;
  let page: Page;

  beforeAll(async () => {
    const engine = makeSeededEngine();
    const find: typeof engine.find = async (...asked) => {
      const found = await engine.find(...asked);
      return { ...found, hits: found.hits.map((hit) => ({ ...hit, title: TITLE })) };
    };
    site = await startSite({}, { ...engine, find });
    const { catalogue } = site.services;
    await seedCatalogue(catalogue);
    await catalogue.write([
      { sql: "UPDATE contract SET title = ?, value_class = 'framework_ceiling'", args: [TITLE] },
      { sql: 'UPDATE framework SET title = ?', args: [TITLE] },
    ]);
    page = await openPage({ baseURL: site.url });
  });
  afterAll(async () => {
    await page?.close();
    await site?.close();
  });

  it.each([
    '/search?query=bridge',
    '/notices?query=bridge',
    '/contracts?query=bridge',
    '/frameworks',
    `/companies/${IDS.company}`,
    `/buyers/${IDS.buyer}`,
    `/frameworks/${IDS.framework}`,
  ])('%s fits a phone, a tablet and a small window', async (path) => {
    await page.goto(path);
    for (const width of [320, 641, 700, 768, 961]) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([width, over]).toEqual([width, 0]);
    }
  });

  it('a name with a bar has the width of a phone, so that no word of it breaks', async () => {
    await page.setViewportSize({ width: 380, height: 800 });
    await page.goto(`/companies/${IDS.company}`);
    const shares = await page
      .locator('.ranked tbody th')
      .evaluateAll((names) => names.map((name) => name.clientWidth / (name.parentElement?.clientWidth ?? 0)));
    expect(shares.length).toBeGreaterThan(0);
    expect(Math.min(...shares)).toBeGreaterThan(0.95);
  });
});
