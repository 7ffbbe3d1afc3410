import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENCODERS } from '../../../jobs/exports/formats.ts';
import { EXPORT_COLUMNS, EXPORT_DATASETS, type ExportCells } from '../../../schema/accounts/exports/datasets.ts';
import { readExportRows } from '../../../schema/accounts/exports/rows.ts';
import { EXPORT_TABLES } from '../../support/paid-exports.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import { noticeDetail, noticeRow, processRow, seed } from '../../support/seed.ts';
import type { BuiltServer } from '../../support/services.ts';
import { plainLists } from './read-file.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildSampleServer();
});
afterAll(() => server.close());

/** In Parquet, and as it stands in the database. */
it.each(EXPORT_DATASETS)(
  '%s: Parquet holds each list and object of the sample whole, as what it is',
  async (dataset) => {
    const keys = await server.catalogue.read<{ id: string }>({ sql: `SELECT id FROM ${EXPORT_TABLES[dataset]}` });
    const ids = JSON.stringify(keys.map(({ id }) => id));
    const cells = await readExportRows(server.catalogue, dataset, ids, new Date('2026-06-01'));
    const columns = EXPORT_COLUMNS[dataset];
    const file = await writeParquet(dataset, cells);
    const rows = await parquetReadObjects({ file });
    expect(rows.length).toBe(cells.length);
    expect(rows.length).toBeGreaterThan(5);
    const lists = columns.flatMap(({ name, kind }, at) => (kind === 'json' ? [{ name, at }] : []));
    for (const { name, at } of lists) {
      expect(parquetSchema(parquetMetadata(file)).children[at]?.children.length, name).toBeGreaterThan(0);
      const lists = cells.map((row) => (typeof row[at] === 'string' ? JSON.parse(row[at]) : null));
      expect(rows.map((row) => plainLists(row, columns)[name])).toEqual(lists);
    }
  },
);

it('a tender is exported with its options, whom it suits and how bids are compared', async () => {
  const detail = {
    ...noticeDetail,
    dates: { ends: '2029-03-30', extends_to: '2033-03-31' },
    suitable_for_sme: false,
    suitable_for_vcse: true,
    award_criteria: [{ type: 'price', weight: 40, weight_type: 'percentageExact' }],
    award_criteria_text: 'Each lot alone.',
  };
  const texts = {
    selection_criteria_text: 'Two stages.',
    bid_valid_days: 90,
    recurrence: 'In 3 years',
    value_min: 26_410,
  };
  const lists = {
    selection_criteria: [
      { type: 'economic', minimum: '50' },
      { description: 'The best five.', for_reduction: true },
    ],
    reserved_for: ['smeVcse'],
    reserved_places: ['Kent'],
    joint_buyers: ['Vale Council', 'Moor Trust'],
  };
  const terms = { ...texts, ...lists, bid_valid_until: '2027-03-01' };
  await seed(
    server.catalogue,
    processRow('ocds-h6vhtk-0000aa'),
    noticeRow('000001-2027', 'ocds-h6vhtk-0000aa', { detail: { ...detail, ...terms } as never }),
  );
  const ids = JSON.stringify(['000001-2027_ocds-h6vhtk-0000aa']);
  const cells = await readExportRows(server.catalogue, 'tenders', ids, new Date('2026-06-01'));
  const [row] = await parquetReadObjects({ file: await writeParquet('tenders', cells) });
  const { dates, suitable_for_sme, suitable_for_vcse, award_criteria_text, award_criteria } = detail;
  expect(row).toMatchObject({
    suitable_for_sme,
    suitable_for_vcse,
    award_criteria_text,
    ...texts,
    extends_to: new Date(dates.extends_to),
    bid_valid_until: new Date(terms.bid_valid_until),
  });
  expect(plainLists(row ?? {}, EXPORT_COLUMNS.tenders)).toMatchObject({ award_criteria, ...lists });
  const named = Object.fromEntries(EXPORT_COLUMNS.tenders.map(({ name }, at) => [name, cells[0]?.[at]]));
  expect(named).toMatchObject({ suitable_for_sme: false, suitable_for_vcse: true, extends_to: dates.extends_to });
});

it('Parquet says of an instant that it is in UTC, as DuckDB and Polars read it', async () => {
  const { schema } = parquetMetadata(await writeParquet('notices', []));
  expect(schema.find(({ name }) => name === 'published_at')).toMatchObject({
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  });
});

async function writeParquet(dataset: (typeof EXPORT_DATASETS)[number], cells: ExportCells[]): Promise<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const page = (async function* () {
    yield cells;
  })();
  for await (const piece of ENCODERS.parquet(EXPORT_COLUMNS[dataset], page, { attributions: [] }))
    pieces.push(Buffer.from(piece));
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}
