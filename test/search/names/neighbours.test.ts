import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { findCompany } from '../../../search/names/companies.ts';
import { rateLikeness } from '../../../search/names/likeness.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

/** More than are compared on either side of an asked name. */
const CROWD = 700;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;

const listed = (number: string, name: string, { status = 'Active', gone = 0 } = {}) => ({
  sql: `INSERT INTO registered_company (company_number, name, name_key, status, gone, category, record, digest, seq)
    VALUES (?, ?, ?, ?, ?, 'Private Limited Company', '{}', '', 1)`,
  args: [number, name, nameKey(name), status, gone],
});
const renamed = (number: string, before: string) => ({
  sql: 'INSERT INTO previous_name (name_key, company_number, name) VALUES (?, ?, ?)',
  args: [nameKey(before), number, before],
});
const supplier = (id: string, name: string, number: string) => ({
  sql: "INSERT INTO company (id, name, name_key, company_number, contract_count, digest, seq) VALUES (?, ?, ?, ?, 1, '', 1)",
  args: [id, name, nameKey(name), number],
});
const letters = (count: number) => String.fromCharCode(97 + (count % 26), 97 + Math.floor(count / 26));
const find = async (name: string) => (await findCompany(catalogue, name)).best;

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await catalogue.write([
    ...Array.from({ length: CROWD }, (_, at) =>
      listed(`5${at}`.padStart(8, '0'), `HOLLOWAY ESTATES ${letters(at).repeat(3)} LTD`),
    ),
    listed('10000001', 'MARSTON BUILDERS LIMITED'),
    listed('10000002', 'FOREST GATE 2020 LIMITED'),
    listed('10000003', 'J HARGREAVES CONSULTING LTD'),
    listed('10000004', 'WINTERBOURNE FLOORING LIMITED', { gone: 1 }),
    listed('10000005', 'KESTREL ROOFING LIMITED', { status: 'Dissolved' }),
    listed('FC000006', 'ALBATROSS SHIPPING LIMITED'),
    listed('10000007', 'OSPREY TOOLS LIMITED', { gone: 1 }),
    listed('10000008', 'OSPREY TOOLS LTD'),
    listed('10000009', 'BRIGHTWELL HYGIENE LIMITED'),
    renamed('10000009', 'LANGFORD WASHROOMS LIMITED'),
    listed('SC000042', 'GLENMORE SURVEYS LIMITED', { gone: 1 }),
    listed('10000010', 'CAFÉ ÉLAN LIMITED'),
    listed('10000011', '𠮷野家 FOODS LIMITED'),
    listed('10000012', 'PEREGRINE LIFTS LIMITED', { status: 'Dissolved' }),
    supplier('GB-COH-10000012', 'Peregrine Lifts (UK)', '10000012'),
    listed('10000013', 'WEXFORD PLUMBERS LIMITED', { gone: 1 }),
    listed('10000014', 'WEXBORD PLUMBERS LIMITED'),
  ]);
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

describe('a near name', () => {
  it.each([
    ['a slip in the first letter', 'Narston Builders', '10000001', 'near'],
    ['a letter left out in front', 'arston Builders', '10000001', 'near'],
    ['a slip among very many that begin alike', 'Holloway Estattes dadada', '00000053', 'near'],
    ['two mistakes', 'Marston Bilders', '10000001', 'near'],
    ['words in another order', 'Builders Marston', '10000001', 'near'],
    ['one word written as two', 'Mar ston Builders', '10000001', 'near'],
    ['a slip in a former name', 'Langford Washroms', '10000009', 'previous_name'],
    ['no accents', 'Cafe Elan', '10000010', 'cleaned'],
    ['a former name', 'Langford Washrooms Ltd', '10000009', 'previous_name'],
    ['most of it', 'Winterbourne Floorin', '10000004', 'prefix'],
  ])('is known by %s', async (_how, name, number, method) => {
    const best = await find(name);
    expect(best?.company_number).toBe(number);
    expect(best?.method).toBe(method);
  });

  it('says of how many it is the nearest', async () => {
    const best = await find('Holloway Estattes dadada');
    expect(best?.evidence.at(-1)).toMatch(/^the nearest of \d+ names compared$/);
  });

  it.each([
    ['another year', 'Forest Gate 2021'],
    ['a part of a number', 'Forest Gate 20'],
    ['another initial', 'K Hargreaves Consulting'],
    ['a word more', 'Marston Builders Scotland'],
    ['another word', 'Marston Joiners'],
    ['one of very many that go on so', 'Holloway Estates'],
    ['two that are as near, one of them dissolved', 'Wexcord Plumbers'],
  ])('is told and not answered for %s', async (_what, name) => {
    const { best, candidates } = await findCompany(catalogue, name);
    expect(best).toBeNull();
    expect(candidates.length).toBeGreaterThan(0);
    expect(candidates.length).toBeLessThanOrEqual(5);
  });
});

