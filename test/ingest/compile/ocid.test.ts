import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileOcid } from '../../../ingest/compile/ocid.ts';
import type { CompiledProcess } from '../../../ingest/compile/types.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, OCID, reference, stored } from './releases.ts';

const WATER = { id: 'GB-FTS-9', name: 'Pennine Water plc', roles: ['buyer'] };
const GAS = { id: 'GB-FTS-11', name: 'Calder Gas Networks', roles: ['buyer'] };
const RENAMED = { ...WATER, name: 'Pennine Water and Sewerage plc' };
const RENUMBERED = { ...RENAMED, id: 'GB-COH-02468013', identifier: { scheme: 'GB-COH', id: '02468013' } };

/** A notice of these buyers on that day of the year, with one award. */
function notice(day: number, buyers: JsonObject[], more: JsonObject = {}): JsonObject {
  const id = `${String(day).padStart(6, '0')}-2026`;
  const [first] = buyers;
  return actRelease(id, new Date(Date.UTC(2026, 0, day)).toISOString(), {
    tag: ['award', 'contract'],
    parties: [...buyers, BRIGHT],
    buyer: first ? reference(first) : null,
    awards: [{ id: `${id}-1`, status: 'active', suppliers: [reference(BRIGHT)] }],
    ...more,
  });
}

const compile = (releases: readonly JsonObject[]) => compileOcid(OCID, stored(releases));
const contractIds = (processes: readonly CompiledProcess[]) =>
  processes.flatMap(({ contracts }) => contracts.map(({ id }) => id));
const noticesOf = (processes: readonly CompiledProcess[]) =>
  processes.map(({ notices }) => notices.map(({ noticeId }) => Number(noticeId.slice(0, 6))));

describe('an ocid that many buyers use', () => {
  it('is a process for each set of buyers; the oldest keeps the ocid for its id', () => {
    const split = compile([notice(1, [COUNCIL]), notice(2, [WATER]), notice(3, [COUNCIL]), notice(4, [GAS])]);
    expect(noticesOf(split)).toEqual([[1, 3], [2], [4]]);
    expect(split.map(({ id }) => id)).toEqual([OCID, ...Array(2).fill(expect.stringMatching(`^${OCID}~[0-9a-f]{8}$`))]);
  });

  it('is one process where sets overlap, and where one release shows two to be one', () => {
    expect(noticesOf(compile([notice(1, [COUNCIL, WATER]), notice(2, [WATER]), notice(3, [GAS])]))).toEqual([
      [1, 2],
      [3],
    ]);
    const apart = [notice(1, [COUNCIL]), notice(2, [WATER])];
    expect(compile(apart)).toHaveLength(2);
    expect(compile([...apart, notice(3, [WATER, COUNCIL])])).toHaveLength(1);
  });

  it('knows a buyer again that was renamed, and one that got another number', () => {
    const releases = [notice(1, [COUNCIL]), notice(2, [WATER]), notice(3, [RENAMED]), notice(4, [RENUMBERED])];
    expect(noticesOf(compile(releases))).toEqual([[1], [2, 3, 4]]);
  });

  it('keeps the edits of one notice together, with any parties', () => {
    const corrected = { ...notice(2, [GAS]), id: '000001-2026', date: '2026-01-05T00:00:00Z' };
    const split = compile([notice(1, [COUNCIL]), corrected, notice(3, [WATER])]);
    expect(noticesOf(split)).toEqual([[1], [3]]);
  });

  it('gives a release without a buyer to those who speak of its award, else to the oldest', () => {
    const buyers = [notice(1, [COUNCIL]), notice(2, [WATER])];
    const nobody = {
      parties: [],
      contracts: [{ id: '7', awardID: '000002-2026-1', status: 'terminated' }],
      awards: [],
    };
    expect(noticesOf(compile([...buyers, notice(3, [], nobody)]))).toEqual([[1], [2, 3]]);
    expect(noticesOf(compile([...buyers, notice(3, [])]))).toEqual([[1, 3], [2]]);
    expect(noticesOf(compile([notice(1, []), notice(2, [])]))).toEqual([[1, 2]]);
  });

  it('gives a change or an end of a contract to the process with its award', () => {
    const later = (tag: string, awardID: string) => {
      const contracts = [{ id: '7', awardID, value: { amount: 900, currency: 'GBP' } }];
      return notice(4, [GAS], { tag: [tag], parties: [GAS], awards: [], contracts });
    };
    const buyers = [notice(1, [COUNCIL]), notice(2, [WATER])];
    for (const tag of ['contractAmendment', 'contractTermination', 'implementation']) {
      const split = compile([...buyers, later(tag, '000002-2026-1')]);
      expect(noticesOf(split)).toEqual([[1], [2, 4]]);
      expect(split[1]?.parties.find(({ partyId }) => partyId === split[1]?.buyerParty)?.sighting.name).toBe(GAS.name);
      expect(contractIds(split)).toHaveLength(2);
    }
    // One that does not say what it is, an award of its own, one that nobody else speaks of, and one under the directives, where a number means nothing to others.
    expect(noticesOf(compile([...buyers, { ...later('', '000002-2026-1'), tag: [] }]))).toEqual([[1], [2], [4]]);
    expect(noticesOf(compile([...buyers, later('award', '000002-2026-1')]))).toEqual([[1], [2], [4]]);
    expect(noticesOf(compile([...buyers, later('contractAmendment', '7')]))).toEqual([[1], [2], [4]]);
    const old = { ...later('contractAmendment', '000002-2026-1'), tender: { legalBasis: { id: '32014L0025' } } };
    expect(noticesOf(compile([...buyers, old]))).toEqual([[1], [2], [4]]);
  });

  const buyers = fc.subarray([COUNCIL, WATER, RENAMED, RENUMBERED, GAS], { maxLength: 2 });
  const register = fc.array(fc.tuple(buyers, fc.constantFrom(BRIGHT, OAKES)), { minLength: 2, maxLength: 8 });
  const releasesOf = (drawn: [JsonObject[], JsonObject][]) => drawn.map(([named], index) => notice(index + 1, named));

  it('is split alike in any order of arrival, and every release is somewhere once', () => {
    fc.assert(
      fc.property(register, fc.infiniteStream(fc.nat(100)), (drawn, numbers) => {
        const releases = stored(releasesOf(drawn));
        const split = compileOcid(OCID, releases);
        const keyed = releases.map((release) => ({ release, at: numbers.next().value ?? 0 }));
        const shuffled = keyed.toSorted((a, b) => a.at - b.at).map(({ release }) => release);
        expect(compileOcid(OCID, shuffled)).toEqual(split);
        expect(
          noticesOf(split)
            .flat()
            .toSorted((a, b) => a - b),
        ).toEqual(drawn.map((_, index) => index + 1));
        expect(new Set(split.map(({ id }) => id)).size).toBe(split.length);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it('changes no id when a later release comes, unless that shows two buyers to be one', () => {
    fc.assert(
      fc.property(register, (drawn) => {
        const releases = releasesOf(drawn);
        const before = compile(releases.slice(0, -1));
        const after = compile(releases);
        fc.pre(after.length >= before.length);
        expect(contractIds(after)).toEqual(expect.arrayContaining(contractIds(before)));
      }),
      { numRuns: 40, seed: 2 },
    );
  });
});
