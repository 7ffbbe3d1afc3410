import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../api/contract/errors.ts';
import { describeFilters } from '../../../api/operations/filters/describe.ts';
import { FILTERS } from '../../../search/filters/index.ts';
import { LISTED_ROWS } from '../../../search/filters/listed.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { noticeRow, row } from '../../support/seed.ts';

let room: Room;
const reads: string[] = [];
beforeAll(async () => {
  room = await openRoom();
  const notice = (id: number, cpv: string, region: string | null, gone = 0, copy_of: string | null = null) =>
    noticeRow(`00000${id}-2026`, `p${id}`, { cpv, region, gone, copy_of });
  const named = { homepage: 'h', licence: 'l', licence_url: 'u', attribution: 'a', timetable: '* * * * *' };
  await room.services.catalogue.write([
    row('source', { id: 'find_a_tender', title: 'Find a Tender', kind: 'notices', ...named }),
    row('source', { id: 'companies_house', title: 'Companies House', kind: 'register', ...named }),
    notice(1, '45210000', 'UKI31'),
    notice(2, '45213000', 'UKI'),
    notice(3, '72000000', 'UKM'),
    notice(4, '45210000', 'UKI4', 1),
    notice(5, '09000000', null),
    // A copy counts with its original.
    notice(6, '45210000', 'UKI3', 0, 'PCS-SEP000001'),
  ]);
  const { catalogue } = room.services;
  room.services.catalogue = {
    ...catalogue,
    read: (statement) => {
      reads.push(statement.sql);
      return catalogue.read(statement);
    },
  };
});
afterAll(() => room.close());

const filtersOf = async (input: Record<string, unknown>) => (await ask(room, describeFilters, input)).body.items;

describe('the filters', () => {
  it('are the rows of the table, each with its words, and its values with their meanings', async () => {
    const filters = await filtersOf({});
    expect(filters.map(({ name }) => name)).toEqual([...FILTERS, ...LISTED_ROWS].map(({ name }) => name));
    const byName = new Map(filters.map((one) => [one.name, one]));
    expect(byName.get('value_min')).toMatchObject({ takes: 'pounds', example: '10000' });
    expect(byName.get('published_from')).toMatchObject({ takes: 'day', datasets: expect.arrayContaining(['notices']) });
    expect(filters.filter(({ name }) => name === 'status')).toMatchObject([
      { takes: 'one_value', default: 'open', datasets: ['tenders'] },
      { takes: 'one_value', default: 'any', datasets: ['contracts'] },
      {
        takes: 'values',
        datasets: ['companies'],
        values: expect.arrayContaining([{ code: 'liquidation', name: 'It is being wound up' }]),
      },
    ]);
    expect(filters.find(({ name }) => name === 'sme')).toMatchObject({ takes: 'true_or_false', example: 'true' });
    expect(byName.get('source')).toMatchObject({ values: [{ code: 'find_a_tender', name: 'Find a Tender' }] });
    expect(byName.get('notice_type')?.values).toContainEqual({ code: 'UK6', name: 'Contract award notice' });
    for (const { name, values = [] } of filters)
      for (const value of values) expect([name, value]).toEqual([name, { code: value.code, name: expect.any(String) }]);
  });

  it('come without the values of trees in the whole list, so that nothing is counted', async () => {
    reads.length = 0;
    const trees = (await filtersOf({})).filter(({ name }) => ['cpv', 'region'].includes(name));
    expect(trees.map(({ values }) => values)).toEqual(trees.map(() => undefined));
    expect(trees.map(({ name, datasets }) => [name, datasets.at(-1)])).toContainEqual(['cpv', 'buyers']);
    expect(reads.filter((sql) => /FROM notice/.test(sql))).toEqual([]);
  });
});

describe('a tree', () => {
  it('begins with its widest codes, with the notices of each that stand', async () => {
    const [cpv] = await filtersOf({ name: 'cpv' });
    expect(cpv?.values).toContainEqual({
      code: '45',
      name: 'Construction work',
      notice_count: 2,
      notice_count_is: 'exact',
    });
    const [region] = await filtersOf({ name: 'region' });
    expect(region?.values).toContainEqual({ code: 'TLI', name: 'London', notice_count: 2, notice_count_is: 'exact' });
    expect(region?.values).toHaveLength(12);
  });

  it('goes down level by level', async () => {
    const { body } = await ask(room, describeFilters, { under: '45' });
    expect(body.under).toMatchObject({ code: '45', notice_count: 2 });
    expect(body.items.map(({ name }) => name)).toEqual(['cpv']);
    expect(body.items[0]?.values).toEqual([{ code: '45200000', notice_count: 2, notice_count_is: 'exact' }]);
    const within = (await ask(room, describeFilters, { name: 'region', under: 'uki' })).body;
    expect(within.under).toMatchObject({ code: 'TLI', name: 'London', notice_count: 2 });
    expect(within.items[0]?.values).toContainEqual(expect.objectContaining({ code: 'TLI3', notice_count: 1 }));
  });

  it('counts under a code of 2025 what has the earlier codes, as the filter does', async () => {
    const { body } = await ask(room, describeFilters, { name: 'region', under: 'TLI3' });
    expect(body.items[0]?.values).toContainEqual(expect.objectContaining({ code: 'TLI36', notice_count: 1 }));
  });

  it('is counted once in ten minutes', async () => {
    await filtersOf({ name: 'region' });
    reads.length = 0;
    await filtersOf({ name: 'region' });
    await Promise.all([filtersOf({ under: 'TLI' }), filtersOf({ under: 'TLI' })]);
    expect(reads.filter((sql) => /FROM notice/.test(sql))).toEqual([]);
  });

  it('has nothing under an unknown code or a code of another tree', async () => {
    for (const under of ['99', 'TLZ']) expect((await ask(room, describeFilters, { under })).found.kind).toBe('nothing');
    await expect(ask(room, describeFilters, { name: 'cpv', under: 'TLI' })).rejects.toThrow(InvalidInput);
  });
});
