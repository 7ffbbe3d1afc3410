import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerProfile } from '../../../api/operations/buyers/profile.ts';
import { lookupCompany } from '../../../api/operations/companies/lookup.ts';
import { companyProfile } from '../../../api/operations/companies/profile.ts';
import { summariseContracts } from '../../../api/operations/contracts/summarise.ts';
import { searchContracts } from '../../../api/operations/search/contracts.ts';
import { ask, openIndexes, openRoom, type Room } from '../../support/catalogue-services.ts';
import {
  buyerRow,
  companyRow,
  contractDetail,
  contractRows,
  registeredRow,
  seed,
  supplier,
} from '../../support/seed.ts';

const BUYER = 'GB-PPON-PAAA-1111-AAAA';
const ACME = supplier('GB-COH-01234567', 'Acme Lifts Ltd');
const REGISTERED = 'ACME LIFTS LIMITED';
let room: Room;

beforeAll(async () => {
  room = await openRoom();
  const { catalogue } = room.services;
  await seed(
    catalogue,
    buyerRow(BUYER, 'Northwick Council', {
      totals: {
        sum: {},
        apart: {},
        by_year: {},
        top: [{ id: ACME.company_id, name: ACME.name, count: 2 }],
        frameworks: [],
      },
    }),
    companyRow(ACME.company_id, ACME.name, {
      company_number: '01234567',
      totals: { sum: {}, apart: {}, by_year: {}, top: [{ id: BUYER, name: 'NORTHWICK C.', count: 2 }], frameworks: [] },
    }),
    registeredRow('01234567', REGISTERED),
    contractRows('ocds-h6vhtk-1/1', [ACME], {
      title: 'Lift maintenance',
      sort_date: '2025-04-02',
      awarded: '2025-04-02',
      starts: '2025-05-01',
      ends: '2026-03-02',
      ends_latest: '2027-03-02',
      procedure: 'open',
      bids_received: 3,
      bids_from_smes: 2,
      detail: { ...contractDetail, description: 'Planned maintenance of lifts', warnings: ['careful'] },
    }),
    contractRows('ocds-h6vhtk-2/1', [ACME], {
      title: 'Lift framework',
      value: 9e6,
      value_class: 'framework_ceiling',
      ends: '2026-03-01',
    }),
    contractRows('ocds-h6vhtk-3/1', [], { title: 'Lift parts', status: 'terminated', value_class: 'absurd' }),
    contractRows('ocds-h6vhtk-4/1', [], { title: 'Lift doors', value: null, value_class: 'unstated' }),
  );
  await openIndexes(room);
});
afterAll(async () => {
  await room.services.search.close();
  await room.close();
});

const find = async (given: Record<string, unknown>) => (await ask(room, searchContracts, given)).body;

describe('search_contracts', () => {
  it('answers each contract with what the contract states of it', async () => {
    const { items, total, meta } = await find({ query: 'planned maintenance' });
    expect([total, meta.sort]).toEqual([1, 'relevance']);
    expect(items[0]).toMatchObject({
      contract_id: 'ocds-h6vhtk-1/1',
      buyer: 'Northwick Council',
      buyer_id: BUYER,
      supplier: 'Acme Lifts Ltd',
      suppliers: [{ company_id: ACME.company_id, name: ACME.name }],
      value: 1000,
      currency: 'GBP',
      value_basis: 'net',
      counted_as: 'sum',
      awarded: '2025-04-02',
      starts: '2025-05-01',
      ends: '2026-03-02',
      ends_latest: '2027-03-02',
      procedure: 'open',
      bids: { received: 3, from_smes: 2 },
      status: 'active',
      warnings: ['careful'],
      extract: 'Planned maintenance of lifts',
    });
  });

  it('says in brief until when it may be extended, as the lists of a company do', async () => {
    const [item] = (await find({ query: 'lift maintenance', detail: 'brief' })).items;
    expect(item).toMatchObject({ ends: '2026-03-02', ends_latest: '2027-03-02' });
  });

  it('says what the value counts as, and the status of the contract today', async () => {
    const { items } = await find({ query: 'lift', sort: 'ends' });
    expect(items.map(({ contract_id, counted_as, status, value }) => [contract_id, counted_as, status, value])).toEqual(
      [
        ['ocds-h6vhtk-2/1', 'framework_ceiling', 'ended', null],
        ['ocds-h6vhtk-1/1', 'sum', 'active', 1000],
        ['ocds-h6vhtk-3/1', 'not_believed', 'terminated', null],
        ['ocds-h6vhtk-4/1', 'not_stated', undefined, null],
      ],
    );
  });

  it('finds by a supplier in any spelling of its number, and counts with names', async () => {
    const { total, facets, facet_names, meta } = await find({
      company_number: '1234567',
      facets: 'buyer_id,company_id,end_year',
    });
    expect([total, meta.filters, meta.sort]).toEqual([
      2,
      { company_number: ACME.company_id, status: 'any' },
      '-awarded',
    ]);
    expect(facets).toEqual({ buyer_id: { [BUYER]: 2 }, company_id: { [ACME.company_id]: 2 }, end_year: { 2026: 2 } });
    expect(facet_names).toEqual({ [BUYER]: 'Northwick Council', [ACME.company_id]: REGISTERED });
  });

  it('names the other side in a profile as its look-up does', async () => {
    const { body: buyer } = await ask(room, buyerProfile, { buyer_id: BUYER, limit: 1 });
    expect(buyer.top_suppliers).toMatchObject([{ id: ACME.company_id, name: REGISTERED }]);
    const { body: company } = await ask(room, companyProfile, { company_number: ACME.company_id, limit: 1 });
    expect(company.top_buyers).toMatchObject([{ id: BUYER, name: 'Northwick Council' }]);
  });

  it('names a supplier in counts and in sums as its look-up does', async () => {
    const { body: company } = await ask(room, lookupCompany, { company_number: ACME.company_id });
    const { body: summary } = await ask(room, summariseContracts, { group_by: 'supplier' });
    const { facet_names } = await find({ facets: 'company_id' });
    expect(company.name).toBe(REGISTERED);
    expect(facet_names?.[ACME.company_id]).toBe(company.name);
    expect(summary.groups[0]).toMatchObject({ id: ACME.company_id, name: company.name });
  });

  it('pages to the end, and is free where nothing is found', async () => {
    const first = await find({ limit: 3 });
    const second = await find({ limit: 3, cursor: first.meta.next_cursor });
    expect([...first.items, ...second.items].map(({ contract_id }) => contract_id).sort()).toEqual(
      [1, 2, 3, 4].map((number) => `ocds-h6vhtk-${number}/1`),
    );
    expect(second.meta.next_cursor).toBeNull();
    const { found } = await ask(room, searchContracts, { query: 'bridge' });
    expect(found).toMatchObject({ kind: 'answer', charge: 'none', body: { items: [], count: 0 } });
  });

  it.each([{ status: 'open' }, { sort: 'deadline' }, { procedure: 'auction' }])('refuses %j', async (given) => {
    expect(searchContracts.input.safeParse(given).success).toBe(false);
  });

  it.each([{ facets: 'stage' }, { ends_from: '2026-02-01', ends_to: '2026-01-01' }])(
    'refuses %j too',
    async (given) => {
      await expect(find(given)).rejects.toMatchObject({ name: 'InvalidInput' });
    },
  );
});
