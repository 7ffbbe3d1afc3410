import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { editDistance, nameKey } from '../../../schema/names/spelling.ts';
import { findBuyer } from '../../../search/names/buyers.ts';
import { findCompany } from '../../../search/names/companies.ts';
import { nameSimilarity, rateTrading } from '../../../search/names/likeness.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { processorMs } from '../../support/processor-time.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;

const company = (id: string, name: string, number: string | null, contracts: number) => ({
  sql: "INSERT INTO company (id, name, name_key, company_number, contract_count, digest, seq) VALUES (?, ?, ?, ?, ?, '', 1)",
  args: [id, name, nameKey(name), number, contracts],
});
const registered = (number: string, name: string, status = 'Active') => ({
  sql: `INSERT INTO registered_company (company_number, name, name_key, status, category, record, digest, seq)
    VALUES (?, ?, ?, ?, 'Private Limited Company', '{}', '', 1)`,
  args: [number, name, nameKey(name), status],
});
const previous = (number: string, name: string) => ({
  sql: 'INSERT INTO previous_name (name_key, company_number, name) VALUES (?, ?, ?)',
  args: [nameKey(name), number, name],
});
const buyer = (id: string, name: string) => ({
  sql: "INSERT INTO buyer (id, name, name_key, digest, seq) VALUES (?, ?, ?, '', 1)",
  args: [id, name, nameKey(name)],
});

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await catalogue.write([
    company('c-1', 'Northgate Cleaning Ltd', '01234567', 4),
    registered('01234567', 'NORTHGATE CLEANING LIMITED'),
    registered('07654321', 'NORTHGATE CLEANING LIMITED', 'Dissolved'),
    previous('01234567', 'Bright Mop Limited'),
    registered('02222222', 'HARBOUR STREET JOINERY LIMITED'),
    registered('03333333', 'TWIN OAK LIMITED'),
    registered('04444444', 'TWIN OAK LLP'),
    company('c-5', 'Ferrybridge Partnership', null, 2),
    company('c-6', 'Saltmarsh Networks', null, 12),
    company('c-7', 'Saltmarsh Networks', null, 4),
    registered('SC123456', 'GLENMORE SURVEYS LIMITED'),
    company('c-8', 'Penrose Group Ltd T/A Larder & Co', null, 1),
    company('c-9', 'Wrenfield Staffing Plc (trading as Guild Global)', null, 1),
    registered('05555555', 'PENROSE GROUP HOLDINGS LIMITED'),
    company('c-10', 'Ashdown TA Training', null, 1),
    company('c-11', 'Calder Hire Ltd t/a Calder Tools', null, 1),
    company('c-12', 'Calder Hire Ltd t/a Calder Plant', null, 1),
    buyer('b-1', 'Leeds City Council'),
    buyer('b-2', 'Lambeth London Borough Council'),
    buyer('b-3', 'Royal Borough of Kingston upon Thames'),
  ]);
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

