import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Nothing but colours is different in the dark. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe-core finds wrong with the page as it stands, in light and in dark, one line each; leaves it light. */
export async function findBarriers(page: Page): Promise<string[]> {
  const light = await runAxe(page, RULES);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await runAxe(page, COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light.map((line) => `light: ${line}`), ...dark.map((line) => `dark: ${line}`)];
}

/** What can be pressed and is too small to be hit with a finger: below 24 pixels, and as near to the next. */
export function findSmallTargets(page: Page): Promise<string[]> {
  return runAxe(page, ['target-size']);
}

async function runAxe(page: Page, runOnly: readonly string[]): Promise<string[]> {
  // Not as a script of the page, whose Content-Security-Policy allows none; once a document, for it is long.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(SOURCE);
  const options = { runOnly, resultTypes: ['violations'], preload: false, selectors: false };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}
