import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkExport } from '../../../../api/operations/exports/bulk.ts';
import { EXPORT_COLUMNS } from '../../../../schema/accounts/exports/datasets.ts';
import { readExportRows } from '../../../../schema/accounts/exports/rows.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';
import {
  companyRow,
  contractDetail,
  contractRows,
  frameworkRow,
  NOW,
  registeredRow,
  row,
  seed,
  supplier,
} from '../../../support/seed.ts';

const ACME = supplier('GB-COH-01234567', 'Acme Lifts Ltd');
const today = NOW.toISOString().slice(0, 10);
let room: Room;

beforeAll(async () => {
  room = await openRoom();
  await seed(
    room.services.catalogue,
    companyRow(ACME.company_id, ACME.name, { company_number: '01234567' }),
    registeredRow('07654321', 'ROOFERS LIMITED'),
    frameworkRow('fw', { lots: [], detail: { references: ['RM6100'] } }),
    row('framework_reference', { reference: 'RM6100', framework_id: 'fw' }),
    contractRows('a/1', [ACME, { ...supplier('GB-COH-00000009', 'Nine'), is_vcse: true }], {
      sort_date: '2025-05-01',
      starts: '2025-06-01',
      ends: today,
      procedure: 'open',
      bids_received: 1,
      sme: 1,
      detail: { ...contractDetail, cpvs: ['50750000'], regions: [{ code: 'UKI3', name: 'London' }] },
    }),
    contractRows('b/1', [{ ...ACME, is_vcse: false }], {
      sort_date: '2024-05-01',
      starts: '2024-06-01',
      ends: '2026-03-01',
      procedure: 'call_off',
      framework_id: 'fw',
      framework_role: 'call_off',
      bids_received: 4,
      sme: 0,
      value: 9_000,
    }),
    contractRows('c/1', [], { status: 'terminated', ends: '2027-01-01', value: 5e9, value_class: 'framework_ceiling' }),
    contractRows('d/1', [], {
      source: 'contracts_finder',
      procedure: 'direct',
      detail: { ...contractDetail, direct_award_grounds: ['urgency', 'technical'], standstill_until: today },
    }),
  );
});
afterAll(() => room.close());

const matched = async (given: Record<string, unknown>) =>
  (await ask(room, bulkExport, { dataset: 'contracts', ...given, dry_run: true })).body.matched;

describe('an export of contracts', () => {
  it.each([
    [{}, 4],
    [{ company_number: '1234567' }, 2],
    [{ company_number: 'GB-COH-00000009' }, 1],
    [{ company_number: '07654321' }, 0],
    [{ company_number: '07654321,GB-COH-00000009' }, 1],
    [{ company_number: '9,1234567' }, 2],
    [{ framework_id: 'fw' }, 1],
    [{ framework_id: 'rm6100' }, 1],
    [{ cpv: '507' }, 1],
    [{ region: 'London' }, 1],
    [{ source: 'contracts_finder' }, 1],
    [{ value_min: 2_000 }, 1],
    [{ awarded_from: '2025-05-01', awarded_to: '2025-05-01' }, 1],
    [{ awarded_to: '2024-12-31' }, 1],
    [{ starts_from: '2024-06-01', starts_to: '2024-06-01' }, 1],
    [{ ends_from: today, ends_to: today }, 1],
    [{ ends_to: '2026-03-01' }, 1],
    [{ status: 'any' }, 4],
    [{ status: 'active' }, 1],
    [{ status: 'ended' }, 1],
    [{ status: 'terminated' }, 1],
    [{ procedure: 'open,direct' }, 2],
    [{ direct_award_ground: 'no_bids,technical' }, 1],
    [{ direct_award_ground: 'Urgency' }, 1],
    [{ standstill_from: today, standstill_to: today }, 1],
    [{ standstill_to: '2026-01-01' }, 0],
    [{ bids_max: 1 }, 1],
    [{ bids_max: 4 }, 2],
    [{ sme: true }, 1],
    [{ sme: false }, 1],
    [{ vcse: true }, 1],
    [{ vcse: false }, 1],
  ])('with %j has %i rows', async (given, count) => {
    expect(await matched(given)).toBe(count);
  });

  it('says of each row by what it is found, and the status that its notices state', async () => {
    const keys = JSON.stringify(['a/1', 'b/1', 'c/1', 'd/1']);
    const rows = await readExportRows(room.services.catalogue, 'contracts', keys, NOW);
    const of = (name: string) => {
      const at = EXPORT_COLUMNS.contracts.findIndex((column) => column.name === name);
      return rows.map((cells) => cells[at]);
    };
    expect(of('status')).toEqual(['active', 'ended', 'terminated', null]);
    expect(of('stated_status')).toEqual(['active', 'active', 'terminated', 'active']);
    expect(of('vcse')).toEqual([true, false, null, null]);
  });

  it.each([
    [{ published_from: '2026-01-01' }, ['published_from']],
    [{ status: 'open' }, ['status']],
    [{ ends_from: '2026-02-02', ends_to: '2026-01-01' }, ['ends_from']],
    [{ dataset: 'tenders', status: 'active' }, ['status']],
    [{ dataset: 'notices', sme: true }, ['sme']],
    [{ dataset: 'tenders', direct_award_ground: 'urgency' }, ['direct_award_ground']],
    [{ dataset: 'notices', vcse: true }, ['vcse']],
  ])('refuses %j', async (given, path) => {
    await expect(matched(given)).rejects.toMatchObject({ name: 'InvalidInput', faults: [{ path }] });
  });

  it('says which supplier or framework is nowhere', async () => {
    const { body } = await ask(room, bulkExport, {
      dataset: 'contracts',
      company_number: '99999999',
      framework_id: 'RM1',
      dry_run: true,
    });
    expect(body.unknown_filters?.map(({ input }) => input)).toEqual(['company_number', 'framework_id']);
  });
});
