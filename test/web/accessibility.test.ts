import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers } from './axe.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { makeSeededEngine } from './engine.ts';
import { IDS, seedCatalogue } from './seed.ts';
import { type Site, startSite } from './site.ts';

const LOOKS = [
  { colorScheme: 'light', width: 1200 },
  { colorScheme: 'dark', width: 360 },
] as const;
const PUBLIC = [
  '/',
  '/tenders?query=bridge&region=London',
  '/tenders?query=nothing',
  '/notices?value_min=cheap',
  '/notices',
  `/notices/${IDS.tender}`,
  `/contracts/${IDS.contract}`,
  `/contracts/${IDS.award}`,
  '/companies',
  '/companies?name=harrow',
  `/companies/${IDS.company}`,
  '/buyers?name=nobody',
  `/buyers/${IDS.buyer}`,
  '/frameworks',
  `/frameworks/${IDS.framework}`,
  '/status',
  '/docs',
  '/docs/agents',
  '/docs/search_tenders',
  '/docs/bulk_export',
  '/pricing',
  '/sign-in',
  '/sign-up',
  '/confirm',
  '/forgotten',
  '/reset',
  '/nowhere',
];
const PRIVATE = ['/dashboard', '/dashboard/ledger', '/dashboard/billing'];

describe.skipIf(!hasChromium())('axe-core', () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    site = await startSite({}, makeSeededEngine());
    await seedCatalogue(site.house.catalogue);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const open = ({ colorScheme, width }: (typeof LOOKS)[number]): Promise<BrowserContext> =>
    browser.newContext({ baseURL: site.url, colorScheme, viewport: { width, height: 800 } });

  it.each(LOOKS)(
    'finds no barrier on any kind of page, $colorScheme, $width pixels',
    async (look) => {
      const context = await open(look);
      const page = await context.newPage();
      for (const path of PUBLIC) {
        await page.goto(path);
        expect({ path, found: await findBarriers(page) }).toEqual({ path, found: [] });
      }
      await context.close();
    },
    60_000,
  );

  it.each(LOOKS)(
    'finds none for somebody signed in, $colorScheme, $width pixels',
    async (look) => {
      const context = await open(look);
      const page = await context.newPage();
      await signUp(page, site, `${look.colorScheme}-${look.width}@example.org`);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByLabel(/Name of a new key/).fill('laptop');
      await page.getByRole('button', { name: 'Create key' }).click();
      expect(await findBarriers(page)).toEqual([]);
      for (const path of PRIVATE) {
        await page.goto(path);
        expect({ path, found: await findBarriers(page) }).toEqual({ path, found: [] });
      }
      await context.close();
    },
    60_000,
  );
});

async function signUp(page: Page, { operator }: Site, email: string): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel(/Your name/).fill('Ada');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel(/Password/).fill('a long enough password');
  const link = await operator.readLink(() => page.getByRole('button', { name: 'Create account' }).click());
  await page.waitForURL('**/sign-up/sent');
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(link);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await page.waitForURL('**/dashboard');
}
