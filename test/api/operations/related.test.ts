import { afterAll, beforeAll, expect, it } from 'vitest';
import { lookupContract } from '../../../api/operations/contracts/lookup.ts';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { actRelease, BRIGHT, COUNCIL, packageOf, read, reference } from '../../ingest/compile/releases.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';

const GUID = '11111111-2222-4333-8444-555555555551';
const awards = [
  { id: '1', status: 'active', suppliers: [reference(BRIGHT)], value: { amount: 5000, currency: 'GBP' } },
];
const old = { scheme: 'CELEX', id: '32014L0024' };
const TENDER = actRelease('000201-2024', '2024-03-01T00:00:00Z', {
  ocid: 'ocds-h6vhtk-000201',
  tag: ['award', 'contract'],
  parties: [COUNCIL, BRIGHT],
  awards,
  tender: { legalBasis: old },
});
/** On Contracts Finder, naming the notice of Find a Tender. */
const FINDER = actRelease(`${GUID}-4711`, '2024-03-20T00:00:00Z', {
  ocid: `ocds-b5fd17-${GUID}`,
  tag: ['award'],
  parties: [COUNCIL, BRIGHT],
  awards,
  tender: { legalBasis: old, description: 'As published: 2024/S 000-000201' },
});

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  for (const [source, release] of [
    ['find_a_tender', TENDER],
    ['contracts_finder', FINDER],
  ] as const) {
    const page = { source, fetchedAt: '2026-01-01T00:00:00Z', ...read(packageOf([release]), source) };
    await storePage(room.services.catalogue, { ...page, before: [], after: [] });
  }
});
afterAll(() => room.close());

const COUNTED = 'ocds-h6vhtk-000201-a-1';

it('a notice names the same procurement on the other service, and how that is known', async () => {
  const { body } = await ask(room, getNotice, { notice_id: GUID });
  expect(body).toMatchObject({ contract_ids: [COUNTED], source: 'contracts_finder' });
  expect(body.related).toMatchObject([
    {
      notice_id: '000201-2024',
      source: 'find_a_tender',
      match: { method: 'identifier', score: 1 },
      counted_once: true,
    },
  ]);
  const back = await ask(room, getNotice, { notice_id: '000201-2024' });
  expect(back.body.related).toMatchObject([{ notice_id: GUID, source: 'contracts_finder', counted_once: true }]);
});

it.each([GUID, `ocds-b5fd17-${GUID}`, `ocds-b5fd17-${GUID}-a-1`, '000201-2024', COUNTED])(
  'the contract that is counted once is found by %s',
  async (notice_id) => {
    const { body } = await ask(room, lookupContract, { notice_id });
    expect(body).toMatchObject({ contract_id: COUNTED, value: 5000 });
    expect(body.related).toHaveLength(1);
  },
);

it('taken down on one service, it counts again on the other', async () => {
  const head = { id: 'tk_test', reason: 'r', takenAt: '', takenBy: '' };
  const takedown = { ...head, kind: 'notice' as const, target: { noticeId: '000201-2024' } };
  await applyTakedown(room.services.catalogue, takedown, { before: [], signal: new AbortController().signal });
  const { body } = await ask(room, lookupContract, { notice_id: GUID });
  expect(body).toMatchObject({ contract_id: `ocds-b5fd17-${GUID}-a-1`, value: 5000 });
  expect(body.related).toBeUndefined();
});
