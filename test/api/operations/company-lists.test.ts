import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../api/contract/errors.ts';
import { bulkExport } from '../../../api/operations/exports/bulk.ts';
import { searchCompanies } from '../../../api/operations/search/companies.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { companyRow, contractRows, registeredRow, row, seed, supplier } from '../../support/seed.ts';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const record = (code: string, category = '') => ({
    accounts: { category },
    sic_codes: [{ code }],
    previous_names: [],
  });
  await seed(
    room.services.catalogue,
    registeredRow('00000011', 'QUAYSIDE LIFTS', {
      postcode: 'NE1 3DE',
      incorporated: '1999-04-01',
      record: record('62020', 'SMALL'),
    }),
    companyRow('GB-COH-00000011', 'Quayside Lifts', {
      company_number: '00000011',
      contract_count: 2,
      totals: { sum: { GBP: { count: 2, value: 500 } } },
    }),
    registeredRow('00000012', 'NORTHERN QUAYSIDE', { status: 'Liquidation', record: record('4110') }),
    companyRow('GB-COH-00000012', 'Northern Quayside', { company_number: '00000012', contract_count: 9, is_sme: 0 }),
    companyRow('name-solo', 'Solo Trader', { framework_places: 1, postcode: 'SW1A 1AA' }),
    registeredRow('00000013', 'QUAYSIDE HOLDINGS', { status: 'Dissolved' }),
    registeredRow('00000014', 'QUAYSIDE WORKS', { postcode: 'NE2 1AA' }),
    registeredRow('SC000015', 'RENAMED CO'),
    row('previous_name', { name_key: 'quayside bakery', company_number: 'SC000015', name: 'Quayside Bakery' }),
    contractRows('c1', [supplier('GB-COH-00000011', 'Quayside Lifts')], { sort_date: '2026-02-01', cpv: '72000000' }),
    contractRows('c2', [supplier('GB-COH-00000012', 'Northern Quayside')], {
      sort_date: '2025-02-01',
      cpv: '45000000',
    }),
    // A place on a framework, which is no contract.
    contractRows('c3', [supplier('name-solo', 'Solo Trader')], {
      sort_date: '2024-05-01',
      cpv: '09000000',
      framework_id: 'f',
      framework_role: 'establishes',
    }),
  );
});
afterAll(() => room.close());

const numbersOf = async (given: Record<string, unknown>) =>
  (await ask(room, searchCompanies, given)).body.items.map(({ id }) => id.replace('GB-COH-', ''));

