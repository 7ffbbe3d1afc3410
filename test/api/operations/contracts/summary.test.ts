import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../../../api/contract/errors.ts';
import { summariseContracts } from '../../../../api/operations/contracts/summarise.ts';
import { EXPORT_COLUMNS } from '../../../../schema/accounts/exports/datasets.ts';
import { readExportRows } from '../../../../schema/accounts/exports/rows.ts';
import { SearchUnavailable } from '../../../../search/engine.ts';
import { storeContracts } from '../../../generated/contracts/fill.ts';
import { type ContractColumns, makeContract } from '../../../generated/contracts/make.ts';
import { makeDice } from '../../../generated/draw.ts';
import { ask, caller, openRoom, type Room } from '../../../support/catalogue-services.ts';

let room: Room;
beforeEach(async () => {
  room = await openRoom();
});
afterEach(() => room.close());

const dice = makeDice(1);
let number = 0;

/** A contract of Alpha Ltd with Barton Council in 2025, of 10.10 pounds, unless said otherwise. */
function won(more: Partial<ContractColumns> = {}, companies = ['GB-COH-01']): ContractColumns {
  number += 1;
  return {
    ...makeContract(dice, number),
    buyer_id: 'barton',
    suppliers: JSON.stringify(companies.map((company_id) => ({ company_id, name: company_id }))),
    value: 10.1,
    currency: 'GBP',
    value_class: 'sum',
    framework_role: null,
    cpv: '45210000',
    sort_date: '2025-06-30',
    ...more,
  };
}

const summary = async (given: Record<string, unknown>) =>
  (await ask(room, summariseContracts, { detail: 'full', ...given })).body;

