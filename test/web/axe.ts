import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SCHEMES = ['light', 'dark'] as const;

/** What axe-core finds wrong with the page as it stands, in light and in dark, one line each. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Not as a script of the page: its Content-Security-Policy allows none.
  await page.evaluate(SOURCE);
  const found: string[] = [];
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    // Nothing but colours is different in the dark.
    const runOnly = scheme === 'light' ? RULES : ['color-contrast', 'link-in-text-block'];
    for (const line of await runAxe(page, runOnly)) found.push(`${scheme}: ${line}`);
  }
  return found;
}

/** Whether everything that can be pressed is large enough to be hit with a finger: 24 pixels, or as far from the next. */
export async function findSmallTargets(page: Page): Promise<string[]> {
  await page.evaluate(SOURCE);
  return runAxe(page, ['target-size']);
}

async function runAxe(page: Page, runOnly: readonly string[]): Promise<string[]> {
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })`,
  )) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}