describe('a list of companies', () => {
  it('counts and adds up everything that a company won, whatever its filters, and says so', async () => {
    const { body } = await ask(room, searchCompanies, { cpv: '72', won_from: '2026-01-01' });
    expect(body.items).toMatchObject([{ contract_count: 2, value: 500 }]);
    expect(searchCompanies.description).toContain('Counts and value are of all they won.');
  });

  it('without a query has winners first, by contracts, then the rest of the register', async () => {
    const { body } = await ask(room, searchCompanies, {});
    const others = ['GB-COH-00000014', 'GB-COH-SC000015', 'GB-COH-00000013'];
    expect(body.items.map(({ id }) => id)).toEqual(['GB-COH-00000012', 'GB-COH-00000011', 'name-solo', ...others]);
    expect([body.total, body.total_is]).toEqual([6, 'exact']);
    expect((await ask(room, searchCompanies, { won: true })).body).toMatchObject({ total: 2, total_is: 'exact' });
    expect(body.items[1]).toEqual({
      id: 'GB-COH-00000011',
      name: 'QUAYSIDE LIFTS',
      companies_house_number: '00000011',
      status: 'active',
      region: 'North East',
      region_code: 'UKC',
      postcode: 'NE1 3DE',
      locality: null,
      is_sme: true,
      incorporated: '1999-04-01',
      sic_code_list: ['62020'],
      contract_count: 2,
      framework_places: 0,
      value: 500,
      currency: 'GBP',
      last_award: '2026-02-01',
    });
  });

  it.each([
    ['Quayside', ['00000011', '00000014', '00000013', '00000012', 'SC000015']],
    ['quayside bakery ltd', ['SC000015']],
    ['0000001', ['00000012', '00000011', '00000014', '00000013']],
    ['00000012', ['00000012']],
    ['Nowhere', []],
    ['!', []],
  ])(
    'finds %s by words, beginnings, former names and numbers, those that won and those that live first',
    async (query, ids) => {
      expect(await numbersOf({ query })).toEqual(ids);
    },
  );

  it.each([
    [{ sic: '62' }, ['00000011']],
    [{ sic: '41,62' }, ['00000012', '00000011']],
    [{ sic: '4110' }, ['00000012']],
    // A code of four digits is an older one: that of five which begins so means another trade.
    [{ sic: '41100' }, []],
    [{ region: 'TLC' }, ['00000011', '00000014']],
    [{ region: 'London' }, ['name-solo']],
    [{ postcode: 'ne1' }, ['00000011']],
    [{ postcode: 'NE2, SW1A' }, ['name-solo', '00000014']],
    [{ postcode: 'NE', won: true }, ['00000011']],
    [{ postcode: 'N' }, []],
    [{ query: 'quayside', postcode: 'NE13DE' }, ['00000011']],
    [{ query: 'quayside', postcode: 'NE2 1' }, ['00000014']],
    [{ status: 'liquidation' }, ['00000012']],
    [{ query: 'quayside', status: 'active,dissolved', won: false }, ['00000014', '00000013', 'SC000015']],
    [{ incorporated_from: '1999-04-01', incorporated_to: '1999-04-01' }, ['00000011']],
    [{ sme: true }, ['00000011']],
    [{ sme: false }, ['00000012']],
    [{ won_from: '2026-01-01' }, ['00000011']],
    [{ won_from: '2025-01-01', won_to: '2025-12-31' }, ['00000012']],
    [{ won_to: '2024-05-01' }, ['name-solo']],
    [{ won_to: '2024-04-30' }, []],
    [{ cpv: '09', won: false }, ['name-solo']],
    [{ cpv: '45' }, ['00000012']],
    [{ cpv: '33,72', won_from: '2026-01-01' }, ['00000011']],
    [{ cpv: '72', won_to: '2025-12-31' }, []],
    [{ status: 'active', won: false }, ['00000014', 'SC000015']],
    [{ won_value_min: 500 }, ['00000011']],
  ])('is narrowed by %o', async (given, ids) => {
    expect(await numbersOf(given)).toEqual(ids);
  });

  it('is paged without a repeat, through those that won and those that did not', async () => {
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await ask(room, searchCompanies, { query: 'quayside', limit: 2, ...(cursor && { cursor }) });
      paged.push(...body.items.map(({ id }) => id.replace('GB-COH-', '')));
      cursor = body.next_cursor ?? undefined;
    } while (cursor);
    expect(paged).toEqual(await numbersOf({ query: 'quayside' }));
  });

  it('is free where it is empty, and refuses days the wrong way round', async () => {
    expect((await ask(room, searchCompanies, { query: 'Nowhere' })).found).toMatchObject({ charge: 'none' });
    const turned = { incorporated_from: '2020-01-02', incorporated_to: '2020-01-01' };
    await expect(ask(room, searchCompanies, turned)).rejects.toThrow(InvalidInput);
  });

  it.each(['Leeds', 'LS1 4A', 'LS1 45', '1LS', 'LS1;M1', ','])('refuses %s as a postcode', async (postcode) => {
    await expect(ask(room, searchCompanies, { postcode })).rejects.toThrow();
  });

  it.each([
    [{ region: 'Narnia' }, 'region', /^no region is known as Narnia/, 'TLC'],
    [{ region: 'Leeds' }, 'region', /^companies have only ITL level 1 regions, and Leeds is within one/, 'TLE'],
    [{ region: 'TLE4', cpv: '72' }, 'region', /and West Yorkshire is within one/, 'TLE'],
    [{ region: 'North Wales' }, 'region', /and North Wales is within one/, 'TLL'],
    [{ cpv: '99' }, 'cpv', /^no CPV code begins with 99;/, undefined],
  ])('says of %o that no company can have it, in an export too', async (given, input, message, candidate) => {
    const said = [{ input, message: expect.stringMatching(message) }];
    const { unknown_filters: unknown } = (await ask(room, searchCompanies, given)).body;
    expect(unknown).toMatchObject(said);
    expect(unknown?.[0]?.candidates?.[0]?.id).toBe(candidate);
    const quote = await ask(room, bulkExport, { dataset: 'companies', dry_run: true, ...given });
    expect(quote.body).toMatchObject({ unknown_filters: said });
  });

  it('follows the register', async () => {
    const { catalogue } = room.services;
    await numbersOf({});
    await catalogue.write([
      { sql: "UPDATE registered_company SET status = 'Dissolved', seq = 5 WHERE company_number = '00000011'" },
    ]);
    expect(await numbersOf({ status: 'dissolved' })).toEqual(['00000011', '00000013']);
    await catalogue.write([
      registeredRow('00000016', 'QUAYSIDE LATE', { seq: 6 }),
      companyRow('GB-COH-00000014', 'Quayside Works', { company_number: '00000014', seq: 6 }),
      { sql: "UPDATE contract SET cpv = '90000000', seq = 6 WHERE id = 'c2'" },
      { sql: "UPDATE counter SET value = 6 WHERE name = 'seq'" },
    ]);
    expect(await numbersOf({ query: 'quayside', status: 'active' })).toEqual(['00000014', '00000016', 'SC000015']);
    expect(await numbersOf({ cpv: '45' })).toEqual([]);
    expect(await numbersOf({ cpv: '90' })).toEqual(['00000012']);
  });
});
