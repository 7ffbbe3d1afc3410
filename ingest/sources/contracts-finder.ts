import { isoInstant } from '../../schema/clocks.ts';
import { OGL } from '../licence.ts';
import type { WindowsSource } from '../source.ts';

export const contractsFinder: WindowsSource = {
  kind: 'windows',
  id: 'contracts_finder',
  cliName: 'contracts-finder',
  title: 'Contracts Finder',
  homepage: 'https://www.contractsfinder.service.gov.uk',
  ...OGL,
  timetable: '20 * * * *',
  limiter: 'procurement',
  expected: { least: 1, most: 3_000 },
  clock: 'utc',
  pageRows: 100,
  firstWindowHours: 24,
  // Long windows lose data here: the best-known collector walks in steps of 15 days.
  longestWindowHours: 15 * 24,
  // The documentation says 403 and five minutes; the firewall in front answers 429 since May 2026. Both are obeyed.
  forbiddenWaitSeconds: 300,
  forbiddenTimes: 3,
  baseUrl: (settings) => settings.CONTRACTS_FINDER_URL,
  windowUrl: (base, from, until) => {
    const query = new URLSearchParams({
      publishedFrom: isoInstant(from),
      publishedTo: isoInstant(until),
      limit: '100',
    });
    return `${base}/Published/Notices/OCDS/Search?${query}`;
  },
};
