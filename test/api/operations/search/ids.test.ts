import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { summariseContracts } from '../../../../api/operations/contracts/summarise.ts';
import { bulkExport } from '../../../../api/operations/exports/bulk.ts';
import { getNotice } from '../../../../api/operations/notices/get.ts';
import { searchContracts } from '../../../../api/operations/search/contracts.ts';
import { searchFrameworks } from '../../../../api/operations/search/frameworks.ts';
import { searchNotices } from '../../../../api/operations/search/notices.ts';
import { syncSearch } from '../../../../search/index/sync.ts';
import { openSearch } from '../../../../search/open.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';
import { contractRows, noticeDetail, noticeRow, processRow, seed, supplier } from '../../../support/seed.ts';

const ORIGINAL = 'ocds-r6ebe6-0000000001';
const COPY = 'ocds-h6vhtk-000001';
const TENDER = 'PCS-SEP000001';
const CALL_OFF = 'ocds-h6vhtk-000002';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const { settings, catalogue } = room.services;
  const scottish = { source: 'public_contracts_scotland', also_on: ['find_a_tender'] };
  await seed(
    catalogue,
    processRow(ORIGINAL),
    noticeRow(TENDER, ORIGINAL, scottish),
    contractRows(`${ORIGINAL}/1`, [supplier('GB-COH-01234567', 'Acme Lifts Ltd')], { notice_id: TENDER }),
    processRow(COPY),
    noticeRow('000001-2026', COPY, { copy_of: TENDER }),
    // The same procurement, which its first service never had.
    noticeRow('000002-2026', COPY),
    processRow(CALL_OFF),
    noticeRow('000003-2026', CALL_OFF, { detail: { ...noticeDetail, framework_id: 'ocds-h6vhtk-fw' } }),
  );
  const named = 'INSERT INTO notice_name (name, process_id, notice_id) VALUES (?, ?, ?)';
  await catalogue.write([
    { sql: named, args: ['sep000001', ORIGINAL, TENDER] },
    { sql: named, args: ['900001', COPY, '000001-2026'] },
  ]);
  const writer = await openSearch(settings, catalogue, 'writer');
  for (const engine of [writer, writer.contracts]) await syncSearch(catalogue, engine);
  await writer.close();
  room.services.search = await openSearch(settings, catalogue, 'reader');
});
afterAll(async () => {
  await room.services.search.close();
  await room.close();
});

describe('a search for the id of a copy on another service, or for another name of a notice', () => {
  it.each([
    ['SEP000001', [TENDER]],
    ['900001', [TENDER]],
    ['SEP000009', []],
    ['000001-2026', [TENDER]],
    [COPY.toUpperCase(), ['000002-2026', TENDER]],
    ['000002-2026', ['000002-2026']],
    [ORIGINAL, [TENDER]],
  ])('finds its original by %s, and as many in an export', async (query, ids) => {
    const { body } = await ask(room, searchNotices, { query });
    expect(body.items.map(({ notice_id: id }) => id).sort()).toEqual(ids);
    expect(body.meta.query).toBe(query);
    expect((await ask(room, bulkExport, { query, dry_run: true })).body.matched).toBe(ids.length);
  });

  it.each(['000001-2026', COPY, 'sep000001'])('finds and adds up the contract of its original by %s', async (query) => {
    expect((await ask(room, searchContracts, { query })).body.items).toMatchObject([{ ocid: ORIGINAL }]);
    expect((await ask(room, bulkExport, { dataset: 'contracts', query, dry_run: true })).body.matched).toBe(1);
    const { body } = await ask(room, summariseContracts, { group_by: 'buyer', query });
    expect([body.total.contract_count, body.meta.query]).toEqual([1, query]);
  });
});

describe('a notice of a call-off', () => {
  it('names its framework in a search as in its look-up; a search of frameworks does not find it', async () => {
    const named = { notice_id: '000003-2026', framework_id: 'ocds-h6vhtk-fw' };
    expect((await ask(room, searchNotices, { query: CALL_OFF })).body.items).toMatchObject([named]);
    expect((await ask(room, getNotice, { notice_id: '000003-2026' })).body).toMatchObject(named);
    expect((await ask(room, searchFrameworks, {})).body.items).toEqual([]);
  });
});
