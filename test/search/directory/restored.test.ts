import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { listBuyers } from '../../../search/directory/buyers.ts';
import { listCompanies } from '../../../search/directory/companies.ts';
import { loadRegister, saveRegister } from '../../../search/directory/register/file.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { buyerRow, companyRow, contractRows, registeredRow, supplier } from '../../support/seed.ts';
import { setSeq } from '../index/notice-rows.ts';

const CLEANING = '90911000';

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

/** A batch: a buyer, a supplier of it, a contract of both, and a company of the register that never won. */
async function store(name: string, seq: number): Promise<void> {
  const [buyer, company] = [`uk-${name}`, `GB-COH-${name}`];
  const detail = { lots: [], warnings: [], regions: [], cpvs: [CLEANING] };
  await catalogue.write([
    buyerRow(buyer, name, { seq }),
    companyRow(company, name, { seq }),
    registeredRow(`R-${name}`, `registered ${name}`, { seq }),
    ...contractRows(`p-${name}/1`, [supplier(company, name)], { seq, buyer_id: buyer, cpv: CLEANING, detail }),
    setSeq(seq),
  ]);
}

/** Puts the catalogue back to an older state: its next batches get the numbers of those that were lost. */
async function restoreTo(seq: number): Promise<void> {
  const tables = ['buyer', 'company', 'registered_company', 'contract', 'change', 'change_instant'];
  await catalogue.write([
    { sql: 'DELETE FROM contract_supplier WHERE contract_id IN (SELECT id FROM contract WHERE seq > ?)', args: [seq] },
    ...tables.map((table) => ({ sql: `DELETE FROM ${table} WHERE seq > ?`, args: [seq] })),
    setSeq(seq),
  ]);
}

describe('lists of organisations', () => {
  it.each([
    ['is not as far again', ['other']],
    ['is past its former end', ['other', 'next', 'last']],
  ])('have what the catalogue has after it was restored to an older state and %s', async (_where, added) => {
    const names = async (list: typeof listBuyers | typeof listCompanies, asked: { cpv?: string[] } = {}) =>
      (await list(catalogue, { limit: 100, ...asked }))?.entries.map(({ name }) => name).toSorted();
    const expectNames = async (all: readonly string[]) => {
      const won = all.toSorted();
      expect([await names(listBuyers), await names(listBuyers, { cpv: ['90'] })]).toEqual([won, won]);
      expect(await names(listCompanies)).toEqual([...won, ...won.map((name) => `registered ${name}`)]);
      expect(await names(listCompanies, { cpv: ['90'] })).toEqual(won);
    };
    await store('first', 1);
    await store('lost', 2);
    await store('also lost', 3);
    await expectNames(['first', 'lost', 'also lost']);
    await restoreTo(1);
    for (const [at, name] of added.entries()) await store(name, at + 2);
    await catalogue.write([{ sql: 'UPDATE change_instant SET at = at + 60 WHERE seq > 1' }]);
    await expectNames(['first', ...added]);
  });
});

it('the file of a process that was killed while it stored the register is removed later', async () => {
  const { register, reached } = await loadRegister(catalogue, undefined);
  const [left, underWay] = ['register.left.part', 'register.under-way.part'].map((name) => join(folder.path, name));
  for (const path of [left, underWay]) await writeFile(path as string, 'half');
  await utimes(left as string, new Date(), new Date(Date.now() - 2 * HOUR_MS));
  await saveRegister(catalogue, folder.path, register, reached);
  const stored = (await readdir(folder.path)).filter((name) => name.startsWith('register.'));
  expect(stored.sort()).toEqual(['register.columns', 'register.under-way.part']);
});
