import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerContracts } from '../../../api/operations/buyers/contracts.ts';
import { lookupBuyer } from '../../../api/operations/buyers/lookup.ts';
import { buyerProfile } from '../../../api/operations/buyers/profile.ts';
import { companyContracts } from '../../../api/operations/companies/contracts.ts';
import { lookupCompany } from '../../../api/operations/companies/lookup.ts';
import { companyProfile } from '../../../api/operations/companies/profile.ts';
import { lookupContract } from '../../../api/operations/contracts/lookup.ts';
import { lookupFramework } from '../../../api/operations/frameworks/lookup.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { actRelease, BRIGHT, COUNCIL, noticeDocument, OAKES, packageOf, read, reference } from '../compile/releases.ts';

/** What customers are told, from releases that come in one by one. */
let room: Room;
beforeAll(async () => {
  room = await openRoom();
});
afterAll(() => room.close());

async function publish(release: JsonObject): Promise<void> {
  const page = read(packageOf([release]));
  const source = 'find_a_tender';
  await storePage(room.services.catalogue, {
    source,
    fetchedAt: '2026-11-20T00:00:00Z',
    ...page,
    before: [],
    after: [],
  });
}
const look = (id: string) => ask(room, lookupContract, { notice_id: id });
const won = async (number: string) => (await ask(room, companyContracts, { company_number: number })).body;
const gbp = (amount: number) => ({ value: { amount, currency: 'GBP' } });

/** The notice `n` of a process, about its only award. */
function notice(ocid: string, n: number, type: string, award: JsonObject | null, more: JsonObject = {}) {
  const id = `${ocid.slice(-4)}0${n}-2026`;
  return actRelease(id, `2026-0${n}-01T09:00:00Z`, {
    ocid,
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT, OAKES],
    ...(award ? { awards: [{ id: '1', documents: [noticeDocument(id, type)], ...award }] } : {}),
    ...more,
  });
}

describe('a direct award, notice by notice', () => {
  const OCID = 'ocds-h6vhtk-00a001';
  const suppliers = [reference(BRIGHT)];

  it('is not won when it is announced: free, and said', async () => {
    await publish(notice(OCID, 1, 'UK5', { status: 'pending', suppliers, ...gbp(50_000) }));
    expect((await look('a00101-2026')).found).toMatchObject({
      kind: 'nothing',
      message: expect.stringContaining('has no contract yet'),
    });
    expect((await ask(room, companyContracts, { company_number: '01234567' })).body).toMatchObject({
      contract_count: 0,
    });
  });

  it('is won once when it is awarded, and once when it is signed', async () => {
    await publish(
      notice(OCID, 2, 'UK6', { status: 'pending', date: '2026-01-30T00:00:00Z', suppliers, ...gbp(50_000) }),
    );
    expect((await look('a00101-2026')).body).toMatchObject({ value: 50_000, stated_status: 'pending' });
    const contracts = [{ id: '1', awardID: '1', status: 'active', dateSigned: '2026-03-01T00:00:00Z' }];
    await publish(notice(OCID, 3, 'UK7', { status: 'active', suppliers }, { contracts }));
    expect(await won('01234567')).toMatchObject({
      contract_count: 1,
      items: [{ value: 50_000, stated_status: 'active' }],
    });
  });

  it('passes to the supplier that replaces the first, with all its history', async () => {
    await publish(notice(OCID, 4, 'UK7', { status: 'active', suppliers: [reference(OAKES)] }));
    const { body } = await look('a00103-2026');
    expect(body).toMatchObject({ supplier: 'Oakes & Daughters Limited', value: 50_000, value_class: 'sum' });
    expect(body.former_suppliers).toEqual(['Brightwater Cleaning Ltd']);
    expect(body.history?.map(({ notice_type, suppliers: named }) => [notice_type, named])).toEqual([
      ['UK5', [{ name: 'Brightwater Cleaning Ltd' }]],
      ['UK6', [{ name: 'Brightwater Cleaning Ltd' }]],
      ['UK7', [{ name: 'Brightwater Cleaning Ltd' }]],
      ['UK7', [{ name: 'Oakes & Daughters Limited' }]],
    ]);
    expect(await won('01234567')).toMatchObject({ contract_count: 0, items: [] });
    expect(await won('07654321')).toMatchObject({ contract_count: 1 });
  });

  it('has the value of its change, in the sum of its buyer as well', async () => {
    const id = 'a00105-2026';
    const documents = [noticeDocument(id, 'UK10', 'contractNotice')];
    const contracts = [{ id: '1', awardID: '1', ...gbp(75_000), amendments: [{ id }], documents }];
    await publish(notice(OCID, 5, 'UK10', null, { tag: ['contractAmendment'], contracts }));
    expect((await look('a00101-2026')).body.value).toBe(75_000);
    const { body } = await ask(room, buyerProfile, { buyer_id: COUNCIL.id });
    expect(body.totals).toEqual({ sum: { GBP: { count: 1, value: 75_000 } }, not_in_total: {} });
  });

  it('is over on the day of its termination', async () => {
    const documents = [noticeDocument('a00107-2026', 'UK11', 'contractTerminationNotice')];
    const contracts = [{ id: '1', awardID: '1', status: 'terminated', documents }];
    await publish(notice(OCID, 7, 'UK11', null, { tag: ['contractTermination'], contracts }));
    expect((await look('a00101-2026')).body).toMatchObject({
      status: 'terminated',
      ends: '2026-07-01',
      terminated: '2026-07-01',
    });
  });
});

