import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../../../ingest/store/page.ts';
import { openJobsServices } from '../../../../jobs/startup/open-services.ts';
import { deliverWebhooks, matchChanges } from '../../../../jobs/tasks/watches.ts';
import { verifyLedger } from '../../../../schema/accounts/ledger/verify.ts';
import { packageOf, read } from '../../../ingest/compile/releases.ts';
import { tender } from '../../../jobs/watches/matcher.ts';
import { type Receiver, startReceiver } from '../../../jobs/watches/receiver.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { buildSampleServer } from '../../../support/sample-services.ts';
import type { BuiltServer } from '../../../support/services.ts';
import { makeOperator } from '../operator.ts';
import { makeVisitor, PASSWORD, signUp } from '../visitor.ts';
import { hasChromium, openPage } from './chromium.ts';
import { openScreens } from './screens.ts';

const EMAIL = 'ada@example.org';

describe.skipIf(!hasChromium())('a journey in a real browser', () => {
  const operator = makeOperator();
  let server: BuiltServer;
  let receiver: Receiver;
  let page: Page;

  beforeAll(async () => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = { PORT: String(port), BASE_URL: url, APP_URL: url, WATCH_ADDRESSES: 'any' };
    server = await buildSampleServer({ web: operator.web, settings });
    receiver = await startReceiver();
    await signUp(makeVisitor(server.url), operator, { email: EMAIL });
    page = await openPage({ baseURL: url });
  });
  afterAll(async () => {
    await page?.close();
    await receiver?.close();
    await server?.close();
  });

  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const follow = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true }).click();

  /** A notice that is new, and what the jobs do then. */
  async function publish(title: string): Promise<void> {
    const release = read(packageOf([tender(999_001, title)]), 'find_a_tender');
    const fetched = { source: 'find_a_tender', fetchedAt: '2026-11-20T08:00:00Z', before: [], after: [] };
    await storePage(server.catalogue, { ...fetched, ...release });
    const jobs = await openJobsServices(server.settings, pino({ level: 'silent' }));
    await matchChanges(jobs);
    await deliverWebhooks(jobs);
    await jobs.close();
  }

  it('from a search to a watch that delivers, is changed, paused, resumed and deleted', async () => {
    const shoot = await openScreens('watch');
    await page.goto('/notices?query=maintenance');
    await follow('Alert me');
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel(/Password/).fill(PASSWORD);
    await press('Sign in');
    await page.getByRole('heading', { name: 'In the last seven days' }).waitFor();
    await shoot(page, 'form');
    await page.getByLabel('Deliver', { exact: true }).selectOption('webhook');
    await page.getByLabel(/Address of the webhook/).fill(receiver.url);
    await page.getByLabel('When', { exact: true }).selectOption('run');
    await press('Create watch');
    const secret = (await page.locator('#new-key').textContent()) ?? '';
    await shoot(page, 'secret');
    await follow('I have copied it');
    expect(await page.content()).not.toContain('whsec_');

    await publish('Maintenance of lanterns');
    const { body, headers } = receiver.received[0] ?? expect.fail('nothing was received');
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      data: { items: [{ change: 'new', item: { title: 'Maintenance of lanterns' } }] },
    });
    await page.reload();
    expect(await page.getByRole('row', { name: /1 item for 2 credits/ }).textContent()).toMatch(/DeliveredHTTP 200 in/);
    await shoot(page, 'delivered');
    await page
      .getByRole('row', { name: /1 item for/ })
      .getByRole('link')
      .click();
    await page.getByText('"title": "Maintenance of lanterns"').waitFor();
    await shoot(page, 'delivery');
    await page.goBack();

    await follow('Change');
    await page.getByLabel(/^Name/).fill('Upkeep');
    await press('Save');
    await page.getByRole('heading', { name: 'Upkeep' }).waitFor();
    await press('Pause Upkeep');
    await page.goto('/dashboard');
    await page.getByText('Your watch Upkeep is paused').waitFor();
    await shoot(page, 'paused');
    await page.goto('/dashboard/watches');
    await press('Resume Upkeep');
    await page.getByText('It continues from where it stood').waitFor();
    await follow('Delete');
    await press('Delete Upkeep');
    await page.getByText('You have no watches yet').waitFor();
    expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  });
});
