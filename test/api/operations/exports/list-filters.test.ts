import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkExport } from '../../../../api/operations/exports/bulk.ts';
import { countWanted } from '../../../../api/operations/exports/keys.ts';
import { effectiveFilters } from '../../../../api/operations/filters/apply.ts';
import { searchBuyers } from '../../../../api/operations/search/buyers.ts';
import { searchCompanies } from '../../../../api/operations/search/companies.ts';
import { readExportRows } from '../../../../schema/accounts/exports/datasets.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';
import { buyerRow, companyRow, contractRows, NOW, registeredRow, seed, supplier } from '../../../support/seed.ts';

const BUYER = 'GB-PPON-PAAA-1111-AAAA';
const PLACES = ['SW1A 1AA', 'M1 1AA', 'NE1 3DE'];
const STATES = ['Active', 'Liquidation', 'Dissolved'];
let room: Room;

beforeAll(async () => {
  room = await openRoom();
  const numbers = Array.from({ length: 24 }, (_, at) => String(1_000_000 + at * 7).padStart(8, '0'));
  const rows = numbers.flatMap((number, at) => {
    const id = `GB-COH-${number}`;
    const name = `${at % 2 ? 'North' : 'Blue'} Works ${at}`;
    const record = { accounts: {}, sic_codes: [{ code: at % 3 ? '62012' : '43210' }], previous_names: [] };
    const facts = {
      status: STATES[at % 3],
      postcode: PLACES[at % 2],
      incorporated: `20${10 + (at % 9)}-05-01`,
      record,
    };
    // Every other one never won anything: the register alone has it.
    if (at % 2) return [registeredRow(number, name, facts)];
    const totals = JSON.stringify({ sum: { GBP: { value: at * 1_000 } } });
    return [
      registeredRow(number, name, facts),
      companyRow(id, name, { company_number: number, contract_count: at % 4, totals, is_sme: at % 4 ? 1 : 0 }),
      ...(at % 4
        ? contractRows(`p${at}/1`, [supplier(id, name)], { sort_date: `20${20 + (at % 5)}-01-01`, cpv: '45000000' })
        : []),
    ];
  });
  const buyers = [buyerRow(BUYER, 'Ministry of Defence', { kind: 'central' }), buyerRow('b2', 'Northwick Council')];
  await seed(room.services.catalogue, ...rows, ...buyers);
});
afterAll(() => room.close());

/** The ids of all pages of a list, in their order. */
async function listAll(operation: typeof searchCompanies | typeof searchBuyers, given: Record<string, unknown>) {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await ask(room, operation as typeof searchCompanies, {
      ...given,
      limit: 7,
      ...(cursor && { cursor }),
    });
    ids.push(...body.items.map((one) => one.id ?? (one as unknown as { buyer_id: string }).buyer_id));
    if (!body.next_cursor) return { ids, total: body.total };
    cursor = body.next_cursor;
  }
}

async function exported(
  dataset: 'companies' | 'buyers',
  { query, ...given }: Record<string, unknown>,
  maxRows = 1_000,
) {
  const filters = await effectiveFilters(room.services.catalogue, given);
  const wanted = { dataset, filters, query: query as string | undefined, maxRows };
  const counted = await countWanted(room.services, wanted);
  const ids: string[] = [];
  for await (const some of counted.readKeys()) ids.push(...some);
  return { ids, total: counted.matched };
}

describe('an export of companies or buyers', () => {
  it.each([
    {},
    { won: true },
    { won: false, sic: '62' },
    { status: 'liquidation,dissolved', region: 'London' },
    { incorporated_from: '2012-01-01', incorporated_to: '2015-12-31' },
    { sme: true, won_value_min: 5_000 },
    { cpv: '45', won_from: '2021-01-01', won_to: '2022-12-31' },
    { query: 'north wo' },
    { query: 'north works', sic: '43', region: 'UKD' },
  ])('of %j holds the rows of the list, in its order', async (given) => {
    const listed = await listAll(searchCompanies, given);
    expect(listed.ids.length).toBeGreaterThan(0);
    expect(await exported('companies', given)).toEqual(listed);
    expect(await exported('companies', given, 1)).toEqual({ ...listed, ids: listed.ids.slice(0, 1) });
    const rows = await readExportRows(room.services.catalogue, 'companies', JSON.stringify(listed.ids), NOW);
    expect(rows.map(([id, name]) => [id, typeof name])).toEqual(listed.ids.map((id) => [id, 'string']));
  });

  it.each([{ query: 'MOD' }, { kind: 'central' }, {}])('of buyers by %j is their list', async (given) => {
    expect(await exported('buyers', given)).toEqual(await listAll(searchBuyers, given));
  });

  it.each([
    [{ dataset: 'companies', status: 'open' }, 'status'],
    [{ dataset: 'tenders', status: 'liquidation' }, 'status'],
    [{ dataset: 'contracts', sic: '62' }, 'sic'],
    [{ dataset: 'companies', won_from: '2022-01-01', won_to: '2021-01-01' }, 'won_from'],
  ])('of %j is refused', async (given, path) => {
    await expect(ask(room, bulkExport, { ...given, dry_run: true })).rejects.toMatchObject({
      name: 'InvalidInput',
      faults: [{ path: [path] }],
    });
  });
});
