import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../api/operations/index.ts';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { searchNotices } from '../../../api/operations/search/notices.ts';
import { searchTenders } from '../../../api/operations/search/tenders.ts';
import { EXPORT_COLUMNS } from '../../../schema/accounts/exports/datasets.ts';
import { readExportRows } from '../../../schema/accounts/exports/rows.ts';
import { NOTICE_STATUSES } from '../../../schema/catalogue/live.ts';
import { makeClocks } from '../../../schema/config/clocks.ts';
import { ask, openIndexes, openRoom, type Room } from '../../support/catalogue-services.ts';
import {
  buyerRow,
  companyRow,
  contractRows,
  noticeDetail,
  noticeRow,
  processRow,
  seed,
  supplier,
} from '../../support/seed.ts';

/** One minute either side of the deadline, and far beyond it. */
const BEFORE = '2026-03-30T10:59:00Z';
const AFTER = '2026-03-30T11:01:00Z';
const LATER = '2090-01-01T00:00:00Z';
const ENDS = { deadline: '2026-03-30', deadline_at: '2026-03-30T11:00:00Z' };
const until = (bids_until: string) => ({ detail: { ...noticeDetail, bids_until } });

/** Notice, its process's status, what else its row holds, and its status before and after. */
const CASES: [string, string, Record<string, unknown>, string, string][] = [
  ['000001-2026', 'open', { is_tender: 1, ...ENDS }, 'open', 'closed'],
  ['000002-2026', 'open', { stage: 'planning', notice_type: 'UK2', ...until(ENDS.deadline_at) }, 'open', 'closed'],
  [
    '000003-2026',
    'open',
    { deadline: '2026-02-10', deadline_at: '2026-02-10T11:00:00Z', ...until(ENDS.deadline_at) },
    'open',
    'closed',
  ],
  ['000004-2026', 'open', { stage: 'market', notice_type: 'UK15' }, 'open', 'open'],
  ['000005-2026', 'open', { stage: 'market', notice_type: 'UK14', ...until(ENDS.deadline_at) }, 'open', 'closed'],
  ['000006-2026', 'closed', { is_tender: 1 }, 'closed', 'closed'],
  ['000007-2026', 'unsuccessful', { is_tender: 1, ...ENDS }, 'closed', 'closed'],
  ['000008-2026', 'planned', { stage: 'award', notice_type: 'UK5' }, 'planned', 'planned'],
  ['000009-2026', 'cancelled', { is_tender: 1, ...ENDS }, 'cancelled', 'cancelled'],
  ['000010-2026', 'withdrawn', { is_tender: 1, ...ENDS }, 'withdrawn', 'withdrawn'],
  ['000011-2026', 'awarded', { is_tender: 1, ...ENDS }, 'awarded', 'awarded'],
  ['000012-2026', 'complete', { stage: 'payment', notice_type: 'UK17' }, 'complete', 'complete'],
];
const processOf = (id: string) => `ocds-h6vhtk-${id.slice(0, 6)}`;
const SOLD = 'ocds-h6vhtk-0000ff';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const { catalogue } = room.services;
  await seed(
    catalogue,
    buyerRow('GB-PPON-PAAA-1111-AAAA', 'Northwick Council'),
    ...CASES.flatMap(([id, status, more]) => [
      processRow(processOf(id), { status }),
      noticeRow(id, processOf(id), { status, ...more }),
    ]),
    companyRow('GB-COH-01234567', 'Oakes Ltd', { company_number: '01234567' }),
    processRow(SOLD, { status: 'awarded' }),
    noticeRow('000255-2026', SOLD, { status: 'awarded', ...ENDS }),
    ...contractRows(`${SOLD}/1`, [supplier('GB-COH-01234567', 'Oakes Ltd')], {
      notice_id: '000255-2026',
      starts: '2026-04-01',
      ends: '2027-03-31',
    }),
  );
  await openIndexes(room);
});
afterAll(async () => {
  await room.services.search.close();
  await room.close();
});

/** The same services at another time. */
const at = (now: string): Room => ({ ...room, services: { ...room.services, clocks: makeClocks(new Date(now)) } });

