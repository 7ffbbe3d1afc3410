import { describe, expect, it } from 'vitest';
import { operations } from '../../api/operations/index.ts';
import { shorten } from '../../api/shorten.ts';
import { DENSE, LONG, makeMonster } from './monsters.ts';
import { countTokens } from './tokens.ts';

/** Answers to a publisher who writes without end, in every field that a row declares: long texts, long lists in long lists. */

const ANSWER_MOST = 2_500;
const CREDITS = { credits_charged: 100, credits_remaining: 1_000_000, charge_id: 'ch_01J00000000000000000000000' };
const shortened = operations.filter(({ shortening }) => shortening);

describe.each(Object.entries(DENSE))('however much is published: %s', (_script, text) => {
  it.each(shortened.map((row) => [row.name, row] as const))(
    `%s answers its defaults in fewer than ${ANSWER_MOST} tokens`,
    (_name, row) => {
      const brief = shorten(row, makeMonster(row, text), { detail: 'brief', limit: row.toolDefaults?.limit });
      expect(Object.keys(brief.omitted_fields as object).length).toBeGreaterThan(0);
      expect(countTokens({ ...brief, ...CREDITS })).toBeLessThan(ANSWER_MOST);
    },
  );
});

describe('a brief answer', () => {
  const [notice] = operations.filter(({ name }) => name === 'get_notice');

  it('says what it left out, and gives it whole where it is named', () => {
    if (!notice) throw new Error('there is no get_notice');
    const whole = makeMonster(notice, 'services ');
    const brief = shorten(notice, whole, { detail: 'brief' });
    const { title } = brief.omitted_fields as Record<string, number>;
    expect(String(brief.title).length - 1 + Number(title)).toBe(LONG);
    expect(shorten(notice, whole, { detail: 'brief', fields: 'title' }).title).toBe(whole.title);
  });
});
