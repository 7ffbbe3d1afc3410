import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyContracts } from '../../../../api/operations/companies/contracts.ts';
import { lookupContract } from '../../../../api/operations/contracts/lookup.ts';
import { getNotice } from '../../../../api/operations/notices/get.ts';
import {
  nameBids,
  nameLatestEnd,
  nameLosers,
  nameProcedure,
  nameReasons,
} from '../../../../api/web/records/competition.ts';
import { readExportRows } from '../../../../schema/accounts/exports/rows.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';
import {
  companyRow,
  contractDetail,
  contractRows,
  noticeDetail,
  noticeRow,
  processRow,
  seed,
  supplier,
} from '../../../support/seed.ts';

const ACME = supplier('GB-COH-01234567', 'Acme Lifts Ltd');
const OCID = 'ocds-h6vhtk-0000f1';
const TWO = 'ocds-h6vhtk-0000f2';
const ALIKE = 'ocds-h6vhtk-0000f3';
const JUSTIFICATION = { text: 'Only Acme holds the drawings.', grounds: ['Single supplier: technical reasons'] };
const KPIS = [
  { title: 'Audit', description: 'Each month. '.repeat(80).trim(), every_months: 1 },
  {
    title: 'Response',
    results: [
      { notice_id: '000007-2026', starts: '2026-01-01', ends: '2026-03-31', measured: '75%', rating: 'slightlyBelow' },
      { notice_id: '000008-2026', starts: '2026-04-01', ends: '2026-06-30', measured: '99%', rating: 'met' },
    ],
  },
];
const COLUMNS = {
  ends: '2028-03-31',
  ends_basis: 'contract',
  ends_latest: '2030-03-31',
  procedure: 'direct',
  bids_received: 3,
  bids_from_smes: 2,
  sme: 1,
};
let room: Room;

beforeAll(async () => {
  room = await openRoom();
  const bids = { received: 3, from_smes: 2, electronic: 3 };
  const detail = {
    ...contractDetail,
    procedure: 'Direct award',
    justification: JUSTIFICATION,
    direct_award_grounds: ['technical'],
    standstill_until: '2026-03-19',
    ends_latest_basis: 'renewal',
    bids,
    kpis: KPIS,
  };
  await seed(
    room.services.catalogue,
    companyRow('GB-COH-01234567', 'Acme Lifts Ltd', { company_number: '01234567', contract_count: 3 }),
    processRow(OCID, { stage: 'award', status: 'awarded' }),
    noticeRow('000001-2026', OCID, {
      stage: 'award',
      notice_type: 'UK6',
      detail: {
        ...noticeDetail,
        procedure: 'Direct award',
        procedure_code: 'direct',
        justification: JUSTIFICATION,
        bids,
      },
    }),
    contractRows(`${OCID}/1`, [ACME], { ...COLUMNS, detail }),
    processRow(TWO, { stage: 'award', status: 'awarded' }),
    noticeRow('000002-2026', TWO, { stage: 'award', notice_type: 'UK6' }),
    contractRows(`${TWO}/1`, [ACME], { ...COLUMNS, detail, value: 1e10, value_class: 'absurd' }),
    contractRows(`${TWO}/2`, [ACME], { ends: '2029-03-31', value: null, value_class: 'unstated' }),
    processRow(ALIKE, { stage: 'award', status: 'awarded' }),
    noticeRow('000003-2026', ALIKE, { stage: 'contract', notice_type: 'UK7' }),
    ...[1, 2].map((at) =>
      contractRows(`${ALIKE}/${at}`, [supplier('GB-COH-07654321', 'Oakes Ltd')], {
        detail: { ...contractDetail, kpis: [{ title: 'Audit' }], lots: [{ lot_id: `${at}` }] },
      }),
    ),
  );
});
afterAll(() => room.close());

