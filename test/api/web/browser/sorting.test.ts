import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ROOT } from '../../../support/source-files.ts';
import { hasChromium, openPage } from './chromium.ts';

const ASSETS = join(ROOT, 'api/web/assets');
const row = (name: string, value: string) => `<tr><td data-by="${name}">${name}</td><td data-by="${value}">x</td></tr>`;
const TABLE = `<table class="contracts" data-sort><thead><tr><th>Name</th><th>Value</th></tr></thead>
  <tbody>${row('Beta', '90')}${row('Alpha', '')}${row('Gamma', '1000.5')}${row('Delta', '1000.25')}</tbody></table>`;

/** A page with the table and its script. */
async function openTable(): Promise<Page> {
  const page = await openPage({});
  await page.setContent(TABLE);
  await page.addScriptTag({ path: join(ASSETS, 'sorting.js') });
  return page;
}

it.skipIf(!hasChromium())(
  'a head sorts the rows of its table, and again turns them round; blanks stay last',
  async () => {
    const page = await openTable();
    const names = () => page.locator('tbody td:first-child').allTextContents();
    const press = (name: string) => page.getByRole('button', { name }).click();
    await press('Value');
    expect(await names()).toEqual(['Gamma', 'Delta', 'Beta', 'Alpha']);
    expect(await page.locator('th').nth(1).getAttribute('aria-sort')).toBe('descending');
    await press('Value');
    expect(await names()).toEqual(['Beta', 'Delta', 'Gamma', 'Alpha']);
    await press('Name');
    expect(await names()).toEqual(['Alpha', 'Beta', 'Delta', 'Gamma']);
    await press('Name');
    expect(await names()).toEqual(['Gamma', 'Delta', 'Beta', 'Alpha']);
    await page.close();
  },
);

it.skipIf(!hasChromium())('its heads are printed, and other buttons are not', async () => {
  const page = await openTable();
  await page.addStyleTag({ path: join(ASSETS, 'styles/99-print.css') });
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('thead').innerText()).toMatch(/^Name\tValue\s*$/);
  await page.evaluate(() => document.body.append(document.createElement('button')));
  expect(await page.locator('body > button').isVisible()).toBe(false);
  await page.close();
});

it.skipIf(!hasChromium())(
  'its heads are copied with its rows, also where a browser copies no text of buttons',
  async () => {
    const page = await openTable();
    await page.addStyleTag({ path: join(ASSETS, 'styles/96-stack.css') });
    const selects = page
      .locator('th button')
      .evaluateAll((heads) => heads.map((head) => getComputedStyle(head).userSelect));
    expect(await selects).toEqual(['text', 'text']);
    await page.close();
  },
);