describe('a procurement that is given up', () => {
  const OCID = 'ocds-h6vhtk-00a002';

  it('shows nothing won, though an award was announced before', async () => {
    await publish(notice(OCID, 1, 'UK6', { status: 'pending', suppliers: [reference(BRIGHT)], ...gbp(900) }));
    expect((await look('a00201-2026')).body.value).toBe(900);
    const documents = [noticeDocument('a00202-2026', 'UK12', 'tenderCancellationNotice')];
    await publish(notice(OCID, 2, 'UK12', null, { tag: ['tenderCancellation'], tender: { documents } }));
    expect((await look('a00201-2026')).found).toMatchObject({
      kind: 'nothing',
      message: expect.stringContaining('its process is cancelled'),
    });
    expect(await won('01234567')).toMatchObject({ contract_count: 0 });
  });
});

describe('a call-off', () => {
  const OCID = 'ocds-h6vhtk-00a003';
  const award = { status: 'active', suppliers: [reference(BRIGHT)], ...gbp(900) };

  it('names a framework that is not stored yet, and is linked when it comes', async () => {
    const tender = { procurementMethodDetails: 'Award under framework', title: 'Cleaning, RM6099' };
    await publish(notice(OCID, 1, 'UK6', award, { tender }));
    expect((await look('a00301-2026')).body).toMatchObject({
      framework_role: 'call_off',
      framework_link: {
        method: 'none',
        evidence: expect.arrayContaining(['names RM6099: no framework of that name is held']),
      },
    });
    const flag = {
      hasFrameworkAgreement: true,
      frameworkAgreement: { type: 'open', description: 'By further competition.' },
    };
    const own = { id: 'RM6099', title: 'Cleaning services', techniques: flag };
    await publish(actRelease('a00401-2026', '2026-01-01T09:00:00Z', { ocid: 'ocds-h6vhtk-00a004', tender: own }));
    expect((await look('a00301-2026')).body).toMatchObject({
      framework_id: 'ocds-h6vhtk-00a004',
      framework_link: { method: 'reference', evidence: ['RM6099'] },
    });
    expect((await ask(room, lookupFramework, { framework_id: 'RM6099', detail: 'full' })).body).toMatchObject({
      who_may_use: 'other authorities may use it',
      call_off_terms: 'By further competition.',
      call_off_count: 1,
      call_offs: [{ value: 900 }],
    });
  });
});

