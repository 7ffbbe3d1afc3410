import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { summariseContracts } from '../../../../api/operations/contracts/summarise.ts';
import { storeContracts } from '../../../generated/contracts/fill.ts';
import { makeContract } from '../../../generated/contracts/make.ts';
import { makeDice } from '../../../generated/draw.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';

const dice = makeDice(1);
/** Contracts by whether a supplier is small, whether one is a social enterprise, by their last day and their part in a framework. */
const WON = [
  [1, true, '2027-01-01', null],
  [1, false, '2027-12-31', 'call_off'],
  [0, false, '2028-01-01', null],
  [null, undefined, null, 'call_off'],
  [null, undefined, null, 'establishes'],
] as const;

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const rows = WON.map(([sme, is_vcse, ends, framework_role], at) => {
    const suppliers = JSON.stringify([{ company_id: 'GB-COH-01', name: 'Alpha Ltd', is_vcse }]);
    const value_class = framework_role === 'establishes' ? 'framework_ceiling' : 'sum';
    const money = { value: 10 * (at + 1), currency: 'GBP', value_class, framework_role };
    return { ...makeContract(dice, at + 1), suppliers, sme, ends, ...money, sort_date: '2025-06-30' };
  });
  await storeContracts(room.services.catalogue, rows, 1);
});
afterAll(() => room.close());

const summary = async (given: Record<string, unknown>) =>
  (await ask(room, summariseContracts, { detail: 'full', ...given })).body;

describe('a summary of contracts by what their suppliers are, by when they end and by frameworks', () => {
  it.each([
    [
      'sme',
      [
        [null, 40],
        ['true', 30],
        ['false', 30],
      ],
    ],
    [
      'vcse',
      [
        ['false', 50],
        [null, 40],
        ['true', 10],
      ],
    ],
    [
      'end_year',
      [
        [null, 40],
        ['2028', 30],
        ['2027', 30],
      ],
    ],
    [
      'framework_role',
      [
        ['call_off', 60],
        [null, 40],
        ['establishes', undefined],
      ],
    ],
    [
      'year,sme',
      [
        ['2025', 40],
        ['2025', 30],
        ['2025', 30],
      ],
    ],
  ])('by %s has each once, and one for those that state none', async (group_by, expected) => {
    const { groups } = await summary({ group_by });
    expect(groups.map(({ id, value_total }) => [id, value_total.GBP]).toSorted()).toEqual(expected.toSorted());
  });

  it('says what groups by the part in a framework are, and counts places apart', async () => {
    const { groups, total } = await summary({ group_by: 'framework_role', measure: 'count' });
    expect(groups).toMatchObject([
      { id: 'call_off', name: 'Called off from a framework or dynamic market', contract_count: 2 },
      { id: null, name: null, contract_count: 2 },
      { id: 'establishes', contract_count: 0, framework_places: 1, not_in_total: { framework_ceiling: { count: 1 } } },
    ]);
    expect(total).toMatchObject({ contract_count: 4, framework_places: 1, value_total: { GBP: 100 } });
  });

  it('has groups whose ids are the values of the filter, with names', async () => {
    const { groups } = await summary({ group_by: 'vcse,sme', measure: 'count' });
    expect(groups.map(({ id, name, second }) => [id, name, second?.id])).toContainEqual([
      'true',
      'A supplier is a voluntary, community or social enterprise',
      'true',
    ]);
    for (const { id, second, contract_count } of groups.filter(({ id }) => id !== null)) {
      const { total } = await summary({ group_by: 'year', vcse: id === 'true', sme: second?.id === 'true' });
      expect([id, total.contract_count]).toEqual([id, contract_count]);
    }
  });
});