describe('a summary of contracts', () => {
  it('adds up what may be added, and counts what is left out by its reason', async () => {
    await storeContracts(
      room.services.catalogue,
      [
        won(),
        won({ value: 0.2 }),
        won({ currency: 'EUR', value: 5 }),
        won({ value_class: 'shared' }, ['GB-COH-01', 'GB-COH-02']),
        won({ value_class: 'estimate' }),
        won({ value_class: 'absurd' }),
        won({ value_class: 'unstated', value: null, currency: null }),
        won({ value_class: 'framework_ceiling', framework_role: 'establishes' }),
      ],
      1,
    );
    const { groups, total, others } = await summary({ group_by: 'supplier' });
    expect(total).toEqual({
      contract_count: 7,
      framework_places: 1,
      value_total: { EUR: 5, GBP: 10.3 },
      value_count: { EUR: 1, GBP: 2 },
      not_in_total: {
        shared: { count: 1 },
        framework_ceiling: { count: 1 },
        estimate: { count: 1 },
        not_believed: { count: 1 },
        not_stated: { count: 1 },
      },
    });
    expect(groups.map(({ id, contract_count }) => [id, contract_count])).toEqual([
      ['GB-COH-01', 7],
      ['GB-COH-02', 1],
    ]);
    expect(groups[1]).toMatchObject({ value_total: {}, not_in_total: { shared: { count: 1 } }, share: 0 });
    expect(others).toBeUndefined();
  });

  it('says in brief how many places on frameworks it counts next to contracts, in total and in the others', async () => {
    const place = () => won({ value_class: 'framework_ceiling', framework_role: 'establishes' }, ['GB-COH-02']);
    await storeContracts(room.services.catalogue, [won(), won(), place(), place(), place()], 1);
    expect(await summary({ group_by: 'supplier', limit: 1, detail: 'brief' })).toMatchObject({
      others: { contract_count: 0, framework_places: 3 },
      total: { contract_count: 2, framework_places: 3, not_in_total: { framework_ceiling: { count: 3 } } },
    });
  });

  it('groups by two ways, lists at most `limit` groups and adds up the others', async () => {
    const rows = [
      won(),
      won({ sort_date: '2024-01-31' }),
      won({ buyer_id: null }),
      won({ sort_date: '2024-12-01', value: 90.7 }),
    ];
    await storeContracts(room.services.catalogue, rows, 1);
    const body = await summary({ group_by: 'buyer, year', limit: 1 });
    expect(body.groups).toEqual([
      {
        id: 'barton',
        name: 'barton',
        second: { id: '2024', name: '2024' },
        contract_count: 2,
        value_total: { GBP: 100.8 },
        value_count: { GBP: 2 },
        share: 0.8331,
      },
    ]);
    expect(body).toMatchObject({ count: 1, group_count: 3, others: { contract_count: 2, value_total: { GBP: 20.2 } } });
    const byCount = await summary({ group_by: 'quarter', measure: 'count' });
    expect(byCount.groups.map(({ id, share }) => [id, share])).toEqual([
      ['2025-Q2', 0.5],
      ['2024-Q4', 0.25],
      ['2024-Q1', 0.25],
    ]);
  });

  it('names groups by what the catalogue and the lists of codes call them', async () => {
    await storeContracts(room.services.catalogue, [won({ region: 'UKI3', detail: '{"cpvs":[],"regions":[]}' })], 1);
    const first = async (group_by: string, more = {}) => {
      const { groups } = await summary({ group_by, ...more });
      return [groups[0]?.id, groups[0]?.name];
    };
    expect(await first('cpv')).toEqual(['45', 'Construction work']);
    expect(await first('cpv', { cpv_level: 4 })).toEqual(['45210000', '45210000']);
    expect(await first('region')).toEqual(['UKI', 'London']);
    expect(await first('month')).toEqual(['2025-06', '2025-06']);
  });

  it('has a group of a place without a code, which the same filter finds', async () => {
    const detail = JSON.stringify({ cpvs: [], regions: [{ name: 'England' }] });
    const nowhere = () => won({ region: null, detail: '{"cpvs":[],"regions":[]}' });
    await storeContracts(
      room.services.catalogue,
      [won({ region: null, detail }), won({ region: null, detail }), nowhere()],
      1,
    );
    const counted = async (more = {}) =>
      (await summary({ group_by: 'region', measure: 'count', ...more })).groups.map(({ id, name }) => [id, name]);
    expect(await counted()).toEqual([
      ['England', 'England'],
      [null, null],
    ]);
    expect(await counted({ region: 'England' })).toEqual([['England', 'England']]);
  });

  it('has a contract in several places in the group of what contains them all, which its export names', async () => {
    const place = (name: string, code?: string) => ({ ...(code && { code }), name });
    const [england, country, abroad] = [place('England'), place('United Kingdom', 'UK'), place('France', 'FR1')];
    const [north, durham, london] = [place('North East', 'UKC'), place('Durham CC', 'UKC14'), place('London', 'UKI')];
    const [scotland, wales] = [place('Scotland', 'UKM'), place('Wales', 'UKL')];
    const cases: [string, object[]][] = [
      ['England', [england, london]],
      ['England', [london, england]],
      ['England', [north, durham, london]],
      ['England', [england]],
      ['United Kingdom', [country, london]],
      ['United Kingdom', [north, scotland]],
      ['United Kingdom', [wales, england]],
      ['United Kingdom', [scotland, wales]],
      ['United Kingdom', [country]],
      ['North East', [north, durham]],
      ['London', [abroad, london]],
      ['Wales', [wales]],
    ];
    const contracts = cases.map(([, regions]) => won({ detail: JSON.stringify({ cpvs: [], regions }) }));
    await storeContracts(room.services.catalogue, contracts, 1);
    const { catalogue, clocks } = room.services;
    const named = EXPORT_COLUMNS.contracts.findIndex(({ name }) => name === 'region');
    const ids = JSON.stringify(contracts.map(({ id }) => id));
    const exported = await readExportRows(catalogue, 'contracts', ids, clocks.catalogueNow());
    expect(exported.map((cells) => cells[named])).toEqual(cases.map(([name]) => name));
    const { groups } = await summary({ group_by: 'region', measure: 'count' });
    const counted = Object.fromEntries(groups.map(({ name, contract_count }) => [name, contract_count]));
    expect(counted).toEqual({ England: 4, 'United Kingdom': 5, 'North East': 1, London: 1, Wales: 1 });
    // A filter finds a contract by any one of its places.
    const found = async (region: string) => (await summary({ group_by: 'region', region })).total.contract_count;
    expect(await found('London')).toBe(5);
    expect(await found('England')).toBe(9);
  });

  it('counts a contract of two services once, under its own, where the filter finds it under either', async () => {
    const both = won({ source: 'find_a_tender', also_on: '["contracts_finder"]' });
    await storeContracts(room.services.catalogue, [both], 1);
    const counted = async (more = {}) =>
      (await summary({ group_by: 'source', ...more })).groups.map(({ id, contract_count }) => [id, contract_count]);
    expect(await counted()).toEqual([['find_a_tender', 1]]);
    expect(await counted({ source: 'contracts_finder' })).toEqual([['find_a_tender', 1]]);
  });

  it('is free where nothing is found, and says which filter names nothing', async () => {
    await storeContracts(room.services.catalogue, [won()], 1);
    const { found, body } = await ask(room, summariseContracts, { group_by: 'buyer', cpv: '0199' });
    expect(found).toMatchObject({ charge: 'none' });
    expect(body).toMatchObject({ count: 0, groups: [], total: { contract_count: 0 } });
    expect(body.meta.unknown_filters).toMatchObject([{ input: 'cpv' }]);
  });

  it.each([
    ['colour', /unknown: colour; known are supplier, buyer/],
    ['buyer,year,cpv', /At most 2 ways/],
    [',', /give one of/],
  ])('refuses to group by %s', async (group_by, said) => {
    await expect(ask(room, summariseContracts, { group_by })).rejects.toThrow(said);
  });

  it('refuses crossed bounds', async () => {
    const crossed = { group_by: 'buyer', value_min: 2, value_max: 1 };
    await expect(ask(room, summariseContracts, crossed)).rejects.toThrow('value_min is above value_max');
  });

  it('adds up what the search matches by words and the same filters, and says how it read them', async () => {
    const [first, second] = [won(), won({ value: 7 })];
    await storeContracts(room.services.catalogue, [first, second, won()], 1);
    room.answer = { ...room.answer, hits: [{ id: second.id } as never], total: 1 };
    const body = await summary({ group_by: 'buyer', query: 'lifts', awarded_to: '2025-12-31' });
    expect(room.asked.at(-1)).toMatchObject({
      scope: 'contracts',
      text: 'lifts',
      filters: { awarded_to: '2025-12-31' },
    });
    expect(body.total).toMatchObject({ contract_count: 1, value_total: { GBP: 7 } });
    expect(body.meta).toMatchObject({ query: 'lifts', engine: 'embedded', match_level: 'all' });
    expect(await summary({ group_by: 'buyer', query: '-' })).toMatchObject({ group_count: 0 });
    expect((await summary({ group_by: 'buyer', query: '*' })).total.contract_count).toBe(3);
  });

  it('says to try again where it, or its search, gives no answer, and what to narrow if that does not help', async () => {
    const { search } = room.services;
    search.contracts.matchAll = () => Promise.reject(new SearchUnavailable('gave no answer'));
    const worded = { group_by: 'buyer', query: 'lifts' };
    await expect(summary(worded)).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/try again in a moment\. If that does not help, narrow it by .*cpv/),
    });
    room.services.summaries.summarise = () => Promise.reject(new SearchUnavailable('gave no answer'));
    const asked = summariseContracts.run(summariseContracts.input.parse({ group_by: 'buyer' }), room.services, caller);
    await expect(asked).rejects.toThrow(Refusal);
    await expect(asked).rejects.toMatchObject({ status: 503, message: expect.stringContaining('awarded_from') });
  });
});
