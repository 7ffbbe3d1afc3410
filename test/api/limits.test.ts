import { describe, expect, it } from 'vitest';
import { makeLimits } from '../../api/limits.ts';
import { makeWindows } from '../../api/windows.ts';

describe('an allowance', () => {
  it('is told as structured fields: its policy, what is left and when it is whole again', async () => {
    const limits = makeLimits('key', 2);
    const told = [await limits.take('a'), await limits.take('a'), await limits.take('a')];
    expect(told.map(({ exceeded }) => exceeded)).toEqual([false, false, true]);
    expect(told[0]?.headers).toEqual({ 'RateLimit-Policy': '"key";q=2;w=60', RateLimit: '"key";r=1;t=60' });
    expect(told[2]?.headers.RateLimit).toMatch(/^"key";r=0;t=\d+$/);
    expect(told[2]?.retryAfterSeconds).toBeGreaterThan(0);
    expect((await limits.take('b')).exceeded).toBe(false);
  });

  it('takes no more room than so many ids: the one that asked longest ago is forgotten', () => {
    const windows = makeWindows(60, 3);
    for (const id of ['a', 'b', 'c', 'a', 'd']) windows.take(id);
    expect(['a', 'd', 'c', 'b'].map((id) => windows.take(id).count)).toEqual([3, 2, 2, 1]);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
  ])('of an address counts one customer’s network as one: %s and %s', async (one, other, isSame) => {
    const limits = makeLimits('address', 1);
    await limits.take(one);
    expect((await limits.take(other)).exceeded).toBe(isSame);
  });
});
