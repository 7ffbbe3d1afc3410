import { afterAll, beforeAll, expect, it } from 'vitest';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { makeScottish, ocidOf } from '../../ingest/crawl/cells/releases.ts';
import { readPublished } from '../../ingest/parse/read-published.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { noticeRow, processRow, registeredRow, seed } from '../../support/seed.ts';

const SOURCE = 'public_contracts_scotland';
const DAY = '2026-11-03';
let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const published = { day: DAY, family: 1, title: 'Gritting' };
  const number = (n: number) => ({ description: `(SC Ref:${700_000 + n})` });
  const invitation = makeScottish(1, {
    ...published,
    type: '5',
    tender: { tenderPeriod: { endDate: '2026-12-04T12:00:00Z' } },
    more: number(10),
  });
  const corrigendum = makeScottish(2, {
    ...published,
    type: '14',
    tender: { tenderPeriod: { endDate: '2026-12-18T12:00:00Z' } },
    more: number(11),
  });
  // Corrigenda are asked for before the notices of utilities.
  for (const { type, release } of [corrigendum, invitation]) {
    const page = readPublished(SOURCE, [release], type);
    const kept = { source: SOURCE, fetchedAt: '2026-11-03T20:00:00Z', ...page, before: [], after: [] };
    await storePage(room.services.catalogue, kept);
  }
});
afterAll(() => room.close());

it('of two notices of one day, the newest is the one that the process lists last, whichever came first', async () => {
  const { body } = await ask(room, getNotice, { notice_id: ocidOf(1) });
  expect(body.notices.map(({ notice_id }) => notice_id)).toEqual(['PCS-SEP500001', 'PCS-SEP500002']);
  expect([body.notice_id, body.deadline]).toEqual(['PCS-SEP500002', '2026-12-18']);
});

it('a number without its leading zero leads to the notice that is meant', async () => {
  const ocid = 'ocds-h6vhtk-0769a0';
  await seed(room.services.catalogue, processRow(ocid), noticeRow('076920-2026', ocid, { title: 'School transport' }));
  for (const notice_id of ['76920-2026', 'notice 76920-2025'])
    expect((await ask(room, getNotice, { notice_id })).found).toMatchObject({
      candidates: [{ id: '076920-2026', name: 'School transport' }],
    });
  expect((await ask(room, getNotice, { notice_id: 'A-76920-2026' })).found).not.toHaveProperty('candidates');
  // A number without its year could be a company's too, and is asked of notices.
  await seed(room.services.catalogue, registeredRow('00076920', 'Old Mill Ltd'));
  expect((await ask(room, getNotice, { notice_id: '076920' })).found).toMatchObject({
    candidates: [{ id: '076920-2026', name: 'School transport' }],
  });
});
