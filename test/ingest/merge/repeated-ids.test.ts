import { describe, expect, it } from 'vitest';
import type { CompiledProcess } from '../../../ingest/compile/types.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { COUNCIL, compileOne, contractWarnings, inlineRelease, reference, winnerNames } from '../compile/releases.ts';

const GUID = 'aaaaaaaa-0000-4000-8000-000000000001';
const LATER = 'bbbbbbbb-0000-4000-8000-000000000002';
const SHARED = /^one id was published for several organisations/;
const compile = (...releases: JsonObject[]) => compileOne(releases, 'contracts_finder');

describe('an id that another release gives to another supplier', () => {
  const notice = (guid: string, day: number, suppliers: [string, string][], more: JsonObject = {}) =>
    inlineRelease(
      guid,
      suppliers.map(([id, name]) => ({ id, name })),
      {
        date: `2020-03-0${day}T10:00:00Z`,
        buyer: reference(COUNCIL),
        parties: [COUNCIL, ...suppliers.map(([id, name]) => ({ id, name, roles: ['supplier'] }))],
        tender: { title: 'Two mowers' },
        ...more,
      },
    );
  const own = (number: number) => ({ award: { id: `award-${number}`, date: `2020-02-1${number}T00:00:00Z` } });

  it("is each release's own: every contract keeps the name that its notice gave", () => {
    const process = compile(
      notice(GUID, 2, [['GB-CFS-7', 'Alder Ltd']], own(1)),
      notice(LATER, 5, [['GB-CFS-7', 'Birch Ltd']], own(2)),
    );
    expect(winnerNames(process)).toEqual([['Alder Ltd'], ['Birch Ltd']]);
    expect(contractWarnings(process)).toEqual([expect.stringMatching(SHARED), expect.stringMatching(SHARED)]);
  });

  it('may be swapped: nobody is former, and both stay', () => {
    const process = compile(
      notice(GUID, 2, [
        ['GB-CFS-7', 'Alder Ltd'],
        ['GB-CFS-8', 'Birch Ltd'],
      ]),
      notice(LATER, 5, [
        ['GB-CFS-7', 'Birch Ltd'],
        ['GB-CFS-8', 'Alder Ltd'],
      ]),
    );
    expect(winnerNames(process)).toEqual([['Birch Ltd', 'Alder Ltd']]);
    expect(process.contracts[0]).toMatchObject({ valueClass: 'shared' });
    expect(process.contracts[0]?.detail.former_suppliers).toBeUndefined();
  });

  it('named alone later, stands for the party that it was given last', () => {
    const process = compile(
      notice(GUID, 2, [['GB-CFS-7', 'Alder Ltd']], own(1)),
      notice(LATER, 5, [['GB-CFS-7', 'Birch Ltd']], own(2)),
      inlineRelease('cccccccc-0000-4000-8000-000000000003', [{ id: 'GB-CFS-7' }], {
        date: '2020-03-08T10:00:00Z',
        buyer: reference(COUNCIL),
        ...own(3),
      }),
    );
    expect(winnerNames(process)[2]).toEqual(['Birch Ltd']);
  });

  it('is believed where every release gives it to one name', () => {
    const process = compile(
      notice(GUID, 2, [['GB-CFS-7', 'Alder Ltd']]),
      notice(LATER, 5, [['GB-CFS-7', 'ALDER LIMITED']]),
    );
    expect(process.contracts).toMatchObject([{ supplierParties: ['GB-CFS-7'], valueClass: 'sum' }]);
    expect(process.parties.filter(({ role }) => role === 'supplier')).toHaveLength(1);
  });
});

