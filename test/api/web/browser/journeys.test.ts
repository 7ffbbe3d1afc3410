import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeWaitingExports } from '../../../../jobs/exports/writer.ts';
import { withLease } from '../../../../jobs/process/lease.ts';
import { openJobsServices } from '../../../../jobs/startup/open-services.ts';
import { readExport } from '../../../../schema/accounts/exports/states.ts';
import { exportFolder } from '../../../../schema/accounts/exports/storage.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { buildSampleServer } from '../../../support/sample-services.ts';
import { openTill, paidEvent, type Till } from '../../billing/services.ts';
import { PASSWORD } from '../visitor.ts';
import { hasChromium, openPage } from './chromium.ts';
import { openScreens, type Shoot } from './screens.ts';

describe.skipIf(!hasChromium())('a journey in a real browser', () => {
  let till: Till;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const port = await findFreePort();
    const settings = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, APP_URL: `http://127.0.0.1:${port}` };
    till = await openTill(settings, buildSampleServer);
  });
  afterAll(() => till?.close());
  beforeEach(async () => {
    complaints = [];
    page = await openPage({ baseURL: till.built.settings.BASE_URL });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => complaints.push(message.text()));
  });
  afterEach(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });

  const heading = () => page.getByRole('heading', { level: 1 }).textContent();
  const call = (path: string, key: string) =>
    fetch(till.built.settings.BASE_URL + path, { headers: { authorization: `Bearer ${key}` } });

  /** Somebody who has signed up elsewhere, and is signed in here. */
  async function enter(): Promise<string> {
    const { visitor, accountId } = await till.signUp();
    const { hostname } = new URL(till.built.settings.BASE_URL);
    const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, domain: hostname, path: '/' }));
    await page.context().addCookies(cookies);
    return accountId;
  }

  /** Signs up as a person does, and stands on the dashboard. */
  async function signUp(email: string, shoot: Shoot): Promise<void> {
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await shoot(page, 'sign-up');
    await page.getByLabel(/Your name/).fill('Ada');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel(/Password/).fill(PASSWORD);
    const link = await till.operator.readLink(() => page.keyboard.press('Enter'));
    await page.getByRole('heading', { name: 'Ask the operator for your link' }).waitFor();
    await shoot(page, 'look-into-your-mail');
    await page.goto(link);
    await shoot(page, 'confirm');
    await page.getByLabel(/Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm and sign in' }).press('Enter');
    await page.waitForURL('**/dashboard');
  }

  /** Makes a key on the dashboard and reads it from the page. */
  async function makeKey(name: string): Promise<string> {
    await page.goto('/dashboard');
    await page.getByLabel(/Name of a new key/).fill(name);
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('#new-key').textContent()) ?? '';
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    return key;
  }

  /** Chooses what to pay for; returns the address of the page where one pays, which is out of the browser's reach. */
  async function leaveForStripe(): Promise<string> {
    const left = page.waitForEvent('requestfailed', (request) =>
      request.url().startsWith('https://checkout.stripe.com/'),
    );
    await page.getByRole('button', { name: /^1,000 credits/ }).click();
    await page.waitForURL(/^chrome-error:/);
    return (await left).url();
  }

  it('from a search to a tender, its buyer and a supplier', async () => {
    const shoot = await openScreens('browse');
    const [tender] = await till.built.catalogue.read<{ title: string; buyer: string }>({
      sql: `SELECT n.title, b.name AS buyer FROM notice n JOIN buyer b ON b.id = n.buyer_id
            WHERE n.is_tender = 1 AND n.deadline_at > ? AND b.contract_count > 1 ORDER BY n.published DESC LIMIT 1`,
      args: [till.built.settings.AS_OF?.toISOString() ?? ''],
    });
    await page.goto('/');
    await shoot(page, 'home');
    await page.getByRole('link', { name: 'Live tenders', exact: true }).first().click();
    await page
      .getByRole('searchbox')
      .first()
      .fill(tender?.title ?? '');
    await page.getByRole('searchbox').first().press('Enter');
    await page.waitForURL(/query=/);
    await shoot(page, 'results');
    await page
      .getByRole('main')
      .getByRole('link', { name: tender?.title ?? '' })
      .first()
      .click();
    expect(await heading()).toBe(tender?.title);
    await shoot(page, 'tender');
    await page
      .getByRole('main')
      .getByRole('link', { name: tender?.buyer ?? '' })
      .first()
      .click();
    expect(new URL(page.url()).pathname).toMatch(/^\/buyers\//);
    await shoot(page, 'buyer');
    await page.getByRole('main').locator('a[href^="/companies/"]').first().click();
    expect(new URL(page.url()).pathname).toMatch(/^\/companies\//);
    await shoot(page, 'supplier');
  });

  it('from signing up to a key, a first call, its line in the ledger, and the end of the key', async () => {
    const shoot = await openScreens('key');
    await signUp('ada@example.org', shoot);
    expect(await page.locator('.figures strong').first().textContent()).toBe('250');
    await shoot(page, 'dashboard');
    const key = await makeKey('laptop');
    await shoot(page, 'new-key');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the key' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    expect(await page.locator('#first-call').textContent()).toContain(`Bearer ${key}`);
    await page.getByRole('link', { name: 'I have copied it' }).click();

    const first = await call('/v1/notices/search?query=the', key);
    expect(await first.json()).toMatchObject({ credits_charged: 2, credits_remaining: 248 });
    await page.getByRole('link', { name: 'Ledger', exact: true }).click();
    const line = page.getByRole('row', { name: /search_notices/ });
    expect(await line.textContent()).toMatch(/Charge.*search_notices.*by laptop.*ch_.*−2/);
    await shoot(page, 'ledger');
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    expect(await page.getByRole('main').textContent()).toMatch(/2credits spent in 30 days1charged call/);
    await page.getByText('Day by day').click();
    await shoot(page, 'usage');

    await page.goto('/dashboard');
    await shoot(page, 'keys');
    await page.getByRole('link', { name: 'Revoke laptop' }).click();
    await shoot(page, 'revoke');
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await page.getByText('1 key that no longer works').click();
    await shoot(page, 'revoked');
    // Within two seconds, as promised.
    await expect.poll(async () => (await call('/v1/balance', key)).status).toBe(401);
    const cookies = await page.context().cookies();
    expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax')).toBe(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto('/dashboard');
    expect(await heading()).toBe('Sign in');
    await shoot(page, 'sign-in');
  });

  it('shows a new key once: not again after a reload, nor on the way back, and makes no second one', async () => {
    await enter();
    const key = await makeKey('once');
    await page.reload();
    await page.getByText('nothing was done twice').waitFor();
    expect(await page.content()).not.toContain(key);
    // Neither does a second click lose the page of the first.
    await page.goto('/dashboard');
    await page.getByLabel(/Name of a new key/).fill('again');
    await page.getByRole('button', { name: 'Create key' }).dblclick();
    const again = (await page.locator('#new-key').textContent()) ?? '';
    expect(again).toMatch(/^svc_live_/);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    // Chromium asks whether to send the form again; another browser may go back to the form.
    await page.goBack().catch(() => undefined);
    await page.waitForURL(/^chrome-error:|\/dashboard$/);
    await expect.poll(() => page.content().catch(() => again)).not.toContain(again);
    await page.goto('/dashboard');
    expect(await page.getByRole('button', { name: /^Roll / }).count()).toBe(2);
  });

  it('from a refusal for want of credits to a top-up, refused and granted', async () => {
    const shoot = await openScreens('top-up');
    const accountId = await enter();
    const key = await makeKey('agent');
    await till.spend(accountId, 247);
    const refused = await call('/v1/buyers/nobody/profile', key);
    const { top_up_url, required } = (await refused.json()) as { top_up_url: string; required: number };
    expect([refused.status, required]).toEqual([402, 20]);
    await page.goto('/dashboard/usage');
    await page.getByText('Only 3 credits left').waitFor();
    await shoot(page, 'low-balance');
    await page.goto(top_up_url);
    expect(await page.getByRole('main').textContent()).toMatch(/3 credits are not enough for.*buyer_profile \(20\)/);
    await shoot(page, 'billing');

    expect(await leaveForStripe()).toContain(till.stripe.sessions.at(-1)?.id);
    await page.goto(till.stripe.sessions.at(-1)?.form.get('cancel_url') ?? '');
    await page.getByText('You left before paying').waitFor();
    till.stripe.fail(true);
    await page.getByRole('button', { name: /^1,000 credits/ }).click();
    await page.getByText('Stripe cannot be reached just now').waitFor();
    till.stripe.fail(false);
    complaints = [];
    await leaveForStripe();
    await till.tell(paidEvent(await till.lastOrder()));
    await page.goto(till.stripe.sessions.at(-1)?.form.get('success_url') ?? '');
    await page.getByText('1,000 credits were added to your balance').waitFor();
    expect(await page.locator('.figures strong').first().textContent()).toBe('1,003');
    await shoot(page, 'granted');
    await page.getByRole('link', { name: 'Receipt' }).click();
    await shoot(page, 'receipt');
    expect(await till.faults()).toEqual([]);
  });

  it('from an export to its file, byte for byte', async () => {
    const shoot = await openScreens('export');
    const { built } = till;
    await enter();
    const key = await makeKey('reports');
    await page.getByRole('link', { name: 'Exports', exact: true }).click();
    await shoot(page, 'no-exports');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ dataset: 'contracts', max_rows: 50 });
    const asked = await fetch(`${built.settings.BASE_URL}/v1/exports`, { method: 'POST', headers, body });
    const { export_id: id } = (await asked.json()) as { export_id: string };
    await page.reload();
    await page.getByText('Being written').waitFor();
    const jobs = await openJobsServices(built.settings, pino({ level: 'silent' }));
    await withLease(jobs.accounts, 'exports', { holder: 'journeys' }, (holding) => writeWaitingExports(jobs, holding));
    await jobs.close();
    await page.reload();
    await shoot(page, 'ready');
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Download contracts/ }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(`contracts-${id}.csv`);
    const row = await readExport(built.accounts, id);
    const written = await readFile(join(exportFolder(built.settings), row?.file ?? ''));
    expect(await readFile(await download.path())).toEqual(written);
    expect(written.length).toBe(row?.bytes);
  });
});
