import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cacheFor } from '../../../api/web/serving/cached-read.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a read is reused for its time alone, even where the clock is set back', async () => {
  let reads = 0;
  const read = cacheFor(30_000, async () => ++reads);
  expect([await read(), await read()]).toEqual([1, 1]);
  vi.setSystemTime(Date.now() - HOUR_MS);
  vi.advanceTimersByTime(29_000);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(2_000);
  expect(await read()).toBe(2);
});

it('a read that fails is made again by the next caller', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve('here')];
  const read = cacheFor(30_000, () => answers.shift() ?? Promise.resolve('none'));
  await expect(read()).rejects.toThrow('away');
  expect(await read()).toBe('here');
});
