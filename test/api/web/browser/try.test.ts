import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebApp } from '../../../../api/web/app.ts';
import { VIEWER_KB } from '../../../../api/web/docs/try.tsx';
import { revokeKey } from '../../../../schema/accounts/customer/account.ts';
import { buildSampleHouse } from '../../../support/sample-services.ts';
import type { BuiltHouse } from '../../../support/services.ts';
import { readBalance } from '../../transports.ts';
import { findFreePort } from '../free-port.ts';
import { findBarriers } from './axe.ts';
import { hasChromium, openPage } from './chromium.ts';

describe.skipIf(!hasChromium())('a call tried from the reference', () => {
  let house: BuiltHouse;
  let app: string;
  beforeAll(async () => {
    const port = await findFreePort();
    // The pages at one origin, the API at another.
    app = `http://127.0.0.1:${port}`;
    const settings = { PORT: String(port), APP_URL: app, BASE_URL: `http://localhost:${port}` };
    house = await buildSampleHouse({ web: makeWebApp, settings });
  });
  afterAll(async () => {
    await house?.close();
  });

  /** A page of the viewer, everything it asked for, and everything the browser complained about. */
  async function open(path: string) {
    const page = await openPage({ viewport: { width: 1200, height: 900 } });
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) =>
      complaints.push(...[message.text()].filter((text) => !text.startsWith('Deprecated'))),
    );
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(app + path);
    return { page, asked, complaints };
  }

  async function send(page: Page, key: string): Promise<string> {
    await page.getByLabel('Your API key').fill(key);
    await page.getByRole('button', { name: 'Execute' }).click();
    const told = page.locator('#try [role=status]');
    await told.filter({ hasText: /^\d/ }).waitFor();
    return (await told.textContent()) ?? '';
  }

  it('is charged, tells what is left, and leaves the key nowhere', async () => {
    const { page, asked, complaints } = await open('/docs/try');
    expect(asked.some((url) => url.includes('viewer'))).toBe(false);
    await page.getByRole('button', { name: 'Load the viewer' }).click();
    await page.locator('#operations-companies-search_companies .opblock-summary-control').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    expect(await page.getByText('(5 credits)').count()).toBeGreaterThan(0);
    expect(await send(page, house.key)).toBe('200: 5 credits charged, 245 left.');
    expect(await readBalance(house, house.accountId)).toBe(245);

    expect(asked.filter((url) => url.includes('/v1/'))).toEqual([
      `${house.settings.BASE_URL}/v1/companies/search?name=Quayside%20Personnel`,
    ]);
    for (const url of asked) expect([app, house.settings.BASE_URL]).toContain(new URL(url).origin);
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(kept).toBe('[{},{},""]');
    expect(asked.join() + page.url() + (await page.content())).not.toContain(house.key);
    expect(await page.content()).toContain('Authorization: Bearer YOUR_KEY');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('has no barrier, fits, and with a revoked key is refused calmly, in the words of the answer', async () => {
    const { accountId, keyId, key } = await house.addCustomer(250);
    await revokeKey(house.accounts, accountId, keyId, new Date().toISOString());
    const { page, complaints } = await open('/docs/try#/exports/bulk_export');
    await page.getByRole('button', { name: 'Try it out' }).click();
    expect(await findBarriers(page)).toEqual([]);
    for (const width of [1200, 320]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    expect(complaints).toEqual([]);
    expect(await send(page, key)).toMatch(/^401: This API key .+ Nothing was charged\.$/);
    await page.getByText('"error": "invalid_api_key"').waitFor();
    await page.close();
  });

  it('costs as much to load as the page says, and the page itself is light', async () => {
    const html = await (await fetch(`${app}/docs/try`)).text();
    const paths = [...html.matchAll(/"(\/assets\/[^"]+viewer\.\w+)"/g)].map(([, path]) => path);
    const headers = { 'accept-encoding': 'br' };
    const sizes = paths.map(async (path) =>
      Number((await fetch(app + path, { headers })).headers.get('content-length')),
    );
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(paths).toHaveLength(2);
    expect(Math.abs(bytes / 1000 - VIEWER_KB)).toBeLessThan(5);
  });
});
