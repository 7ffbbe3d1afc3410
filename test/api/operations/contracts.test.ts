import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerContracts } from '../../../api/operations/buyers/contracts.ts';
import { contractDocuments } from '../../../api/operations/contracts/documents.ts';
import { lookupContract } from '../../../api/operations/contracts/lookup.ts';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { listServices, sources } from '../../../ingest/sources/index.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import {
  buyerRow,
  contractDetail,
  contractRows,
  noticeDetail,
  noticeRow,
  processRow,
  seed,
  supplier,
} from '../../support/seed.ts';

const OCID = 'ocds-h6vhtk-000001';
const GUID = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const document = { name: 'Specification', url: 'https://example.org/spec.pdf', notice_id: '000001-2026' };
const reference = {
  notice_id: '000001-2026',
  notice_type: 'UK4',
  stage: 'tender',
  published: '2026-02-01',
  title: 'Lifts',
};
const references = [reference, { ...reference, notice_id: '000003-2026', stage: 'contract' }];
const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
let room: Room;

beforeAll(async () => {
  room = await openRoom();
  await registerSources(room.services.catalogue, sources);
  await seed(
    room.services.catalogue,
    processRow(OCID, { stage: 'award', status: 'awarded', notices: references, documents: [document] }),
    noticeRow('000001-2026', OCID, { is_tender: 1, deadline: '2026-02-20', deadline_at: '2026-02-20T12:00:00Z' }),
    noticeRow('000002-2026', OCID, { stage: 'award', notice_type: 'UK6', published_at: '2026-02-25T09:00:00Z' }),
    noticeRow('000003-2026', OCID, {
      stage: 'contract',
      published_at: '2026-02-26T09:00:00Z',
      detail: { ...noticeDetail, contract_ids: [`${OCID}/2`] },
    }),
    contractRows(
      `${OCID}/1`,
      [supplier('GB-COH-01234567', 'Acme Lifts Ltd'), supplier('GB-COH-07654321', 'Bolt plc')],
      {
        value: 100.1,
        detail: { ...contractDetail, lots: [{ lot_id: '1', title: 'North' }], warnings: ['the value is shared'] },
      },
    ),
    contractRows(`${OCID}/2`, [supplier('GB-COH-01234567', 'Acme Lifts Ltd')], { value: 200.2, signed: '2026-02-24' }),
    processRow('ocds-h6vhtk-000002'),
    noticeRow('000010-2026', 'ocds-h6vhtk-000002', {
      is_tender: 1,
      deadline: '2026-03-30',
      deadline_at: '2026-03-30T11:00:00Z',
    }),
    processRow('ocds-b5fd17-a1', { source: 'contracts_finder', stage: 'award', status: 'awarded' }),
    noticeRow(GUID, 'ocds-b5fd17-a1', { source: 'contracts_finder' }),
    contractRows('ocds-b5fd17-a1/1', [supplier('GB-COH-01234567', 'Acme Lifts Ltd')], { value: null, currency: null }),
    contractRows('ocds-b5fd17-a1/2', [], { value: 5, currency: 'EUR' }),
    contractRows('ocds-b5fd17-a1/3', [], { value: 6, currency: 'GBP' }),
    // Of the same procurement, Find a Tender has a copy of the tender and nothing later.
    processRow('ocds-h6vhtk-000003', { notices: [{ ...reference, notice_id: '000011-2026' }] }),
    noticeRow('000011-2026', 'ocds-h6vhtk-000003', { copy_of: GUID }),
  );
});
afterAll(() => room.close());

