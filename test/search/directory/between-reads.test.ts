import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, DatabaseAway } from '../../../schema/db/interface.ts';
import { type BuyersAsk, listBuyers } from '../../../search/directory/buyers.ts';
import { type CompaniesAsk, listCompanies } from '../../../search/directory/companies.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { buyerRow, companyRow, contractRows, registeredRow, supplier } from '../../support/seed.ts';
import { setSeq } from '../index/notice-rows.ts';

const CLEANING = '90911000';
const OWN = 'GB-COH-00000031';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
/** What happens before the next read of some statement. */
let before: { sql: RegExp; run(): Promise<unknown> } | undefined;
const failBefore = (sql: RegExp) => {
  before = { sql, run: () => Promise.reject(new DatabaseAway('the server does not answer')) };
};

beforeEach(async () => {
  folder = await makeFolder();
  const whole = await makeDatabase(folder.path, 'catalogue');
  const read: Database['read'] = async (statement) => {
    const now = before?.sql.test(statement.sql) ? before : undefined;
    if (now) before = undefined;
    await now?.run();
    return whole.read(statement);
  };
  catalogue = Object.assign(Object.create(whole) as Database, { read });
  const detail = { lots: [], warnings: [], regions: [], cpvs: [CLEANING] };
  await catalogue.write([
    buyerRow('name-jo-bee-1', 'Jo Bee', { seq: 1 }),
    buyerRow('uk-other', 'Other', { seq: 1 }),
    companyRow(OWN, 'Blue Works', { company_number: '00000031', contract_count: 1, seq: 1 }),
    registeredRow('00000031', 'Blue Works', { status: 'Active', seq: 1 }),
    ...contractRows('p-1/1', [supplier(OWN, 'Blue Works')], { seq: 1, buyer_id: 'uk-other', cpv: CLEANING, detail }),
    { sql: "UPDATE counter SET value = 1 WHERE name = 'seq'" },
  ]);
});
afterEach(async () => {
  await catalogue.close();
  await folder.remove();
});

const buyers = async (asked: Partial<BuyersAsk> = {}) =>
  (await listBuyers(catalogue, { limit: 10, ...asked }))?.entries.map(({ name }) => name);
const companies = async (asked: Partial<CompaniesAsk> = {}) =>
  (await listCompanies(catalogue, { limit: 10, ...asked }))?.entries.map(({ name }) => name);

it('a takedown is not lost to a list of buyers by a read that failed after its rows', async () => {
  expect(await buyers()).toEqual(['Jo Bee', 'Other']);
  await catalogue.write([
    setSeq(2),
    { sql: "UPDATE buyer SET gone = 1, seq = 2 WHERE id = 'name-jo-bee-1'" },
    { sql: "DELETE FROM buyer WHERE id = 'name-jo-bee-1'" },
  ]);
  await catalogue.write([setSeq(3), { sql: "UPDATE buyer SET seq = 3 WHERE id = 'uk-other'" }]);
  failBefore(/FROM change c WHERE/);
  await expect(buyers()).rejects.toThrow(DatabaseAway);
  expect(await buyers()).toEqual(['Other']);
});

describe('a contract that was lost', () => {
  const COMPANIES = /^SELECT id, seq FROM company/;
  const loseContract = () =>
    catalogue.write([
      setSeq(2),
      { sql: 'DELETE FROM contract_supplier' },
      { sql: 'UPDATE contract SET buyer_id = NULL' },
      { sql: 'UPDATE company SET seq = 2' },
      { sql: "UPDATE buyer SET seq = 2 WHERE id = 'uk-other'" },
    ]);
  const change = (table: 'buyer' | 'company', id: string) =>
    catalogue.write([setSeq(3), { sql: `UPDATE ${table} SET seq = 3 WHERE id = ?`, args: [id] }]);

  it('is not kept for its supplier by a read that failed after that of buyers', async () => {
    expect(await companies({ cpv: ['90'] })).toEqual(['Blue Works']);
    await loseContract();
    await change('buyer', 'uk-other');
    failBefore(COMPANIES);
    await expect(companies({ cpv: ['90'] })).rejects.toThrow(DatabaseAway);
    expect(await companies({ cpv: ['90'] })).toEqual([]);
  });

  it('is not kept for its buyer where that changes between the reads of buyers and of companies', async () => {
    expect(await buyers({ cpv: ['90'] })).toEqual(['Other']);
    before = { sql: COMPANIES, run: () => loseContract().then(() => change('company', OWN)) };
    await buyers({ cpv: ['90'] });
    expect(await buyers({ cpv: ['90'] })).toEqual([]);
  });
});
