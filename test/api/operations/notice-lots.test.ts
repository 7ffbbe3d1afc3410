import { expect, it } from 'vitest';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { ask, openRoom } from '../../support/catalogue-services.ts';
import { buyerRow, noticeDetail, noticeRow, processRow, seed } from '../../support/seed.ts';

it('a brief notice, too, says how long its lots run', async () => {
  const room = await openRoom();
  const lot = { lot_id: '1', duration_days: 1440 };
  const said = { title: 'North', description: 'Lifts in the north.', renewal: 'Twice by a year.' };
  await seed(
    room.services.catalogue,
    buyerRow('GB-PPON-PAAA-1111-AAAA', 'Northwick Council'),
    processRow('ocds-h6vhtk-000001'),
    noticeRow('000001-2026', 'ocds-h6vhtk-000001', { detail: { ...noticeDetail, lots: [{ ...lot, ...said }] } }),
  );
  const lotsOf = async (detail: string) => (await ask(room, getNotice, { notice_id: '000001-2026', detail })).body.lots;
  expect(await lotsOf('full')).toEqual([{ ...lot, ...said }]);
  expect(await lotsOf('brief')).toEqual([{ ...lot, title: 'North' }]);
  await room.close();
});
