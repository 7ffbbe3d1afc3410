import { expect, it } from 'vitest';
import {
  chunksOf,
  forgetResults,
  makeResults,
  memoise,
  memoiseByJson,
  memoiseByObject,
} from '../../../schema/text/memoise.ts';

it('a result is worked out once, null as well', () => {
  const read: string[] = [];
  const known = memoise((text) => {
    read.push(text);
    return text === '' ? null : text.length;
  });
  expect(['', 'ab', '', 'ab'].map(known)).toEqual([null, 2, null, 2]);
  expect(read).toEqual(['', 'ab']);
});

it('keeps at most the given number of results, and none of a long text', () => {
  let reads = 0;
  const known = memoise((text) => {
    reads += 1;
    return text.length;
  }, 2);
  for (const text of ['a', 'b', 'a', 'c', 'c']) expect(known(text)).toBe(1);
  expect(reads).toBe(3);
  expect([known('a'), known('x'.repeat(301)), known('x'.repeat(301))]).toEqual([1, 301, 301]);
  expect(reads).toBe(6);
});

it('a result of an object is its own, whatever another says alike', () => {
  const copyOf = memoiseByObject((object: { a: number }) => ({ ...object }));
  const one = { a: 1 };
  expect(copyOf(one)).toBe(copyOf(one));
  expect(copyOf({ a: 1 })).not.toBe(copyOf(one));
});

it('values that say the same share a result, within the number kept; none of a long value is kept', () => {
  const copyOf = memoiseByJson((value: { a: number | string; b?: number }) => ({ ...value }), 2);
  const [one, other] = [copyOf({ a: 1 }), copyOf({ a: 1, b: 2 })];
  expect([copyOf({ a: 1 }), copyOf({ a: '1' }), other]).toEqual([{ a: 1 }, { a: '1' }, { a: 1, b: 2 }]);
  expect(copyOf({ a: 1 })).not.toBe(one);
  expect(copyOf({ a: 1 })).toBe(copyOf({ a: 1 }));
  const long = { a: 'x'.repeat(4_000) };
  expect(copyOf(long)).not.toBe(copyOf(long));
});

it('results of objects are kept until all of them are forgotten, and then kept again', () => {
  const [sizes, names] = [makeResults<object, number>(), makeResults<object, string>()];
  const one = {};
  sizes.set(one, 1);
  names.set(one, 'one');
  expect([sizes.get(one), names.get(one), sizes.get({})]).toEqual([1, 'one', undefined]);
  forgetResults();
  expect([sizes.get(one), names.get(one)]).toEqual([undefined, undefined]);
  sizes.set(one, 2);
  expect(sizes.get(one)).toBe(2);
});

it('a list is cut into parts of a size, the last of what is left; an empty one has none', () => {
  expect([...chunksOf(['a', 'b', 'c', 'd', 'e'], 2)]).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  expect([...chunksOf(['a', 'b'], 2)]).toEqual([['a', 'b']]);
  expect([...chunksOf([], 2)]).toEqual([]);
});
