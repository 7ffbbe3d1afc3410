import { accessSync, constants } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { LIMITS_MS } from '../../../support/time-limits.ts';

/** Debian's packages. The first has no windows, and takes a quarter less processor time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const PLACES = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : INSTALLED;
const PATH = PLACES.find(isProgram);

/** Whether a Chromium is at hand; where none is, the tests that need one say so and are skipped. */
export function hasChromium(): boolean {
  if (PATH) return true;
  console.warn(`skipped: no Chromium at ${PLACES.join(' or ')}; set CHROMIUM_PATH to try the pages in a real browser`);
  return false;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let opened: Promise<Browser> | undefined;

/** The one browser of this worker, which goes with its process. */
function openBrowser(): Promise<Browser> {
  opened ??= chromium.launch({
    executablePath: PATH ?? '',
    args: [
      '--no-sandbox',
      '--headless',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-auto-reload',
      // Nothing leaves the machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE [::1]',
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