describe('other ids that stand twice', () => {
  const award = (id: unknown, name: string, amount: number) => ({
    id,
    status: 'active',
    date: '2020-02-20T00:00:00Z',
    value: { amount, currency: 'GBP' },
    suppliers: [{ id: name, name }],
  });
  const of = (awards: JsonObject[], more: JsonObject = {}) => compile(inlineRelease(GUID, [], { awards, ...more }));
  const sums = ({ contracts }: CompiledProcess) => contracts.map(({ value, valueClass }) => [value, valueClass]);

  it('awards of one number that differ are two', () => {
    const process = of([award(1, 'Alder Ltd', 5_000), award('1', 'Birch Ltd', 7_000)]);
    expect([winnerNames(process), sums(process)]).toEqual([
      [['Alder Ltd'], ['Birch Ltd']],
      [
        [5_000, 'sum'],
        [7_000, 'sum'],
      ],
    ]);
    expect(new Set(process.contracts.map(({ id }) => id)).size).toBe(2);
  });

  it('awards of one number that say the same are one, with the suppliers of both', () => {
    const process = of([award(1, 'Alder Ltd', 5_000), award(1, 'Birch Ltd', 5_000)]);
    expect([winnerNames(process), sums(process)]).toEqual([[['Alder Ltd', 'Birch Ltd']], [[5_000, 'shared']]]);
  });

  it('contracts go with the awards in whose place they stand', () => {
    const contracts = [1, 2].map((n) => ({
      id: '1',
      awardID: '1',
      status: 'active',
      dateSigned: `2020-02-2${n}T00:00:00Z`,
    }));
    const process = of([award('1', 'Alder Ltd', 5_000), award('1', 'Birch Ltd', 7_000)], { contracts });
    expect(process.contracts.map(({ signed }) => signed)).toEqual(['2020-02-21', '2020-02-22']);
  });

  it('awards that only their contracts tell apart are counted apart', () => {
    const value = { amount: 0, currency: 'GBP' };
    const awards = ['Alder Ltd', 'Birch Ltd', 'Cedar Ltd'].map((name) => ({ ...award('DN 7', name, 0), value }));
    const contracts = [5_000, 7_000, 5_000].map((amount) => ({
      id: 'DN 7',
      awardID: 'DN 7',
      status: 'active',
      value: { amount, currency: 'GBP' },
    }));
    const process = of(awards, { contracts });
    expect([winnerNames(process), sums(process)]).toEqual([
      [['Alder Ltd'], ['Birch Ltd'], ['Cedar Ltd']],
      [5_000, 7_000, 5_000].map((amount) => [amount, 'sum']),
    ]);
    expect(sums(of(awards, { contracts: contracts.slice(0, 2) }))).toEqual([[12_000, 'shared']]);
  });

  it('a later notice that names the contract of one of them is about that one', () => {
    const value = { amount: 0, currency: 'GBP' };
    const awards = ['Alder Ltd', 'Birch Ltd'].map((name) => ({ ...award('DN 7', name, 0), value }));
    const signed = (id: string, amount: number) => ({
      id,
      awardID: 'DN 7',
      status: 'active',
      value: { amount, currency: 'GBP' },
    });
    const first = inlineRelease(GUID, [], { awards, contracts: [signed('1', 5_000), signed('2', 7_000)] });
    const later = (more: JsonObject) =>
      compile(first, inlineRelease(LATER, [], { date: '2020-05-05T10:00:00Z', ...more }));
    const reversed = { awards: awards.toReversed(), contracts: [signed('2', 7_700), signed('1', 5_000)] };
    expect(later(reversed).contracts.map(({ awardId, value }) => [awardId, value])).toEqual([
      ['DN 7', 5_000],
      ['DN 7~2', 7_700],
    ]);
    for (const repeated of [[], awards.slice(1)]) {
      const change = { awards: repeated, contracts: [signed('2', 7_700)] };
      const process = later(change);
      expect([winnerNames(process), sums(process)]).toEqual([
        [['Alder Ltd'], ['Birch Ltd']],
        [5_000, 7_700].map((amount) => [amount, 'sum']),
      ]);
    }
  });

  it('of several notices: each keeps its place', () => {
    const both = [award('1', 'Alder Ltd', 5_000), award('1', 'Birch Ltd', 7_000)];
    const later = [award('1', 'Alder Ltd', 5_500), award('1', 'Birch Ltd', 7_700)];
    const process = compile(
      inlineRelease(GUID, [], { awards: both }),
      inlineRelease(LATER, [], { awards: later, date: '2020-05-05T10:00:00Z' }),
    );
    expect(sums(process)).toEqual([
      [5_500, 'sum'],
      [7_700, 'sum'],
    ]);
  });

  it('awards without a number stay those of their notice', () => {
    const process = compile(
      inlineRelease(GUID, [], { awards: [award('', 'Alder Ltd', 5_000)] }),
      inlineRelease(LATER, [], { awards: [award('', 'Birch Ltd', 7_000)], date: '2020-05-05T10:00:00Z' }),
    );
    expect(sums(process)).toEqual([
      [5_000, 'sum'],
      [7_000, 'sum'],
    ]);
  });
});
