import { describe, expect, it } from 'vitest';
import { compileOcid } from '../../../ingest/compile/ocid.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import {
  COUNCIL,
  compileOne,
  contractWarnings,
  inlineRelease,
  inlineSupplier,
  numbered,
  reference,
  stored,
  winnerNames,
  winnersOf,
} from '../compile/releases.ts';

const GUID = 'aaaaaaaa-0000-4000-8000-000000000001';
const LATER = 'bbbbbbbb-0000-4000-8000-000000000002';
const SHARED = /^one id was published for several organisations/;
const compile = (...releases: JsonObject[]) => compileOne(releases, 'contracts_finder');

describe('suppliers that all stand under id 0', () => {
  const process = compile(
    inlineRelease(GUID, [
      inlineSupplier('Tidy Hedges Ltd', 'Unit 4\nMill Lane\nLeeds\nLS2 7EW', numbered('1234567')),
      inlineSupplier('Greenfold Landscapes', 'The Yard\n1st Floor\nBradford\nBD1 4QU\nUnited Kingdom'),
      inlineSupplier('Mossbank &amp; Sons', 'Plot E1\n2ND Avenue\nYork YO1 7HH'),
      inlineSupplier('Tidy Hedges Limited', '', numbered('01234567')),
    ]),
  );

  it('are as many parties as names, each with its number and the postcode of its last line', () => {
    expect(winnersOf(process)).toMatchObject([
      [
        { name: 'Tidy Hedges Ltd', ids: ['GB-COH-01234567'], postcode: 'LS2 7EW' },
        { name: 'Greenfold Landscapes', ids: [], postcode: 'BD1 4QU' },
        { name: 'Mossbank & Sons', ids: [], postcode: 'YO1 7HH' },
      ],
    ]);
  });

  it("share the value, which is nobody's own, and contract and notice say why", () => {
    const [contract] = process.contracts;
    expect(contract).toMatchObject({ value: 240_000, valueClass: 'shared' });
    expect(contractWarnings(process)).toEqual([
      'one id was published for several organisations (0): each is counted by itself',
    ]);
    expect(process.notices[0]?.detail.warnings).toEqual(contractWarnings(process));
    expect(process.notices[0]?.supplierParties).toEqual(contract?.supplierParties);
  });

  it('leave the buyer alone, also where its id is 0 too', () => {
    const buyers = process.parties.filter(({ role }) => role === 'buyer');
    expect(buyers).toMatchObject([
      { partyId: process.buyerParty, sighting: { name: COUNCIL.name, postcode: 'LS1 1AA' } },
    ]);
    const alone = compile(inlineRelease(GUID, [inlineSupplier('Tidy Hedges')]));
    expect([winnerNames(alone), alone.contracts[0]?.valueClass]).toEqual([[['Tidy Hedges']], 'sum']);
    expect(alone.parties.filter(({ role }) => role === 'buyer')).toMatchObject([{ sighting: { name: COUNCIL.name } }]);
  });

  it('are all there: of ninety names none is lost', () => {
    const ninety = Array.from({ length: 90 }, (_, index) => inlineSupplier(`Supplier ${index} Ltd`));
    expect(winnersOf(compile(inlineRelease(GUID, ninety)))[0]).toHaveLength(90);
  });

  it('have ids that depend neither on their order in the notice nor on the order of arrival', () => {
    const suppliers = ['Alder Ltd', 'Birch Ltd', 'Cedar Ltd'].map((name) => inlineSupplier(name));
    const idsOf = (all: JsonObject[]) =>
      compile(inlineRelease(GUID, all))
        .parties.map(({ partyId }) => partyId)
        .toSorted();
    expect(idsOf(suppliers)).toEqual(idsOf(suppliers.toReversed()));
    const releases = stored(
      [inlineRelease(GUID, suppliers), inlineRelease(LATER, suppliers.slice(1), { date: '2020-03-05T10:00:00Z' })],
      'contracts_finder',
    );
    const ocid = releases[0]?.ocid ?? '';
    expect(compileOcid(ocid, releases.toReversed())).toEqual(compileOcid(ocid, releases));
  });
});

