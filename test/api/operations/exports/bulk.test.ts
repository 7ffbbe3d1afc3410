import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkExport } from '../../../../api/operations/exports/bulk.ts';
import { getExport } from '../../../../api/operations/exports/get.ts';
import { EXPORT_COLUMNS, EXPORT_DATASETS, type ExportDataset } from '../../../../schema/accounts/exports/datasets.ts';
import { readExportRows } from '../../../../schema/accounts/exports/rows.ts';
import { readExport, startStatements } from '../../../../schema/accounts/exports/states.ts';
import { grantStatement } from '../../../../schema/accounts/ledger/transfers.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';
import {
  buyerRow,
  companyRow,
  contractRows,
  frameworkRow,
  noticeRow,
  processRow,
  seed,
  supplier,
} from '../../../support/seed.ts';

const BUYER = 'GB-PPON-PAAA-1111-AAAA';
const day = (n: number) => String(n).padStart(2, '0');
let room: Room;

beforeAll(async () => {
  room = await openRoom();
  const notices = Array.from({ length: 20 }, (_, index) =>
    noticeRow(`0000${day(index + 1)}-2026`, `ocds-h6vhtk-${index + 1}`, {
      published: `2026-02-${day(index + 1)}`,
      published_at: `2026-02-${day(index + 1)}T09:00:00Z`,
      cpvs: index % 2 ? ['50750000', '45000000'] : ['72000000'],
      regions: index < 5 ? [{ code: 'UKI3', name: 'London' }] : [{ code: 'UKM', name: 'Scotland' }],
      value: index * 100,
      currency: index === 19 ? 'EUR' : 'GBP',
      is_tender: index > 9 ? 1 : 0,
      deadline: '2026-03-30',
      deadline_at: index > 14 ? '2026-03-30T11:00:00Z' : '2026-02-28T11:00:00Z',
    }),
  );
  await seed(
    room.services.catalogue,
    notices,
    processRow('ocds-h6vhtk-1'),
    contractRows('ocds-h6vhtk-1/1', [supplier('GB-COH-01234567', 'Acme Lifts Ltd')]),
    contractRows('ocds-h6vhtk-2/1', [
      supplier('GB-COH-07654321', 'First Roofers'),
      supplier('GB-COH-07654322', 'Second Joiners'),
    ]),
    companyRow('GB-COH-01234567', 'Acme Lifts Ltd', { is_sme: 0, company_number: '01234567' }),
    buyerRow(BUYER, 'Northwick Council', { region: 'London', region_code: 'UKI' }),
    buyerRow('name-parish', 'Quiet Parish Council'),
    frameworkRow('f', {
      title: 'Lifts',
      lots: [],
      detail: { regions: [{ code: 'UKI', name: 'London' }], references: ['RM1'], cpvs: ['45000000', '50750000'] },
      cpv: '45000000',
    }),
  );
  await room.services.accounts.write([
    { sql: "INSERT INTO account (id, name, created_at) VALUES ('acc', 'A', '2026-01-01T00:00:00Z')" },
    grantStatement({ key: 'g', accountId: 'acc', credits: 250, at: '2026-01-01T00:00:00Z' }),
  ]);
});
afterAll(() => room.close());

const quote = async (given: Record<string, unknown>) => (await ask(room, bulkExport, { ...given, dry_run: true })).body;

