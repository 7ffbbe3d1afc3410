import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import {
  actRelease,
  BRIGHT,
  COUNCIL,
  compileOne,
  contractWarnings,
  inlineRelease,
  inlineSupplier,
  numbered,
  reference,
  supplier,
  winnerNames,
  winnersOf,
} from '../compile/releases.ts';

const GUID = 'aaaaaaaa-0000-4000-8000-000000000001';
const inline = (...suppliers: unknown[]) => compileOne([inlineRelease(GUID, suppliers)], 'contracts_finder');
const award = (...suppliers: JsonObject[]) => ({
  tag: ['award'],
  parties: [COUNCIL, ...suppliers],
  awards: [
    { id: '1', status: 'active', value: { amount: 5_000, currency: 'GBP' }, suppliers: suppliers.map(reference) },
  ],
});
const first = (more: JsonObject) => actRelease('000501-2026', '2026-03-01T09:00:00Z', more);
const second = (more: JsonObject) => actRelease('000502-2026', '2026-04-01T09:00:00Z', more);
const nameless = (name: string) => ({ id: 'GB-FTS-9', name, roles: ['supplier'] });

const PLACEHOLDERS = [
  ...['N/A', 'n.a.', 'NA', 'TBC', 'tbd', '(TBC)', 'To be confirmed', 'Not Applicable', 'NOT YET AWARDED', 'none'],
  ...['-', '--', '?', '&nbsp;', '0', 'XXXX', 'Unknown', 'Various', 'Multiple suppliers', 'See attached', 'Redacted'],
  ...[
    '59 suppliers',
    '12 Providers (see attached list)',
    'Various Suppliers - please see below',
    'As per attached list',
    'Private individual',
    'Name withheld under GDPR',
    'Redacted due to data protection',
    'List of suppliers attached',
    'Framework suppliers',
    'Awaiting signature',
  ],
  ...['Several', 'Individual', 'Supplier', 'Supplier 1', 'Contractor 12', 'Successful tenderer', 'Pending'],
];
const NAMES = [
  ...['TBC Bank', 'NA Ltd', 'N/A Limited', 'None Such Ltd', 'Unknown Pleasures Ltd', 'Nil Desperandum', '24x7', 'XX'],
  ...['Various Artists', 'Redacted Films', 'To Be Confirmed Theatre', '東京', 'No', 'UK', 'O2', 'See Saw Nursery'],
  ...['24 / 7 Care Providers', '59 Suppliers Ltd', 'MONKS CONTRACTORS', 'See Above Drones', 'As Attached Films'],
  ...['Several Interests', 'Individual Care', 'Supplier Hub', 'Supplier 1st', 'Withheld Records', 'List Logistics'],
  ...['Framework Suppliers Ltd', 'Winning Contractors Group', 'Awaiting Angels', 'Pending Media'],
];

describe('a placeholder for a name', () => {
  it.each(PLACEHOLDERS)('is nobody: %s', (name) => {
    const processes = [inline(inlineSupplier(name)), inline(name), compileOne([first(award(nameless(name)))])];
    for (const process of processes) {
      expect(winnersOf(process)).toEqual([[]]);
      expect(process.parties.map(({ role }) => role)).toEqual(['buyer']);
      expect(contractWarnings(process)).toContain('no supplier was named');
    }
  });

  it.each(NAMES)('is not what it resembles: %s', (name) => {
    expect(winnerNames(inline(inlineSupplier(name)))).toEqual([[name]]);
    expect(winnerNames(compileOne([first(award(nameless(name)))]))).toEqual([[name]]);
  });

  it('leaves the other suppliers of its award, whatever ids they share', () => {
    expect(winnerNames(inline(inlineSupplier('Alder Ltd'), inlineSupplier('TBC')))).toEqual([['Alder Ltd']]);
    expect(winnerNames(compileOne([first(award(BRIGHT, nameless('N/A')))]))).toEqual([[BRIGHT.name]]);
  });

  it('leaves the number, the legal name and the party next to it', () => {
    const known = supplier('07654321', 'TBC');
    expect(winnersOf(compileOne([first(award(known))]))).toMatchObject([
      [{ name: 'GB-COH-07654321', nameKey: '', ids: ['GB-COH-07654321'] }],
    ]);
    expect(winnersOf(inline(inlineSupplier('N/A', '', numbered('07654321'))))).toMatchObject([
      [{ ids: ['GB-COH-07654321'] }],
    ]);
    expect(winnerNames(inline({ name: '-', identifier: { legalName: 'Alder Ltd' } }))).toEqual([['Alder Ltd']]);
    const more = award(BRIGHT);
    const awards = more.awards.map((one) => ({ ...one, suppliers: [{ id: BRIGHT.id, name: 'TBC' }] }));
    expect(winnerNames(compileOne([first({ ...more, awards })]))).toEqual([[BRIGHT.name]]);
  });

  it('in a later notice takes nothing back, and in an earlier one gives way', () => {
    const named = compileOne([first(award(BRIGHT)), second(award(nameless('TBC')))]);
    const found = compileOne([first(award(nameless('TBC'))), second(award(BRIGHT))]);
    for (const process of [named, found]) {
      expect(winnerNames(process)).toEqual([[BRIGHT.name]]);
      expect(process.contracts[0]?.detail.former_suppliers).toBeUndefined();
    }
  });

  it('is no buyer either: the one that another notice or role names is', () => {
    const tbc = { id: 'GB-FTS-8', name: 'TBC', roles: ['buyer'] };
    const anonymous = { parties: [tbc], buyer: reference(tbc) };
    expect(compileOne([first(anonymous)]).buyerParty).toBeNull();
    expect(compileOne([first({}), second(anonymous)]).buyerParty).toBe(COUNCIL.id);
    const entity = { ...COUNCIL, roles: ['procuringEntity'] };
    expect(compileOne([first({ ...anonymous, parties: [tbc, entity] })]).buyerParty).toBe(COUNCIL.id);
  });
});

