import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerContracts } from '../../../api/operations/buyers/contracts.ts';
import { lookupBuyer } from '../../../api/operations/buyers/lookup.ts';
import { buyerProfile } from '../../../api/operations/buyers/profile.ts';
import { lookupFramework } from '../../../api/operations/frameworks/lookup.ts';
import { searchNotices } from '../../../api/operations/search/notices.ts';
import { buyerNameId } from '../../../schema/names/buyers.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import {
  buyerRow,
  contractRows,
  frameworkRow,
  noticeRow,
  processRow,
  row,
  seed,
  supplier,
} from '../../support/seed.ts';

const COUNCIL = 'GB-PPON-PAAA-1111-AAAA';
const FRAMEWORK = 'ocds-h6vhtk-00000f';
const OTHER_FRAMEWORK = 'ocds-h6vhtk-0000ff';
const lots = [
  { lot_id: '1', title: 'North', suppliers: [{ company_id: 'GB-COH-01234567', name: 'Acme Lifts Ltd' }] },
  { lot_id: '2', title: 'South', value: 5_000, suppliers: [] },
];
let room: Room;

beforeAll(async () => {
  room = await openRoom();
  const won = [supplier('GB-COH-01234567', 'Acme Lifts Ltd')];
  await seed(
    room.services.catalogue,
    buyerRow(COUNCIL, 'Northwick Council', {
      name_key: 'northwick council',
      region: 'North West (England)',
      region_code: 'TLD',
      contract_count: 2,
      detail: { identifiers: [{ scheme: 'GB-PPON', id: 'PAAA-1111-AAAA' }], also_known_as: [], kinds: ['local'] },
    }),
    buyerRow('name-parish', 'Quiet Parish Council', { name_key: 'quiet parish council' }),
    ...[
      ['dunley-1', 'Dunley Parish Council', 10],
      ['dunley-2', 'Dunley Parish Council', 1],
      ['council', 'Council', 3],
      ['rail-1', 'Northern Rail Agency', 10],
      ['rail-2', 'Northern Rail Agency', 4],
      ['even-1', 'Even Agency', 4],
      ['even-2', 'Even Agency', 4],
    ].map(([id, name, contract_count]) =>
      buyerRow(`name-${id}`, String(name), { name_key: String(name).toLowerCase(), contract_count }),
    ),
    row('alias', { kind: 'buyer', alias: buyerNameId('mod'), target: 'name-rail-1' }),
    buyerRow('GB-SRS-TW2', 'Twin Trust', { contract_count: 2 }),
    buyerRow('GB-NHS-TW1', 'Twin Trust', { contract_count: 3 }),
    row('alias', { kind: 'buyer', alias: 'gb-nhs-abc', target: COUNCIL }),
    contractRows('ocds-h6vhtk-1/1', won, { sort_date: '2026-01-01' }),
    contractRows('ocds-h6vhtk-2/1', won, {
      sort_date: '2026-01-02',
      framework_id: FRAMEWORK,
      framework_role: 'call_off',
    }),
    frameworkRow(FRAMEWORK, {
      notice_id: '000020-2025',
      title: 'Lifts and hoists',
      buyer_id: COUNCIL,
      buyer: 'Northwick Council',
      starts: '2025-01-01',
      ends: '2029-01-01',
      ceiling: 9_000_000,
      published: '2025-01-01',
      lots,
      detail: { evidence: ['flag'], references: ['RM9999'], regions: [], warnings: [] },
    }),
    frameworkRow('ocds-b5fd17-copy', { buyer_id: COUNCIL, copy_of: FRAMEWORK, lots: [], detail: {} }),
    frameworkRow(OTHER_FRAMEWORK, { lots: [], detail: {} }),
    row('framework_reference', { reference: 'RM9999', framework_id: FRAMEWORK }),
    row('framework_reference', { reference: 'RM8888', framework_id: FRAMEWORK }),
    row('framework_reference', { reference: 'RM8888', framework_id: OTHER_FRAMEWORK }),
    processRow(FRAMEWORK, { stage: 'award' }),
    noticeRow('000020-2025', FRAMEWORK),
  );
});
afterAll(() => room.close());

