import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyContracts } from '../../../../api/operations/companies/contracts.ts';
import { companyProfile } from '../../../../api/operations/companies/profile.ts';
import { lookupContract } from '../../../../api/operations/contracts/lookup.ts';
import { lookupFramework } from '../../../../api/operations/frameworks/lookup.ts';
import { getNotice } from '../../../../api/operations/notices/get.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';
import {
  companyRow,
  contractDetail,
  contractRows,
  frameworkRow,
  noticeRow,
  processRow,
  seed,
  supplier,
} from '../../../support/seed.ts';

const ACME = supplier('GB-COH-01234567', 'Acme Lifts Ltd');
const GUESS = supplier('GB-COH-00000042', 'Guess Ltd');
const BOLT = supplier('GB-COH-07654321', 'Bolt plc');
const process = (ocid: string) => processRow(ocid, { stage: 'award', status: 'awarded' });
const notice = (id: string, ocid: string) => noticeRow(id, ocid, { stage: 'award', notice_type: 'UK6' });
const MIXED = 'ocds-h6vhtk-0000a1';
const CEILING = 'ocds-h6vhtk-0000a2';
const ABSURD = 'ocds-h6vhtk-0000a3';
const TWICE = 'ocds-b5fd17-0000a4';
const LISTED = {
  notice_id: '000004-2026',
  notice_type: 'UK6',
  stage: 'award',
  published: '2026-02-01',
  title: 'Lifts',
};
const SHARED = 'ocds-h6vhtk-0000a9';
const CURRENCIES = 'ocds-h6vhtk-0000ad';
const GUESSED = 'ocds-h6vhtk-0000aa';
let room: Room;

beforeAll(async () => {
  room = await openRoom();
  const doubt = 'the published value 6500000000 GBP is not plausible: more than any single award';
  await seed(
    room.services.catalogue,
    companyRow('GB-COH-01234567', 'Acme Lifts Ltd', { company_number: '01234567', contract_count: 4 }),
    process(MIXED),
    notice('000001-2026', MIXED),
    contractRows(`${MIXED}/1`, [ACME], { value: 100.1 }),
    contractRows(`${MIXED}/2`, [BOLT], { value: 200.2 }),
    contractRows(`${MIXED}/3`, [ACME, BOLT], { value: 5_000, value_class: 'shared' }),
    contractRows(`${MIXED}/4`, [BOLT], { value: null, currency: null, value_basis: null, value_class: 'unstated' }),
    process(CURRENCIES),
    notice('000019-2026', CURRENCIES),
    contractRows(`${CURRENCIES}/1`, [BOLT], { value: 100 }),
    contractRows(`${CURRENCIES}/2`, [BOLT], { value: 200, currency: 'EUR' }),
    contractRows(`${CURRENCIES}/3`, [BOLT], { value: 5_000, value_class: 'shared' }),
    process(CEILING),
    notice('000002-2026', CEILING),
    contractRows(`${CEILING}/1`, [ACME], { value: 900_000, value_class: 'framework_ceiling', framework_id: CEILING }),
    process(ABSURD),
    notice('000003-2026', ABSURD),
    contractRows(`${ABSURD}/1`, [ACME], {
      value: 6_500_000_000,
      value_class: 'absurd',
      detail: { ...contractDetail, warnings: [doubt] },
    }),
    process(SHARED),
    notice('000005-2026', SHARED),
    contractRows(`${SHARED}/1`, [ACME, BOLT], { value: 5_000, value_class: 'shared' }),
    contractRows(`${SHARED}/2`, [ACME, BOLT], { value: 7_000, value_class: 'shared' }),
    processRow(TWICE, { stage: 'award', status: 'awarded', notices: [LISTED] }),
    notice('000004-2026', TWICE),
    contractRows(`${TWICE}/1`, [BOLT], {
      id: `${TWICE}-a-1`,
      detail: { ...contractDetail, also_published_as: [`${TWICE}-a-2`] },
    }),
  );
});
afterAll(() => room.close());
const look = async (id: string) => (await ask(room, lookupContract, { notice_id: id })).body;

