import { createHash } from 'node:crypto';
import { buffer as bytesOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sources } from '../../../ingest/sources/index.ts';
import { writeWaitingExports } from '../../../jobs/exports/writer.ts';
import { withLease } from '../../../jobs/process/lease.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import {
  type ColumnKind,
  EXPORT_COLUMNS,
  EXPORT_DATASETS,
  EXPORT_FORMATS,
  type ExportDataset,
  type ExportFormat,
} from '../../../schema/accounts/exports/datasets.ts';
import { readExport } from '../../../schema/accounts/exports/states.ts';
import { ATTRIBUTION, LICENCE_URL } from '../../../schema/reference/licence.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { chargeExport, EXPORT_TABLES } from '../../support/paid-exports.ts';
import { buyerRow, companyRow, contractRows, frameworkRow, noticeRow, seed, supplier } from '../../support/seed.ts';
import { plainLists, type ReadExport, readExportFile } from './read-file.ts';

const ODD = '=cmd|"x"!A1, “quoted”\r\nsecond line, tab\there, \u2028 and 👍';
const found = new Map<string, ReadExport>();
const read = (dataset: ExportDataset, format: ExportFormat) => found.get(`${dataset} ${format}`) ?? expect.fail();

beforeAll(async () => {
  const { services, close } = await makeJobServices();
  const { accounts, catalogue } = services;
  await seedOddRows(catalogue);
  const { id: accountId } = await createAccount(accounts, {
    name: 'A',
    signupCredits: 10_000,
    at: '2026-01-01T00:00:00Z',
  });
  for (const dataset of EXPORT_DATASETS) {
    const rows = await catalogue.read<{ id: string }>({
      sql: `SELECT id FROM ${EXPORT_TABLES[dataset]} ORDER BY id DESC`,
    });
    const keys = rows.map(({ id }) => id);
    for (const format of EXPORT_FORMATS) {
      await chargeExport(accounts, { id: `${dataset}-${format}`, accountId, dataset, format, keys, credits: 100 });
    }
  }
  await withLease(accounts, 'exports', { holder: 'a test' }, (holding) => writeWaitingExports(services, holding));
  for (const dataset of EXPORT_DATASETS) {
    for (const format of EXPORT_FORMATS) {
      const row = await readExport(accounts, `${dataset}-${format}`);
      const stream = await services.exports.read(row?.file ?? '');
      const bytes = await bytesOf(stream ?? expect.fail(`${dataset} ${format}: ${row?.error}`));
      expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([row?.bytes, row?.sha256]);
      found.set(`${dataset} ${format}`, await readExportFile(format, bytes));
    }
  }
  await close();
});
afterAll(() => found.clear());

/** A value of JSON lines as another format holds it. */
const AS_PARQUET: Record<ColumnKind, (value: unknown) => unknown> = {
  text: (value) => value,
  json: (value) => value,
  flag: (value) => value,
  whole: (value) => value,
  number: (value) => value,
  day: (value) => new Date(String(value)),
  instant: (value) => new Date(String(value)),
};
const asCsv = (kind: ColumnKind, value: unknown) => {
  if (value === null) return '';
  const text = kind === 'json' ? JSON.stringify(value) : String(value);
  return kind === 'text' && text.startsWith('=') ? `'${text}` : text;
};

describe.each(EXPORT_DATASETS)('an export of %s', (dataset) => {
  const columns = EXPORT_COLUMNS[dataset];

  it('holds two rows or more, with every column', () => {
    const { rows } = read(dataset, 'jsonl');
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(Object.keys(row)).toEqual(columns.map(({ name }) => name));
  });

  it('holds the same in every format, and in Parquet the attribution of each publisher', () => {
    const { rows } = read(dataset, 'jsonl');
    const inCsv = rows.map((row) =>
      Object.fromEntries(columns.map(({ name, kind }) => [name, asCsv(kind, row[name])])),
    );
    const inParquet = rows.map((row) =>
      Object.fromEntries(
        columns.map(({ name, kind }) => [name, row[name] === null ? null : AS_PARQUET[kind](row[name])]),
      ),
    );
    expect(read(dataset, 'csv').rows).toEqual(inCsv);
    expect(read(dataset, 'csv.gz').rows).toEqual(inCsv);
    expect(read(dataset, 'jsonl.gz').rows).toEqual(rows);
    expect(read(dataset, 'parquet').rows.map((row) => plainLists(row, columns))).toEqual(inParquet);
    const { attribution } = read(dataset, 'parquet');
    expect(attribution).toMatch(new RegExp(`^${ATTRIBUTION} Source: .* ${LICENCE_URL}$`));
    for (const { title } of sources) expect(attribution).toContain(`Source: ${title}`);
  });
});

