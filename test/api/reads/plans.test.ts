import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBuyer, readBuyerByAlias } from '../../../api/reads/buyers.ts';
import { readCompany, readCompanyByAlias } from '../../../api/reads/companies.ts';
import {
  countCallOffs,
  LIST_START,
  readCallOffs,
  readContract,
  readContractsOfBuyer,
  readContractsOfCompany,
  readContractsOfOcid,
  readContractsOfProcess,
} from '../../../api/reads/contracts.ts';
import { readFramework, readFrameworksAmong, readFrameworksByReference } from '../../../api/reads/frameworks.ts';
import { readNewestNotice, readNoticesById, readProcess, readProcessesByOcid } from '../../../api/reads/processes.ts';
import { readFreshness } from '../../../api/reads/sources.ts';
import { type KnownCompany, readKnownCompany, readSicWordsOf } from '../../../schema/answers/known-company.ts';
import { readSeqBefore } from '../../../schema/catalogue/changes/read.ts';
import { type LikenedProcess, readRelated } from '../../../schema/catalogue/related-processes.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

const PROCESS: LikenedProcess = {
  id: 'p',
  ocid: 'o',
  source: 'find_a_tender',
  title: 't',
  buyer_id: 'b',
  title_key: 'k',
  reference: 'r',
  first_published: '2024-01-01',
  last_published: '2024-01-01',
  deadline: null,
  awarded: null,
  counted_as: null,
  notices: '[]',
};

const BARE = {
  company: undefined,
  registered: { record: { sic_codes: [{ code: '62012' }] }, profile: null },
} as unknown as KnownCompany;

/** Every hot read with some arguments. A read of the second step is asked for by itself. */
const READS: [string, (database: Database) => Promise<unknown>][] = [
  ['a notice by id', (db) => readNoticesById(db, 'n')],
  ['the newest notice of a process', (db) => readNewestNotice(db, 'p')],
  ['a process', (db) => readProcess(db, 'p')],
  ['processes of an ocid', (db) => readProcessesByOcid(db, 'o')],
  ['the same procurement elsewhere', (db) => readRelated(db, PROCESS)],
  ['a contract', (db) => readContract(db, 'c')],
  ['contracts of an ocid, for a former contract id', (db) => readContractsOfOcid(db, 'o')],
  ['contracts of a process', (db) => readContractsOfProcess(db, 'p')],
  ['contracts of a company', (db) => readContractsOfCompany(db, 'c', LIST_START, 51)],
  ['contracts of a buyer', (db) => readContractsOfBuyer(db, 'b', LIST_START, 51)],
  ['call-offs of a framework', (db) => readCallOffs(db, 'f', LIST_START, 26)],
  ['how many call-offs', (db) => countCallOffs(db, 'f')],
  ['a company', (db) => readCompany(db, 'c')],
  ['a company by number', (db) => readKnownCompany(db, '01234567')],
  ['a company by alias', (db) => readCompanyByAlias(db, 'a')],
  ['words of industry codes', (db) => readSicWordsOf(db, BARE)],
  ['a buyer', (db) => readBuyer(db, 'b')],
  ['a buyer by alias', (db) => readBuyerByAlias(db, 'a')],
  ['a framework', (db) => readFramework(db, 'f')],
  ['frameworks by reference', (db) => readFrameworksByReference(db, 'RM1')],
  ['frameworks of a page of hits', (db) => readFrameworksAmong(db, ['f'])],
];

describe('every hot read', () => {
  it.each(READS)('%s searches an index, sorts nothing and scans no table', async (_what, read) => {
    for (const steps of await plansOf(read)) {
      expect(steps.some((step) => step.startsWith('SEARCH'))).toBe(true);
      expect(steps.filter((step) => /^SCAN (?!json_each)|TEMP B-TREE/.test(step))).toEqual([]);
    }
  });

  it('freshness goes through the few sources in the order of their key', async () => {
    expect(await plansOf(readFreshness)).toEqual([[expect.stringMatching(/^SCAN source USING INDEX /)]]);
  });

  it('the batch before an instant is found among those since then', async () => {
    const [steps] = await plansOf((db) => readSeqBefore(db, new Date()));
    expect(steps).toContain('SEARCH change_instant USING COVERING INDEX change_instant_by_at (at>?)');
  });
});

/** The steps of each statement that a read asks for. */
async function plansOf(read: (database: Database) => Promise<unknown>): Promise<string[][]> {
  const statements: Statement[] = [];
  const recorder: Database = {
    ...catalogue,
    read: async (statement) => {
      statements.push(statement);
      return [];
    },
  };
  await read(recorder);
  expect(statements.length).toBeGreaterThan(0);
  const plans: string[][] = [];
  for (const { sql, args = [] } of statements) {
    const plan = await catalogue.read<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
    plans.push(plan.map(({ detail }) => detail));
  }
  return plans;
}
