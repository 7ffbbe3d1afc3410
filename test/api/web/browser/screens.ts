import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../../../support/source-files.ts';

const FOLDER = join(ROOT, 'test-results/screens');
const LOOKS = [
  { scheme: 'light', device: 'desktop', width: 1200, height: 900 },
  { scheme: 'dark', device: 'desktop', width: 1200, height: 900 },
  { scheme: 'light', device: 'phone', width: 360, height: 740 },
  { scheme: 'dark', device: 'phone', width: 360, height: 740 },
] as const;

/** Two looks hold all four sides of a station; the next station is seen the other way round. */
const takenAt = (station: number) =>
  LOOKS.filter(({ scheme, device }) => (scheme === 'dark') === ((device === 'phone') === (station % 2 === 1)));

/** Takes the page that is shown, in light and in dark, on a phone and on a desktop: artefacts of the run, for people to look at. */
export type Shoot = (page: Page, station: string) => Promise<void>;

/** Only on request: a journey takes twice as long with them, and they prove nothing. */
const WANTED = process.env.SCREENS !== undefined;

/** The screens of one journey, its stations numbered; those of an earlier run go. Without `SCREENS`, none are made. */
export async function openScreens(journey: string): Promise<Shoot> {
  if (!WANTED) return async () => undefined;
  const folder = join(FOLDER, journey);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  let stations = 0;
  return async (page, station) => {
    const number = String(++stations).padStart(2, '0');
    for (const { scheme, device, width, height } of takenAt(stations)) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      const path = join(folder, `${number}-${station}-${device}-${scheme}.png`);
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    }
    await page.setViewportSize({ width: LOOKS[0].width, height: LOOKS[0].height });
    await page.emulateMedia({ colorScheme: 'light' });
  };
}