describe('the value of a contract', () => {
  it('of several awards is the plain sum of those whose value is their own; the others are counted apart', async () => {
    const body = await look('000001-2026');
    expect(body).toMatchObject({ value: 300.3, currency: 'GBP', value_basis: 'net' });
    expect(body.value_apart).toEqual({ shared: { count: 1, value: 5_000, currency: 'GBP' }, unstated: { count: 1 } });
    expect(body.warnings).toEqual([
      'the value is the sum of 2 of 4 awards: the others state none, an estimate, a ceiling or a value that suppliers share',
    ]);
    expect(body).not.toHaveProperty('value_class');
  });

  it('of awards in several currencies is null, and in none, also next to others', async () => {
    const body = await look('000019-2026');
    expect([body.value, body.currency, body.value_apart?.shared?.count]).toEqual([null, undefined, 1]);
    expect(body.warnings).toEqual(['its awards are in several currencies: no sum is given']);
  });

  it('of awards that have none of their own is null, and several of a class are only counted', async () => {
    const body = await look('000005-2026');
    expect(body).toMatchObject({ value: null, currency: 'GBP', value_class: 'shared' });
    expect(body.value_apart).toEqual({ shared: { count: 2 } });
    expect(body).not.toHaveProperty('stated_value');
  });

  it('of a framework is null: its ceiling is stated, and is no price', async () => {
    expect(await look('000002-2026')).toMatchObject({
      value: null,
      stated_value: 900_000,
      value_class: 'framework_ceiling',
      awards: [{ value: null, stated_value: 900_000 }],
    });
  });

  it('that nobody should believe is null, stated, and warned of', async () => {
    const body = await look('000003-2026');
    expect(body).toMatchObject({ value: null, stated_value: 6_500_000_000, value_class: 'absurd' });
    expect(body.warnings).toEqual([expect.stringContaining('not plausible')]);
  });

  it('is the same in a list: what is added up there is only prices', async () => {
    const { body } = await ask(room, companyContracts, { company_number: '01234567' });
    const values = body.items.map(({ contract_id, value, stated_value }) => [contract_id, value, stated_value]);
    expect(values.toSorted()).toEqual([
      [`${MIXED}/1`, 100.1, undefined],
      [`${MIXED}/3`, 5_000, undefined],
      [`${CEILING}/1`, null, 900_000],
      [`${ABSURD}/1`, null, 6_500_000_000],
      [`${SHARED}/1`, 5_000, undefined],
      [`${SHARED}/2`, 7_000, undefined],
    ]);
  });

  it('says in brief lists as what it counts, so that nobody takes an estimate for a price', async () => {
    await seed(
      room.services.catalogue,
      companyRow('GB-COH-00000042', 'Guess Ltd', { company_number: '00000042', contract_count: 1 }),
      process(GUESSED),
      contractRows(`${GUESSED}/1`, [GUESS], { value: 60, value_class: 'estimate', value_basis: 'estimate' }),
    );
    const brief = { company_number: '00000042', detail: 'brief' };
    const { items } = (await ask(room, companyContracts, brief)).body;
    const { contracts } = (await ask(room, companyProfile, brief)).body;
    expect([...items, ...contracts.items]).toMatchObject(Array(2).fill({ value: 60, counted_as: 'estimate' }));
  });

  it('is listed in brief with its status: a place that was given up has an end ahead of it', async () => {
    const left = { status: 'terminated', ends: '2034-01-25', framework_role: 'establishes' };
    await seed(room.services.catalogue, contractRows(`${GUESSED}/2`, [GUESS], left));
    const { items } = (await ask(room, companyContracts, { company_number: '00000042', detail: 'brief' })).body;
    expect(items).toContainEqual(expect.objectContaining({ ends: '2034-01-25', status: 'terminated' }));
  });

  it('has its basis in a brief notice too, which may state only an estimate of what was awarded', async () => {
    const stated = { stage: 'award', notice_type: 'UK6', value: 60, currency: 'GBP', value_basis: 'estimate' };
    const ocid = 'ocds-h6vhtk-0000ab';
    await seed(room.services.catalogue, process(ocid), noticeRow('000006-2026', ocid, stated));
    const { body } = await ask(room, getNotice, { notice_id: '000006-2026', detail: 'brief' });
    expect(body).toMatchObject({ stage: 'award', value: 60, value_basis: 'estimate' });
  });
});

