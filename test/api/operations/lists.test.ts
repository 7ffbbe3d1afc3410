import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../api/contract/errors.ts';
import { searchBuyers } from '../../../api/operations/search/buyers.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { buyerRow, contractRows, noticeRow, seed } from '../../support/seed.ts';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const tender = { is_tender: 1, buyer_id: 'GB-MOD', status: 'open' };
  await seed(
    room.services.catalogue,
    buyerRow('GB-MOD', 'Ministry of Defence', {
      contract_count: 40,
      kind: 'central',
      detail: { scope: 'national', also_known_as: ['Defence Equipment and Support'] },
      totals: { sum: { GBP: { count: 2, value: 1234.5 } } },
    }),
    buyerRow('GB-LEEDS', 'Leeds City Council', {
      contract_count: 90,
      kind: 'local',
      region_code: 'UKE42',
      region: 'Leeds',
    }),
    buyerRow('GB-YORK', 'City of York Council', {
      contract_count: 50,
      kind: 'local',
      region_code: 'UKE21',
      region: 'York',
    }),
    buyerRow('GB-LEEDSU', 'University of Leeds', { contract_count: 7, kind: 'education', region_code: 'UKE42' }),
    buyerRow('GB-FRAMES', 'Leeds Frameworks', { framework_places: 3 }),
    buyerRow('GB-GONE', 'Leeds Former Council', { contract_count: 900, gone: 1 }),
    contractRows('c1', [], { buyer_id: 'GB-LEEDS', cpv: '45210000' }),
    contractRows('c2', [], { buyer_id: 'GB-MOD', cpv: '45000000' }),
    contractRows('c3', [], { buyer_id: 'GB-YORK', cpv: '72000000' }),
    noticeRow('000001-2026', 'p1', { ...tender, deadline: '2026-03-02', deadline_at: '2026-03-02T11:00:00Z' }),
    noticeRow('000002-2026', 'p2', { ...tender, deadline: '2026-03-02', deadline_at: '2026-03-02T13:00:00Z' }),
    noticeRow('000003-2026', 'p3', { ...tender, deadline: '2026-04-02', deadline_at: null }),
    noticeRow('000004-2026', 'p4', { ...tender, status: 'cancelled', deadline: '2026-04-02', deadline_at: null }),
    noticeRow('000005-2026', 'p5', { ...tender, is_tender: 0, deadline: '2026-04-02', deadline_at: null }),
  );
});
afterAll(() => room.close());

const idsOf = async (given: Record<string, unknown>) =>
  (await ask(room, searchBuyers, given)).body.items.map(({ buyer_id: id }) => id);

describe('a list of buyers', () => {
  it('without a query has all that stand, those with most contracts first', async () => {
    const { body, found } = await ask(room, searchBuyers, {});
    expect(body.items.map(({ buyer_id: id }) => id)).toEqual([
      'GB-LEEDS',
      'GB-YORK',
      'GB-MOD',
      'GB-LEEDSU',
      'GB-FRAMES',
    ]);
    expect(body).toMatchObject({ count: 5, total: 5, total_is: 'exact', next_cursor: null });
    expect(found).not.toHaveProperty('charge');
    expect(body.items[2]).toEqual({
      buyer_id: 'GB-MOD',
      name: 'Ministry of Defence',
      region: null,
      kind: 'central',
      scope: 'national',
      contract_count: 40,
      framework_places: 0,
      value: 1234.5,
      currency: 'GBP',
      live_tender_count: 2,
    });
  });

  it.each([
    ['MOD', ['GB-MOD']],
    ['defence equipment', ['GB-MOD']],
    ['Leeds', ['GB-LEEDS', 'GB-FRAMES', 'GB-LEEDSU']],
    ['leeds city council', ['GB-LEEDS']],
    ['counc', ['GB-LEEDS', 'GB-YORK']],
    ['gb-york', ['GB-YORK']],
    ['Nowhere', []],
    ['!!', []],
  ])('finds %s by its name, its beginning, words, another name, an acronym or its id', async (query, ids) => {
    expect(await idsOf({ query })).toEqual(ids);
  });

  it('is narrowed by kind, scope, region and what is bought', async () => {
    expect(await idsOf({ kind: 'local,education' })).toEqual(['GB-LEEDS', 'GB-YORK', 'GB-LEEDSU']);
    expect(await idsOf({ scope: 'national' })).toEqual(['GB-MOD']);
    expect(await idsOf({ region: 'TLE4' })).toEqual(['GB-LEEDS', 'GB-LEEDSU']);
    expect(await idsOf({ cpv: '45' })).toEqual(['GB-LEEDS', 'GB-MOD']);
    expect(await idsOf({ cpv: '4521,72', kind: 'local' })).toEqual(['GB-LEEDS', 'GB-YORK']);
    expect(await idsOf({ query: 'leeds', kind: 'education' })).toEqual(['GB-LEEDSU']);
  });

  it('is free where it is empty, and says which filter is nowhere', async () => {
    const { body, found } = await ask(room, searchBuyers, { region: 'Atlantis' });
    expect([body.count, found]).toEqual([0, expect.objectContaining({ charge: 'none' })]);
    expect(body.unknown_filters).toMatchObject([{ input: 'region' }]);
  });

  it('is paged without a repeat, whatever its levels; a cursor works only in its own list', async () => {
    const all = await idsOf({ query: 'leeds' });
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await ask(room, searchBuyers, { query: 'leeds', limit: 1, ...(cursor && { cursor }) });
      paged.push(...body.items.map(({ buyer_id: id }) => id));
      expect(body.total).toBe(3);
      cursor = body.next_cursor ?? undefined;
      if (cursor && paged.length === 1)
        await expect(ask(room, searchBuyers, { query: 'york', cursor })).rejects.toThrow(InvalidInput);
    } while (cursor);
    expect(paged).toEqual(all);
    await expect(ask(room, searchBuyers, { cursor: 'made.up' })).rejects.toThrow(InvalidInput);
  });

  it('follows what changes', async () => {
    const { catalogue } = room.services;
    await catalogue.write([
      { sql: "UPDATE buyer SET contract_count = 99, seq = 2 WHERE id = 'GB-LEEDSU'" },
      { sql: "UPDATE buyer SET gone = 1, seq = 2 WHERE id = 'GB-FRAMES'" },
    ]);
    expect(await idsOf({ query: 'leeds' })).toEqual(['GB-LEEDS', 'GB-LEEDSU']);
    expect((await idsOf({}))[0]).toBe('GB-LEEDSU');
  });
});