describe('what the notices state of a contract', () => {
  it('is in its answer: until when it may run, how it was awarded and who competed', async () => {
    const { body } = await ask(room, lookupContract, { notice_id: '000001-2026' });
    const bids = { received: 3, from_smes: 2, electronic: 3 };
    const ends = {
      ends: '2028-03-31',
      ends_basis: 'contract',
      ends_latest: '2030-03-31',
      ends_latest_basis: 'renewal',
    };
    expect(body).toMatchObject({
      ...ends,
      procedure: 'direct',
      procedure_details: 'Direct award',
      justification: JUSTIFICATION,
      direct_award_grounds: ['technical'],
      standstill_until: '2026-03-19',
      bids,
      kpis: KPIS,
      counted_as: 'sum',
      awards: [{ ...ends, extends_to: '2030-03-31', bids, kpis: KPIS, counted_as: 'sum' }],
    });
  });

  it('is in a brief answer in part: what each indicator is and the newest result of it', async () => {
    const { body } = await ask(room, lookupContract, { notice_id: '000001-2026', detail: 'brief' });
    expect(body.kpis).toEqual([
      { title: 'Audit', description: expect.stringMatching(/^Each month\. .*…$/) },
      {
        title: 'Response',
        results: [{ notice_id: '000008-2026', ends: '2026-06-30', measured: '99%', rating: 'met' }],
      },
    ]);
  });

  it('is that of each award where several differ, and absent where nothing is stated', async () => {
    const { body } = await ask(room, lookupContract, { notice_id: '000002-2026' });
    for (const field of ['ends', 'ends_latest', 'bids', 'kpis', 'counted_as']) expect(body).not.toHaveProperty(field);
    expect(body.awards.map(({ ends_latest, counted_as }) => [ends_latest, counted_as])).toEqual([
      ['2030-03-31', 'not_believed'],
      [undefined, 'not_stated'],
    ]);
    expect(body.awards[1]).not.toHaveProperty('bids');
  });

  it('says how performance is measured where all awards are measured alike', async () => {
    const { body } = await ask(room, lookupContract, { notice_id: '000003-2026', detail: 'brief' });
    expect(body.kpis).toEqual([{ title: 'Audit' }]);
  });

  it('is in lists and in the answer of a notice', async () => {
    const { body } = await ask(room, companyContracts, { company_number: '01234567' });
    const item = body.items.find(({ contract_id }) => contract_id === `${OCID}/1`);
    const bids = { received: 3, from_smes: 2 };
    expect(item).toMatchObject({ ends_latest: '2030-03-31', procedure: 'direct', bids, counted_as: 'sum' });
    const notice = await ask(room, getNotice, { notice_id: '000001-2026' });
    expect(notice.body).toMatchObject({
      procedure: 'direct',
      procedure_details: 'Direct award',
      justification: JUSTIFICATION,
      bids: { ...bids, electronic: 3 },
    });
  });

  it('has columns of its own in exports', async () => {
    const keys = JSON.stringify([`${OCID}/1`, `${TWO}/2`]);
    const rows = await readExportRows(room.services.catalogue, 'contracts', keys, new Date());
    const facts = ['contract', '2030-03-31', 'renewal', 'direct', 'Direct award', 3, 2, true];
    expect(rows[0]).toEqual(expect.arrayContaining([...facts, JSON.stringify(KPIS)]));
    expect(rows[0]).toContain(JUSTIFICATION.text);
    expect(rows[0]).toContain(JSON.stringify(JUSTIFICATION.grounds));
    expect(rows[0]).toContain('["technical"]');
    expect(rows[1]).toContain('not_stated');
  });
});

describe('a page', () => {
  it('says it in words', () => {
    expect(nameProcedure({ procedure: 'direct', procedure_details: 'Single tender action' })).toBe(
      'Direct, without competition: Single tender action',
    );
    expect(nameProcedure({ procedure: 'open', procedure_details: 'Open procedure (OJEU)' })).toBe(
      'Open procedure (OJEU)',
    );
    expect(nameProcedure({ procedure: 'other', procedure_details: 'Quotation' })).toBe('Quotation');
    expect(nameProcedure({})).toBeNull();
    expect(nameReasons({ justification: JUSTIFICATION })).toBe(
      'Single supplier: technical reasons · Only Acme holds the drawings.',
    );
    const unsuccessful = [{ name: 'Oakes' }, { name: 'Moss', lot_ids: ['1'] }, { name: 'Fenn', lot_ids: ['1', '2'] }];
    expect(nameLosers({ bids: { received: 4, unsuccessful } })).toBe('Oakes; Moss (lot 1); Fenn (lots 1, 2)');
    expect(nameLosers({ bids: { received: 4 } })).toBeNull();
    expect(nameBids({ bids: { unsuccessful } })).toBeNull();
    expect(nameBids({ bids: { received: 1, from_smes: 0 } })).toBe('1 bid, 0 from small or medium-sized firms');
    const lots = Array.from({ length: 12 }, (_, at) => ({ lot_id: `${at + 1}`, received: at + 1 }));
    expect(nameBids({ bids: { lots } })).toMatch(/^lot 1: 1 bid; lot 2: 2 bids; .*; and 2 more lots$/);
    expect(nameBids({})).toBeNull();
    expect(nameLatestEnd({ ends_latest: '2030-03-31', ends_latest_basis: 'renewal' })).toBe(
      '31 March 2030, worked out from its text on renewals',
    );
    expect(nameLatestEnd({ ends_latest: '2030-03-31', ends_latest_basis: 'stated' })).toBe('31 March 2030');
  });
});
