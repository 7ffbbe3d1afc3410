import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, reference } from '../releases.ts';

const datesOf = (more: JsonObject) => {
  const release = actRelease('012345-2026', '2026-03-01T10:00:00Z', { parties: [COUNCIL, BRIGHT], ...more });
  return compileOne([release]).notices[0]?.detail.dates;
};
const begins = (...days: unknown[]) => ({ dates: days.map((startDate) => ({ startDate })) });

it.each<[string, JsonObject, string | undefined]>([
  ['the day that is stated', { recurrence: begins('2030-04-29T23:59:59+01:00') }, '2030-04-29'],
  ['the first of several', { recurrence: begins('2034-01-01T23:59:59Z', '2030-01-01T23:59:59Z') }, '2030-01-01'],
  [
    'the first of several, however they are written',
    { recurrence: begins('01/04/2034', 'TBC', '2030-04-29') },
    '2030-04-29',
  ],
  ['its end, where that alone is stated', { recurrence: { dates: [{ endDate: '2030-06-30' }] } }, '2030-06-30'],
  ['a day without a period', { recurrence: { dates: ['2030-06-30'] } }, '2030-06-30'],
  ['not known from words', { recurrence: { description: 'In 2030.' } }, undefined],
  ['not known where nothing can be read', { recurrence: begins(null, 'TBC') }, undefined],
  ['none, where it is not repeated', { hasRecurrence: false, recurrence: begins('2030-04-29') }, undefined],
])('the day on which a procurement is advertised again is %s', (_, tender, day) => {
  expect(datesOf({ tender })?.recurs_expected).toBe(day);
});

it.each<[string, unknown, string | undefined]>([
  ['as stated', { endDate: '2026-07-29T23:59:59+01:00' }, '2026-07-29'],
  [
    'the last of several, where it was set again',
    [{ endDate: '2026-08-21T23:59:59+01:00' }, { endDate: '2026-07-29T23:59:59+01:00' }],
    '2026-08-21',
  ],
  ['the last of several, however written', [{ endDate: '01/08/2026' }, { endDate: '2026-07-29' }], '2026-08-01'],
  ['that of the one that can be read', [{ endDate: '2026-07-29' }, { endDate: 'TBC' }], '2026-07-29'],
  ['that of the one that states it', [{ startDate: '2026-08-01' }, { endDate: '2026-07-29' }, null], '2026-07-29'],
  ['not known where none is stated', [], undefined],
])('the end of a standstill is %s', (_, standstillPeriod, day) => {
  const award = { id: '1', status: 'pending', suppliers: [reference(BRIGHT)], standstillPeriod };
  expect(datesOf({ awards: [award] })?.standstill_until).toBe(day);
});
