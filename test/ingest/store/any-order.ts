import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { type ReleaseToStore, storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { listBySource } from '../../upstream/data.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import {
  actRelease,
  BRIGHT,
  COUNCIL,
  inlineSupplier,
  noticeDocument,
  numbered,
  OAKES,
  packageOf,
  read,
  reference,
} from '../compile/releases.ts';
import { readPublished } from '../parse/read-published.ts';

/** A small market in which everything that may depend on order happens often: drawn, and shrunk, by fast-check. */

const PPON = { scheme: 'GB-PPON', id: 'PQRS-5678-TVWX' };
const buyer = (id: string, name: string, more: JsonObject = {}) => ({ id, name, roles: ['buyer'], ...more });
const supplier = (id: string, name: string, more: JsonObject = {}) => ({
  id,
  name,
  roles: ['supplier'],
  address: { postalCode: 'LS2 7EW' },
  ...more,
});

/** Organisations that are one by a shared identifier, name or number, or look so and are not. */
const BUYERS: readonly JsonObject[] = [
  COUNCIL,
  buyer('GB-FTS-5', COUNCIL.name),
  buyer('GB-FTS-5', 'Harrowmere Waste Authority'),
  { ...COUNCIL, name: 'Harrowmere Council', additionalIdentifiers: [{ scheme: 'GB-LAE', id: 'HRW' }] },
  buyer('GB-LAE-HRW', 'Harrowmere Metropolitan Borough'),
  buyer('GB-COH-02468013', 'Pennine Water plc', { address: { postalCode: 'BD1 1AA' } }),
  buyer('GB-FTS-6', 'Pennine Water PLC', { address: { postalCode: 'YO1 1AA' } }),
  buyer('GB-NHS-RXX', 'Pennine Water'),
  // One buyer that registered twice, and a notice that states its second number by mistake.
  buyer('GB-PPON-PQRS-1111-TVWX', 'Pennine Water', { address: { postalCode: 'YO1 1AA' } }),
  buyer('GB-PPON-PQRS-2222-TVWX', 'Pennine Water', { address: { postalCode: 'YO1 1AA' } }),
  buyer('GB-PPON-PQRS-2222-TVWX', 'Harrowmere Waste Authority', { address: { postalCode: 'YO1 1AA' } }),
  { roles: ['buyer'] },
];
const SUPPLIERS: readonly JsonObject[] = [
  BRIGHT,
  OAKES,
  supplier('GB-FTS-1', 'Brightwater Cleaning'),
  supplier('GB-PPON-PQRS-5678-TVWX', 'Brightwater Group', { identifier: PPON }),
  { ...BRIGHT, additionalIdentifiers: [PPON] },
  supplier('GB-FTS-1', 'Somebody Else'),
  supplier('1', 'Brightwater Cleaning Limited', { address: { postalCode: 'YO1 1AA' } }),
  supplier('2', 'Oakes & Daughters Ltd'),
  { id: '1', roles: ['supplier'] },
  supplier('GB-FTS-1', 'Brightwater Cleaning', { address: { postalCode: 'M1 1AA' } }),
  supplier('GB-COH-01234567', 'Oakes & Daughters Ltd'),
  inlineSupplier('Brightwater Cleaning', 'Mill Lane\nLeeds\nLS2 7EW', numbered(1_234_567)),
  inlineSupplier('Oakes & Daughters Ltd'),
  { name: 'Brightwater Cleaning Ltd' },
  supplier('GB-FTS-1', 'TBC'),
  inlineSupplier('N/A'),
];

/** Where suppliers stand: among the parties, inline in the award, or in its contract alone. */
const STANDS = ['party', 'inline', 'contract'] as const;

const KINDS = ['UK3', 'UK4', 'UK5', 'UK6', 'UK7', 'UK10', 'UK11', 'UK12', 'framework', 'callOff', 'delta'] as const;

interface Drawn {
  process: number;
  number: number;
  kind: (typeof KINDS)[number];
  buyers: JsonObject[];
  suppliers: JsonObject[];
  stand: (typeof STANDS)[number];
  award: number;
  /** The day of the award; a price that many awards have. */
  awarded: string | undefined;
  price: number | string;
  /** Whether its contract names its award. */
  isNamed: boolean;
  day: number;
  /** Days on which it came, word for word. */
  fetched: number[];
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  process: fc.nat(3),
  number: fc.nat(7),
  kind: fc.constantFrom(...KINDS),
  buyers: fc.array(fc.constantFrom(...BUYERS), { maxLength: 2 }),
  suppliers: fc.array(fc.constantFrom(...SUPPLIERS), { maxLength: 3 }),
  stand: fc.constantFrom(...STANDS),
  award: fc.nat(2),
  awarded: fc.constantFrom(undefined, '2026-02-20T00:00:00Z', 'TBC'),
  price: fc.constantFrom(1_000.1, 1_200, 120_000, 'TBC'),
  isNamed: fc.boolean(),
  day: fc.integer({ min: 1, max: 4 }),
  fetched: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
});

