import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePairsByOwner, type PairsByOwner } from '../../../search/directory/pairs.ts';
import { printNumber } from '../../../search/results/match-prints.ts';

const IDS = Array.from({ length: 12 }, (_, at) => `owner-${at}`);
const id = fc.constantFrom(...IDS);
const pairs = fc.array(fc.tuple(fc.nat(65_535), fc.nat(65_535)), { maxLength: 4 }).map((all) => all.flat());
const list = fc.uniqueArray(id, { minLength: 0, maxLength: 12 });

/** The pairs of each organisation of a list. */
function read(owners: PairsByOwner, listed: Float64Array): number[][] {
  const { pairs, ends } = owners.layOut(listed);
  return Array.from(listed, (_, row) => [...pairs.subarray(ends[row - 1] ?? 0, ends[row])]);
}

describe('pairs of numbers by organisation', () => {
  it('are those that were added and put in their place, in the order of whatever list is read', () => {
    const steps = fc.array(fc.record({ replaced: fc.array(fc.tuple(id, pairs), { maxLength: 5 }), list }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(id, pairs), { maxLength: 40 }), steps, (added, all) => {
        const owners = makePairsByOwner();
        const known = new Map<string, number[]>();
        for (const [owner, own] of added) {
          owners.add(owner, own);
          known.set(owner, [...(known.get(owner) ?? []), ...own]);
        }
        owners.pack();
        for (const { replaced, list: ids } of all) {
          for (const [owner, own] of replaced) {
            owners.replace(owner, own);
            known.set(owner, own);
          }
          const listed = Float64Array.from(ids, printNumber);
          const wanted = ids.map((each) => known.get(each) ?? []);
          expect(read(owners, listed)).toEqual(wanted);
          // The same list again is what was laid out.
          expect(owners.layOut(listed)).toBe(owners.layOut(listed));
        }
      }),
    );
  });

  it('grow beyond the first room', () => {
    const owners = makePairsByOwner();
    for (let at = 0; at < 50_000; at++) owners.add(IDS[at % 12] as string, [at, 1]);
    owners.pack();
    const [first] = read(owners, Float64Array.of(printNumber('owner-11')));
    expect(first?.filter((_, at) => at % 2 === 0)).toEqual(
      Array.from({ length: Math.floor((50_000 - 12) / 12) + 1 }, (_, at) => 11 + 12 * at),
    );
  });
});
