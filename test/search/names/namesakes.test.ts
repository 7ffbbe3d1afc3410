import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { findBuyer } from '../../../search/names/buyers.ts';
import { findCompany } from '../../../search/names/companies.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;

const supplier = (id: string, name: string, contracts: number) => ({
  sql: "INSERT INTO company (id, name, name_key, contract_count, digest, seq) VALUES (?, ?, ?, ?, '', 1)",
  args: [id, name, nameKey(name), contracts],
});
const numbered = (id: string, name: string, number: string, contracts: number) => ({
  sql: "INSERT INTO company (id, name, name_key, company_number, contract_count, digest, seq) VALUES (?, ?, ?, ?, ?, '', 1)",
  args: [id, name, nameKey(name), number, contracts],
});
const registered = (number: string, name: string, status = 'Active') => ({
  sql: `INSERT INTO registered_company (company_number, name, name_key, status, category, record, digest, seq)
    VALUES (?, ?, ?, ?, 'Private Limited Company', '{}', '', 1)`,
  args: [number, name, nameKey(name), status],
});
const renamed = (number: string, before: string) => ({
  sql: 'INSERT INTO previous_name (name_key, company_number, name) VALUES (?, ?, ?)',
  args: [nameKey(before), number, before],
});
const buyer = (id: string, name: string, contracts: number) => ({
  sql: "INSERT INTO buyer (id, name, name_key, contract_count, digest, seq) VALUES (?, ?, ?, ?, '', 1)",
  args: [id, name, nameKey(name), contracts],
});
const company = (name: string) => findCompany(catalogue, name);
const idOf = async (name: string) => {
  const { best } = await company(name);
  return best?.company_id ?? best?.company_number;
};

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await catalogue.write([
    registered('01000001', 'HALEWOOD SURVEYS LIMITED'),
    supplier('name-halewood', 'Halewood Surveys Ltd', 4),
    registered('01000002', 'QUARRY TWIN LIMITED'),
    supplier('name-quarry', 'Quarry Twin Limited', 3),
    supplier('name-quarry-2', 'Quarry Twin Ltd', 2),
    registered('01000003', 'STAVELEY PARTNERS LIMITED'),
    supplier('name-staveley', 'Staveley Partners Limited', 9),
    registered('OC000003', 'STAVELEY PARTNERS LLP'),
    registered('01000009', 'HEXLEY PRINT LIMITED'),
    numbered('name-hexley', 'Hexley Print', '01000009', 2),
    registered('01000010', 'HEXLEY PRINT PUBLIC LIMITED COMPANY'),
    registered('01000004', 'OXBOW TIMBER LIMITED', 'Dissolved'),
    registered('01000005', 'OXBOW TIMBER LTD'),
    registered('01000006', 'FENWICK LIMITED'),
    registered('01000007', 'GROVE AND MARSH LIMITED'),
    renamed('01000007', 'FENWICK LIMITED'),
    supplier('name-grove', 'Grove and Marsh', 5),
    registered('01000008', 'MITI LTD'),
    supplier('name-mitie-property', 'Mitie Property Services (UK) Ltd', 1),
    ...['KIERMAC SERVICES LIMITED', 'KIER FACILITIES LIMITED', 'KDE LTD', 'KIERAN LTD'].map((name, at) =>
      registered(`0200000${at}`, name),
    ),
    supplier('name-kier-construction', 'Kier Construction Ltd', 1),
    supplier('name-kier-overseas', 'Kier Infrastructure and Overseas', 7),
    buyer('b-dunley-1', 'Dunley Parish Council', 10),
    buyer('b-dunley-2', 'Dunley Parish Council', 1),
    buyer('b-hilton', 'Hilton Parish Council', 3),
    buyer('b-saints', 'St Agnes Primary School', 2),
    buyer('b-council', 'Council', 6),
    buyer('b-procurement-1', 'Procurement Department', 8),
    buyer('b-procurement-2', 'Procurement Department', 1),
    buyer('b-rail-1', 'Northern Rail Agency', 10),
    buyer('b-rail-2', 'Northern Rail Agency', 4),
  ]);
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

