import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  alignSpan,
  isAmbiguous,
  moveCursorStatements,
  nextLengthMs,
  splitSpan,
  takeSpan,
  uncoveredSpans,
} from '../../../ingest/runs/spans.ts';
import type { Span, SpanClock } from '../../../ingest/source.ts';
import { londonInstant, londonTime } from '../../../schema/config/clocks.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const HOUR_MS = 3_600_000;
const span = (from: string, until: string): Span => ({ from: new Date(from), until: new Date(until) });
const text = ({ from, until }: Span) => [from.toISOString().slice(0, 19), until.toISOString().slice(0, 19)];
const LATE = new Date('2030-01-01T00:00:00Z');

describe('the two clock changes', () => {
  it('reads summer time one hour ahead', () => {
    expect(londonTime(new Date('2026-07-01T12:00:00Z'))).toBe('2026-07-01T13:00:00');
    expect(londonTime(new Date('2026-12-01T12:00:00Z'))).toBe('2026-12-01T12:00:00');
  });

  it('skips the hour that does not exist in March', () => {
    expect(londonTime(new Date('2026-03-29T00:59:59Z'))).toBe('2026-03-29T00:59:59');
    expect(londonTime(new Date('2026-03-29T01:00:00Z'))).toBe('2026-03-29T02:00:00');
    expect(isAmbiguous(new Date('2026-03-29T01:00:00Z'))).toBe(false);
  });

  it('knows the hour that comes twice in October', () => {
    const at = (time: string) => isAmbiguous(new Date(`2026-10-${time}Z`));
    expect([at('24T23:59:59'), at('25T00:00:00'), at('25T00:59:59')]).toEqual([false, true, true]);
    expect([at('25T01:00:00'), at('25T01:59:59'), at('25T02:00:00')]).toEqual([true, true, false]);
  });

  it('moves the ends of a span off that hour, outwards', () => {
    const aligned = alignSpan(span('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'), 'london', LATE);
    expect(text(aligned)).toEqual(['2026-10-24T23:59:59', '2026-10-25T02:00:00']);
  });

  it('asks no further than the hour while it is that hour', () => {
    const now = new Date('2026-10-25T01:30:00Z');
    const aligned = alignSpan({ from: new Date('2026-10-24T22:00:00Z'), until: now }, 'london', now);
    expect(text(aligned)[1]).toBe('2026-10-24T23:59:59');
  });

  it('does not cut inside that hour, and says when nothing else is left to cut', () => {
    const [left, right] = splitSpan(span('2026-10-24T20:00:00Z', '2026-10-25T05:30:00Z'), 'london', 1) ?? [];
    expect(left && text(left)).toEqual(['2026-10-24T20:00:00', '2026-10-24T23:59:59']);
    expect(right && text(right)).toEqual(['2026-10-24T23:59:59', '2026-10-25T05:30:00']);
    expect(splitSpan(span('2026-10-24T23:59:59Z', '2026-10-25T02:00:00Z'), 'london', 1)).toBeNull();
    expect(splitSpan(span('2026-10-24T23:59:59Z', '2026-10-25T02:00:00Z'), 'utc', 1)).not.toBeNull();
  });
});

/** Cuts a span down as a walk does until every window is short, and answers the windows in order. */
function cutDown(whole: Span, clock: SpanClock, lengthMs: number, shortestMs: number): Span[] {
  const windows: Span[] = [];
  let rest: Span | null = alignSpan(whole, clock, LATE);
  while (rest) {
    const cut: { head: Span; rest: Span | null } = takeSpan(rest, lengthMs, clock);
    const stack = [cut.head];
    for (let part = stack.pop(); part; part = stack.pop()) {
      const halves = part.until.getTime() - part.from.getTime() > shortestMs ? splitSpan(part, clock, 1) : null;
      if (halves) stack.push(halves[1], halves[0]);
      else windows.push(part);
    }
    rest = cut.rest;
  }
  return windows;
}

/** Cuts of some hours around both clock changes of a year, and of a quiet time. */
const around = fc
  .tuple(
    fc.constantFrom('2025-10-26', '2026-03-29', '2026-10-25', '2026-06-10'),
    fc.integer({ min: -30 * 3600, max: 20 * 3600 }),
    fc.integer({ min: 2, max: 40 * 3600 }),
  )
  .map(([day, offset, seconds]) => {
    const from = new Date(Date.parse(`${day}T00:00:00Z`) + offset * 1_000);
    return { from, until: new Date(from.getTime() + seconds * 1_000) };
  });