it('values come as they are stored, to the last digit', () => {
  const [odd, plain] = read('notices', 'parquet').rows.toSorted((a, b) => Number(b.value) - Number(a.value));
  expect(odd).toMatchObject({ title: ODD, value: 12345678901234.566, published: new Date('2026-02-01') });
  expect(plain).toMatchObject({ value: -0.1, deadline: null, cpvs: ['50750000', '45000000'] });
  const [company] = read('companies', 'parquet').rows.filter(({ is_sme }) => is_sme === true);
  expect(company).toMatchObject({ contract_count: 7, totals: { GBP: { count: 7, value: 1.5 } } });
});

it.each(EXPORT_FORMATS)('a contract in %s names all its suppliers beside its value, as answers do', (format) => {
  const contract = read('contracts', format).rows.find(({ contract_id }) => contract_id === 'ocds-h6vhtk-3/1');
  expect(contract?.supplier).toBe('A; B; and 3 others');
});

async function seedOddRows(catalogue: Parameters<typeof seed>[0]): Promise<void> {
  const detail = {
    lots: [
      {
        lot_id: '1',
        title: ODD,
        value: 0.1,
        starts: '2026-04-01',
        suitable_for_vcse: true,
        award_criteria: [
          { name: ODD, weight: 0.3, weight_type: 'decimalExact' },
          { type: 'price', order: 2 },
        ],
      },
    ],
    dates: { starts: '2026-04-01' },
    regions: [{ code: 'UKI', name: 'London' }],
  };
  const hurried = { ...detail, accelerated: true, accelerated_reason: ODD };
  const measured = { notice_id: '000003-2026', starts: '2026-01-01', ends: '2026-03-31', measured: ODD, rating: 'met' };
  const kpis = [
    { title: ODD, every_months: 3, results: [measured, { notice_id: '000004-2026', rating: 'below' }] },
    { description: ODD, every_days: 1 },
  ];
  await seed(
    catalogue,
    noticeRow('000001-2026', 'ocds-h6vhtk-1', {
      title: ODD,
      value: 12345678901234.566,
      currency: 'GBP',
      detail: hurried as never,
    }),
    noticeRow('000002-2026', 'ocds-h6vhtk-2', { value: -0.1, cpvs: ['50750000', '45000000'], buyer: null }),
    contractRows('ocds-h6vhtk-1/1', [supplier('GB-COH-01234567', ODD)], { awarded: '2026-01-10', value: 0.1 + 0.2 }),
    contractRows('ocds-h6vhtk-2/1', [], {
      value_class: 'framework_ceiling',
      detail: { ...detail, lots: [{ lot_id: '1', title: ODD }], warnings: [ODD], kpis },
    }),
    contractRows(
      'ocds-h6vhtk-3/1',
      ['A', 'B', 'C', 'D', 'E'].map((name, at) => supplier(`GB-COH-0000000${at}`, name)),
      { value: 5 },
    ),
    companyRow('GB-COH-01234567', ODD, { is_sme: 0, company_number: '01234567' }),
    companyRow('GB-COH-07654321', 'Plain Ltd', {
      is_sme: 1,
      contract_count: 7,
      totals: { sum: { GBP: { count: 7, value: 1.5 } } },
    }),
    companyRow('name-plain', 'Unknown size', { is_sme: null }),
    buyerRow('GB-PPON-PAAA-1111-AAAA', ODD, { name_key: 'odd', region: 'London', region_code: 'UKI' }),
    buyerRow('name-parish', 'Parish Council'),
    frameworkRow('f-1', {
      title: ODD,
      lots: [{ lot_id: '1', title: ODD, duration_months: 48, suppliers: [{ company_id: 'c', name: ODD }] }],
      detail: { ...detail, references: ['RM1'] },
    }),
    frameworkRow('f-2', { lots: [], detail: {}, starts: '2026-01-01', ceiling: 1_000_000 }),
  );
}
