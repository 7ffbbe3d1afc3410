import { describe, expect, it } from 'vitest';
import { type Attempt, judgeAttempt, looksLikeHtml, readRetryAfter } from '../../../ingest/http/refusals.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const judge = (attempt: Partial<Attempt>, forbiddenWaitSeconds?: number) =>
  judgeAttempt({ status: 200, retryAfter: null, html: false, number: 1, ...attempt }, forbiddenWaitSeconds, NOW);

describe('after an attempt', () => {
  it.each([
    ['a 429 that names a time', { status: 429, retryAfter: '37' }, 37_000],
    ['a 429 that names none', { status: 429 }, 120_000],
    ['a 429 that names a date', { status: 429, retryAfter: 'Sat, 21 Nov 2026 12:01:00 GMT' }, 60_000],
    ['a 429 that asks for a day', { status: 429, retryAfter: '86400' }, 3_600_000],
    ['a 503 that names a time', { status: 503, retryAfter: '7' }, 7_000],
    ['a 503 that names none', { status: 503 }, 30_000],
    ['a 504', { status: 504 }, 30_000],
    ['a 500', { status: 500 }, 5_000],
    ['a reset', { status: null, fault: 'ECONNRESET' }, 5_000],
    ['a third reset', { status: null, number: 3 }, 20_000],
    ['a web page instead of data', { html: true }, 120_000],
  ])('%s: waits', (_name, attempt, waitMs) => {
    expect(judge(attempt)).toMatchObject({ kind: 'wait', waitMs });
  });

  it('a 403 waits where it means throttling and is final elsewhere', () => {
    expect(judge({ status: 403 }, 300)).toMatchObject({ kind: 'wait', waitMs: 300_000, everyone: true });
    expect(judge({ status: 403 })).toMatchObject({ kind: 'final' });
  });

  it('a refusal slows everyone, a reset only itself', () => {
    expect(judge({ status: 429 })).toMatchObject({ everyone: true, slower: true });
    expect(judge({ status: null })).toMatchObject({ everyone: false, slower: false });
  });

  it('an answer is taken, a 404 is nothing there, other refusals are final', () => {
    expect(judge({})).toEqual({ kind: 'take' });
    expect(judge({ status: 404 })).toEqual({ kind: 'missing' });
    for (const status of [400, 401, 416, 422]) expect(judge({ status })).toMatchObject({ kind: 'final' });
  });
});

describe('the small readers', () => {
  it('read Retry-After in both its forms and nothing else', () => {
    expect(readRetryAfter('12', NOW)).toBe(12);
    expect(readRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', NOW)).toBe(0);
    for (const odd of ['soon', '', '-5', '+5', '1e9', '120, 60', 'in 5 minutes', 'never 1'])
      expect([odd, readRetryAfter(odd, NOW)]).toEqual([odd, null]);
    expect(readRetryAfter(null, NOW)).toBeNull();
  });

  it('know a web page by its beginning', () => {
    for (const begin of ['\n <!DOCTYPE html><p>', '<html lang="en">', '\ufeff<html>', '<!-- closed --><html>'])
      expect([begin, looksLikeHtml(Buffer.from(begin))]).toEqual([begin, true]);
    for (const begin of ['{"description":"<html>"}', '\ufeff{"uri":"<"}', '"<html>",1', ''])
      expect([begin, looksLikeHtml(Buffer.from(begin))]).toEqual([begin, false]);
  });
});