describe('cutting', () => {
  it('leaves no second out, whichever way a service reads wall-clock time', () => {
    fc.assert(
      fc.property(around, fc.constantFrom<SpanClock>('london', 'utc'), (whole, clock) => {
        const windows = cutDown(whole, clock, 3 * HOUR_MS, HOUR_MS / 2);
        const read = (at: Date) => (clock === 'london' ? londonInstant(londonTime(at)) : at).getTime();
        const asked = windows.map(({ from, until }) => ({ fromMs: read(from), untilMs: read(until) }));
        for (let atMs = whole.from.getTime(); atMs <= whole.until.getTime(); atMs += 451_000) {
          expect(asked.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs <= untilMs)).toBe(true);
        }
        expect(asked.filter(({ fromMs, untilMs }) => untilMs - fromMs < 1_000)).toEqual([]);
        if (clock === 'london')
          expect(windows.flatMap(({ from, until }) => [from, until]).filter(isAmbiguous)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('never goes below two seconds', () => {
    expect(splitSpan(span('2026-06-01T00:00:00Z', '2026-06-01T00:00:01Z'), 'london', 1)).toBeNull();
    const halves = splitSpan(span('2026-06-01T00:00:00Z', '2026-06-01T00:00:02Z'), 'london', 1);
    expect(halves?.map(text)).toEqual([
      ['2026-06-01T00:00:00', '2026-06-01T00:00:01'],
      ['2026-06-01T00:00:01', '2026-06-01T00:00:02'],
    ]);
  });

  it('never goes below the shortest part that a source states', () => {
    const month = span('2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z');
    const seconds = (month.until.getTime() - month.from.getTime()) / 1_000;
    expect(splitSpan(month, 'utc', seconds)).toBeNull();
    expect(splitSpan(month, 'utc', seconds / 2 + 1)).toBeNull();
    expect(splitSpan(month, 'utc', seconds / 2)).toHaveLength(2);
  });

  it('makes windows longer while little comes and shorter when they are full', () => {
    const limits = { pageRows: 100, longestMs: 100 * HOUR_MS };
    expect(nextLengthMs(6 * HOUR_MS, { rows: 3, full: false }, limits)).toBe(12 * HOUR_MS);
    expect(nextLengthMs(6 * HOUR_MS, { rows: 60, full: false }, limits)).toBe(6 * HOUR_MS);
    expect(nextLengthMs(6 * HOUR_MS, { rows: 100, full: true }, limits)).toBe(3 * HOUR_MS);
    expect(nextLengthMs(80 * HOUR_MS, { rows: 0, full: false }, limits)).toBe(100 * HOUR_MS);
  });
});

describe('what is not covered', () => {
  const whole = span('2026-01-01T00:00:00Z', '2026-01-10T00:00:00Z');

  it('is the whole span when nothing is', () => {
    expect(uncoveredSpans(whole, [])).toEqual([whole]);
  });

  it('is the holes between parts that touch, overlap and reach beyond', () => {
    const stored = [
      span('2026-01-05T00:00:00Z', '2026-01-06T00:00:00Z'),
      span('2025-12-30T00:00:00Z', '2026-01-02T00:00:00Z'),
      span('2026-01-06T00:00:00Z', '2026-01-07T00:00:00Z'),
      span('2026-01-05T12:00:00Z', '2026-01-05T18:00:00Z'),
    ];
    expect(uncoveredSpans(whole, stored).map(text)).toEqual([
      ['2026-01-02T00:00:00', '2026-01-05T00:00:00'],
      ['2026-01-07T00:00:00', '2026-01-10T00:00:00'],
    ]);
    expect(uncoveredSpans(whole, [whole])).toEqual([]);
  });
});

it('a cursor and the instant up to which all is stored never move back, nor past the clock', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  onTestFinished(async () => {
    await catalogue.close();
    await folder.remove();
  });
  const source = `INSERT INTO source (id, title, homepage, licence, licence_url, attribution, timetable)
    VALUES ('s', '', '', '', '', '', '')`;
  await catalogue.write([{ sql: source }]);
  const move = async (until: string, at: string) => {
    await catalogue.write(moveCursorStatements('s', `2026-11-20T${until}:00Z`, `2026-11-20T${at}:00Z`));
    const sql = 'SELECT c.value, s.as_of FROM cursor c JOIN source s ON s.id = c.source';
    const [row] = await catalogue.read<{ value: string; as_of: string }>({ sql });
    return [row?.value.slice(11, 16), row?.as_of.slice(11, 16)];
  };
  expect(await move('11:00', '12:00')).toEqual(['11:00', '11:00']);
  expect(await move('10:00', '12:30')).toEqual(['11:00', '11:00']);
  expect(await move('13:30', '13:00')).toEqual(['13:00', '13:00']);
});
