import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { rowsOf } from '../../../search/filters/read.ts';
import { columnOf } from '../../../search/summary/conditions.ts';
import { type ColumnFile, openColumns, readNames } from '../../../search/summary/file.ts';
import { countColumnLag, followCatalogue, forgetUnusedNames } from '../../../search/summary/follow.ts';
import { openSummaries } from '../../../search/summary/open.ts';
import { type SummaryQuery, summarise } from '../../../search/summary/pass.ts';
import { storeContracts } from '../../generated/contracts/fill.ts';
import { type ContractColumns, makeContract } from '../../generated/contracts/make.ts';
import { makeDice } from '../../generated/draw.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

const TODAY = '2026-11-22';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let file: ColumnFile;
let contracts: ContractColumns[];

beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  file = await openColumns(folder.path);
  const dice = makeDice(3);
  contracts = Array.from({ length: 40 }, (_, number) => ({
    ...makeContract(dice, number),
    value: 10.01,
    currency: 'GBP',
    value_class: 'sum' as const,
    framework_role: null,
  }));
});
afterEach(async () => {
  await file.close();
  await catalogue.close();
  await folder.remove();
});

async function sum(more: Partial<SummaryQuery>) {
  const columnState = await file.readState();
  if (!columnState) throw new Error('nothing was read yet');
  const query = { groupBy: ['year'], cpvLevel: 2, filters: {}, measure: 'value', limit: 1, today: TODAY } as const;
  return summarise(file, columnState, { ...query, ...more });
}

/** Somebody who trades and buys under their own name. */
const JO = {
  suppliers: JSON.stringify([{ company_id: 'name-jo-example-1a2b3c4d', name: 'Jo Example' }]),
  buyer_id: 'name-jo-example-5e6f7a8b',
};
const NOBODY = { suppliers: '[]', buyer_id: null };

async function idsOfJo(): Promise<string[]> {
  const names = await Promise.all((['buyer', 'company'] as const).map((kind) => readNames(file, kind)));
  return names.flatMap((all) => [...all.values()]).filter((id) => id.startsWith('name-jo'));
}

async function total(filters: SummaryQuery['filters'] = {}) {
  return (await sum({ filters })).total;
}

