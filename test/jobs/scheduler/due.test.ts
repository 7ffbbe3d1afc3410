import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { atTimes, isDue, previousTime } from '../../../jobs/scheduler/cron-times.ts';

describe('the time a cron line last was to run', () => {
  it.each([
    ['*/15 * * * *', '2026-11-21T10:44:59Z', '2026-11-21T10:30:00.000Z'],
    ['*/15 * * * *', '2026-11-21T10:45:00Z', '2026-11-21T10:45:00.000Z'],
    ['17 * * * *', '2026-07-01T00:05:00Z', '2026-06-30T23:17:00.000Z'],
    ['30 2 * * *', '2026-07-01T01:29:00Z', '2026-06-30T01:30:00.000Z'],
    ['0 4 6 * *', '2026-11-21T10:00:00Z', '2026-11-06T04:00:00.000Z'],
    ['0 4 * * 1', '2026-11-21T10:00:00Z', '2026-11-16T04:00:00.000Z'],
    ['*/10 * * * * *', '2026-11-21T10:00:09Z', '2026-11-21T10:00:00.000Z'],
  ])('%s before %s is %s', (cron, now, expected) => {
    expect(previousTime(cron, new Date(now))?.toISOString()).toBe(expected);
  });

  it('is right across both clock changes', () => {
    // 01:30 does not exist on 29 March 2026 and comes twice on 25 October 2026.
    expect(previousTime('30 3 * * *', new Date('2026-03-29T12:00:00Z'))?.toISOString()).toBe(
      '2026-03-29T02:30:00.000Z',
    );
    expect(previousTime('30 1 * * *', new Date('2026-10-25T12:00:00Z'))?.toISOString()).toBe(
      '2026-10-25T00:30:00.000Z',
    );
  });

  it.each([
    ['*/15 * * * *', '2026-10-25T00:50:00Z', '2026-10-25T00:45:00.000Z'],
    ['*/15 * * * *', '2026-10-25T01:17:00Z', '2026-10-25T01:15:00.000Z'],
    ['20 * * * *', '2026-10-25T02:05:00Z', '2026-10-25T01:20:00.000Z'],
  ])('%s before %s, when an hour comes twice, is %s', (cron, now, expected) => {
    expect(previousTime(cron, new Date(now))?.toISOString()).toBe(expected);
  });

  it('is refused for what is no cron line', () => {
    expect(() => previousTime('every day', new Date())).toThrow('not a cron line: every day');
  });
});

describe('what follows a cron line', () => {
  it('runs on time after the clock was set back, and once after a day of sleep', () => {
    vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00.500Z') });
    onTestFinished(() => void vi.useRealTimers());
    const times: string[] = [];
    onTestFinished(atTimes('* * * * * *', (time) => times.push(time.toISOString().slice(0, 19))));
    vi.advanceTimersByTime(2_000);
    expect(times.splice(0)).toEqual(['2026-11-21T10:00:01', '2026-11-21T10:00:02']);
    vi.setSystemTime('2026-11-21T09:00:00.500Z');
    vi.advanceTimersByTime(3_000);
    expect(times.splice(0).slice(-2)).toEqual(['2026-11-21T09:00:02', '2026-11-21T09:00:03']);
    vi.setSystemTime('2026-11-22T09:00:00.500Z');
    vi.advanceTimersByTime(2_000);
    expect(times).toEqual(['2026-11-21T09:00:04', '2026-11-22T09:00:02']);
  });
});

describe('a job', () => {
  const now = new Date('2026-11-21T10:40:00Z');
  it.each([
    ['never succeeded', null, true],
    ['succeeded after its last time', '2026-11-21T10:30:05Z', false],
    ['succeeded exactly at its last time', '2026-11-21T10:30:00Z', false],
    ['missed its last time', '2026-11-21T10:29:00Z', true],
    ['slept for weeks', '2026-10-01T00:00:00Z', true],
  ])('that %s', (_name, last, due) => {
    expect(isDue('*/15 * * * *', last ? new Date(last) : null, now)).toBe(due);
  });
});