describe('findCompany', () => {
  it.each([
    ['the same name', 'Northgate Cleaning Limited', '01234567', 'exact'],
    ['a name without its legal form', 'northgate cleaning', '01234567', 'cleaned'],
    ['a previous name', 'Bright Mop Ltd', '01234567', 'previous_name'],
    ['most of a name', 'Harbour Street Join', '02222222', 'prefix'],
    ['a typing mistake', 'Harbour Stret Joinery', '02222222', 'near'],
    ['a company number', ' 1234567 ', '01234567', 'number'],
    ['a Scottish company number', 'sc123456', 'SC123456', 'number'],
  ])('knows a company by %s', async (_how, name, number, method) => {
    const { best, candidates } = await findCompany(catalogue, name);
    expect(best).toMatchObject({ company_number: number, method });
    expect(best?.evidence.length).toBeGreaterThan(0);
    expect(candidates[0]?.id).toBe(number);
  });

  it.each([
    ['Northgate Cleaning Limited', 1, ['the same name']],
    ['northgate cleaning', 0.95, ['the same but for form and signs: "Northgate Cleaning Ltd"']],
    ['Bright Mop Ltd', 0.9, ['was named "Bright Mop Limited"']],
    [
      'Harbour Street Join',
      0.845,
      ['"HARBOUR STREET JOINERY LIMITED" begins so', /^the nearest of \d+ names compared$/],
    ],
    ['Harbour Stret Joinery', 0.877, ['"HARBOUR STREET JOINERY LIMITED" is 97% alike', /^the nearest of \d+ names/]],
  ])('says of %s how sure it is, and why', async (name, score, why) => {
    const best = (await findCompany(catalogue, name)).best;
    expect(best?.score).toBe(score);
    const said = [`asked for "${name}"`, ...why];
    expect(best?.evidence).toEqual(said.map((one) => (one instanceof RegExp ? expect.stringMatching(one) : one)));
  });

  it('ties the register to the supplier of the same number', async () => {
    expect((await findCompany(catalogue, 'Northgate Cleaning Limited')).best).toMatchObject({ company_id: 'c-1' });
  });

  it('knows a supplier that no register holds', async () => {
    expect((await findCompany(catalogue, 'Ferrybridge Partnership')).best).toMatchObject({
      company_id: 'c-5',
      score: 1,
    });
  });

  it('does not choose between two of one name', async () => {
    const { best, candidates } = await findCompany(catalogue, 'Twin Oak');
    expect(best).toBeNull();
    expect(candidates.map(({ id }) => id)).toEqual(['03333333', '04444444']);
  });

  it('takes the one with by far the most contracts, and says so', async () => {
    const { best, candidates } = await findCompany(catalogue, 'Saltmarsh Networks');
    expect(best).toMatchObject({ company_id: 'c-6', score: 0.9 });
    expect(best?.evidence.at(-1)).toBe('two companies have this name; awards of this one: 12, of the next: 4');
    expect(candidates.length).toBe(2);
  });

  it.each([
    ['Penrose Group', 'c-8'],
    ['PENROSE GROUP LIMITED', 'c-8'],
    ['Wrenfield Staffing plc', 'c-9'],
  ])('knows %s, which is published with the name it trades under', async (name, id) => {
    const { best } = await findCompany(catalogue, name);
    expect(best).toMatchObject({ company_id: id, method: 'other_name', score: 0.9 });
    expect(best?.evidence[1]).toMatch(/is this name and the one under which it trades$/);
  });

  it.each([
    ['Penrose', ['c-8']],
    ['Ashdown', ['c-10']],
    ['Calder Hire', ['c-11', 'c-12']],
  ])('does not know %s: part of a name, no trading name, and two that trade', async (name, ids) => {
    const { best, candidates } = await findCompany(catalogue, name);
    expect(best).toBeNull();
    expect(candidates.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  it('reads a name of signs without end in milliseconds: it took seconds', () => {
    const beganMs = processorMs();
    for (const end of ['', 't/a Bright']) {
      const rated = rateTrading('penrose', `Penrose${'- '.repeat(30_000)}${end}`);
      expect(rated === null).toBe(end === '');
    }
    expect(processorMs() - beganMs).toBeLessThan(500);
  });

  it.each(['zzzz', '', '   ', 'North', '"%_\0', '🙂', '99999999'])('guesses nothing for %j', async (name) => {
    expect((await findCompany(catalogue, name)).best).toBeNull();
  });
});

describe('findBuyer', () => {
  it.each([
    ['Leeds City Council', 'b-1'],
    ['Leeds city councli', 'b-1'],
    ['London Borough of Lambeth Council', 'b-2'],
    ['Kingston upon Thames Royal Borough', 'b-3'],
  ])('knows %s', async (name, id) => {
    expect((await findBuyer(catalogue, name)).best?.buyer_id).toBe(id);
  });

  it('tells candidates where it does not know', async () => {
    const { best, candidates } = await findBuyer(catalogue, 'Lambeth');
    expect(best).toBeNull();
    expect(candidates).toEqual([{ id: 'b-2', name: 'Lambeth London Borough Council' }]);
  });
});

describe('likeness', () => {
  it('counts mistakes, a swap as one', () => {
    expect(editDistance('school', 'shcool', 2)).toBe(1);
    expect(editDistance('school', 'scool', 2)).toBe(1);
    expect(editDistance('school', 'bridge', 2)).toBe(3);
    expect(editDistance('', 'ab', 2)).toBe(2);
  });

  it('is whole for the same and none for nothing in common', () => {
    expect(nameSimilarity('a b', 'b a')).toBe(1);
    expect(nameSimilarity('alpha', 'omega point')).toBe(0);
  });
});

describe('the words of buyers', () => {
  const find = async (name: string) => (await findBuyer(catalogue, name)).candidates.map(({ id }) => id);

  it('follow the name: a part of it finds the buyer, one it has no more does not, a dropped buyer none', async () => {
    await catalogue.write([buyer('b-9', 'Wexmoor and Dunvale Drainage Board')]);
    expect(await find('Old Dunvale Drainage')).toContain('b-9');
    expect(await find('Board of the Dunval')).toContain('b-9');
    const renamed = nameKey('Wexmoor Water Board');
    await catalogue.write([{ sql: "UPDATE buyer SET name_key = ? WHERE id = 'b-9'", args: [renamed] }]);
    const words = () => catalogue.read({ sql: "SELECT word FROM buyer_word WHERE buyer_id = 'b-9' ORDER BY word" });
    expect(await words()).toEqual(['board', 'water', 'wexmoor'].map((word) => ({ word })));
    await catalogue.write([{ sql: "DELETE FROM buyer WHERE id = 'b-9'" }]);
    expect(await words()).toEqual([]);
  });
});
