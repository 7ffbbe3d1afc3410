import { expect, it } from 'vitest';
import { lastSevenDays } from '../../../../api/operations/watches/spec.ts';
import { makeClocks } from '../../../../schema/config/clocks.ts';
import { parseQuery } from '../../../../search/query/parse.ts';

const clocks = makeClocks(new Date('2026-11-21T12:00:00Z'));

it.each([
  'cleaning',
  'clea\u0301',
  'cleaning OR',
  'cleaning NOT',
  'cleaning AND',
  'NORTHAMPTON',
  'OR',
  '"street cleaning"',
])('a preview looks for what the watch does, and completes no word: %s', (query) => {
  const previewed = parseQuery(String(lastSevenDays({ clocks }, { on: 'notices', filters: { query } }).query));
  expect(previewed).toEqual({ ...parseQuery(query), partial: null });
});
