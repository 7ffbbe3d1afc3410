import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeOrganisations } from '../../../../ingest/rebuild/organisations.ts';
import { storePage } from '../../../../ingest/store/page.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, packageOf, read, reference } from '../../compile/releases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterEach(async () => {
  await catalogue.close();
  await folder.remove();
});

/** Stores releases; returns the buyers and companies of whom every contract was read for it. */
async function store(...releases: JsonObject[]): Promise<string[]> {
  const counted: string[] = [];
  const watched: Database = {
    ...catalogue,
    read: (statement) => {
      if (/GROUP BY (cs.company_id|c.buyer_id)$/.test(statement.sql))
        counted.push(...JSON.parse(String(statement.args?.[0])));
      return catalogue.read(statement);
    },
  };
  const page = read(packageOf(releases));
  const at = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z' };
  await storePage(watched, { ...at, ...page, before: [], after: [] });
  return counted.toSorted();
}

let serial = 0;
function release(tag: string[], more: JsonObject): JsonObject {
  serial += 1;
  return actRelease(`${String(serial).padStart(6, '0')}-2026`, `2026-02-01T00:00:${String(serial).padStart(2, '0')}Z`, {
    tag,
    buyer: reference(COUNCIL),
    parties: [COUNCIL, BRIGHT, OAKES],
    ...more,
  });
}

const award = (number: number, winner: JsonObject, more: JsonObject = {}) =>
  release(['award', 'contract'], {
    ocid: `ocds-h6vhtk-00010${number}`,
    awards: [{ id: '1', status: 'active', suppliers: [reference(winner)], value: { amount: 1000.1, currency: 'GBP' } }],
    ...more,
  });
const plan = (more: JsonObject = {}) =>
  release(['planning'], { ocid: 'ocds-h6vhtk-000200', parties: [COUNCIL], ...more });

/** The rows of every organisation, as they are stored and as they are where all of them are counted again. */
async function readRows() {
  const sql = `SELECT id, name, contract_count, framework_places, totals, detail, digest, gone FROM buyer
    UNION ALL SELECT id, name, contract_count, framework_places, totals, detail, digest, gone FROM company ORDER BY id`;
  const stored = await catalogue.read({ sql });
  await storeOrganisations(catalogue);
  return { stored, counted: await catalogue.read({ sql }) };
}

async function expectRight() {
  const { stored, counted } = await readRows();
  expect(stored).toEqual(counted);
}

const [COUNCIL_ID, BRIGHT_ID, OAKES_ID] = ['GB-PPON-PBCD-1234-FGHJ', 'GB-COH-01234567', 'GB-COH-07654321'];

it('a release that changes no contract counts none again, and its buyer gets what else it says', async () => {
  await store(award(1, BRIGHT), award(2, OAKES));
  const [before] = await catalogue.read<{ totals: string }>({ sql: 'SELECT totals, contract_count FROM buyer' });
  expect(await store(plan({ parties: [{ ...COUNCIL, name: 'Pennine District' }] }))).toEqual([]);
  expect(await catalogue.read({ sql: 'SELECT totals, contract_count FROM buyer' })).toEqual([before]);
  expect(await catalogue.read({ sql: 'SELECT name FROM buyer' })).toEqual([{ name: 'Pennine District' }]);
  await expectRight();
});

it('a contract counts for its present holder alone', async () => {
  expect(await store(award(1, BRIGHT))).toEqual([BRIGHT_ID, COUNCIL_ID]);
  expect(await store(award(2, OAKES))).toEqual([OAKES_ID]);
  expect(await store(award(1, OAKES))).toEqual([]);
  await expectRight();
  const dearer = [{ id: '1', status: 'active', suppliers: [reference(OAKES)], value: { amount: 7, currency: 'GBP' } }];
  expect(await store(award(2, OAKES, { awards: dearer }))).toEqual([]);
  await expectRight();
  expect(await store(award(1, OAKES, { awards: [{ id: '1', status: 'cancelled' }] }))).toEqual([]);
  await expectRight();
  expect(await catalogue.read({ sql: 'SELECT contract_count FROM buyer' })).toEqual([{ contract_count: 1 }]);
});

it('a framework that gets another title is named by it in the totals of its buyer and suppliers', async () => {
  const techniques = { hasFrameworkAgreement: true };
  await store(award(3, OAKES, { tender: { id: 'RM6099', title: 'Cleaning', techniques } }), award(4, BRIGHT));
  const renamed = award(3, OAKES, { tender: { id: 'RM6099', title: 'Cleaning and more', techniques } });
  expect(await store(renamed)).toEqual([]);
  const [company] = await catalogue.read<{ totals: string }>({
    sql: 'SELECT totals FROM company WHERE id = ?',
    args: [OAKES_ID],
  });
  expect(company?.totals).toContain('Cleaning and more');
  await expectRight();
});

it('a supplier that has left a dynamic market is on it no more, and its place still counts', async () => {
  const market = {
    tender: { id: 'DM1', title: 'Cleaning market', techniques: { hasDynamicPurchasingSystem: true } },
    awards: [BRIGHT, OAKES].map((party, index) => ({
      id: String(index + 1),
      status: 'active',
      suppliers: [reference(party)],
    })),
  };
  await store(award(5, BRIGHT, market));
  const frameworksOf = async (id: string) => {
    const sql =
      "SELECT framework_places AS places, totals ->> '$.frameworks[0].title' AS title FROM company WHERE id = ?";
    return (await catalogue.read({ sql, args: [id] }))[0];
  };
  expect(await frameworksOf(BRIGHT_ID)).toEqual({ places: 1, title: 'Cleaning market' });
  const leaves = { ...BRIGHT, roles: ['removedSupplier'] };
  await store(award(5, BRIGHT, { ...market, parties: [leaves], awards: [{ id: '1', amendments: [{ id: 'left' }] }] }));
  expect(await frameworksOf(BRIGHT_ID)).toEqual({ places: 1, title: null });
  expect(await frameworksOf(OAKES_ID)).toEqual({ places: 1, title: 'Cleaning market' });
  await expectRight();
});

it('where another version counted, an organisation that a batch touches is counted whole until a rebuild', async () => {
  await store(award(1, BRIGHT), award(2, OAKES));
  await catalogue.write([
    { sql: "UPDATE meta SET value = '0' WHERE name = 'counting'" },
    { sql: 'UPDATE buyer SET contract_count = 7' },
    { sql: 'DELETE FROM buyer_supplier' },
  ]);
  expect(await store(award(3, OAKES))).toEqual([OAKES_ID, COUNCIL_ID]);
  expect(await catalogue.read({ sql: 'SELECT contract_count FROM buyer' })).toEqual([{ contract_count: 3 }]);
  await expectRight();
});
