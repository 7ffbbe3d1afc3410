import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileOcid } from '../../../ingest/compile/ocid.ts';
import { nameId } from '../../../ingest/party/sighting.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import {
  actRelease,
  BRIGHT,
  COUNCIL,
  compileOne,
  noticeDocument,
  OCID,
  packageOf,
  read,
  reference,
  stored,
} from './releases.ts';

const FULL = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
  tag: ['award', 'contract'],
  parties: [COUNCIL, BRIGHT],
  planning: { documents: [{ id: '1', url: 'https://example.test/a.pdf' }] },
  relatedProcesses: [{ id: '1', relationship: ['framework'], title: 'RM1234' }],
  tender: {
    classification: { scheme: 'CPV', id: '90911300' },
    items: [{ id: '1', deliveryAddresses: [{ region: 'UKE42' }], relatedLot: '1' }],
    lots: [{ id: '1', title: 'A', value: { amount: 5 } }],
    value: { amount: 10, currency: 'GBP' },
    techniques: { hasFrameworkAgreement: true, frameworkAgreement: { period: { endDate: '2030-01-01' } } },
    tenderPeriod: { endDate: '2026-02-01T12:00:00Z' },
  },
  awards: [
    {
      id: '1',
      status: 'active',
      date: '2026-02-27T00:00:00Z',
      value: { amount: 80_000, currency: 'GBP' },
      suppliers: [reference(BRIGHT)],
      relatedLots: ['1'],
      documents: [noticeDocument('000200-2026', 'UK6')],
    },
  ],
  contracts: [
    { id: '1', awardID: '1', status: 'active', period: { startDate: '2026-04-01' }, amendments: [{ id: 'x' }] },
  ],
});

