import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** A document in which nothing is judged does not run it. */
const LOADER = `void (window.loadAxe = () => { if (!window.axe) { ${SOURCE} } return window.axe; });`;
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
  await bringAxe(page);
  const options = { runOnly, resultTypes: ['violations'], preload: false, selectors: false };
  // Only what is told is brought from there: the whole result describes every rule that was kept.
  return page.evaluate<string[]>(`loadAxe().run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`);
}

/** Pages whose every next document has it. */
const brought = new WeakSet<Page>();

/** Sends it to a page once, for it is long; not as a script of the page, whose Content-Security-Policy allows none. */
async function bringAxe(page: Page): Promise<void> {
  if (brought.has(page)) return;
  brought.add(page);
  await page.addInitScript(LOADER);
  await page.evaluate(LOADER);
}
