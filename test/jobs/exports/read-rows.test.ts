import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENCODERS } from '../../../jobs/exports/formats.ts';
import { readRows } from '../../../jobs/exports/read-rows.ts';
import {
  EXPORT_FORMATS,
  type ExportCells,
  type ExportColumn,
  type ExportFormat,
} from '../../../schema/accounts/exports/datasets.ts';
import { SHAPES } from '../../../schema/accounts/exports/json-shapes.ts';
import { makeFolderStorage } from '../../../schema/accounts/exports/storage.ts';
import { makeFolder } from '../../support/databases.ts';

const COLUMNS: ExportColumn[] = [
  { name: 'id', kind: 'text' },
  { name: 'text', kind: 'text' },
  { name: 'list', kind: 'json', shape: SHAPES.suppliers },
  { name: 'value', kind: 'number' },
  { name: 'published', kind: 'day' },
];
const ODD = 'of "Ada\r\nLovelace", \u2028 told';
const ROWS: ExportCells[] = [
  ['a', ODD, '[{"company_id":"x","name":"X","is_sme":true}]', -0.1, '2026-01-02'],
  ['b', null, null, 2, null],
  ['c', '', '[]', null, '2026-01-03'],
];

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

/** The rows of a file that is written with so few columns of so many pages. */
async function readBack(format: ExportFormat, excel = false): Promise<Record<string, unknown>[]> {
  const storage = makeFolderStorage(folder.path);
  const pages = (async function* () {
    for (const row of ROWS) yield [row];
  })();
  const written = await storage.write(
    { stem: format, extension: format },
    ENCODERS[format](COLUMNS, pages, { excel, attributions: [] }),
  );
  const rows = [];
  for await (const row of readRows(storage, { format, ...written })) rows.push(row);
  return rows;
}

describe.each(EXPORT_FORMATS)('a finished file as %s', (format) => {
  it('is read row by row, every text of it by its column', async () => {
    const rows = await readBack(format);
    expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(rows.map(({ text }) => text || null)).toEqual([ODD, null, null]);
    expect(JSON.stringify(rows[0]?.list)).toContain('company_id');
    for (const row of rows) expect(Object.keys(row)).toEqual(COLUMNS.map(({ name }) => name));
  });
});

it.each(['csv', 'csv.gz'] as const)('a finished %s for Excel is read by its first column too', async (format) => {
  expect((await readBack(format, true)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

it.each(EXPORT_FORMATS)('a file of %s that is gone is an error', async (format) => {
  const rows = readRows(makeFolderStorage(folder.path), { format, file: 'none', bytes: 100 });
  await expect(rows.next()).rejects.toThrow('the file none is gone');
});