/** Paths of every node of a JSON value. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy = Array.isArray(value) ? [...value] : { ...(value as JsonObject) };
  const holder = copy as JsonObject;
  holder[key] = replaceAt(holder[key], rest, replacement);
  return copy;
}

const PATHS = pathsOf(FULL).filter(([first]) => first !== undefined && first !== 'ocid' && first !== 'id');
const ODD = [
  null,
  '',
  ' ',
  'text',
  0,
  -1,
  1e300,
  true,
  [],
  {},
  [null],
  ['a', 1],
  { '1': { id: 1 } },
  [[{}]],
  '2085-13-45',
];

describe('whatever a source sends', () => {
  it('is compiled without a crash, and never into a total that is not a number', () => {
    const damage = fc.array(fc.tuple(fc.constantFrom(...PATHS), fc.constantFrom(...ODD)), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(damage, (changes) => {
        const damaged = changes.reduce<unknown>((release, [path, odd]) => {
          try {
            return replaceAt(release, path, odd);
          } catch {
            return release;
          }
        }, FULL) as JsonObject;
        const processes = compileOcid(OCID, stored([damaged, FULL]));
        for (const { contracts, notices } of processes) {
          for (const { value } of [...contracts, ...notices])
            expect(value === null || Number.isFinite(value)).toBe(true);
          for (const { published } of notices) expect(published).toMatch(/^\d{4}-\d\d-\d\d$/);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('missing buyer, title, suppliers and sense are marked', () => {
    const release = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
      tag: ['tender'],
      parties: [],
      buyer: null,
      tender: {
        title: ' ',
        tenderPeriod: { endDate: 'next week' },
        value: { amount: 'about £1,250.50', currency: 'GBP' },
      },
      awards: [{ id: '1', contractPeriod: { startDate: '2026-05-01', endDate: '2026-04-01' }, value: { amount: -5 } }],
    });
    const { notices, contracts, buyerParty } = compileOne([release]);
    expect(buyerParty).toBeNull();
    expect(notices[0]).toMatchObject({ title: 'Untitled notice', value: null });
    expect(notices[0]?.detail.warnings).toEqual(
      expect.arrayContaining(['no title was published', 'no buyer was named']),
    );
    expect(contracts[0]?.detail.warnings).toEqual([
      'a negative value was published: taken as not stated',
      'no buyer was named',
      'no supplier was named',
      'the contract is said to end before it starts',
    ]);
    const tender = actRelease('000201-2026', '2026-03-01T09:00:00Z', {
      tender: { tenderPeriod: { endDate: '2085-01-01' } },
    });
    expect(compileOne([tender]).notices[0]).toMatchObject({
      deadline: null,
      detail: { warnings: ['the published deadline is not a date: 2085-01-01'] },
    });
  });

  it('a release dated far ahead is as old as its package; a value in no currency is none', () => {
    const [ahead] = stored([actRelease('000202-2026', '2085-01-01T00:00:00Z', {})]);
    expect(ahead?.date).toBe('2026-03-01T00:00:00Z');
    const award = { id: '1', status: 'active', value: { amount: 12_000, currency: 7 }, suppliers: [reference(BRIGHT)] };
    const [contract] = compileOne([
      actRelease('000203-2026', '2026-03-01T09:00:00Z', {
        tag: ['award'],
        parties: [COUNCIL, BRIGHT],
        awards: [award],
      }),
    ]).contracts;
    expect(contract).toMatchObject({ value: null, valueClass: 'unstated' });
    expect(contract?.detail.warnings).toEqual(['a value in no known currency was published: taken as not stated']);
  });

  it('a release that nothing dates is as old as its fetch, and counted; text for an amount is reported', () => {
    const undated = actRelease('000206-2026', 'yesterday', {});
    const page = read(packageOf([undated], { publishedDate: 'soon' }));
    expect([page.releases[0]?.date, page.repairs]).toEqual(['', { date_of_fetch: 1 }]);
    const award = { id: '1', status: 'active', value: { amount: 'about £10k' }, suppliers: [reference(BRIGHT)] };
    const more = { tag: ['award'], parties: [COUNCIL, BRIGHT], awards: [award] };
    const [contract] = compileOne([actRelease('000207-2026', '2026-03-01T09:00:00Z', more)]).contracts;
    expect(contract).toMatchObject({ value: null, valueClass: 'unstated' });
    expect(contract?.detail.warnings).toEqual(['a value that is no number was published: about £10k']);
  });

  it('an amount whose pence are no number is none', () => {
    for (const amount of [1e308, '1e306', 1e21]) {
      const award = { id: '1', status: 'active', value: { amount, currency: 'GBP' }, suppliers: [reference(BRIGHT)] };
      const more = { tag: ['award'], parties: [COUNCIL, BRIGHT], awards: [award] };
      const [contract] = compileOne([actRelease('000207-2026', '2026-03-01T09:00:00Z', more)]).contracts;
      expect(contract).toMatchObject({ value: null, valueClass: 'unstated' });
      expect(contract?.detail.warnings).toEqual([`a value that is no number was published: ${amount}`]);
    }
  });

  it('an award that names nobody, or somebody without a name, says so', () => {
    const warningsOf = (suppliers: unknown[], winner: JsonObject) =>
      compileOne([
        actRelease('000208-2026', '2026-03-01T09:00:00Z', {
          tag: ['award'],
          parties: [COUNCIL, winner],
          awards: [{ id: '1', status: 'active', suppliers }],
        }),
      ]).contracts[0]?.detail.warnings;
    expect(warningsOf([], BRIGHT)).toEqual(['the award names no supplier: those that its notice lists are taken']);
    expect(warningsOf([{ id: '1' }], { id: '1', roles: ['supplier'] })).toEqual([
      'a supplier was published without a name',
    ]);
    expect(warningsOf([reference(BRIGHT)], BRIGHT)).toEqual([]);
  });

  it('two suppliers without a name are two, and neither is named by its number within the release', () => {
    const unnamed = (id: string) => ({ id, roles: ['supplier'] });
    const awards = [{ id: '1', status: 'active', suppliers: [{ id: '1' }, { id: '2' }] }];
    const release = actRelease('000204-2026', '2026-03-01T09:00:00Z', {
      tag: ['award'],
      parties: [COUNCIL, unnamed('1'), unnamed('2')],
      awards,
    });
    const sightings = compileOne([release]).parties.flatMap(({ role, sighting }) =>
      role === 'supplier' ? sighting : [],
    );
    expect(sightings.map(({ name, nameKey }) => [name, nameKey])).toEqual([
      ['Not named', ''],
      ['Not named', ''],
    ]);
    const [one, two] = sightings.map((sighting) => nameId('company', sighting));
    expect(one).toMatch(/^name-unnamed-[0-9a-f]{8}$/);
    expect(two).not.toBe(one);
  });

  it('a supplier without a name is no other of another process, though both have one id', () => {
    const idIn = (ocid: string) => {
      const parties = [COUNCIL, { id: 'GB-CFS-17', roles: ['supplier'] }];
      const awards = [{ id: '1', status: 'active', suppliers: [{ id: 'GB-CFS-17', name: null }] }];
      const release = actRelease('000204-2026', '2026-03-01T09:00:00Z', { ocid, tag: ['award'], parties, awards });
      const supplier = compileOne([release]).parties.find(({ role }) => role === 'supplier');
      return supplier && nameId('company', supplier.sighting);
    };
    expect(idIn('ocds-h6vhtk-0a1b2c')).toBe(idIn('OCDS-h6vhtk-0A1B2C'));
    expect(idIn('ocds-h6vhtk-0a1b2c')).not.toBe(idIn('ocds-h6vhtk-0a1b2d'));
  });

  it('a buyer known by an identifier alone is a buyer', () => {
    const buyer = { roles: ['buyer'], identifier: { scheme: 'GB-PPON', id: 'PLMN-2468-PQRS' } };
    const release = actRelease('000205-2026', '2026-03-01T09:00:00Z', { buyer: {}, parties: [buyer] });
    const { parties, buyerParty } = compileOne([release]);
    expect(parties.find(({ partyId }) => partyId === buyerParty)?.sighting).toMatchObject({
      ids: ['GB-PPON-PLMN-2468-PQRS'],
      name: 'GB-PPON-PLMN-2468-PQRS',
    });
  });

  it('of ten thousand lots the first two thousand are served, and a warning says so', () => {
    const lots = Array.from({ length: 10_000 }, (_, index) => ({ id: String(index), title: `Lot ${index}` }));
    const [notice] = compileOne([actRelease('000200-2026', '2026-03-01T09:00:00Z', { tender: { lots } })]).notices;
    expect(notice?.detail.lots).toHaveLength(2_000);
    expect(notice?.detail.warnings).toEqual(['only the first 2000 of 10000 lots are held']);
  });
});
