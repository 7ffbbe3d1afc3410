import { expect, it } from 'vitest';
import { LIMITS_MS } from '../support/time-limits.ts';
import { runWatchChaos } from './watches/harness.ts';

it(
  'watches deliver everything in order and charge each delivery once, however often jobs are killed',
  async () => {
    const report = await runWatchChaos({ kills: 5, seed: 3, watches: 4 });
    expect(report.faults).toEqual([]);
    expect(report.deliveries).toBeGreaterThan(4);
    expect(report.repeated).toBeGreaterThan(0);
  },
  LIMITS_MS.long,
);