describe('words in place of a supplier that say that no contract was made', () => {
  it.each([
    ...['Contract not awarded', 'NOT AWARDED', 'The tender was not awarded', 'No award made', 'No Contract Awarded'],
    ...[
      'No supplier appointed',
      'No suitable bidder',
      'No compliant bids received',
      'No bids were received',
      'No tenders',
    ],
    ...['No Successful Suppliers', 'Tender cancelled', 'Procurement has been abandoned', 'Withdrawn', 'None awarded'],
    ...[
      'Heb ei ddyfarnu',
      'Ni ddyfarnwyd y contract',
      'Contract Not Awarded.',
      'Lot 2 not awarded',
      'Cancelled tender',
    ],
    ...['Not Awarded - no bids', 'N/A - Contract cancelled', 'No award (unsuccessful procurement)'],
  ])('make no contract, whatever value is next to them: %s', (name) => {
    for (const process of [inline(inlineSupplier(name)), inline(name), compileOne([first(award(nameless(name)))])]) {
      expect(process.contracts).toEqual([]);
      expect(process.status).not.toBe('awarded');
      expect(process.parties.map(({ role }) => role)).toEqual(['buyer']);
    }
  });

  it('are nobody next to a supplier', () => {
    expect(
      winnerNames(compileOne([first(award(nameless('Lot 2 Ltd'), { ...nameless('Not awarded'), id: '3' }))])),
    ).toEqual([['Lot 2 Ltd']]);
  });

  it('leave an award in which somebody is not known yet', () => {
    for (const name of ['Not yet awarded', 'No supplier', 'To be awarded'])
      expect(inline(inlineSupplier(name)).contracts).toHaveLength(1);
  });

  it('are the name of a company that has a number or another name: its contract stays', () => {
    const numberedOne = inline(inlineSupplier('Withdrawn', '', numbered('01234567')));
    const renamed = inline(inlineSupplier('Not awarded', '', { identifier: { legalName: 'Oakes Ltd' } }));
    expect([numberedOne, renamed].map(({ contracts }) => contracts.length)).toEqual([1, 1]);
    expect(inline({ identifier: { legalName: 'Not awarded' } }).contracts).toEqual([]);
    expect(compileOne([first(award({ id: 'GB-COH-01234567', name: 'Withdrawn' }))]).contracts).toHaveLength(1);
    const bare = award(nameless('Not awarded'));
    const named = {
      ...bare,
      awards: bare.awards.map((one) => ({ ...one, suppliers: [{ id: 'GB-FTS-9', name: null }] })),
    };
    expect(compileOne([first(named)]).contracts).toEqual([]);
  });

  it('are not what resembles them', () => {
    for (const name of [
      'Abandoned Project',
      'Not Awarded Ltd',
      'No Bids Theatre',
      'Cancelled Flights Ltd',
      'No Award Productions',
      'The Project',
      'No One Ltd',
    ])
      expect(winnerNames(inline(inlineSupplier(name)))).toEqual([[name]]);
  });
});
