import { describe, expect, it } from 'vitest';
import { isLive } from '../../../schema/catalogue/live.ts';

const NOW = new Date('2026-06-30T22:30:00Z');
const until = (deadline: string | null, deadline_at: string | null = null) => ({ deadline, deadline_at });

describe('a live tender', () => {
  it('has its deadline ahead; a date without a time ends with its London day', () => {
    expect(isLive(until('2026-06-30', '2026-06-30T22:31:00Z'), 'open', NOW)).toBe(true);
    expect(isLive(until('2026-06-30', '2026-06-30T22:29:00Z'), 'open', NOW)).toBe(false);
    expect(isLive(until('2026-06-30'), 'open', NOW)).toBe(true);
    expect(isLive(until('2026-06-30'), 'open', new Date('2026-06-30T23:00:00Z'))).toBe(false);
    expect(isLive(until(null), 'open', NOW)).toBe(false);
  });

  it.each(['cancelled', 'withdrawn', 'closed', 'complete', 'awarded', 'unsuccessful'])('is none once %s', (status) => {
    expect(isLive(until('2026-12-31'), status, NOW)).toBe(false);
  });
});