describe('lookup_contract', () => {
  it('answers the several awards of a process as one, from any of its notices', async () => {
    const { body } = await ask(room, lookupContract, { notice_id: '000001-2026' });
    expect(body).toMatchObject({
      notice_id: '000001-2026',
      supplier: 'Acme Lifts Ltd; Bolt plc',
      supplier_count: 2,
      buyer: 'Northwick Council',
      value: 300.3,
      currency: 'GBP',
      ocid: OCID,
      warnings: ['the value is shared'],
      notices: references,
    });
    expect(body.contract_id).toBeUndefined();
    expect(body.suppliers.map(({ name }) => name)).toEqual(['Acme Lifts Ltd', 'Bolt plc']);
    expect(body.awards.map(({ contract_id, value, lots }) => [contract_id, value, lots.length])).toEqual([
      [`${OCID}/1`, 100.1, 1],
      [`${OCID}/2`, 200.2, 0],
    ]);
  });

  it.each([
    [1, 'Firm 1'],
    [3, 'Firm 1; Firm 2; Firm 3'],
    [5, 'Firm 1; Firm 2; and 3 others'],
  ])('names %i suppliers next to their value, each once, as the lists do: %s', async (count, words) => {
    const process = `ocds-h6vhtk-0000b${count}`;
    const firms = Array.from({ length: count }, (_, n) => supplier(`GB-COH-2000000${n + 1}`, `Firm ${n + 1}`));
    const buyer = `GB-PPON-PB${count}A-1111-AAAA`;
    await seed(
      room.services.catalogue,
      processRow(process, { stage: 'award', status: 'awarded' }),
      noticeRow(`00009${count}-2026`, process, { stage: 'award' }),
      buyerRow(buyer, 'Northwick Council', { contract_count: count }),
      firms.flatMap((firm, n) => contractRows(`${process}/${n + 1}`, [firm, ...firms.slice(0, n)].sort(byName))),
      contractRows(`${process}/9`, firms, { buyer_id: buyer }),
    );
    const asked = { notice_id: `00009${count}-2026` };
    expect((await ask(room, lookupContract, asked)).body).toMatchObject({ supplier: words, supplier_count: count });
    const { body } = await ask(room, buyerContracts, { buyer_id: buyer });
    expect(body.items).toMatchObject([{ supplier: words, supplier_count: count }]);
  });

  it('keeps to the award that a notice itself speaks of', async () => {
    const { body } = await ask(room, lookupContract, { notice_id: '000003-2026' });
    expect(body).toMatchObject({ contract_id: `${OCID}/2`, value: 200.2, signed: '2026-02-24' });
    expect(body.awards).toHaveLength(1);
  });

  it.each([
    ['a contract_id', `${OCID}/1`, 100.1],
    ['an ocid in capitals', OCID.toUpperCase(), 300.3],
    ['a GUID in capitals', GUID.toUpperCase(), null],
  ])('accepts %s', async (_what, given, value) => {
    const { body } = await ask(room, lookupContract, { notice_id: given });
    expect(body.value).toBe(value);
  });

  it.each(['000011-2026', 'ocds-h6vhtk-000003'])(
    'leads from a copy, %s, to what only its original awarded',
    async (id) => {
      const { body } = await ask(room, lookupContract, { notice_id: id });
      expect(body).toMatchObject({ notice_id: '000011-2026', ocid: 'ocds-b5fd17-a1' });
      expect(body.awards.map(({ contract_id }) => contract_id)).toEqual(
        [1, 2, 3].map((number) => `ocds-b5fd17-a1/${number}`),
      );
    },
  );

  it('says that a process is not awarded, and charges nothing', async () => {
    const { found } = await ask(room, lookupContract, { notice_id: '000010-2026' });
    expect(found).toMatchObject({ kind: 'nothing', message: expect.stringContaining('not awarded') });
  });

  it('says of a process that is known from a change or a report alone that it was awarded', async () => {
    const ocid = 'ocds-h6vhtk-0000c9';
    const kind = { stage: 'performance', notice_type: 'UK9' };
    const process = processRow(ocid, { stage: 'performance', status: 'awarded' });
    await seed(room.services.catalogue, process, noticeRow('000079-2026', ocid, kind));
    const { found } = await ask(room, lookupContract, { notice_id: '000079-2026' });
    expect(found).toMatchObject({
      kind: 'nothing',
      message: expect.stringContaining('no notice held states the award'),
    });
    expect(found).not.toMatchObject({ message: expect.stringContaining('not awarded') });
  });

  it.each(['999999-2026', 'ocds-h6vhtk-999', 'anything'])('finds nothing under %s', async (given) => {
    expect((await ask(room, lookupContract, { notice_id: given })).found.kind).toBe('nothing');
  });
});