describe('the columns of contracts', () => {
  it('hold every field by which contracts are filtered', () => {
    const fields = rowsOf('contracts').flatMap((row) => ('field' in row ? [row.field] : []));
    expect(fields.map(columnOf)).toEqual(fields);
  });

  it('follow what comes, changes and goes, and say how much they lack', async () => {
    await followCatalogue(catalogue, file);
    expect(await file.readState()).toMatchObject({ whole: true, rows: 0 });
    const written = vi.spyOn(file.database, 'write');
    await followCatalogue(catalogue, file);
    expect(written).not.toHaveBeenCalled();
    await storeContracts(catalogue, contracts, 1);
    expect(await countColumnLag(catalogue, await file.readState(), 10)).toBe(10);
    expect(await followCatalogue(catalogue, file)).toBe(false);
    expect(await total()).toEqual({
      contracts: 40,
      places: 0,
      added: { GBP: { count: 40, pence: 40_040 } },
      apart: {},
    });

    const [changed, gone] = contracts as [ContractColumns, ContractColumns];
    await storeContracts(
      catalogue,
      [
        { ...changed, value: 20.02, gone: 0 },
        { ...gone, gone: 1 },
      ],
      2,
    );
    expect(await countColumnLag(catalogue, await file.readState(), 10)).toBe(2);
    await followCatalogue(catalogue, file);
    expect((await total()).added).toEqual({ GBP: { count: 39, pence: 40_040 } });

    await storeContracts(catalogue, [gone], 3);
    await followCatalogue(catalogue, file);
    expect((await total()).contracts).toBe(40);
    expect((await file.readState())?.rows).toBe(40);
  });

  it('forget an id that no contract has any more, as it may spell the name of a person who was taken down', async () => {
    const [sole, other] = contracts as [ContractColumns, ContractColumns];
    const drawn = [{ ...sole, ...JO }, other];
    await storeContracts(catalogue, drawn, 1);
    await followCatalogue(catalogue, file);
    await forgetUnusedNames(file);
    expect(await idsOfJo()).toEqual(['name-jo-example-5e6f7a8b', 'name-jo-example-1a2b3c4d']);

    await storeContracts(catalogue, [{ ...sole, ...NOBODY }], 2);
    await followCatalogue(catalogue, file);
    const before = (await sum({ groupBy: ['buyer', 'supplier'], limit: 10 })).groups;
    await forgetUnusedNames(file);
    expect(await idsOfJo()).toEqual([]);
    expect((await sum({ groupBy: ['buyer', 'supplier'], limit: 10 })).groups).toEqual(before);

    await storeContracts(catalogue, drawn, 3);
    await followCatalogue(catalogue, file);
    expect(await idsOfJo()).toEqual(['name-jo-example-5e6f7a8b', 'name-jo-example-1a2b3c4d']);
    expect(await total({ company_number: 'name-jo-example-1a2b3c4d' })).toMatchObject({ contracts: 1 });
  });

  it('forget one that was taken down while no process followed, once they have', async () => {
    const [sole] = contracts as [ContractColumns];
    await storeContracts(catalogue, [{ ...sole, ...JO }], 1);
    await followCatalogue(catalogue, file);
    await storeContracts(catalogue, [{ ...sole, ...NOBODY }], 2);
    const summaries = openSummaries({ DATA_DIR: folder.path, CATALOGUE_URL: catalogue.url });
    await summaries.follow();
    await vi.waitFor(async () => expect(await idsOfJo()).toEqual([]), { timeout: LIMITS_MS.wait });
    await summaries.close();
  });

  it('count what is at a bound, and what ends today as active', async () => {
    const days = ['2026-11-21', TODAY, TODAY, '2026-11-23', '2026-11-23', '2026-11-23'];
    const ending = contracts
      .slice(0, days.length)
      .map((one, at) => ({ ...one, ends: days[at] ?? null, status: 'active' as const }));
    await storeContracts(catalogue, ending, 1);
    await followCatalogue(catalogue, file);
    const count = async (filters: SummaryQuery['filters']) => (await total(filters)).contracts;
    expect([await count({ value_min: 10.01 }), await count({ value_max: 10.01 })]).toEqual([6, 6]);
    expect([await count({ value_min: 10.02 }), await count({ value_max: 10 })]).toEqual([0, 0]);
    expect([await count({ status: 'active' }), await count({ status: 'ended' })]).toEqual([5, 1]);
    expect([await count({ ends_from: TODAY }), await count({ ends_to: TODAY })]).toEqual([5, 3]);
  });

  it('list groups with equally many contracts by their value, and of equal value by their contracts', async () => {
    const drawn = [
      ...[5, 5].map((value) => ({ buyer_id: 'b-two-fives', value })),
      ...[6, 6].map((value) => ({ buyer_id: 'b-two-sixes', value })),
      { buyer_id: 'b-ten', value: 10 },
    ];
    const bought = drawn.map((given, at) => ({ ...(contracts[at] as ContractColumns), ...given }));
    await storeContracts(catalogue, bought, 1);
    await followCatalogue(catalogue, file);
    const list = async (measure: SummaryQuery['measure']) =>
      (await sum({ groupBy: ['buyer'], measure, limit: 3 })).groups.map(({ ids: [id] }) => id);
    expect(await list('count')).toEqual(['b-two-sixes', 'b-two-fives', 'b-ten']);
    expect(await list('value')).toEqual(['b-two-sixes', 'b-two-fives', 'b-ten']);
  });

  it('count a contract of several grounds of direct award under the first, so that groups add up to the total', async () => {
    const grounds = [['urgency'], ['technical', 'urgency'], [], ['urgency', 'technical']];
    const stated = grounds.map((direct_award_grounds, at) => {
      const contract = contracts[at] as ContractColumns;
      const detail = JSON.stringify({ ...JSON.parse(contract.detail), direct_award_grounds });
      return { ...contract, detail, value: 10 ** at };
    });
    await storeContracts(catalogue, stated, 1);
    await followCatalogue(catalogue, file);
    const { groups, total } = await sum({ groupBy: ['direct_award_ground'], limit: 5 });
    expect(groups.map(({ ids: [id], added }) => [id, added.GBP?.pence])).toEqual([
      ['urgency', 100_100],
      [null, 10_000],
      ['technical', 1_000],
    ]);
    expect(total.added.GBP?.pence).toBe(111_100);
  });

  it('are read in batches, and are not whole before the last, and stay so whatever changes then', async () => {
    await storeContracts(catalogue, contracts, 1);
    expect(await followCatalogue(catalogue, file, 30)).toBe(true);
    expect((await file.readState())?.whole).toBe(false);
    expect(await countColumnLag(catalogue, await file.readState(), 100)).toBe(10);
    expect(await followCatalogue(catalogue, file, 30)).toBe(false);
    expect(await file.readState()).toMatchObject({ whole: true, rows: 40 });
    expect((await total()).contracts).toBe(40);
    await storeContracts(catalogue, contracts, 2);
    expect(await followCatalogue(catalogue, file, 30)).toBe(true);
    expect((await file.readState())?.whole).toBe(true);
  });

  it('are emptied where they are of another catalogue', async () => {
    await storeContracts(catalogue, contracts, 1);
    await followCatalogue(catalogue, file);
    await catalogue.write([
      { sql: "UPDATE meta SET value = 'another' WHERE name = 'generation'" },
      { sql: 'DELETE FROM contract WHERE id <> ?', args: [contracts[0]?.id ?? ''] },
    ]);
    expect(await countColumnLag(catalogue, await file.readState(), 10)).toBe(1);
    await followCatalogue(catalogue, file);
    expect((await total()).contracts).toBe(1);
  });

  it('answer a year as it is now after the catalogue was restored to an older state', async () => {
    const [former, lost, other] = contracts.map((one) => ({ ...one, sort_date: '2024-03-01' })) as [
      ContractColumns,
      ContractColumns,
      ContractColumns,
    ];
    const year = { awarded_from: '2025-01-01', awarded_to: '2025-12-31' };
    const store = async (row: ContractColumns, seq: number, at: number) => {
      await storeContracts(catalogue, [row], seq);
      await catalogue.write([{ sql: 'INSERT INTO change_instant (seq, at) VALUES (?, ?)', args: [seq, at] }]);
    };
    await store(former, 1, 100);
    await store(lost, 2, 200);
    await followCatalogue(catalogue, file);
    expect((await total(year)).contracts).toBe(0);
    await catalogue.write([
      { sql: 'DELETE FROM contract WHERE seq = 2' },
      { sql: 'DELETE FROM change_instant WHERE seq = 2' },
    ]);
    await store({ ...other, sort_date: '2025-03-01' }, 2, 300);
    await followCatalogue(catalogue, file);
    expect((await total(year)).contracts).toBe(1);
  });
});
