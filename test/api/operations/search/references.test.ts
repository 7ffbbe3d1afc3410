import { expect, it } from 'vitest';
import { getNotice } from '../../../../api/operations/notices/get.ts';
import { searchNotices } from '../../../../api/operations/search/notices.ts';
import { ask, openIndexes, openRoom } from '../../../support/catalogue-services.ts';
import { buyerRow, noticeDetail, noticeRow, processRow, seed } from '../../../support/seed.ts';

const REFERENCES = ['NWICK001-DN100200-30040050', 'tender_100200/3004005', 'itt_4711', 'C/2026/077 Lifts', 'NC-26-118'];

it("a notice is found by its buyer's own reference, which it answers", async () => {
  const room = await openRoom();
  await seed(
    room.services.catalogue,
    buyerRow('GB-PPON-PAAA-1111-AAAA', 'Northwick Council'),
    ...REFERENCES.flatMap((reference, n) => [
      processRow(`ocds-h6vhtk-00000${n}`),
      noticeRow(`00000${n}-2026`, `ocds-h6vhtk-00000${n}`, {
        title: `Repair of the bridge in district ${n}`,
        detail: { ...noticeDetail, reference },
      }),
    ]),
  );
  await openIndexes(room);
  for (const [n, reference] of REFERENCES.entries()) {
    const notice_id = `00000${n}-2026`;
    const { body } = await ask(room, searchNotices, { query: reference });
    expect(
      body.items.map((item) => item.notice_id),
      reference,
    ).toEqual([notice_id]);
    for (const detail of ['brief', 'full']) {
      expect((await ask(room, getNotice, { notice_id, detail })).body.reference).toBe(reference);
    }
  }
  await room.services.search.close();
  await room.close();
});
