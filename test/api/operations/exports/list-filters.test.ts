import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkExport } from '../../../../api/operations/exports/bulk.ts';
import { countWanted } from '../../../../api/operations/exports/keys.ts';
import { effectiveFilters } from '../../../../api/operations/filters/apply.ts';
import { searchBuyers } from '../../../../api/operations/search/buyers.ts';
import { searchCompanies } from '../../../../api/operations/search/companies.ts';
import { EXPORT_COLUMNS } from '../../../../schema/accounts/exports/datasets.ts';
import { readExportRows } from '../../../../schema/accounts/exports/rows.ts';
import type { Position } from '../../../../search/directory/entries.ts';
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
    const name = `${['Blue', 'North', 'Andover', 'North'][at % 4]} Works ${at}`;
    const record = {
      accounts: { category: at % 5 ? 'SMALL' : 'FULL' },
      sic_codes: [{ code: at % 3 ? '62012' : '43210' }],
      previous_names: [],
    };
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
      // Notices name it in another way, and do not say how large some are.
      companyRow(id, `${name} Ltd`, {
        company_number: number,
        contract_count: at % 4,
        totals,
        is_sme: at % 8 ? (at % 4 ? 1 : 0) : null,
      }),
      ...(at % 4
        ? contractRows(`p${at}/1`, [supplier(id, name)], { sort_date: `20${20 + (at % 5)}-01-01`, cpv: '45000000' })
        : []),
    ];
  });
  const buyers = [
    buyerRow(BUYER, 'Ministry of Defence', { kind: 'central' }),
    buyerRow('b2', 'Northwick Council', { contract_count: 2 }),
    buyerRow('b3', 'Southwick Council', { contract_count: 1 }),
    buyerRow('b4', 'Andover Council'),
    ...contractRows('b2/1', [], { buyer_id: 'b2', sort_date: '2019-04-01' }),
    ...contractRows('b2/2', [], { buyer_id: 'b2', sort_date: '2020-04-01' }),
    ...contractRows('b3/1', [], { buyer_id: 'b3', sort_date: '2025-04-01' }),
  ];
  await seed(room.services.catalogue, ...rows, ...buyers);
});
afterAll(() => room.close());

/** All items of a list, page by page. */
async function listAll(operation: typeof searchCompanies | typeof searchBuyers, given: Record<string, unknown>) {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await ask(room, operation as typeof searchCompanies, {
      ...given,
      limit: 7,
      ...(cursor && { cursor }),
    });
    items.push(...(body.items as unknown as Item[]));
    if (!body.next_cursor) return { items, total: body.total };
    cursor = body.next_cursor;
  }
}

interface Item {
  id?: string;
  name?: string;
  is_sme?: boolean | null;
  buyer_id?: string;
  last_award?: string | null;
  incorporated?: string | null;
}

function idOf({ id, buyer_id }: Item): string {
  return id ?? buyer_id ?? '';
}

/** Those that won something by their last award, behind them the others by their incorporation. */
function newestFirst(items: readonly Item[]): string[] {
  const news = ({ last_award: award, incorporated }: Item) => (award ? `1 ${award}` : `0 ${incorporated ?? ''}`);
  const sorted = items.toSorted((a, b) => {
    if (news(a) !== news(b)) return news(a) < news(b) ? 1 : -1;
    return idOf(a) < idOf(b) ? -1 : 1;
  });
  return sorted.map(idOf);
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
    { postcode: 'M1,N', sme: true },
    { query: '*' },
    // In names the sign stands for a word, with which others begin.
    { query: '&' },
  ])('of %j holds the rows of the list, newest first', async (given) => {
    const { items, total } = await listAll(searchCompanies, given);
    const ids = newestFirst(items);
    expect(ids.length).toBeGreaterThan(0);
    expect(await exported('companies', given)).toEqual({ ids, total });
    expect(await exported('companies', given, 1)).toEqual({ ids: ids.slice(0, 1), total });
    const rows = await readExportRows(room.services.catalogue, 'companies', JSON.stringify(ids), NOW);
    const names = ['name', 'is_sme', 'last_award', 'incorporated'] as const;
    const at = (name: string) => EXPORT_COLUMNS.companies.findIndex((column) => column.name === name);
    expect(rows.map((cells) => [cells[0], ...names.map((name) => cells[at(name)])])).toEqual(
      ids.map((id) => {
        const item = items.find((one) => one.id === id);
        return [id, ...names.map((name) => item?.[name] ?? null)];
      }),
    );
  });

  it.each([{ query: 'MOD' }, { kind: 'central' }, { query: 'council' }, { query: '*' }, { query: '&' }, {}])(
    'of buyers by %j is their list, newest first',
    async (given) => {
      const { items, total } = await listAll(searchBuyers, given);
      expect(total).toBeGreaterThan(0);
      const { ids, total: matched } = await exported('buyers', given);
      const rows = await readExportRows(room.services.catalogue, 'buyers', JSON.stringify(ids), NOW);
      const at = EXPORT_COLUMNS.buyers.findIndex(({ name }) => name === 'last_award');
      const dated = rows.map((cells): Item => ({ buyer_id: String(cells[0]), last_award: cells[at] as string | null }));
      expect(newestFirst(dated)).toEqual(ids);
      expect([ids.toSorted(), matched]).toEqual([items.map(idOf).sort(), total]);
    },
  );

  it.each([{}, { query: 'north wo' }, { sic: ['62'] }])('of %j is read page by page without a gap', async (given) => {
    const { items } = await listAll(searchCompanies, { ...given, ...('sic' in given && { sic: '62' }) });
    const ids: string[] = [];
    for (let after: Position | undefined; ; ) {
      const page = await room.services.longReads.listIds({ list: 'companies', ...given, limit: 2, after });
      ids.push(...page.entries);
      if (!page.next) break;
      after = page.next;
    }
    expect(ids).toEqual(newestFirst(items));
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
