import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shareAnswers } from '../../../schema/process/operator-answers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a check or reading that never ends is answered after ten seconds, and the next request begins it again', async () => {
  let asked = 0;
  const answers = shareAnswers(
    {
      checkReadiness: () =>
        asked++ === 0 ? new Promise(() => undefined) : Promise.resolve({ faults: [], remarks: [] }),
      writeMetrics: () => (asked++ === 1 ? new Promise(() => undefined) : Promise.resolve('up 1\n')),
    },
    pino({ level: 'silent' }),
  );
  const late = Promise.allSettled([answers.checkReadiness(), answers.writeMetrics(), answers.checkReadiness()]);
  await vi.advanceTimersByTimeAsync(10_000);
  const faults = ['the checks did not end within 10 s'];
  expect(await late).toMatchObject([
    { value: { faults } },
    { reason: { message: 'the metrics were not read within 10 s' } },
    { value: { faults } },
  ]);
  expect(await answers.checkReadiness()).toEqual({ faults: [], remarks: [] });
  expect(await answers.writeMetrics()).toBe('up 1\n');
});
