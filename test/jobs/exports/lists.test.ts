import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENCODERS } from '../../../jobs/exports/formats.ts';
import {
  EXPORT_COLUMNS,
  EXPORT_DATASETS,
  type ExportCells,
  readExportRows,
} from '../../../schema/accounts/exports/datasets.ts';
import { EXPORT_TABLES } from '../../support/paid-exports.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
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
