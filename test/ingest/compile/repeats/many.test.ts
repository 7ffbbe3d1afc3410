import { expect, it } from 'vitest';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { compileOne } from '../releases.ts';
import { awardOf, notice } from './notices.ts';

it('hundreds of awards of one supplier in each of two notices are compared in seconds, not in minutes', () => {
  const COUNT = 500;
  const awards = (first: number) =>
    Array.from({ length: COUNT - 1 }, (_, index) =>
      awardOf(first + index, { amount: 10_000 + (first + index) * 7, suppliers: ['Tidy Hedges Ltd'] }),
    );
  const before = process.cpuUsage();
  const { contracts } = compileOne(
    [notice(1, { more: awards(10) }), notice(2, { amount: 19_000, more: awards(10 + COUNT) })],
    'contracts_finder',
  );
  const { user, system } = process.cpuUsage(before);
  expect(contracts).toHaveLength(2 * COUNT);
  expect((user + system) / 1_000).toBeLessThan(LIMITS_MS.wait / 4);
});