describe('an award that was published twice', () => {
  it('is answered under either of its ids', async () => {
    for (const id of [`${TWICE}-a-1`, `${TWICE}-a-2`, `${TWICE}-A-2`]) {
      const body = await look(id);
      expect([body.contract_id, body.awards.length]).toEqual([`${TWICE}-a-1`, 1]);
      expect(body.also_published_as).toEqual([`${TWICE}-a-2`]);
    }
  });
});

describe('an award of very many suppliers', () => {
  const MANY = 'ocds-h6vhtk-0000a5';

  it('names the first of them and says how many there are, in the whole and in the award itself', async () => {
    const many = Array.from({ length: 1_001 }, (_, n) => supplier(`GB-COH-1${String(n).padStart(7, '0')}`, `No ${n}`));
    const history = Array.from({ length: 1_001 }, () => ({
      notice_id: '000005-2026',
      notice_type: 'UK10',
      published: '2026-03-01',
    }));
    const detail = { ...contractDetail, history };
    await seed(
      room.services.catalogue,
      process(MANY),
      notice('000005-2026', MANY),
      contractRows(`${MANY}/1`, many, { detail }),
    );
    const body = await look('000005-2026');
    const [award] = body.awards;
    const said = ['suppliers', 'statements of its history'].map(
      (one) => `only the first 1000 of 1001 ${one} are listed`,
    );
    expect([body.suppliers.length, body.history?.length, body.warnings]).toEqual([1_000, 1_000, said]);
    expect([award?.suppliers.length, award?.history?.length, award?.warnings]).toEqual([1_000, 1_000, said]);
  });
});

describe('a framework', () => {
  it('answers the period and suppliers of its lots, its buyers, and where its ceiling is from', async () => {
    const lot = { lot_id: '1', title: 'Lifts', starts: '2026-01-01', ends: '2028-12-31', suppliers: [] };
    const detail = {
      evidence: ['flag: framework agreement'],
      references: [],
      regions: [],
      warnings: ['the published value 1 GBP is not plausible: a placeholder'],
      buyers: ['Northwick Council', 'Merrow Fire Authority'],
      restricted_to: ['Private utility'],
      ceiling_from: 'tender',
      participation_fees: [{ types: ['win'], percent: 2.5, of: 'award', description: 'Each quarter.' }],
    };
    await seed(room.services.catalogue, frameworkRow(CEILING, { lots: [lot], detail, ceiling: 900_000 }));
    const { body } = await ask(room, lookupFramework, { framework_id: CEILING });
    const { buyers, restricted_to, ceiling_from, participation_fees, lots, call_off_count } = body;
    expect({ buyers, restricted_to, ceiling_from, participation_fees, lots, call_off_count }).toEqual({
      participation_fees: detail.participation_fees,
      buyers: detail.buyers,
      restricted_to: detail.restricted_to,
      ceiling_from: 'tender',
      lots: [{ ...lot, supplier_count: 0 }],
      call_off_count: 0,
    });
    const brief = (await ask(room, lookupFramework, { framework_id: CEILING, detail: 'brief' })).body;
    expect(brief).toMatchObject({ restricted_to, participation_fees, warnings: detail.warnings });
  });
});
