import { isoInstant } from '../../schema/config/clocks.ts';
import { readDailyCsv } from '../completeness/daily-csv.ts';
import { OGL } from '../licence.ts';
import { readEnds } from '../runs/spans.ts';
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
  // 137 on a working day of September 2026, and falling.
  leastOnWorkingDay: 5,
  byId: {
    // Only the search counts against the narrow budget.
    limiter: 'procurement_other',
    url: (base, id) => `${base}/Published/OCDS/${id.startsWith('ocds-') ? 'Record' : 'Release'}/${id}`,
  },
  witness: {
    name: 'daily_csv',
    limiter: 'procurement_other',
    dayUrl: (base, day) => `${base}/Harvester/Notices/Data/CSV/${day.split('-').map(Number).join('/')}`,
    read: readDailyCsv,
  },
  baseUrl: (settings) => settings.CONTRACTS_FINDER_URL,
  // What its predecessor published is in it from 2014 on.
  firstDay: '2014-01-01',
  readSpan: (url) => readEnds(url, ['publishedFrom', 'publishedTo'], (text) => new Date(text)),
  windowUrl: (base, from, until) => {
    const query = new URLSearchParams({
      publishedFrom: isoInstant(from),
      publishedTo: isoInstant(until),
      limit: '100',
    });
    return `${base}/Published/Notices/OCDS/Search?${query}`;
  },
};