describe('a company that is no more, or a branch', () => {
  it.each([
    ['Winterbourne Flooring Limited', '10000004', 'left the register'],
    ['Kestrel Roofing Limited', '10000005', 'dissolved'],
    ['Albatross Shipping Limited', 'FC000006', 'branch'],
  ])('%s is found, marked down', async (name, number, why) => {
    expect(await find(name)).toMatchObject({
      company_number: number,
      method: 'exact',
      score: 0.9,
      evidence: expect.arrayContaining([`marked down: ${why}`]),
    });
  });

  it('gives way to a living one of the same name', async () => {
    expect(await find('Osprey Tools Limited')).toMatchObject({ company_number: '10000008', method: 'cleaned' });
  });

  it('is marked down by whatever name a notice gave it', async () => {
    expect((await find('Peregrine Lifts (UK)'))?.evidence).toContain('marked down: dissolved');
  });
});

describe('a number typed as a name', () => {
  it.each([
    'SC000042',
    'sc 0042',
    'SC-000042',
    'Company number SC000042',
    'company no. sc000042',
    'GB-COH-SC000042',
    ' sc00 0042 ',
  ])('%j', async (given) => {
    expect(await find(given)).toMatchObject({ company_number: 'SC000042', method: 'number', score: 1 });
  });

  it.each(['SC 42', '3M', '2020', 'NI 000042', '0000', '999999999'])('%j is not a stored number', async (given) => {
    expect(await find(given)).toBeNull();
  });
});

describe('odd input', () => {
  it.each([
    ['10,000 letters', 'a'.repeat(10_000)],
    ['10,000 words', 'ab '.repeat(10_000)],
    ['NUL', '\0Mar\0\0?'],
    ['emoji', '🏗️🏗️'],
    ['right to left', 'שלום עולם בע״מ'],
    ['legal forms alone', 'LTD'],
    ['more of them', 'Limited LLP Plc'],
    ['one letter', 'a'],
    ['The', 'The'],
    ['digits alone', '000000000000'],
    ['a lone surrogate', '\ud842'],
    ['signs', '"%_*\\;--'],
  ])('%s is no error and no company', async (_what, name) => {
    const { best, candidates } = await findCompany(catalogue, name);
    expect(best).toBeNull();
    expect(candidates.length).toBeLessThanOrEqual(5);
  });

  it('letters beyond the basic plane are letters', async () => {
    expect(await find('𠮷野家 Food Ltd')).toMatchObject({ company_number: '10000011' });
  });
});

describe('likeness', () => {
  it.each([
    ['marston builders', 'marsten builders', null],
    ['bright mop', 'bright map', /other words/],
    ['lambeth borough of london', 'london borough lambeth', null],
    ['flat 1 holdings', 'flat 7 holdings', /numbers/],
    ['a and b plumbing', 'a and c plumbing', /initials/],
    ['a and b plumbing', 'b and a plumbing', /initials/],
    ['a b plumbing', 'ab plumbing', null],
    ['northgate cleaning', 'northgate cleaning 2', /continues with a number/],
    ['the', 'theg', /too little/],
  ])('%s and %s', (asked, held, why) => {
    const likeness = rateLikeness(asked, held);
    if (why) expect(likeness.why).toMatch(why);
    expect(likeness.score >= 0.75).toBe(why === null);
  });
});