describe('lookup_buyer', () => {
  it.each([
    COUNCIL,
    COUNCIL.toLowerCase().replace('gb-ppon', 'GB-NHS').replace('paaa-1111-aaaa', 'ABC'),
    'GB-NHS abc',
    'gb-nhs: ABC',
    'GB-NHS-GB-NHS-ABC',
  ])('finds a buyer as %s', async (given) => {
    const { body } = await ask(room, lookupBuyer, { buyer_id: given });
    expect(body).toMatchObject({ buyer_id: COUNCIL, name: 'Northwick Council', region: 'North West (England)' });
  });

  it.each(['Northwick Council', 'NORTHWICK  COUNCIL', 'northwick council'])(
    'reads its exact name sent as its id: %s',
    async (buyer_id) => {
      expect((await ask(room, lookupBuyer, { buyer_id })).body.buyer_id).toBe(COUNCIL);
      expect((await ask(room, buyerContracts, { buyer_id })).body).toMatchObject({ buyer_id: COUNCIL, count: 2 });
      expect((await ask(room, buyerProfile, { buyer_id })).body.core.buyer_id).toBe(COUNCIL);
      room.asked.length = 0;
      await ask(room, searchNotices, { buyer_id });
      expect(room.asked[0]?.filters).toEqual({ buyer_id: COUNCIL });
    },
  );

  it.each([
    ['the only bearer of a common name', 'Council', 'name-council'],
    ['the one with twice the contracts', 'northern rail agency', 'name-rail-1'],
    ['whom another name is published for', 'mod', 'name-rail-1'],
  ])('reads a name as %s', async (_who, buyer_id, id) => {
    expect((await ask(room, lookupBuyer, { buyer_id })).body.buyer_id).toBe(id);
  });

  it.each(['Dunley Parish Council', 'Even Agency'])('says that two have the name %s', async (name) => {
    const { found } = await ask(room, lookupBuyer, { name });
    expect(found).toMatchObject({
      kind: 'nothing',
      message: `two buyers have the name ${name}; send the id of a candidate`,
    });
    expect((await ask(room, lookupBuyer, { buyer_id: name })).found.kind).toBe('nothing');
  });

  it.each(['Northwick', 'Twin Trust', 'Quiet Parish'])('guesses no buyer from %s sent as an id', async (buyer_id) => {
    expect((await ask(room, lookupBuyer, { buyer_id })).found.kind).toBe('nothing');
  });

  it('finds one by name and says why', async () => {
    const { body } = await ask(room, lookupBuyer, { name: 'The Northwick Council' });
    expect(body.buyer_id).toBe(COUNCIL);
    expect(body.match?.evidence.length).toBeGreaterThan(0);
  });

  it('prefers the one with most contracts of several numbers of one name, and names the others', async () => {
    const { body } = await ask(room, lookupBuyer, { name: 'Twin Trust' });
    expect(body).toMatchObject({
      buyer_id: 'GB-NHS-TW1',
      alternatives: [{ id: 'GB-SRS-TW2', name: 'Twin Trust', contract_count: 2 }],
    });
    expect(body.match?.evidence.at(-1)).toContain('2 buyers');
  });

  it.each([{}, { buyer_id: '1', name: 'x' }])('refuses %j', async (given) => {
    await expect(ask(room, lookupBuyer, given)).rejects.toThrow(/buyer_id or name/);
  });

  it.each([{ buyer_id: 'GB-NHS-ZZZ' }, { name: 'Qwxz Zzyx Unlikely' }])('finds nothing for %j', async (given) => {
    expect((await ask(room, lookupBuyer, given)).found.kind).toBe('nothing');
  });
});

describe('buyer_contracts and buyer_profile', () => {
  it('list what the buyer issued, newest first', async () => {
    const { body } = await ask(room, buyerContracts, { buyer_id: 'GB-NHS-ABC' });
    expect(body).toMatchObject({ contract_count: 2, count: 2, buyer_id: COUNCIL });
    expect(body.items[0]).toMatchObject({ supplier: 'Acme Lifts Ltd', ocid: 'ocds-h6vhtk-2', framework_id: FRAMEWORK });
  });

  it('page freely after the first', async () => {
    const first = await ask(room, buyerProfile, { buyer_id: COUNCIL, limit: 1 });
    const cursor = first.body.contracts.next_cursor;
    const second = await ask(room, buyerProfile, { buyer_id: COUNCIL, limit: 1, cursor });
    expect([first.needed, second.needed]).toEqual([20, 0]);
    expect(second.body.contracts.items[0]?.ocid).toBe('ocds-h6vhtk-1');
    expect(second.body.contracts).not.toHaveProperty('next_cursor');
  });

  it('name each framework that it set up once, also one on which nobody has a place yet', async () => {
    const { body } = await ask(room, buyerProfile, { buyer_id: COUNCIL });
    expect(body.frameworks).toEqual([{ framework_id: FRAMEWORK, title: 'Lifts and hoists' }]);
  });

  it('charge the profile of a buyer without contracts, and not its empty list', async () => {
    const list = await ask(room, buyerContracts, { buyer_id: 'name-parish' });
    const profile = await ask(room, buyerProfile, { buyer_id: 'name-parish' });
    expect(list.found).toMatchObject({ charge: 'none' });
    expect(profile.found).not.toHaveProperty('charge');
    expect(profile.body).toMatchObject({
      core: { name: 'Quiet Parish Council', region: null },
      contracts: { contract_count: 0, items: [] },
      totals: { sum: {}, not_in_total: {} },
    });
  });
});

describe('lookup_framework', () => {
  it.each([FRAMEWORK, FRAMEWORK.toUpperCase(), 'rm9999', '000020-2025'])('finds a framework as %s', async (given) => {
    const { body } = await ask(room, lookupFramework, { framework_id: given });
    expect(body).toMatchObject({ framework_id: FRAMEWORK, title: 'Lifts and hoists', lots, call_off_count: 1 });
    expect(body.call_offs[0]?.ocid).toBe('ocds-h6vhtk-2');
  });

  it.each(['RM8888', 'rm 8888'])('names those that share a reference, sent as %s', async (given) => {
    const { found } = await ask(room, lookupFramework, { framework_id: given });
    expect(found).toMatchObject({ kind: 'nothing', candidates: [{ id: FRAMEWORK }, { id: OTHER_FRAMEWORK }] });
  });

  it('finds nothing under an unknown id', async () => {
    expect((await ask(room, lookupFramework, { framework_id: 'RM1' })).found.kind).toBe('nothing');
  });
});
