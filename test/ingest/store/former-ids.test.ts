import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractDocuments } from '../../../api/operations/contracts/documents.ts';
import { lookupContract } from '../../../api/operations/contracts/lookup.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { actRelease, BRIGHT, COUNCIL, noticeDocument, packageOf, read, reference } from '../compile/releases.ts';

/** A contract id that was served once leads to its contract for good, whatever its process is called since. */
let room: Room;
beforeAll(async () => {
  room = await openRoom();
});
afterAll(() => room.close());

const WATER = { id: 'GB-FTS-9', name: 'Pennine Water plc', roles: ['buyer'] };

/** A notice of one ocid, of these buyers, on a day of January, with one award of its own. */
async function publish(ocid: string, day: number, buyers: JsonObject[], award = `${ocid.slice(-1)}${day}`) {
  const id = `00${ocid.slice(-2)}0${day}-2026`;
  const [first] = buyers;
  const release = actRelease(id, `2026-01-0${day}T09:00:00Z`, {
    ocid,
    tag: ['award', 'contract'],
    parties: [...buyers, BRIGHT],
    buyer: first ? reference(first) : null,
    tender: { documents: [noticeDocument(id, 'UK6')] },
    awards: [{ id: award, status: 'active', title: `Award ${award}`, suppliers: [reference(BRIGHT)] }],
  });
  const page = { ...read(packageOf([release])), source: 'find_a_tender', fetchedAt: '2026-02-01T00:00:00Z' };
  await storePage(room.services.catalogue, { ...page, before: [], after: [] });
  return id;
}

async function contractOf(id: string): Promise<{ contract_id?: string | undefined; title: string }> {
  return (await ask(room, lookupContract, { notice_id: id })).body;
}

describe('a former contract id leads to the contract of the same award', () => {
  it('where two processes of an ocid turn out to be one', async () => {
    const ocid = 'ocds-h6vhtk-0fa011';
    await publish(ocid, 1, [COUNCIL]);
    const notice = await publish(ocid, 2, [WATER]);
    const former = (await contractOf(notice)).contract_id ?? '';
    expect(former).toMatch(new RegExp(`^${ocid}~[0-9a-f]{8}-a-12$`));
    await publish(ocid, 3, [WATER, COUNCIL]);
    expect(await contractOf(notice)).toMatchObject({ contract_id: `${ocid}-a-12`, title: 'Award 12' });
    for (const id of [former, former.toUpperCase()])
      expect(await contractOf(id)).toMatchObject({ contract_id: `${ocid}-a-12`, title: 'Award 12' });
    expect((await ask(room, contractDocuments, { notice_id: former })).body.ocid).toBe(ocid);
  });

  it('where an older notice of another buyer comes late and takes the ocid for its own', async () => {
    const ocid = 'ocds-h6vhtk-0fa022';
    const notice = await publish(ocid, 5, [WATER]);
    expect((await contractOf(notice)).contract_id).toBe(`${ocid}-a-25`);
    await publish(ocid, 1, [COUNCIL]);
    const now = (await contractOf(notice)).contract_id;
    expect(now).toMatch(new RegExp(`^${ocid}~[0-9a-f]{8}-a-25$`));
    expect(await contractOf(`${ocid}-a-25`)).toMatchObject({ contract_id: now, title: 'Award 25' });
  });

  it('and to nothing, free, where two processes have such an award: nobody can tell which was meant', async () => {
    const ocid = 'ocds-h6vhtk-0fa033';
    await publish(ocid, 1, [COUNCIL], '7');
    await publish(ocid, 2, [WATER], '7');
    const { found } = await ask(room, lookupContract, { notice_id: `${ocid}~00000000-a-7` });
    expect(found.kind).toBe('nothing');
  });
});
