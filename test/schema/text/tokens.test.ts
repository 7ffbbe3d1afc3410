import { expect, it } from 'vitest';
import { makeId, makeTimedId, randomBase62 } from '../../../schema/text/tokens.ts';

it('random texts are base62, of the given length, never the same, each digit about as often as any other', () => {
  const texts = Array.from({ length: 5_000 }, () => randomBase62(22));
  expect(texts.every((text) => /^[0-9A-Za-z]{22}$/.test(text))).toBe(true);
  expect(new Set(texts).size).toBe(texts.length);
  const counts = new Map<string, number>();
  for (const digit of texts.join('')) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  expect(counts.size).toBe(62);
  const mean = (5_000 * 22) / 62;
  for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(mean / 4);
});

it('an id names its kind and is safe in an address', () => {
  expect(makeId('key')).toMatch(/^key_[0-9A-Za-z]{22}$/);
});

it('ids that begin with their time rise as text from one millisecond to the next, and differ within one', () => {
  const start = Date.parse('2026-11-21T12:00:00Z');
  const moments = [0, 1, 61, 62, 3_843, 3_844, 86_400_000, 400 * 86_400_000].map((ms) => makeTimedId('ch', start + ms));
  expect([...moments].sort()).toEqual(moments);
  expect(moments.every((id) => /^ch_[0-9A-Za-z]{22}$/.test(id))).toBe(true);
  expect(makeTimedId('ch', start)).not.toBe(makeTimedId('ch', start));
});