/** What each kind says beside its parties. */
function contentOf(drawn: Drawn, id: string): JsonObject {
  const { kind, number, award, suppliers, stand, process, awarded, price, isNamed } = drawn;
  const mentions = stand === 'inline' ? suppliers : suppliers.map(reference);
  const awards = [
    {
      id: String(award),
      status: 'active',
      date: awarded,
      suppliers: stand === 'contract' ? [] : mentions,
      value: { amount: price, currency: 'GBP' },
    },
  ];
  const status = kind === 'UK11' ? 'terminated' : 'active';
  const signed = stand === 'contract' ? { suppliers } : {};
  const named = isNamed ? { awardID: String(award) } : {};
  const contracts = [{ id: `c${award}`, ...named, status, ...signed }];
  const documents = [noticeDocument(id, kind)];
  const contents: Record<Drawn['kind'], JsonObject> = {
    UK3: { tag: ['planning'], planning: { documents } },
    UK4: { tag: ['tender'], tender: { documents, status: 'active', title: `Works ${number}` } },
    UK5: { tag: ['award', 'contract'], awards, tender: { documents } },
    UK6: { tag: ['award', 'contract'], awards, tender: { documents } },
    UK7: {
      tag: ['award', 'contract'],
      awards: [{ id: String(award), suppliers: awards[0]?.suppliers }],
      contracts,
      tender: { documents },
    },
    UK10: { tag: ['contractAmendment'], contracts, tender: { documents } },
    UK11: { tag: ['contractTermination'], contracts, tender: { documents } },
    UK12: { tag: ['tenderCancellation'], tender: { documents, status: 'cancelled' } },
    framework: {
      tag: ['award'],
      awards,
      tender: { id: `RM610${number % 2}`, title: `Cleaning ${number}`, techniques: { hasFrameworkAgreement: true } },
    },
    callOff: {
      tag: ['award'],
      awards,
      tender: {
        title: 'Windows',
        procurementMethodDetails: 'Award under framework',
        description: `under RM610${number % 2}`,
      },
      relatedProcesses: [
        { id: '1', scheme: 'ocid', relationship: ['framework'], identifier: ocidOf((process + 1) % 4) },
      ],
    },
    delta: { tag: ['award'], awards: [{ id: String(award), amendments: [{ id: 'x' }] }] },
  };
  return contents[kind];
}

const ocidOf = (process: number) => `ocds-h6vhtk-00000${process}`;

function releaseOf(one: Drawn): ReleaseToStore[] {
  const id = `00000${one.number}-2026`;
  const parties = [...one.buyers, ...(one.stand === 'party' ? one.suppliers : [])];
  const [first] = one.buyers;
  const release = actRelease(id, `2026-03-0${one.day}T09:00:00Z`, {
    ocid: ocidOf(one.process),
    parties,
    buyer: first ? reference(first) : null,
    ...contentOf(one, id),
  });
  const [own] = read(packageOf([release])).releases;
  if (!own) throw new Error('a drawn release cannot be read');
  return one.fetched.map((day) => ({ ...own, fetchedAt: `2026-03-1${day}T00:00:00Z` }));
}

/** Releases of a few processes; one may come several times, word for word, before and after another version of it. */
export const market: fc.Arbitrary<ReleaseToStore[]> = fc
  .array(drawn, { minLength: 2, maxLength: 12 })
  .map((all) => all.flatMap(releaseOf));

/** The members in another order, cut into batches, some of them again. */
export function shuffle<T>(members: readonly T[]): fc.Arbitrary<T[][]> {
  const places = fc.shuffledSubarray([...members], { minLength: members.length });
  return fc.tuple(places, fc.subarray([...members]), fc.integer({ min: 1, max: 5 })).map(([once, again, size]) => {
    const all = [...once, ...again];
    return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
  });
}

/** Releases of every service of the sample as an ingest reads them: Scottish originals with their copies, and what is next to them. */
export function readSample(): ReleaseToStore[] {
  const read = [...listBySource(makeSample({ notices: 300, buyers: 40, companies: 120 }))].map(([id, releases]) =>
    readPublished(
      id,
      releases.map(({ release }) => release),
    ).releases.map((release) => ({ ...release, fetchedAt: '2026-11-20T00:00:00Z' })),
  );
  const named = new Set(read.flat().flatMap(({ body }) => body.match(/ocds-r6ebe6-\d{10}/g) ?? []));
  const isCopy = ({ body }: ReleaseToStore) => /"rel":"canonical"/.test(body);
  return read.flatMap((releases) => {
    const chosen = releases.filter((release) => isCopy(release) || named.has(release.ocid));
    return [...chosen.slice(0, 8), ...releases.slice(0, 3)];
  });
}

/** Empty catalogues, each a copy of one that was migrated once. */
export async function makeCatalogues() {
  const folder = await makeFolder();
  const migrated = await makeDatabase(folder.path, 'catalogue');
  await migrated.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
  await migrated.close();
  let made = 0;
  return {
    async make(): Promise<Database> {
      made += 1;
      const path = join(folder.path, `copy-${made}.db`);
      await copyFile(join(folder.path, 'catalogue.db'), path);
      return openDatabase({ url: `file:${path}`, durability: 'normal' });
    },
    remove: folder.remove,
  };
}

export async function storeBatches(
  catalogue: Database,
  batches: readonly ReleaseToStore[][],
  more: { movedMost?: number } = {},
): Promise<void> {
  for (const releases of batches) {
    const [source = 'find_a_tender'] = releases.map((release) => release.source);
    await storePage(catalogue, { source, fetchedAt: '', releases, quarantined: [], before: [], after: [], ...more });
  }
}