describe('contract_documents', () => {
  it('of very many answers a thousand, the pages of notices among them, and says how many there are', async () => {
    const many = 'ocds-h6vhtk-0000d1';
    const link = (n: number) => ({ name: `Plan ${n}`, url: `https://plans.example.org/${n}.pdf` });
    const last = { name: 'Award notice', url: 'https://www.find-tender.service.gov.uk/Notice/000077-2026' };
    const documents = [...Array.from({ length: 10_000 }, (_, n) => link(n)), last];
    await seed(room.services.catalogue, processRow(many, { documents }), noticeRow('000077-2026', many));
    const { body } = await ask(room, contractDocuments, { notice_id: '000077-2026' });
    expect([body.count, body.documents.length, body.warnings]).toEqual([
      1_000,
      1_000,
      ['only the first 1000 of 10001 documents are listed'],
    ]);
    expect(body.documents.slice(0, 2).map(({ name }) => name)).toEqual(['Award notice', 'Plan 0']);
  });

  it('answers the documents of every notice of the process', async () => {
    const { body, found } = await ask(room, contractDocuments, { notice_id: '000003-2026' });
    expect(body).toMatchObject({ documents: [document], count: 1, ocid: OCID });
    expect(found).not.toHaveProperty('charge');
  });

  it('answers none free where there is nothing but the pages of the notices, on whichever service', async () => {
    const bare = 'ocds-h6vhtk-0000d2';
    const page = 'https://notices.example.org/shown/77';
    const ocids = [OCID, `ocds-b5fd17-${GUID}`, 'ocds-r6ebe6-0000123456', 'ocds-kuma6s-123456'];
    const records = listServices().map(
      ({ notices }) => notices.recordBase + ocids.find((ocid) => notices.ocid.test(ocid)),
    );
    const documents = [
      { name: 'Tender notice', url: 'https://www.find-tender.service.gov.uk/Notice/000078-2026' },
      { name: 'Notice', url: page },
      ...records.map((url) => ({ name: 'Record of the procurement', url })),
    ];
    const notices = [{ ...reference, url: page }];
    await seed(room.services.catalogue, processRow(bare, { documents, notices }), noticeRow('000078-2026', bare));
    const { body, found } = await ask(room, contractDocuments, { notice_id: '000078-2026' });
    expect(body).toMatchObject({ documents: [], count: 0 });
    expect(found).toMatchObject({ charge: 'none' });
  });

  it('answers none free, awarded or not', async () => {
    const { body, found } = await ask(room, contractDocuments, { notice_id: '000010-2026' });
    expect(body.documents).toEqual([]);
    expect(found).toMatchObject({ charge: 'none' });
  });

  it('finds nothing under an unknown notice', async () => {
    expect((await ask(room, contractDocuments, { notice_id: '999999-2026' })).found.kind).toBe('nothing');
  });
});

describe('get_notice', () => {
  it('answers a live tender whole', async () => {
    const { body } = await ask(room, getNotice, { notice_id: '000010-2026' });
    expect(body).toMatchObject({ live: true, deadline: '2026-03-30', buyer: 'Northwick Council', how_to_apply: null });
  });

  it('says that a tender past its deadline is not live', async () => {
    expect((await ask(room, getNotice, { notice_id: '000001-2026' })).body.live).toBe(false);
  });

  it.each([
    ['ocid', OCID, '000003-2026'],
    ['contract_id', `${OCID}/1`, '000002-2026'],
  ])('answers a notice of the process for an %s', async (_what, given, noticeId) => {
    expect((await ask(room, getNotice, { notice_id: given })).body.notice_id).toBe(noticeId);
  });
});
