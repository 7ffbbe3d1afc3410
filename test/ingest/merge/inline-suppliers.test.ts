import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameKey } from '../../../schema/names/spelling.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import {
  compileOne,
  contractWarnings,
  inlineRelease,
  inlineSupplier,
  numbered,
  winnerNames,
  winnersOf,
} from '../compile/releases.ts';

const GUID = 'aaaaaaaa-0000-4000-8000-000000000001';
const SHARED = /^one id was published for several organisations/;
const compile = (...releases: JsonObject[]) => compileOne(releases, 'contracts_finder');

describe('where a supplier stands', () => {
  const inline = inlineSupplier('Alder Ltd', 'Mill Lane\nLeeds LS2 7EW', { id: 'GB-CFS-7', ...numbered('01234567') });
  const bare = {
    id: 'GB-CFS-7',
    name: 'Alder Limited',
    roles: ['supplier'],
    identifier: {},
    address: { postalCode: '' },
  };
  const of = (suppliers: unknown[], more: JsonObject = {}) => compile(inlineRelease(GUID, suppliers, more));
  const known = { name: expect.stringMatching(/^Alder/), ids: ['GB-COH-01234567'], postcode: 'LS2 7EW' };

  it('inline, by reference, or both: what either place says is read', () => {
    expect(winnersOf(of([inline]))).toMatchObject([[known]]);
    expect(
      winnersOf(of([{ id: 'GB-CFS-7', name: 'Alder Ltd' }], { parties: [{ ...inline, roles: ['supplier'] }] })),
    ).toMatchObject([[known]]);
    expect(winnersOf(of([inline], { parties: [bare] }))).toMatchObject([[known]]);
  });

  it("under another name in the award than among the parties: the award's name is the supplier", () => {
    const process = of([{ id: 'GB-CFS-7', name: 'Birch Ltd' }], { parties: [{ ...bare, name: 'Alder Ltd' }] });
    expect([winnerNames(process), contractWarnings(process)]).toEqual([
      [['Birch Ltd']],
      [expect.stringMatching(SHARED)],
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ['no id', { name: 'Alder Ltd' }, 'Alder Ltd'],
    ['an empty id', { id: '', name: 'Alder Ltd' }, 'Alder Ltd'],
    ['an id of null', { id: null, name: 'Alder Ltd' }, 'Alder Ltd'],
    ['a text', 'Alder Ltd', 'Alder Ltd'],
    ['a number and no name', { ...numbered(1_234_567) }, 'GB-COH-01234567'],
    ['a legal name', { id: '', identifier: { legalName: 'Alder Ltd' } }, 'Alder Ltd'],
  ])('with %s', (_, supplier, name) => {
    expect(winnerNames(of([supplier]))).toEqual([[name]]);
    expect(winnerNames(of([supplier, { id: '', name: 'Birch Ltd' }]))).toEqual([[name, 'Birch Ltd']]);
  });

  it('with nothing at all: nobody', () => {
    expect(winnerNames(of([{}, { id: '' }, '', null]))).toEqual([[]]);
  });

  it('without an id, among parties that have one: recognised by the name', () => {
    const parties = [{ ...inline, id: '1', roles: ['supplier'] }];
    const process = of([{ name: 'ALDER LIMITED' }], { parties });
    expect(winnersOf(process)).toMatchObject([[known]]);
    expect(winnersOf(of([{ id: '1' }], { parties: [{ ...inline, id: '1', roles: ['supplier'] }] }))).toMatchObject([
      [known],
    ]);
  });

  it('under an id that none of the parties has: recognised by the name', () => {
    const parties = [{ ...inline, id: '1', roles: ['supplier'] }];
    for (const id of [0, 'GB-CFS-9', '2']) {
      const process = of(
        [
          { id, name: 'ALDER LIMITED' },
          { id, name: 'Birch Ltd' },
        ],
        { parties },
      );
      expect(winnersOf(process)).toMatchObject([[known, { name: 'Birch Ltd' }]]);
    }
  });

  it('with its address as one text', () => {
    expect(winnersOf(of([{ name: 'Alder Ltd', address: 'Mill Lane\nLeeds\nls27ew' }]))).toMatchObject([
      [{ postcode: 'LS2 7EW' }],
    ]);
  });

  it('at the contract, where its award names none', () => {
    const contracts = [{ id: 'c', awardID: '1', status: 'active', suppliers: [inline] }];
    const award = { id: '1', status: 'active', value: { amount: 5, currency: 'GBP' } };
    const more = { tender: { title: 'Two mowers' }, contracts };
    expect(winnersOf(of([], { ...more, award }))).toMatchObject([[known]]);
    expect(winnersOf(of([], { ...more, awards: [] }))).toMatchObject([[known]]);
    const process = of([inlineSupplier('Birch Ltd')], { ...more, award });
    expect(winnerNames(process)).toEqual([['Birch Ltd']]);
    expect(of([], { ...more, award }).notices[0]?.supplierParties).toHaveLength(1);
    expect(contractWarnings(of([], { ...more, award }))).toEqual([]);
  });

  it("as one of two in one name: the value is not one supplier's", () => {
    const process = of([inlineSupplier('Alder Ltd and Birch LLP')], { tender: { title: 'Two mowers' } });
    expect([winnerNames(process), process.contracts[0]?.valueClass]).toEqual([[['Alder Ltd and Birch LLP']], 'shared']);
    expect(contractWarnings(process)).toContain(
      'several suppliers were published in one name: Alder Ltd and Birch LLP',
    );
    const sons = of([inlineSupplier('Alder and Sons Ltd')], { tender: { title: 'Two mowers' } });
    expect(sons.contracts[0]?.valueClass).toBe('sum');
  });
});

const ID = fc.constantFrom(0, '0', 1, '1', '', null, undefined, 'GB-CFS-7', 'GB-CFS-8', 'GB-COH-01234567', 'supplier');
const NAME = fc.constantFrom(
  'Alder Ltd',
  'ALDER LIMITED',
  'Birch Ltd',
  'Cedar and Sons',
  'Dogwood LLP',
  'Elm (UK) Ltd',
);
const MORE = fc.constantFrom<JsonObject>({}, numbered('01234567'), numbered(7_654_321), { address: 'Leeds LS2 7EW' });
const SUPPLIER = fc.record({ id: ID, name: NAME, more: MORE, isParty: fc.boolean(), isBare: fc.boolean() });

describe('whatever ids suppliers have, and wherever they stand', () => {
  it('every name that an award has is a supplier and no other, and several share its value', () => {
    fc.assert(
      fc.property(fc.array(SUPPLIER, { minLength: 1, maxLength: 6 }), fc.boolean(), (drawn, isSigned) => {
        const whole = drawn.map(({ id, name, more }) => ({ id, name, ...more }));
        const parties = whole
          .filter((_, index) => drawn[index]?.isParty)
          .map((one) => ({ ...one, roles: ['supplier'] }));
        const mentions = drawn.map(({ isParty, isBare }, index) =>
          isParty && isBare ? { id: whole[index]?.id, name: whole[index]?.name } : whole[index],
        );
        const contracts = [{ id: 'c', awardID: 'a', status: 'active', suppliers: mentions }];
        const award = { id: 'a', suppliers: isSigned ? [] : mentions };
        const process = compile(
          inlineRelease(GUID, [], {
            parties,
            award,
            tender: { title: 'Two mowers' },
            ...(isSigned ? { contracts } : {}),
          }),
        );
        const found = winnersOf(process)[0]?.map((one) => one?.nameKey);
        expect(new Set(found)).toEqual(new Set(drawn.map(({ name }) => nameKey(name))));
        if (new Set(found).size > 1) expect(process.contracts[0]?.valueClass).toBe('shared');
      }),
      { numRuns: 300 },
    );
  });
});