describe('a quote', () => {
  it('counts, says the price, and makes nothing', async () => {
    const { body, found, needed } = await ask(room, bulkExport, { max_rows: 5, dry_run: true });
    expect(body).toMatchObject({ export_id: null, status: 'quote', rows: 5, matched: 20, credits_required: 100 });
    expect(found).toMatchObject({ charge: 'none' });
    expect(needed).toBe(0);
    expect((await ask(room, bulkExport, { buyer_id: 'nobody' })).needed).toBe(100);
    expect(await room.services.accounts.read({ sql: 'SELECT id FROM export' })).toEqual([]);
  });

  it.each([
    [{ cpv: '45' }, 10],
    [{ region: 'TLI' }, 5],
    [{ region: 'UKI3' }, 5],
    [{ region: 'london' }, 5],
    [{ value_min: 500, value_max: 900 }, 5],
    [{ value_min: 1_800 }, 1],
    [{ published_from: '2026-02-03', published_to: '2026-02-05' }, 3],
    [{ buyer_id: BUYER }, 20],
    [{ buyer_id: 'nobody' }, 0],
    [{ source: 'contracts_finder' }, 0],
    [{ query: '-' }, 0],
    [{ dataset: 'tenders' }, 5],
    [{ dataset: 'tenders', status: 'closed' }, 5],
    [{ dataset: 'tenders', status: 'any', deadline_to: '2026-03-30' }, 10],
    [{ dataset: 'contracts', cpv: '45' }, 0],
    [{ dataset: 'companies', query: 'lifts acme' }, 1],
    [{ dataset: 'buyers', query: '*' }, 2],
    [{ dataset: 'buyers', region: 'london' }, 1],
    [{ dataset: 'frameworks', cpv: '507', region: 'London' }, 1],
  ])('of %j matches %i', async (given, matched) => {
    expect(await quote(given)).toMatchObject({ matched, rows: matched, matched_is: 'exact' });
  });

  it('takes any number of words', async () => {
    const words = Array.from({ length: 11 }, (_, index) => `word${index}`);
    expect(await quote({ dataset: 'companies', query: 'Acme acme LIFTS acme' })).toMatchObject({ matched: 1 });
    for (const dataset of ['companies', 'buyers', 'notices'])
      expect(await quote({ dataset, query: words.join(' ') })).toMatchObject({ matched: 0 });
  });

  it('asks the search where words are given', async () => {
    expect(await quote({ query: 'lift maintenance' })).toMatchObject({
      rows: 0,
      filters: { query: 'lift maintenance' },
    });
    expect(room.asked.at(-1)).toMatchObject({ scope: 'notices', text: 'lift maintenance' });
    await quote({ dataset: 'contracts', buyer_id: BUYER, query: 'acme lifts' });
    expect(room.asked.at(-1)).toMatchObject({ scope: 'contracts', text: 'acme lifts', filters: { buyer_id: BUYER } });
  });

  it.each([
    { dataset: 'contracts', deadline_from: '2026-01-01' },
    { dataset: 'companies', stage: 'award' },
    { dataset: 'notices', status: 'open' },
    { value_min: 2, value_max: 1 },
  ])('of %j is refused', async (given) => {
    await expect(quote(given)).rejects.toMatchObject({ name: 'InvalidInput' });
  });

  it.each([
    ['notices', 'live', "notices have no filter status; did you mean 'stage'?"],
    ['tenders', 'live', "Input should be one of 'open', 'closed', 'any'; did you mean 'open'?"],
    ['contracts', 'Live', "Input should be one of 'any', 'active', 'ended', 'terminated'; did you mean 'active'?"],
    ['companies', 'active,disolved', /^Input should be one of 'active', 'dissolved', .*; did you mean 'dissolved'\?$/],
  ])('of %s refuses the status %s in words of its own', async (dataset, status, msg) => {
    const faults = [{ path: ['status'], msg: expect.stringMatching(msg) }];
    await expect(quote({ dataset, status })).rejects.toMatchObject({ faults });
  });

  it.each([{ format: 'xlsx' }, { max_rows: 0 }, { max_rows: 1.5 }, { max_rows: 1_000_001 }, { colour: 1 }])(
    'of %j is refused by its schema',
    (given) => {
      expect(bulkExport.input.safeParse(given).success).toBe(false);
    },
  );
});