describe('an award that sets up a framework', () => {
  const PLUMB = {
    ...OAKES,
    id: 'GB-COH-09999999',
    name: 'Plumbwell Limited',
    identifier: { scheme: 'GB-COH', id: '09999999' },
  };
  const BODY = {
    ...COUNCIL,
    id: 'GB-PPON-PFRM-1234-WXYZ',
    name: 'Frameworks Office',
    identifier: { scheme: 'GB-PPON', id: 'PFRM-1234-WXYZ' },
  };

  it('is places on it and no contract, in look-ups, lists, profiles and candidates', async () => {
    const flag = { hasFrameworkAgreement: true, frameworkAgreement: { type: 'open' } };
    await publish(
      actRelease('a00601-2026', '2026-04-01T09:00:00Z', {
        ocid: 'ocds-h6vhtk-00a006',
        tag: ['award', 'contract'],
        parties: [BODY, PLUMB],
        buyer: reference(BODY),
        tender: { id: 'F1', title: 'Plumbing framework', techniques: flag },
        awards: [
          {
            id: '1',
            status: 'active',
            suppliers: [reference(PLUMB)],
            documents: [noticeDocument('a00601-2026', 'UK6')],
            ...gbp(9_000_000),
          },
        ],
      }),
    );
    const counts = { contract_count: 0, framework_places: 1 };
    const list = { ...counts, count: 1, items: [{ framework_role: 'establishes' }] };
    expect((await look('a00601-2026')).body).toMatchObject({ framework_role: 'establishes', value: null });
    const company = { company_number: '09999999' };
    expect((await ask(room, lookupCompany, company)).body).toMatchObject(counts);
    expect(await won('09999999')).toMatchObject(list);
    expect((await ask(room, companyProfile, company)).body).toMatchObject({
      contracts: list,
      totals: { sum: {}, not_in_total: { framework_ceiling: { count: 1 } } },
      by_year: [{ year: '2026', ...counts }],
      top_buyers: [{ name: BODY.name, ...counts }],
    });
    const buyer = { buyer_id: BODY.id };
    expect((await ask(room, lookupBuyer, buyer)).body).toMatchObject(counts);
    expect((await ask(room, buyerContracts, buyer)).body).toMatchObject(list);
    expect((await ask(room, buyerProfile, buyer)).body).toMatchObject({
      contracts: list,
      by_year: [{ year: '2026', ...counts }],
      top_suppliers: [{ name: PLUMB.name, ...counts }],
    });
    const { found } = await ask(room, lookupCompany, { name: 'Plumbwell Heating' });
    expect(found).toMatchObject({ candidates: [{ name: PLUMB.name, ...counts }] });
  });
});

it('a supplier is a voluntary, community or social enterprise where its notice says so, in either shape', async () => {
  const trust = { ...OAKES, details: { scale: 'large', vcse: true } };
  const older = { ...BRIGHT, details: {}, sme: true, vco: true };
  const silent = {
    ...BRIGHT,
    id: 'GB-COH-02345678',
    name: 'Plainfield Ltd',
    identifier: { id: '02345678' },
    vco: false,
  };
  const suppliers = [trust, older, silent].map(reference);
  const parties = [COUNCIL, trust, older, silent];
  await publish(notice('ocds-h6vhtk-00a007', 1, 'UK6', { status: 'active', suppliers, ...gbp(9_000) }, { parties }));
  const { body } = await look('a00701-2026');
  const sizes = [{ is_sme: false, is_vcse: true }, { is_sme: true, is_vcse: true }, { is_sme: true }];
  expect(body.suppliers).toMatchObject(sizes);
  expect((body.suppliers as object[])[2]).not.toHaveProperty('is_vcse');
  const restated = parties.map(({ details: _, sme: __, vco: ___, ...party }: JsonObject) => party);
  await publish(notice('ocds-h6vhtk-00a007', 2, 'UK7', { status: 'active', suppliers }, { parties: restated }));
  expect((await look('a00702-2026')).body.suppliers).toMatchObject(sizes);
});