describe('an id that several suppliers have in one notice', () => {
  const party = (id: unknown, name: string, more: JsonObject = {}): JsonObject => ({
    id,
    name,
    roles: ['supplier'],
    ...more,
  });
  const today = (parties: JsonObject[], suppliers: unknown[], more: JsonObject = {}) =>
    compile(
      inlineRelease(GUID, suppliers, {
        buyer: reference(COUNCIL),
        parties: [COUNCIL, ...parties],
        tender: { title: 'Two mowers' },
        ...more,
      }),
    );
  const alder = party('GB-CFS-7', 'Alder Ltd');
  const birch = party('GB-CFS-7', 'Birch Ltd');

  it.each<[string, unknown]>([
    ["a source's own number", 'GB-CFS-7'],
    ['0', 0],
    ['text', 'supplier'],
    ['a company number', 'GB-COH-01234567'],
  ])('is believed for none of two names: %s', (_, id) => {
    const two = [party(id, 'Alder Ltd'), party(id, 'Birch Ltd')];
    const process = today(two, two.map(reference));
    expect(winnerNames(process)).toEqual([['Alder Ltd', 'Birch Ltd']]);
    expect(process.contracts[0]).toMatchObject({ value: 240_000, valueClass: 'shared' });
    expect(contractWarnings(process)).toEqual([expect.stringMatching(SHARED)]);
    expect(winnersOf(process)[0]?.flatMap((one) => one?.ids)).toEqual([]);
  });

  it('is a look-up for neither, and both say that they had it', () => {
    const process = today([alder, birch], [alder, birch].map(reference));
    expect(winnersOf(process)[0]?.map((one) => one?.numbers)).toEqual([['GB-CFS-7'], ['GB-CFS-7']]);
  });

  it('is believed for one name in several spellings, and for one supplier named twice', () => {
    const spelled = [party('GB-CFS-7', 'Alder & Sons Ltd'), party('GB-CFS-7', 'ALDER AND SONS LIMITED')];
    for (const suppliers of [spelled, [alder, alder]]) {
      const process = today(suppliers, suppliers.map(reference));
      expect([winnerNames(process)[0]?.length, process.contracts[0]?.valueClass, contractWarnings(process)]).toEqual([
        1,
        'sum',
        [],
      ]);
      expect(process.contracts[0]?.supplierParties).toEqual(['GB-CFS-7']);
    }
  });

  it('is believed for a trading name of the same company', () => {
    const both = [party('GB-COH-01234567', 'Alder Ltd'), party('GB-COH-01234567', 'Alder Ltd t/a Alder Gardens')];
    expect(today(both, both.map(reference)).contracts[0]?.valueClass).toBe('sum');
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['number', numbered('01234567'), numbered('07654321')],
    ['postcode', { address: { postalCode: 'LS1 1AA' } }, { address: { postalCode: 'M1 1AA' } }],
  ])('is not believed for one name with another %s', (_, one, other) => {
    for (const mention of [{ id: '9' }, { id: '9', name: 'Alder Limited' }]) {
      const process = today([party('9', 'Alder Ltd', one), party('9', 'Alder Ltd', other)], [mention, mention]);
      expect([winnerNames(process)[0]?.length, process.contracts[0]?.valueClass]).toEqual([2, 'shared']);
      expect(contractWarnings(process)).toEqual([expect.stringMatching(SHARED)]);
    }
  });

  it('is believed where only the address or the spelling of the name differs', () => {
    const branch = (postalCode: string) =>
      party('9', 'Alder Ltd', { ...numbered('01234567'), address: { postalCode } });
    const spelled = ['Alder & Sons', 'Alder &amp; Sons', '<b>Alder</b> &amp;amp; Sons', 'Al\u200bder &#38; Sons'];
    for (const suppliers of [[branch('LS1 1AA'), branch('M1 1AA')], spelled.map((name) => party('9', name))]) {
      const process = today(suppliers, suppliers.map(reference));
      expect([winnerNames(process)[0]?.length, process.contracts[0]?.valueClass]).toEqual([1, 'sum']);
      expect(contractWarnings(process)).toEqual([]);
    }
  });

  it('stands for all of them where a reference gives nothing but the id', () => {
    const process = today([alder, birch], [{ id: 'GB-CFS-7' }]);
    expect([winnerNames(process), process.contracts[0]?.valueClass]).toEqual([[['Alder Ltd', 'Birch Ltd']], 'shared']);
  });

  it('leads to the party that has the name, where awards name different ones', () => {
    const award = (id: string, one: JsonObject) => ({
      id,
      status: 'active',
      suppliers: [reference(one)],
      value: { amount: 5 },
    });
    const process = today([alder, birch], [], { awards: [award('1', alder), award('2', birch)] });
    expect(winnerNames(process)).toEqual([['Alder Ltd'], ['Birch Ltd']]);
    expect(process.contracts.map(({ valueClass }) => valueClass)).toEqual(['sum', 'sum']);
  });

  it("may be the buyer's: neither takes the other's place", () => {
    const buyer = { id: '0', name: 'Harrowmere City Council', roles: ['buyer'] };
    const process = today([buyer, party(0, 'Alder Ltd')], [{ id: 0, name: 'Alder Ltd' }], { buyer: reference(buyer) });
    expect(winnerNames(process)).toEqual([['Alder Ltd']]);
    const bought = process.parties.find(({ partyId, role }) => role === 'buyer' && partyId === process.buyerParty);
    expect(bought?.sighting.name).toBe('Harrowmere City Council');
  });
});

describe('one company number under several names', () => {
  const parties = (...suppliers: [string, string][]) =>
    suppliers.map(([name, number], index) => ({ id: String(index), name, roles: ['supplier'], ...numbered(number) }));
  const of = (...suppliers: [string, string][]) => {
    const all = parties(...suppliers);
    return compile(inlineRelease(GUID, all.map(reference), { parties: all, tender: { title: 'Two mowers' } }));
  };

  it('is believed for none of them: two suppliers, not one', () => {
    const process = of(['Alder Ltd', '01234567'], ['Birch Ltd', '1234567']);
    expect(winnersOf(process)).toMatchObject([
      [
        { name: 'Alder Ltd', ids: [], identifiers: [] },
        { name: 'Birch Ltd', ids: [], identifiers: [] },
      ],
    ]);
    expect(process.contracts[0]?.valueClass).toBe('shared');
    expect(winnersOf(process)[0]?.[0]?.notes).toEqual([
      'published for several names, so not believed: GB-COH-01234567',
    ]);
  });

  it('is believed for spellings of one name', () => {
    const process = of(['Alder & Sons Ltd', '01234567'], ['Alder and Sons Limited', '01234567']);
    expect([winnersOf(process)[0]?.[0]?.ids, process.contracts[0]?.valueClass]).toEqual([['GB-COH-01234567'], 'sum']);
  });

  it('is distinguished from one name under two numbers: those are two', () => {
    const process = of(['Alder Ltd', '01234567'], ['Alder Ltd', '07654321']);
    expect(process.contracts[0]).toMatchObject({
      valueClass: 'shared',
      supplierParties: [{}, {}].map(() => expect.any(String)),
    });
    expect(winnersOf(process)[0]?.flatMap((one) => one?.ids)).toEqual(['GB-COH-01234567', 'GB-COH-07654321']);
  });
});
