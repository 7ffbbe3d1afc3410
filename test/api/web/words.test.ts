import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatDay,
  formatDays,
  formatEvidence,
  formatInstant,
  formatSpan,
} from '../../../api/web/components/format.ts';
import { labelMatch, labelNoticeType, labelTimetable } from '../../../api/web/components/labels.ts';
import { formatMoney } from '../../../schema/text/money.ts';
import { readSources } from '../../support/source-files.ts';

describe('the words of the pages', () => {
  it.each([
    ['*/15 * * * *', 'every 15 minutes'],
    ['20 * * * *', 'every hour, at 20 minutes past'],
    ['40 3 * * *', 'every day at 03:40'],
    ['35 */4 * * *', 'every 4 hours from 00:35 to 20:35'],
    ['5 2-22/4 * * *', 'every 4 hours from 02:05 to 22:05'],
    ['5 9-17/3 * * *', 'every 3 hours from 09:05 to 15:05'],
    ['0 3 1 * *', '0 3 1 * *'],
    ['nonsense', 'nonsense'],
  ])('a timetable %s is %s', (cron, words) => expect(labelTimetable(cron)).toBe(words));

  it.each([
    [60_000, '1 minute'],
    [119 * 60_000, '119 minutes'],
    [3 * 3_600_000, '3 hours'],
    [19 * 86_400_000, '19 days'],
  ])('a span of %i ms is %s', (spanMs, words) => expect(formatSpan(spanMs)).toBe(words));

  it.each([
    ['2026-08-12', '2026-08-12', '1 day'],
    ['2026-07-01', '2026-07-31', '31 days'],
    ['2026-08-12', '2026-09-30', '50 days'],
    ['2026-07-01', '2026-08-31', '2 months'],
    ['2026-01-01', '2026-02-28', '2 months'],
    ['2026-02-01', '2026-04-30', '3 months'],
    ['2026-03-16', '2026-06-24', '101 days'],
    ['2026-04-01', '2027-09-30', '18 months'],
    ['2026-09-01', '2029-08-31', '3 years'],
    ['2026-09-01', '2028-09-30', '2 years 1 month'],
  ])('a period from %s to %s is %s', (first, last, words) => expect(formatDays(first, last)).toBe(words));

  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_000, '1.0 kB'],
    [99_960, '100 kB'],
    [999_499, '999 kB'],
    [999_950, '1.0 MB'],
    [4_249_000, '4.2 MB'],
    [999_999_999, '1.0 GB'],
    [5_000_000_000_000, '5000 GB'],
  ])('a file of %i bytes is %s', (bytes, words) => expect(formatBytes(bytes)).toBe(words));

  it.each([
    [1_234_567, 'GBP', '£1,234,567'],
    [0.5, 'GBP', '£0.50'],
    [1000, 'EUR', '€1,000'],
    [1000, null, '1,000'],
    [1000, 'pounds', '1,000'],
    [null, 'GBP', null],
  ])('%s %s is %s', (value, currency, words) => expect(formatMoney(value, currency)).toBe(words));

  it('days and instants are in words, in London', () => {
    expect(formatDay('2026-03-12')).toBe('12 March 2026');
    expect(formatDay(null)).toBeNull();
    expect(formatDay('soon')).toBe('soon');
    expect(formatInstant('2026-07-01T09:00:00Z')).toBe('1 July 2026 at 10:00');
  });

  it.each([
    [['one CPV code', 'ends on 2027-03-18'], 'one CPV code; ends on 18 March 2027'],
    [['deadlines: 2026-11-20 and 2026-11-23'], 'deadlines: 20 November 2026 and 23 November 2026'],
    [
      ['the reference FM/2026-11-20-3', 'the reference 2026-11-20/A'],
      'the reference FM/2026-11-20-3; the reference 2026-11-20/A',
    ],
  ])('evidence %j is %s', (evidence, words) => expect(formatEvidence(evidence)).toBe(words));

  it('kinds and matches have a name', () => {
    expect(labelNoticeType('UK4')).toBe('UK4 Tender notice');
    expect(labelNoticeType('tenderUpdate')).toBe('Tender update');
    expect(labelMatch('name_postcode')).toBe('by name and postcode');
  });
});

/** Turns that stood on the pages once and are not what an English reader expects. */
const ODD =
  /signs alone|clock on the wall|last good turn|held back|the same as a table|who won last|faults? of ours|refused or broken|\bgoes on\b|\bnoughts?\b|\bwhoever\b|\bborne by\b|counted apart|what counts|turned back|unwanted mail|\bshall\b|no longer good|lacks a part|are told\b|is told\b|looked for\b|came of it|what is held of/i;

it('no page speaks in a turn that a reader stumbles over', () => {
  const pages = readSources().filter(({ path }) => path.startsWith('api/web/'));
  const odd = pages.flatMap(({ path, text }) =>
    text
      .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      .split('\n')
      .filter((line) => ODD.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(pages.length).toBeGreaterThan(100);
  expect(odd).toEqual([]);
});
