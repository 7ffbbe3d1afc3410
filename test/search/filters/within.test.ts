import { expect, it } from 'vitest';
import { onDay } from '../../../search/filters/within.ts';

it.each([
  ['2026-11-23T10:00:00Z', 3, '2026-11-23', '2027-02-23'],
  ['2027-01-31T10:00:00Z', 1, '2027-01-31', '2027-02-28'],
  ['2028-01-31T10:00:00Z', 1, '2028-01-31', '2028-02-29'],
  ['2026-12-31T10:00:00Z', 6, '2026-12-31', '2027-06-30'],
  ['2026-08-31T23:30:00Z', 12, '2026-09-01', '2027-09-01'],
])('at %s what ends within %i months ends from %s to %s', (now, months, from, to) => {
  const days = onDay({ ends_within: months, region: 'London' }, new Date(now));
  expect(days).toEqual({ region: 'London', ends_from: from, ends_to: to });
});
