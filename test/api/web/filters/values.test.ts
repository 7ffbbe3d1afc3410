import { expect, it } from 'vitest';
import { canonicalValue } from '../../../../api/web/filters/values.ts';

it.each([
  ['cpv', '45000000', '45'],
  ['region', 'London', 'UKI'],
  ['region', 'TLI', 'UKI'],
  // Its first code alone would narrow the next search.
  ['region', 'Dorset', 'Dorset'],
  ['region', 'Nowhere', 'Nowhere'],
])('a form has one value for all spellings of one: %s %s is %s', (name, value, canonical) => {
  expect(canonicalValue(name, value)).toBe(canonical);
});
