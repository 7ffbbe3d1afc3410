import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebApp } from '../../../../api/web/app.ts';
import { revokeKey } from '../../../../schema/accounts/customer/account.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { buildSampleServer } from '../../../support/sample-services.ts';
import type { BuiltServer } from '../../../support/services.ts';
import { readBalance } from '../../transports.ts';
import { findBarriers } from './axe.ts';
import { hasChromium, openPage } from './chromium.ts';

describe.skipIf(!hasChromium())('a call sent from the API reference', () => {
  let server: BuiltServer;
  let app: string;
  beforeAll(async () => {
    const port = await findFreePort();
    // The pages at one origin, the API at another.
    app = `http://127.0.0.1:${port}`;
    const settings = { PORT: String(port), APP_URL: app, BASE_URL: `http://localhost:${port}` };
    server = await buildSampleServer({ web: makeWebApp, settings });
  });
  afterAll(async () => {
    await server?.close();
  });

  /** A page with its requests and the browser's complaints. */
  async function open(path: string) {
    const page = await openPage({ viewport: { width: 1200, height: 900 } });
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(app + path);
    return { page, requested, complaints };
  }

  async function send(page: Page, key: string): Promise<string> {
    await page.getByLabel('Your API key').fill(key);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const outcome = page.locator('form.try [role=status]');
    await outcome.filter({ hasText: /^\d/ }).waitFor();
    return (await outcome.textContent()) ?? '';
  }

  it('is charged, states what is left, shows the answer, and stores the key nowhere', async () => {
    const { page, requested, complaints } = await open('/docs/search_companies');
    expect(await send(page, server.key)).toBe('200: 5 credits charged, 245 left.');
    expect(await readBalance(server, server.accountId)).toBe(245);
    expect(await page.getByRole('region', { name: 'Answer' }).textContent()).toContain('"credits_charged": 5');

    expect(requested.filter((url) => url.includes('/v1/'))).toEqual([
      `${server.settings.BASE_URL}/v1/companies/search?name=Quayside+Personnel`,
    ]);
    for (const url of requested) expect([app, server.settings.BASE_URL]).toContain(new URL(url).origin);
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(stored).toBe('[{},{},""]');
    expect(requested.join() + page.url() + (await page.content())).not.toContain(server.key);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('with a body and a revoked key has no barrier, fits, and is refused in the words of the answer', async () => {
    const { accountId, keyId, key } = await server.addCustomer(250);
    await revokeKey(server.accounts, accountId, keyId, new Date().toISOString());
    const { page, complaints } = await open('/docs/bulk_export');
    expect(complaints).toEqual([]);
    expect(await send(page, key)).toMatch(/^401: This API key .+ Nothing was charged\.$/);
    await page.getByText('"error": "invalid_api_key"').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    for (const width of [1200, 320]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    await page.close();
  });

  it('keeps its Idempotency-Key until an answer arrives, and has none where it is free', async () => {
    const { accountId, key } = await server.addCustomer(250);
    const { page } = await open('/docs/search_companies');
    const keys: (string | undefined)[] = [];
    // The first two calls lose their answer on the way back.
    await page.route('**/v1/**', async (route) => {
      if (route.request().method() === 'OPTIONS') return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      const answer = await route.fetch();
      return keys.length < 3 ? route.abort() : route.fulfill({ response: answer });
    });
    const button = page.getByRole('button', { name: 'Send', exact: true });
    await page.getByLabel('Your API key').fill(key);
    for (const attempt of [1, 2]) {
      await button.click();
      await page.getByText('No answer arrived. Send again: the same call is not charged twice.').waitFor();
      expect(keys).toHaveLength(attempt);
    }
    expect(await send(page, key)).toBe('200: 5 credits charged, 245 left.');
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys)).toHaveLength(1);
    expect(await readBalance(server, accountId)).toBe(245);

    await page.locator('form.try [role=status]').evaluate((outcome) => outcome.replaceChildren());
    expect(await send(page, key)).toBe('200: 5 credits charged, 240 left.');
    expect(keys[3]).not.toBe(keys[0]);

    await page.goto(`${app}/docs/get_balance`);
    await send(page, key);
    expect(keys[4]).toBeUndefined();
    await page.close();
  });

  it('does not say that nothing was charged where a gateway gave up on it, or it still runs', async () => {
    const { accountId, key } = await server.addCustomer(250);
    const { page } = await open('/docs/search_companies');
    const instead = [
      { status: 504, contentType: 'text/html', body: '<h1>Gateway Time-out</h1>' },
      { status: 409, json: { error: 'idempotency_in_flight', message: 'The first call is still running.' } },
    ];
    await page.route('**/v1/**', async (route) => {
      if (route.request().method() === 'OPTIONS') return route.continue();
      const response = await route.fetch();
      const other = instead.shift();
      return route.fulfill(other ? { ...other, headers: { 'access-control-allow-origin': '*' } } : { response });
    });
    expect(await send(page, key)).toBe('504: No answer arrived. Send again: the same call is not charged twice.');
    expect(await readBalance(server, accountId)).toBe(245);
    const outcome = page.locator('form.try [role=status]');
    await outcome.evaluate((element) => element.replaceChildren());
    expect(await send(page, key)).toBe('409: The first call is still running.');
    await outcome.evaluate((element) => element.replaceChildren());
    expect(await send(page, key)).toBe('200: 5 credits charged, 245 left.');
    expect(await readBalance(server, accountId)).toBe(245);
    await page.close();
  });

  it('and what else needs a script is not shown where there is none', async () => {
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(`${app}/docs/search_companies`);
    const needy = page.locator('button[data-copy], form.try');
    expect([(await needy.count()) > 1, await needy.filter({ visible: true }).count()]).toEqual([true, 0]);
    await page.close();
  });

  it('has its inputs in Safari 16 too, which cannot count them', async () => {
    const { page, requested } = await open('/docs/search_companies');
    await page.evaluate(() => Reflect.deleteProperty(URLSearchParams.prototype, 'size'));
    expect(await send(page, server.key)).toMatch(/^200: /);
    expect(requested.at(-1)).toContain('?name=Quayside+Personnel');
    await page.close();
  });

  it('encodes the id in its path', async () => {
    const { page, requested } = await open('/docs/get_notice');
    const id = page.locator('form.try [data-in=path]').first();
    await id.fill('a/b');
    expect(await send(page, server.key)).toMatch(/^4\d\d: .+ Nothing was charged\.$/);
    expect(requested.at(-1)).toContain('/a%2Fb');
    await page.close();
  });
});