describe('of companies that have one name', () => {
  it.each([
    ['a register row of the very name hides no supplier with contracts', 'HALEWOOD SURVEYS LIMITED'],
    ['nor does one of another spelling', 'halewood surveys'],
  ])('%s', async (_what, name) => {
    const { best, candidates } = await company(name);
    expect(best).toMatchObject({ company_id: 'name-halewood', name: 'Halewood Surveys Ltd' });
    expect(best?.evidence.at(-1)).toBe('two companies have this name; awards of this one: 4, of the next: 0');
    expect(candidates.map(({ id }) => id)).toEqual(['name-halewood', '01000001']);
  });

  it('none is answered where two have contracts and neither twice those of the other', async () => {
    const { best, candidates } = await company('Quarry Twin');
    expect(best).toBeNull();
    expect(candidates.map(({ id }) => id)).toEqual(['name-quarry', 'name-quarry-2', '01000002']);
  });

  it('that of the stated legal form is meant', async () => {
    expect(await idOf('Staveley Partners LLP')).toBe('OC000003');
    expect(await idOf('Staveley Partners Ltd')).toBe('name-staveley');
    expect(await idOf('Staveley Partners')).toBe('name-staveley');
  });

  it('that of the stated form is meant, also where notices write another without its form', async () => {
    expect(await idOf('Hexley Print plc')).toBe('01000010');
    expect(await idOf('Hexley Print Ltd')).toBe('name-hexley');
    expect(await idOf('Hexley Print')).toBe('name-hexley');
    // Nobody has that form, so the one that won contracts is meant.
    expect(await idOf('Hexley Print LLP')).toBe('name-hexley');
  });

  it('the living one is meant where none has contracts, and one with the name now before a former one', async () => {
    expect(await idOf('Oxbow Timber Limited')).toBe('01000005');
    expect(await idOf('Fenwick Limited')).toBe('01000006');
  });
});

describe('the name of a group', () => {
  it('is no misspelling of another company’s', async () => {
    const { best, candidates } = await company('Mitie');
    expect(best).toBeNull();
    expect(candidates[0]?.id).toBe('name-mitie-property');
  });

  it('leads to those that hold the word, by contracts, before those that only begin so', async () => {
    expect((await company('Kier')).candidates.map(({ name }) => name)).toEqual([
      'Kier Infrastructure and Overseas',
      'Kier Construction Ltd',
      'KIER FACILITIES LIMITED',
      'KIERAN LTD',
      'KIERMAC SERVICES LIMITED',
    ]);
  });

  it.each(['PwC', 'KMC', 'Oxfam'])('%s has no candidates that share a few letters alone', async (name) => {
    expect((await company(name)).candidates).toEqual([]);
  });
});

describe('a name that many public bodies may have', () => {
  const find = async (name: string) => (await findBuyer(catalogue, name)).best?.buyer_id;

  it('leads to none of several, however many contracts one has', async () => {
    expect(await find('Dunley Parish Council')).toBeUndefined();
    expect(await find('Procurement Department')).toBeUndefined();
    const { candidates } = await findBuyer(catalogue, 'Dunley Parish Council');
    expect(candidates.map(({ id }) => id)).toEqual(['b-dunley-1', 'b-dunley-2']);
  });

  it('leads to the only one that has it, but to none that differs by a letter', async () => {
    expect(await find('hilton parish council')).toBe('b-hilton');
    expect(await find('St Agnes Primary School')).toBe('b-saints');
    expect(await find('Council')).toBe('b-council');
    expect(await find('Milton Parish Council')).toBeUndefined();
    expect(await find('St Agnus Primary School')).toBeUndefined();
  });

  it('is distinguished from the name of one body with several numbers', async () => {
    expect(await find('Northern Rail Agency')).toBe('b-rail-1');
    expect(await find('Northern Rail Agancy')).toBe('b-rail-1');
  });
});
