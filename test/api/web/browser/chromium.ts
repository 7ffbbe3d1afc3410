import { accessSync, constants } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { LIMITS_MS } from '../../../support/time-limits.ts';

const PATH = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Whether a Chromium is at hand; where none is, the tests that need one say so and are skipped. */
export function hasChromium(): boolean {
  try {
    accessSync(PATH, constants.X_OK);
    return true;
  } catch {
    console.warn(`skipped: no Chromium at ${PATH}; set CHROMIUM_PATH to try the pages in a real browser`);
    return false;
  }
}

let opened: Promise<Browser> | undefined;

/** The one browser of this worker, which goes with its process. */
function openBrowser(): Promise<Browser> {
  opened ??= chromium.launch({
    executablePath: PATH,
    args: [
      '--no-sandbox',
      '--headless',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A page is looked at for a moment: compiling its scripts for speed took a seventh of the browser's processor time.
      '--js-flags=--no-opt,--no-maglev',
    ],
  });
  return opened;
}

/** A page of that browser with cookies of its own, which the test that opened it closes. */
export async function openPage(options: BrowserContextOptions): Promise<Page> {
  const page = await (await openBrowser()).newPage(options);
  page.setDefaultTimeout(LIMITS_MS.wait);
  return page;
}
