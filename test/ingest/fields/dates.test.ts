import { expect, it } from 'vitest';
import { parseDay, parseDeadline, parseInstant } from '../../../ingest/fields/dates.ts';

it.each([
  '27.02.2026',
  '27.2.2026',
  '27-02-2026',
  '27/02/2026',
  '27 February 2026',
  '27 FEBRUARY 2026',
  '27th February 2026',
  '27 Feb 2026',
  '27 Feb. 2026',
  '27-Feb-2026',
  '2026/02/27',
  '2026.02.27',
  '2026-2-27',
  '2026-02-27Z',
  '2026-02-27+00:00',
  '27.02.2026 14:30',
  '27 February 2026 14:30:00',
  '27 February, 2026',
  'Friday 27 February 2026',
  'Friday, 27th February 2026',
  'Fri 27 Feb 2026',
  'Fri. 27/02/2026',
  'Fri, 27 Feb 2026 10:00:00 GMT',
  'Fri, 27 Feb 2026 10:00:00 +0000',
  '2026-02-27 GMT',
  'February 27, 2026',
  'Feb. 27th 2026',
  'Friday, February 27, 2026 10:00',
  '2026-02-27T10:00Z[Europe/London]',
])('%s is 27 February 2026', (text) => {
  expect(parseDay(text)).toBe('2026-02-27');
});

it.each([
  ['1 May 2026', '2026-05-01'],
  ['3 Sept 2026', '2026-09-03'],
  ['2nd june 2026', '2026-06-02'],
  ['31-12-2026', '2026-12-31'],
])('%s is %s', (text, day) => {
  expect(parseDay(text)).toBe(day);
});

it.each([
  '02/27/2026',
  '02.27.2026',
  '02-27-2026',
  '31.02.2026',
  '31-04-2026',
  '31 February 2026',
  '29.02.2026',
  '27.02-2026',
  '27.02.26',
  '127.02.2026',
  '27.02.20261',
  '27 February',
  'February 2026',
  '27 Febuary 2026',
  '27 Mayhem 2026',
  '27 February 20260',
  '27 February 2026 at 5pm',
  '27 February 2026 to 28 February 2027',
  '27.02.2026, 28.02.2026',
  'TBC 27.02.2026',
  '2026/27',
  '20260227',
  '1.2.3',
  'Friday',
  'Fri 27 February',
  'Friday 27.02.26',
  'Freitag 27 February 2026',
  'Fri, Sat 27 February 2026',
  '27 February 2026 10:00 EST',
  'GMT',
  'February 30, 2026',
  'February 27, 20260',
  'February 2026, 27',
  '27, 2026',
  '2026-02-27[Europe/London]',
  '2026-02-27T10:00[Europe/London]',
  '2026-02-27T10:00Z[Europe]',
])('%s is no date', (text) => {
  expect(parseDay(text)).toBeNull();
});

it('a time after a day in words is the time of that day, and a day alone ends at midnight', () => {
  expect(parseInstant('1 July 2026 12:00')?.toISOString()).toBe('2026-07-01T11:00:00.000Z');
  expect(parseInstant('01.07.2026 12:00Z')?.toISOString()).toBe('2026-07-01T12:00:00.000Z');
  expect(parseInstant('Wed, 1 Jul 2026 12:00:00 GMT')?.toISOString()).toBe('2026-07-01T12:00:00.000Z');
  expect(parseInstant('Wednesday 1 July 2026 12:00 BST')?.toISOString()).toBe('2026-07-01T11:00:00.000Z');
  expect(parseInstant('2026-07-01T12:00+01:00[Europe/London]')?.toISOString()).toBe('2026-07-01T11:00:00.000Z');
  expect(parseDeadline('July 1, 2026 12:00')?.at).toBe('2026-07-01T11:00:00Z');
  expect(parseDeadline('Wednesday 1 July 2026')).toEqual({ date: '2026-07-01', at: '2026-07-01T22:59:59Z' });
  expect(parseDeadline('1 July 2026')).toEqual({ date: '2026-07-01', at: '2026-07-01T22:59:59Z' });
  expect(parseDeadline('2026-07-01+01:00')).toEqual({ date: '2026-07-01', at: '2026-07-01T22:59:59Z' });
});

it('a text of any length is looked at no further than a date is long', () => {
  for (const piece of ['T', '1 ', '27.02.2026', ' '])
    expect(parseDay(`27.02.2026${piece.repeat(3_000_000 / piece.length)}!`)).toBeNull();
});
