import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operation } from '../../../api/contract/operation.ts';
import { buyerContracts } from '../../../api/operations/buyers/contracts.ts';
import { lookupBuyer } from '../../../api/operations/buyers/lookup.ts';
import { buyerProfile } from '../../../api/operations/buyers/profile.ts';
import { companyContracts } from '../../../api/operations/companies/contracts.ts';
import { lookupCompany } from '../../../api/operations/companies/lookup.ts';
import { lookupCompanies } from '../../../api/operations/companies/lookup-many.ts';
import { companyProfile } from '../../../api/operations/companies/profile.ts';
import { lookupContract } from '../../../api/operations/contracts/lookup.ts';
import { lookupFramework } from '../../../api/operations/frameworks/lookup.ts';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { searchContracts } from '../../../api/operations/search/contracts.ts';
import { countLiveTenders, readBuyerNames, readBuyersBeginning } from '../../../api/reads/buyers.ts';
import { readCompaniesBeginning } from '../../../api/reads/companies.ts';
import { countNoticesOfCodes, countNoticesOfRegion } from '../../../api/reads/processes.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import type { SearchHit } from '../../../search/engine.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { buyerRow, companyRow, row, seed } from '../../support/seed.ts';
import { IDS, seedCatalogue } from '../web/seed.ts';

/** Ids change and notices are taken down: the row stays, marked as gone, and no answer may show it. */
let room: Room;
beforeAll(async () => {
  room = await openRoom();
  await seedCatalogue(room.services.catalogue);
  room.answer = { ...room.answer, hits: [{ id: IDS.contract } as SearchHit], total: 1 };
});
afterAll(() => room.close());

const CALLED = 'Pelham Marsh';
/** What it is called in a row, so that an answer shows which rows were read. */
const TITLED = `title = '${CALLED}'`;
const NAMED = `name = '${CALLED}', name_key = '${nameKey('Asked For')}'`;

it.each<[string, string, { name: string; input: unknown }, Record<string, unknown>]>([
  ['contract', TITLED, lookupContract, { notice_id: IDS.contract }],
  ['contract', TITLED, lookupContract, { notice_id: IDS.award }],
  ['contract', TITLED, lookupContract, { notice_id: IDS.process }],
  ['contract', TITLED, companyContracts, { company_number: IDS.company }],
  ['contract', TITLED, companyProfile, { company_number: IDS.company }],
  ['contract', TITLED, buyerContracts, { buyer_id: IDS.buyer }],
  ['contract', TITLED, buyerProfile, { buyer_id: IDS.buyer }],
  ['contract', TITLED, lookupFramework, { framework_id: IDS.framework }],
  ['contract', TITLED, searchContracts, { query: 'bridge' }],
  ['notice', TITLED, getNotice, { notice_id: IDS.tender }],
  ['notice', TITLED, getNotice, { notice_id: IDS.process }],
  ['framework', TITLED, lookupFramework, { framework_id: IDS.framework }],
  ['framework', TITLED, buyerProfile, { buyer_id: IDS.buyer }],
  ['buyer', NAMED, lookupBuyer, { buyer_id: IDS.buyer }],
  ['buyer', NAMED, lookupBuyer, { name: 'Asked For' }],
  ['buyer', NAMED, buyerProfile, { buyer_id: IDS.buyer }],
  ['company', NAMED, lookupCompany, { company_number: IDS.company }],
  ['company', NAMED, lookupCompany, { company_number: '01234567' }],
  ['company', NAMED, lookupCompany, { name: 'Asked For' }],
  ['company', NAMED, lookupCompanies, { companies: [{ company_number: '01234567' }, { name: 'Asked For' }] }],
  ['company', NAMED, companyProfile, { company_number: IDS.company }],
])('a %s that is gone is in no answer', async (table, called, operation, given) => {
  const set = (columns: string) => room.services.catalogue.write([{ sql: `UPDATE ${table} SET ${columns}` }]);
  const answer = async () => {
    const { found, body } = await ask(room, operation as Operation, given);
    return JSON.stringify([found, body]);
  };
  await set(called);
  expect(await answer()).toContain(CALLED);
  await set('gone = 1');
  expect(await answer()).not.toContain(CALLED);
  await set(`${called.split(' ')[0]} = 'Another', gone = 0`);
});

it('a purchase that is gone comes after no contract, and a contract that is gone is held by nobody', async () => {
  const { catalogue } = room.services;
  const known = { contract_id: IDS.contract, buyer_id: IDS.buyer, method: 'reference', score: 0.9, evidence: '[]' };
  await seed(
    catalogue,
    row('succession', { process_id: IDS.process, ...known }),
    row('succession', { process_id: IDS.framework, ...known }),
    { sql: 'UPDATE process SET notices = (SELECT max(notices) FROM process)' },
  );
  const successors = async () => (await ask(room, lookupContract, { notice_id: IDS.contract })).body.successors;
  const incumbents = async () => (await ask(room, getNotice, { notice_id: IDS.tender })).body.incumbents;
  expect([await successors(), await incumbents()]).toMatchObject([{ length: 2 }, { length: 1 }]);
  await catalogue.write([{ sql: 'UPDATE process SET gone = 1 WHERE id = ?', args: [IDS.framework] }]);
  expect(await successors()).toHaveLength(1);
  await catalogue.write([{ sql: 'UPDATE contract SET gone = 1' }]);
  expect(await incumbents()).toBeUndefined();
});

it('an id that is gone leads to what it became', async () => {
  await seed(
    room.services.catalogue,
    companyRow('name-pelham-1', CALLED, { gone: 1 }),
    row('alias', { kind: 'company', alias: 'name-pelham-1', target: IDS.company }),
    buyerRow('name-pelham-2', CALLED, { gone: 1 }),
    row('alias', { kind: 'buyer', alias: 'name-pelham-2', target: IDS.buyer }),
  );
  const company = await ask(room, lookupCompany, { company_number: 'name-pelham-1' });
  const buyer = await ask(room, lookupBuyer, { buyer_id: 'name-pelham-2' });
  expect([company.body.id, buyer.body.buyer_id]).toEqual([IDS.company, IDS.buyer]);
});

it('what is gone is neither named, completed nor counted', async () => {
  const { catalogue } = room.services;
  const ids = [IDS.buyer];
  const read = async () => [
    (await readBuyerNames(catalogue, ids)).size,
    (await readBuyersBeginning(catalogue, 'asked', 9)).length,
    (await readBuyersBeginning(catalogue, IDS.buyer, 9)).length,
    (await readCompaniesBeginning(catalogue, 'asked', 9)).length,
    (await readCompaniesBeginning(catalogue, '0123', 9)).length,
    (await countLiveTenders(catalogue, ids, new Date(0))).size,
    await countNoticesOfCodes(catalogue, '45', '46'),
    await countNoticesOfRegion(catalogue, 'TLI'),
  ];
  expect(await read()).toEqual([1, 1, 1, 1, 1, 1, 2, 2]);
  await catalogue.write(['buyer', 'company', 'notice'].map((table) => ({ sql: `UPDATE ${table} SET gone = 1` })));
  expect(await read()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});