describe('the status of a notice', () => {
  it.each(CASES)('%s of a process that is %s', async (notice_id, _status, _more, before, after) => {
    for (const [now, said] of [
      [BEFORE, before],
      [AFTER, after],
    ] as const) {
      const { body } = await ask(at(now), getNotice, { notice_id });
      expect(body.status).toBe(said);
      expect(!body.live || body.status === 'open').toBe(true);
    }
  });

  it('of an intended award is planned, and says what that means', async () => {
    for (const detail of ['full', 'brief']) {
      const { body } = await ask(at(BEFORE), getNotice, { notice_id: '000008-2026', detail });
      expect(body).toMatchObject({ stage: 'award', status: 'planned', status_note: expect.stringMatching(/intended/) });
    }
    const tender = await ask(at(BEFORE), getNotice, { notice_id: '000001-2026' });
    expect(tender.body).not.toHaveProperty('status_note');
  });

  it.each([BEFORE, AFTER, LATER])('is the same in both searches and in an export, at %s', async (now) => {
    const here = at(now);
    const whole = async (notice_id: string) => (await ask(here, getNotice, { notice_id })).body.status;
    const found = (await ask(here, searchNotices, { query: '*', limit: 100 })).body.items;
    expect(found).toHaveLength(CASES.length + 1);
    const tenders = (await ask(here, searchTenders, { query: '*', status: 'any', limit: 100 })).body.items;
    expect(tenders).toHaveLength(6);
    for (const item of [...found, ...tenders])
      expect([item.notice_id, item.status]).toEqual([item.notice_id, await whole(item.notice_id)]);
    const keys = await here.services.catalogue.read<{ id: string }>({ sql: 'SELECT id FROM notice ORDER BY id' });
    const rows = await readExportRows(
      here.services.catalogue,
      'notices',
      JSON.stringify(keys.map(({ id }) => id)),
      new Date(now),
    );
    const place = (name: string) => EXPORT_COLUMNS.notices.findIndex((column) => column.name === name);
    expect(rows).toHaveLength(keys.length);
    for (const row of rows) expect(row[place('status')]).toBe(await whole(String(row[place('notice_id')])));
  });

  it('is open for every tender that a search for open ones finds, and for none that is found as closed', async () => {
    const areOpen = async (now: string, status: 'open' | 'closed') => {
      const { items } = (await ask(at(now), searchTenders, { query: '*', status, limit: 100 })).body;
      return [...new Set(items.map((item) => item.status === 'open'))];
    };
    expect([await areOpen(BEFORE, 'open'), await areOpen(BEFORE, 'closed')]).toEqual([[true], [false]]);
    expect([await areOpen(AFTER, 'open'), await areOpen(AFTER, 'closed')]).toEqual([[], [false]]);
  });

  it('is one of the words that the contract states, whatever is stored', async () => {
    await room.services.catalogue.write([{ sql: `UPDATE process SET status = 'odd' WHERE id = ?`, args: [SOLD] }]);
    const { body } = await ask(at(LATER), getNotice, { notice_id: '000255-2026' });
    expect(NOTICE_STATUSES).toContain(body.status);
  });
});

describe('a notice that is kept', () => {
  const answerOf = (notice_id: string, now: string) =>
    getNotice.run(getNotice.input.parse({ notice_id }), at(now).services, { accountId: '', keyId: '' });

  it('says that it is settled once the clock cannot change it, and is then the same at any later time', async () => {
    const sql = 'SELECT notice_id FROM notice WHERE gone = 0 ORDER BY notice_id';
    const rows = await room.services.catalogue.read<{ notice_id: string }>({ sql });
    const settled = { early: 0, late: 0 };
    for (const { notice_id } of rows) {
      const [early, late] = [await answerOf(notice_id, BEFORE), await answerOf(notice_id, LATER)];
      if (early.kind !== 'answer' || late.kind !== 'answer') throw new Error(`${notice_id} is not answered`);
      if (early.isFinal) expect(late).toEqual(early);
      if (early.body.live || early.body.status === 'open') expect(early.isFinal).toBe(false);
      settled.early += Number(early.isFinal);
      settled.late += Number(late.isFinal);
    }
    expect([settled.early > 0, settled.late > settled.early]).toEqual([true, true]);
  });
});

describe('an answer that is kept until the catalogue changes', () => {
  const asked: Record<string, Record<string, unknown>> = {
    contract_documents: { notice_id: '000255-2026' },
    lookup_buyer: { buyer_id: 'GB-PPON-PAAA-1111-AAAA' },
    lookup_company: { company_number: '01234567' },
  };
  const lasting = operations.filter((operation) => operation.lasting);

  it.each(lasting.map((operation) => [operation.name, operation] as const))(
    '%s holds nothing that the clock decides',
    async (name, operation) => {
      const [early, late] = await Promise.all([BEFORE, LATER].map((now) => ask(at(now), operation, asked[name] ?? {})));
      expect(late?.body).toEqual(early?.body);
    },
  );
});
