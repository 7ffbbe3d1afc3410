import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookupContract } from '../../../api/operations/contracts/lookup.ts';
import { listedStatements, listRecord } from '../../../ingest/register/store.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { ask } from '../../support/catalogue-services.ts';
import { contractsFinder } from './releases/contracts-finder.ts';
import { firm } from './releases/notice.ts';
import { COMPANY_CASES } from './sets-of-names.ts';
import { COMPANY_SHORTFALLS } from './shortfalls/companies.ts';
import { openStore, type Store, storeReleases } from './store.ts';
import { expectShortfalls, makeTally } from './tally.ts';
import type { CompanyCase, RegisterRow } from './types.ts';

/**
 * Each case is one award to the published supplier, in a catalogue of its own that holds the case's register. The supplier
 * is the row whose number the API gives it. Whoever is dissolved was so before the award.
 */
let store: Store;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

const EDITION = '2024-03-01';

async function storeRegister(catalogue: Database, rows: readonly RegisterRow[]): Promise<void> {
  const listed = rows.map(({ number, name, status = 'active', postcode, previousNames = [] }) =>
    listRecord({
      company_name: name,
      company_number: number,
      ...(postcode ? { postal_code: postcode } : {}),
      status,
      incorporated: '1990-01-01',
      ...(status === 'dissolved' ? { dissolved: '2015-06-30' } : {}),
      accounts: {},
      sic_codes: [],
      previous_names: previousNames.map((former) => ({ name: former })),
    }),
  );
  const { statements } = await listedStatements(catalogue, listed, EDITION);
  await catalogue.write([
    ...statements,
    { sql: "UPDATE registered_company SET gone = 1 WHERE status = 'dissolved'" },
    { sql: "INSERT INTO cursor (source, value, updated_at) VALUES ('companies_house', ?, '')", args: [EDITION] },
  ]);
}

async function numbersOf({ published, register }: CompanyCase): Promise<string> {
  const release = contractsFinder({
    process: published.name,
    awards: [{ firms: [firm(published.name, { id: 'GB-CFS-9001', ...published })], value: 50_000 }],
  });
  const fill = async (catalogue: Database) => {
    await storeRegister(catalogue, register);
    await storeReleases(catalogue, 'contracts_finder', [release]);
  };
  const read = store.inOwnCatalogue(fill, (room) => ask(room, lookupContract, { notice_id: release.ocid }));
  // `Not awarded` is no contract, so nobody won it.
  const { suppliers = [] } = (await read).body;
  return suppliers.flatMap((one) => one.companies_house_number ?? []).join(' and ');
}

const nameOf = ({ published, register }: CompanyCase) =>
  `${[published.name.trim(), published.postcode].filter(Boolean).join(', ')} | ${register
    .map(({ name, postcode, status }) => [name, postcode, status].filter(Boolean).join(', '))
    .join('; ')}`;

describe('the published names of companies', () => {
  it('are the row that a reader found, or none, but for the known shortfalls', async () => {
    const tally = makeTally('companies');
    const sure = [];
    for (const one of COMPANY_CASES) {
      const given = await numbersOf(one);
      const expected = one.expect === null ? '' : (one.register[one.expect]?.number ?? '');
      tally.count({ kind: one.expect === null ? 'none' : 'a row', doubtful: one.doubtful, right: given === expected });
      if (one.doubtful === undefined) sure.push({ name: nameOf(one), why: one.why, expected, given });
    }
    console.info(tally.tell());
    expect(tally.size()).toBe(COMPANY_CASES.length);
    expectShortfalls(sure, COMPANY_SHORTFALLS);
  });
});
