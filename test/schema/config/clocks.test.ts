import { describe, expect, it } from 'vitest';
import { isoInstant, londonDate, londonInstant, londonTime } from '../../../schema/config/clocks.ts';

const TABLES = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

function byTables(instant: Date): string {
  const parts = Object.fromEntries(TABLES.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}

/** Compares one instant; what agrees costs no assertion, as there are tens of thousands. */
function expectTables(ms: number): void {
  const [ours, theirs] = [londonTime(new Date(ms)), byTables(new Date(ms))];
  if (ours !== theirs) expect([ms, ours]).toEqual([ms, theirs]);
}

describe('London time', () => {
  it('is that of the time zone tables, every day from 1990 to 2080', () => {
    // A step that is no multiple of a day, so that every hour comes up.
    for (let ms = Date.UTC(1990, 0, 1); ms < Date.UTC(2080, 0, 1); ms += 90_061_000) expectTables(ms);
  });

  it('changes at 01:00 UTC on the last Sundays of March and October', () => {
    for (let year = 1996; year < 2080; year += 1) {
      for (let ms = Date.UTC(year, 2, 25); ms < Date.UTC(year, 3, 1); ms += 1_800_000) expectTables(ms);
      for (let ms = Date.UTC(year, 9, 25); ms < Date.UTC(year, 10, 1); ms += 1_800_000) expectTables(ms);
    }
    expect(londonTime(new Date('2026-03-29T00:59:59Z'))).toBe('2026-03-29T00:59:59');
    expect(londonTime(new Date('2026-03-29T01:00:00Z'))).toBe('2026-03-29T02:00:00');
    expect(londonDate(new Date('2026-10-24T23:30:00Z'))).toBe('2026-10-25');
  });

  it('leads back to its instant; of two in autumn, the first', () => {
    expect(isoInstant(londonInstant('2026-07-01T00:00:00'))).toBe('2026-06-30T23:00:00Z');
    expect(isoInstant(londonInstant('2026-10-25T01:30:00'))).toBe('2026-10-25T00:30:00Z');
    expect(isoInstant(londonInstant('2026-01-01T12:00:00'))).toBe('2026-01-01T12:00:00Z');
  });
});
