import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../search/query/parse.ts';

describe('a postcode in a query', () => {
  it.each([
    ['M1 1AE cleaning', [['m1', '1ae']], ['m1']],
    ['windows sw1a2aa', [['sw1a', '2aa']], ['sw1a']],
    ['"LS1 4AP"', [['ls1', '4ap']], []],
    ['M1 motorway', [], []],
    ['E17', [], []],
    ['screws M6 2MM', [], []],
    ['bags N1 5KG', [], []],
    ['tape W1 4CM', [], []],
  ])('%s', (text, phrases, districts) => {
    expect(parseQuery(text)).toMatchObject({ phrases, districts });
  });
});
