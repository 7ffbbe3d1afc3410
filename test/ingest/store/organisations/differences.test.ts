import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeOrganisations } from '../../../../ingest/rebuild/organisations.ts';
import { type ReleaseToStore, storePage } from '../../../../ingest/store/page.ts';
import { applyTakedown } from '../../../../ingest/store/takedown.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, COUNCIL, packageOf, read, reference, supplier } from '../../compile/releases.ts';
import { makeCatalogues, market, shuffle, storeBatches } from '../any-order.ts';

let catalogues: Awaited<ReturnType<typeof makeCatalogues>>;
beforeAll(async () => {
  catalogues = await makeCatalogues();
});
afterAll(() => catalogues.remove());

const ORGANISATIONS = `SELECT id, contract_count, framework_places, totals, detail, digest FROM buyer WHERE gone = 0
  UNION ALL SELECT id, contract_count, framework_places, totals, detail, digest FROM company WHERE gone = 0 ORDER BY id`;
const PAIRS = 'SELECT * FROM buyer_supplier ORDER BY buyer_id, company_id';

/** What was kept by difference is what a count of every contract gives. */
async function expectWhole(catalogue: Database): Promise<void> {
  const readAll = async () => [await catalogue.read({ sql: ORGANISATIONS }), await catalogue.read({ sql: PAIRS })];
  const differed = await readAll();
  await storeOrganisations(catalogue);
  expect(differed).toEqual(await readAll());
}

/** A council under its number, one of the same name, and under one that says later that they are one. */
const WASTE = { id: 'GB-LAE-HRW', name: 'Harrowmere Waste Board', roles: ['buyer'] };
const BUYERS: readonly JsonObject[] = [
  COUNCIL,
  WASTE,
  { ...COUNCIL, additionalIdentifiers: [{ scheme: 'GB-LAE', id: 'HRW' }] },
  { id: 'GB-NHS-RXX', name: 'Pennine Trust', roles: ['buyer'] },
];
/** More than totals list; some under two names, so that it matters which contract is the last. */
const SUPPLIERS = Array.from({ length: 14 }, (_, at) => [
  supplier(`012345${10 + (at % 12)}`, `Brightwater ${at} Ltd`),
  supplier(`076543${10 + (at % 12)}`, `Oakes ${at} Ltd`),
]).flat();

const award = fc.record({
  status: fc.constantFrom('active', 'active', 'active', 'cancelled'),
  suppliers: fc.array(fc.nat(SUPPLIERS.length - 1), { minLength: 1, maxLength: 3 }),
  amount: fc.constantFrom(0, 1_000.1, 1_000.2, 33.33, 2_000_000_000),
  currency: fc.constantFrom('GBP', 'GBP', 'EUR', 'USD'),
  year: fc.integer({ min: 2024, max: 2026 }),
});
const drawn = fc.record({
  process: fc.nat(9),
  buyer: fc.nat(BUYERS.length - 1),
  awards: fc.array(award, { maxLength: 5 }),
  framework: fc.constantFrom(null, null, 'Cleaning', 'Cleaning and more'),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;
type Step = Drawn[] | { taken: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.array(drawn, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.record({ taken: fc.nat(15) }) },
  ),
  { minLength: 3, maxLength: 14 },
);

const noticeOf = (serial: number) => `${String(serial).padStart(6, '0')}-2026`;

function releaseOf({ process, buyer, awards, framework }: Drawn, serial: number): JsonObject {
  const own = BUYERS[buyer] ?? COUNCIL;
  const suppliers = awards.flatMap((one) => one.suppliers.map((at) => SUPPLIERS[at] ?? {}));
  return actRelease(noticeOf(serial), `2026-03-01T00:${String(serial).padStart(2, '0')}:00Z`, {
    ocid: `ocds-h6vhtk-00040${process}`,
    tag: ['award', 'contract'],
    buyer: reference(own),
    parties: [own, ...new Set(suppliers)],
    awards: awards.map(({ status, amount, currency, year, ...one }, at) => ({
      id: String(at),
      status,
      date: `${year}-02-20T00:00:00Z`,
      suppliers: one.suppliers.map((index) => reference(SUPPLIERS[index] ?? {})),
      value: { amount, currency },
    })),
    ...(framework ? { tender: { id: 'RM6099', title: framework, techniques: { hasFrameworkAgreement: true } } } : {}),
  });
}

const AT = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', quarantined: [], before: [], after: [] };
const readReleases = (releases: readonly JsonObject[]): ReleaseToStore[] => [...read(packageOf(releases)).releases];

async function takeOut(catalogue: Database, serial: number): Promise<void> {
  const about = { kind: 'notice' as const, target: { noticeId: noticeOf(serial) } };
  const takedown = { id: `t${serial}`, reason: '', takenAt: '2026-11-20T00:00:00Z', takenBy: '', ...about };
  await applyTakedown(catalogue, takedown, { before: [], signal: new AbortController().signal });
}

it('differences add up to the whole, however awards come, change, move and go', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const catalogue = await catalogues.make();
      let serial = 0;
      for (const step of taken) {
        if (Array.isArray(step)) {
          const releases = step.map((one) => releaseOf(one, ++serial));
          await storePage(catalogue, { ...AT, releases: readReleases(releases) });
        } else await takeOut(catalogue, step.taken);
        await expectWhole(catalogue);
      }
      await catalogue.close();
    }),
    { numRuns: 20, seed: 11 },
  );
});