describe('an export', () => {
  const charge = (id: string) => ({
    sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, created_at)
          VALUES (?, 'charge', 'acc', '@revenue', 100, 'bulk_export', 'now')`,
    args: [`charge:${id}`],
  });
  const paid = { chargeId: 'ch_1', creditsCharged: 100 };

  it('is staged with its keys frozen, and begins with its charge', async () => {
    const { body, found } = await ask(room, bulkExport, { max_rows: 3 });
    if (found.kind === 'answer') await found.prepare?.();
    expect(body).toMatchObject({ status: 'processing', rows: 3, matched: 20 });
    expect(found).toMatchObject({ credits: 100 });
    const id = body.export_id ?? '';
    expect(await readExport(room.services.accounts, id)).toBeUndefined();
    const alongside = found.kind === 'answer' ? (found.alongside?.(paid) ?? []) : [];
    await room.services.accounts.write(alongside);
    expect(await readExport(room.services.accounts, id), 'without a charge').toBeUndefined();
    await room.services.accounts.write([charge('ch_1'), ...alongside]);
    expect(await readExport(room.services.accounts, id)).toMatchObject({ status: 'processing', credits_charged: 100 });
    const keys = await room.services.accounts.read<{ row_key: string }>({
      sql: 'SELECT row_key FROM export_row WHERE export_id = ? ORDER BY position',
      args: [id],
    });
    expect(keys.map(({ row_key }) => row_key.slice(0, 11))).toEqual(['000020-2026', '000019-2026', '000018-2026']);

    const seen = await ask(room, getExport, { export_id: id });
    expect(seen.body).toMatchObject({ status: 'processing', credits_paid: 100, rows: 3 });
    const other = await ask(room, getExport, { export_id: id }, { accountId: 'other', keyId: 'k' });
    expect(other.found.kind).toBe('nothing');
  });

  it('is never charged for in vain', async () => {
    const { accounts } = room.services;
    await expect(
      accounts.write([charge('ch_2'), ...startStatements('ex_none', { ...paid, chargeId: 'ch_2' })]),
    ).rejects.toThrow();
    expect(await accounts.read({ sql: "SELECT id FROM transfer WHERE key = 'charge:ch_2'" })).toEqual([]);
  });

  it('carries a download while its file lives', async () => {
    const { accounts } = room.services;
    const done = `INSERT INTO export (id, account_id, dataset, format, filters, status, rows, matched, credits_charged,
      charge_id, refunded, created_at, completed_at, expires_at, file, bytes, sha256)
      VALUES (?, 'acc', 'notices', 'csv', '{}', 'completed', 1, 1, 100, 'c', 10, 'x', 'y', ?, 'f.csv', 9, 'ab')`;
    await accounts.write([
      { sql: done, args: ['ex_live', '2999-01-01T00:00:00Z'] },
      { sql: done, args: ['ex_past', '2020-01-01T00:00:00Z'] },
    ]);
    const live = (await ask(room, getExport, { export_id: 'ex_live' })).body;
    expect(live).toMatchObject({ status: 'completed', bytes: 9, sha256: 'ab', credits_refunded: 10 });
    expect(live.download_url).toMatch(
      /^https:\/\/api\.example\/v1\/exports\/ex_live\/download\?expires=\d+&signature=/,
    );
    const past = (await ask(room, getExport, { export_id: 'ex_past' })).body;
    expect(past.status).toBe('expired');
    expect(past).not.toHaveProperty('download_url');
  });
});

describe('the rows of an export', () => {
  const readRows = async (dataset: ExportDataset, keys: string[]) => {
    const { catalogue, clocks } = room.services;
    const rows = await readExportRows(catalogue, dataset, JSON.stringify(keys), clocks.catalogueNow());
    return rows.map((cells) => Object.fromEntries(EXPORT_COLUMNS[dataset].map(({ name }, at) => [name, cells[at]])));
  };

  it.each(EXPORT_DATASETS)('of %s come with every column, in the order of their keys', async (dataset) => {
    const kinds = { notices: 'notice', contracts: 'contract', companies: 'company', buyers: 'buyer' };
    const tables: Record<string, string> = { ...kinds, tenders: 'notice' };
    const named = tables[dataset] ?? 'framework';
    const rows = await room.services.catalogue.read<{ id: string }>({
      sql: `SELECT id FROM ${named} ORDER BY id DESC`,
    });
    const keys = rows.map(({ id }) => id);
    const read = await readRows(dataset, ['gone', ...keys]);
    expect(read.map((one) => Object.values(one)[0])).toHaveLength(keys.length);
    expect(Object.keys(read[0] ?? {})).toEqual(EXPORT_COLUMNS[dataset].map(({ name }) => name));
  });

  it('hold lists as JSON text and flags as booleans', async () => {
    const [contract] = await readRows('contracts', ['ocds-h6vhtk-1/1']);
    expect(contract).toMatchObject({ warnings: '[]', region: null });
    expect(contract?.dated).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(JSON.parse(String(contract?.suppliers))).toMatchObject([{ company_id: 'GB-COH-01234567' }]);
    const [company] = await readRows('companies', ['GB-COH-01234567']);
    expect(company).toMatchObject({ is_sme: false, companies_house_number: '01234567' });
  });
});
