import { buffer as bytesOf } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENCODERS } from '../../jobs/export-format.ts';
import { treatFile } from '../../jobs/takedown-files.ts';
import type { RowTreatment } from '../../jobs/takedown-rows.ts';
import { makeFolderStorage } from '../../schema/export-folder.ts';
import { SHAPES } from '../../schema/export-shapes.ts';
import { EXPORT_FORMATS, type ExportCells, type ExportColumn } from '../../schema/exports.ts';
import { makeFolder } from '../databases.ts';
import { readExportFile } from './export-read.ts';

const COLUMNS: ExportColumn[] = [
  { name: 'id', kind: 'text' },
  { name: 'text', kind: 'text' },
  { name: 'list', kind: 'json', shape: SHAPES.suppliers },
  { name: 'plain', kind: 'json' },
  { name: 'sums', kind: 'json', shape: SHAPES.sums },
  { name: 'value', kind: 'number' },
  { name: 'published', kind: 'day' },
];
const ROWS: ExportCells[] = [
  [
    'a',
    '=1+1',
    '[{"company_id":"x","name":"X","is_sme":true}]',
    '["x"]',
    '{"GBP":{"count":2,"value":0.3}}',
    -0.1,
    '2026-01-02',
  ],
  ['b', 'goes', null, null, null, 2, null],
  ['c', 'told of Ada', '[]', '[]', '{}', null, '2026-01-03'],
];
/** The row `b` goes and Ada is struck out of every other. */
const treat: RowTreatment = (row) => {
  if (row.id === 'b') return { fate: 'removed', row };
  if (!String(row.text).includes('Ada')) return { fate: 'kept', row };
  return { fate: 'struck', row: { ...row, text: String(row.text).replace('Ada', '[removed]') } };
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

async function* pages(rows: ExportCells[]) {
  yield rows;
}

describe.each(EXPORT_FORMATS)('a finished file as %s', (format) => {
  it('is written anew as if the rows had never been otherwise', async () => {
    const storage = makeFolderStorage(folder.path);
    const write = (stem: string, pieces: AsyncIterable<string | Uint8Array>) =>
      storage.write({ stem, extension: format }, pieces);
    const before = await write('before', ENCODERS[format](COLUMNS, pages(ROWS)));
    const { pieces, fates } = treatFile(storage, { format, ...before }, treat);
    const after = await write('after', pieces);
    const [first, , third] = ROWS;
    const wanted = [first ?? [], [third?.[0] ?? '', 'told of [removed]', ...(third ?? []).slice(2)]];
    const expected = await write('expected', ENCODERS[format](COLUMNS, pages(wanted)));
    expect(fates).toMatchObject({ removed: 1, struck: 1 });
    const read = async ({ file }: { file: string }) =>
      readExportFile(format, await bytesOf((await storage.read(file)) ?? expect.fail()));
    expect(await read(after)).toEqual(await read(expected));
    // What is compressed in other pieces is other bytes.
    if (!format.endsWith('.gz')) expect(after.sha256).toBe(expected.sha256);
  });
});

it.each(['csv', 'csv.gz'] as const)(
  'a finished %s for Excel keeps its byte order mark, and is treated by its columns',
  async (format) => {
    const storage = makeFolderStorage(folder.path);
    const begun = ENCODERS[format](COLUMNS, pages(ROWS), { excel: true });
    const before = await storage.write({ stem: 'excel', extension: format }, begun);
    const { pieces, fates } = treatFile(storage, { format, ...before }, treat);
    const { file } = await storage.write({ stem: 'excel-after', extension: format }, pieces);
    const held = await bytesOf((await storage.read(file)) ?? expect.fail());
    const text = (format === 'csv' ? held : gunzipSync(held)).toString();
    expect(text.slice(0, 4)).toBe('\ufeffid,');
    expect(text.lastIndexOf('\ufeff')).toBe(0);
    expect(fates).toMatchObject({ removed: 1, struck: 1 });
  },
);
