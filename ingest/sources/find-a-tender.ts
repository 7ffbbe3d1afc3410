import { londonInstant, londonTime } from '../../schema/config/clocks.ts';
import { OGL } from '../../schema/reference/licence.ts';
import { ADDRESS_PATH } from '../../schema/text/document-links.ts';
import { DASH } from '../../schema/text/ids.ts';
import { readEnds } from '../runs/spans.ts';
import type { BudgetOf, NoticeNumber, WindowsSource } from '../source.ts';

const NUMBER = /^\d{6}-\d{4}$/;

/**
 * The budget of searches and packages. One firewall protects both procurement services (its Terraform, August 2026). Per address
 * and 120 s it allows 12 requests on their package, record and search paths, and 240 on all of their paths together. So each
 * request of the first kind counts in the second budget too.
 */
export const procurement: BudgetOf = (settings) => ({
  name: 'procurement',
  gapMs: settings.PROCUREMENT_GAP_SECONDS * 1_000,
  slowGapMs: Math.max(settings.PROCUREMENT_GAP_SECONDS, settings.PROCUREMENT_GAP_AFTER_429_SECONDS) * 1_000,
  countedIn: { name: 'procurement_other', gapMs: settings.PROCUREMENT_OTHER_GAP_SECONDS * 1_000 },
});

/** The budget of the other paths of the same two services. */
export const procurementOther: BudgetOf = (settings) => ({
  name: 'procurement_other',
  gapMs: settings.PROCUREMENT_OTHER_GAP_SECONDS * 1_000,
  slowGapMs: settings.PROCUREMENT_OTHER_GAP_SECONDS * 2_000,
  alsoHolds: ['procurement'],
});

export const findATender: WindowsSource = {
  kind: 'notices',
  asked: 'by_window',
  id: 'find_a_tender',
  cliName: 'find-a-tender',
  title: 'Find a Tender',
  aliases: ['fts', 'fat', 'findtender'],
  homepage: 'https://www.find-tender.service.gov.uk',
  ...OGL,
  attribution: `${OGL.attribution} Source: Find a Tender, the Cabinet Office.`,
  timetable: '*/15 * * * *',
  budget: procurement,
  expected: { least: 1, most: 2_000 },
  // The service reads both ends as UK wall-clock time, whatever zone is appended (measured in 2026).
  clock: 'london',
  pageRows: 100,
  // Both ends equal is refused.
  shortestSpanSeconds: 1,
  firstWindowHours: 6,
  longestWindowHours: 15 * 24,
  // About 450 on a working day of 2026, about 150 in 2021; bank holidays have a few.
  leastOnWorkingDay: 20,
  notices: {
    id: NUMBER,
    // The release's id, otherwise the number of its own document: one with a notice type.
    numberOf: ({ id, documents }) =>
      [id, ...documents.filter((one) => one.noticeType !== undefined).map((one) => one.id)].find((one) =>
        NUMBER.test(one ?? ''),
      ),
    countedNumber: ([id = '']) => {
      const found = parseNumber(id);
      return found ? found.year * 1_000_000 + found.number : undefined;
    },
    pageBase: 'https://www.find-tender.service.gov.uk/Notice/',
    ocid: /^ocds-h6vhtk-/,
    recordBase: 'https://www.find-tender.service.gov.uk/procurement/',
    // Its page, its ocid, or the number `2022/S 000-029179`.
    naming: {
      address: String.raw`find-tender\.service\.gov\.uk${ADDRESS_PATH}(?:(\d{6}${DASH}20\d\d)(?!\d)|(ocds-h6vhtk-[0-9a-f]{6,}))`,
      quote: String.raw`\b(ocds-h6vhtk-[0-9a-f]{6,})|\b(20\d\d)\s?/\s?S\s?000\s?${DASH}\s?(\d{6})\b`,
    },
    rank: 1,
    // An explicit null means that a release does not say: what an earlier one states stays.
    nullDeletes: false,
  },
  byId: { budget: procurement, url: (base, id) => `${base}/api/1.0/ocdsReleasePackages/${id}` },
  sequence: {
    parse: parseNumber,
    format: ({ year, number }) => `${String(number).padStart(6, '0')}-${year}`,
  },
  // One firewall protects it and Contracts Finder: a 403 means too many requests.
  forbiddenWaitSeconds: 300,
  forbiddenTimes: 3,
  baseUrl: (settings) => settings.FIND_A_TENDER_URL,
  // The service opened with 2021; December 2020 is empty.
  firstDay: '2021-01-01',
  readSpan: (url) => readEnds(url, ['updatedFrom', 'updatedTo'], londonInstant),
  listRequests: (base, { from, until }) => {
    const query = new URLSearchParams({ updatedFrom: londonTime(from), updatedTo: londonTime(until), limit: '100' });
    return [`${base}/api/1.0/ocdsReleasePackages?${query}`];
  },
};

function parseNumber(id: string): NoticeNumber | null {
  const [, number, year] = /^(\d{6})-(\d{4})$/.exec(id) ?? [];
  return number && year ? { year: Number(year), number: Number(number) } : null;
}
