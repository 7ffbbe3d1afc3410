import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SearchUnavailable } from '../../../../search/engine.ts';
import { addDelivery, addWatch } from '../../../jobs/watches/seed.ts';
import { makeSeededEngine } from '../engine.ts';
import { KINDS, PERSONAL, titled } from '../page-kinds.ts';
import { IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';
import { findBarriers } from './axe.ts';
import { hasChromium } from './chromium.ts';
import { listMovesInPieces } from './in-pieces.ts';
import { findFaults, openLook } from './look.ts';

/** What a browser says of every answer that is an error, and its advice to those that keep passwords. */
const EXPECTED = /status of [45]\d\d|^\[DOM\] Password forms/;

describe.skipIf(!hasChromium())('a page fits, stands still and has no barrier, in light and in dark,', () => {
  let site: Site;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    site = await startSite({}, makeSeededEngine());
    await seedCatalogue(site.services.catalogue);
    ({ page, complaints } = await openLook(site.url));
  });
  afterAll(async () => {
    await page?.close();
    await site?.close();
  });

  it.each(titled(KINDS))('at %s', async (_, path) => expect(await findFaults(page, path)).toEqual([]));

  it('while it comes in pieces', async () => {
    const ada = await site.addPerson({ email: 'ada@example.com' });
    for (const path of ['/dashboard/exports', '/notices?query=bridge&facets=1', `/notices/${IDS.tender}`]) {
      const moves = await listMovesInPieces(site.url, (await ada.get(path)).html);
      expect({ path, moves }).toEqual({ path, moves: [] });
    }
  });

  it('where something is too much, away or broken', async () => {
    const failing = (error: Error) => ({ ...makeSeededEngine(), find: () => Promise.reject(error) });
    await lookAt(429, '/docs', { WEB_REQUESTS_PER_MINUTE: '1' });
    await lookAt(500, '/notices?query=bridge', {}, failing(new Error('broken')));
    await lookAt(503, '/notices?query=bridge', {}, failing(new SearchUnavailable('away')));
  });

  it('for somebody who fails to sign in, signs up, and makes a key', async () => {
    await page.goto('/sign-in');
    await page.getByLabel('E-mail address').fill('nobody@example.org');
    await page.getByLabel(/Password/).fill('not the right password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await signUp(page, site);
    await page.getByLabel(/Name of a new key/).fill('laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#new-key').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    for (const path of [...PERSONAL, ...(await addWatchPages(site))])
      expect({ path, faults: await findFaults(page, path) }).toEqual({ path, faults: [] });
  });

  it('and without a word in the console', () => {
    expect(complaints.filter((words) => !EXPECTED.test(words))).toEqual([]);
  });

  async function lookAt(status: number, path: string, settings: Record<string, string>, engine = makeSeededEngine()) {
    const other = await startSite(settings, engine);
    try {
      await other.visitor().get('/pricing');
      expect((await page.goto(other.url + path))?.status()).toBe(status);
      expect(await findFaults(page, other.url + path)).toEqual([]);
    } finally {
      await other.close();
    }
  }
});

/** A paused watch with deliveries that failed, and the pages of it. */
async function addWatchPages({ services: { accounts } }: Site): Promise<string[]> {
  const [account] = await accounts.read<{ id: string }>({ sql: 'SELECT id FROM account WHERE user_id IS NOT NULL' });
  const name = 'no_spaces_in_this_name'.repeat(4);
  const { id } = await addWatch(accounts, { account_id: account?.id ?? '', name, filters: '{"query":"bridge"}' });
  const delivery = await addDelivery(accounts, id, ['a'.repeat(200), 'b']);
  await accounts.write([
    { sql: "UPDATE watch SET state = 'paused', reason = 'receiver_failed' WHERE id = ?", args: [id] },
    {
      sql: `UPDATE watch_delivery SET status = 'failed', attempts = 12, answer_status = 500, answer_ms = 1204, answer = ?`,
      args: ['no-spaces-in-this-answer'.repeat(20)],
    },
  ]);
  const path = `/dashboard/watches/${id}`;
  return [path, `${path}/edit`, `${path}/delete`, `${path}/deliveries/${delivery}`];
}

async function signUp(page: Page, { operator }: Site): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel(/Your name/).fill('Ada');
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await page.getByLabel(/Password/).fill('a long enough password');
  const link = await operator.readLink(() => page.getByRole('button', { name: 'Create account' }).click());
  await page.waitForURL('**/sign-up/sent');
  await page.goto(link);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel(/Password/).fill('a long enough password');
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await page.waitForURL('**/dashboard');
}