it('a market in any order: differences give the whole after every batch', async () => {
  const batches = market.chain((releases) => shuffle(releases));
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const catalogue = await catalogues.make();
      for (const batch of all) {
        await storeBatches(catalogue, [batch]);
        await expectWhole(catalogue);
      }
      await catalogue.close();
    }),
    { numRuns: 12, seed: 5 },
  );
});

/** Stores as many awards of one buyer, each to another supplier and one in three to the same; returns what one more reads. */
async function readsOfOneMore(awards: number): Promise<Record<string, number>> {
  const catalogue = await catalogues.make();
  const release = (at: number) => {
    const winner = supplier(String(10_000_000 + (at % 3 === 0 ? 0 : at)), `Winner ${at % 3 === 0 ? 0 : at} Ltd`);
    return actRelease(`${100_000 + at}-2026`, `2026-02-01T00:00:00Z`, {
      ocid: `ocds-h6vhtk-${100_000 + at}`,
      tag: ['award', 'contract'],
      parties: [COUNCIL, winner],
      awards: [
        {
          id: '1',
          status: 'active',
          date: `20${10 + (at % 15)}-02-20T00:00:00Z`,
          suppliers: [reference(winner)],
          value: { amount: 1_000, currency: 'GBP' },
        },
      ],
    });
  };
  const numbers = Array.from({ length: awards }, (_, at) => at);
  await storePage(catalogue, { ...AT, releases: readReleases(numbers.map(release)) });
  const rows: Record<string, number> = {};
  const watched: Database = {
    ...catalogue,
    read: async <T>(statement: Parameters<Database['read']>[0]) => {
      const found = await catalogue.read<T>(statement);
      rows[statement.sql] = JSON.stringify(found).length;
      return found;
    },
  };
  await storePage(watched, { ...AT, releases: readReleases([release(999)]) });
  await expectWhole(catalogue);
  await catalogue.close();
  return rows;
}

it('an award of a buyer with many contracts reads no more than one of a buyer with fewer', async () => {
  const [some, more] = [await readsOfOneMore(180), await readsOfOneMore(360)];
  expect(Object.keys(more)).toEqual(Object.keys(some));
  for (const [sql, size] of Object.entries(more)) {
    // Counts in totals grow by a digit or two.
    expect([sql, size]).toEqual([sql, expect.toSatisfy((all: number) => all <= (some[sql] ?? 0) * 1.1 + 20)]);
  }
});
