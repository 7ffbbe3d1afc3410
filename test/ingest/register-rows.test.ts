import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parseEditionCursor, readEdition } from '../../ingest/register-links.ts';
import { makeRowReader, type ReadRow, readDay, readHeader } from '../../ingest/register-row.ts';
import { readZipRows } from '../../ingest/register-zip.ts';

describe('the download page', () => {
  const link = (name: string) => `<a href="${name}">${name} (70Mb)</a>`;

  it('leads to the newest edition of which all parts are there', () => {
    const page = [
      link('BasicCompanyData-2026-10-01-part1_2.zip'),
      link('BasicCompanyData-2026-10-01-part2_2.zip'),
      link('BasicCompanyData-2026-11-01-part2_2.zip'),
    ].join('\n');
    expect(readEdition(page)).toEqual({
      date: '2026-10-01',
      files: ['BasicCompanyData-2026-10-01-part1_2.zip', 'BasicCompanyData-2026-10-01-part2_2.zip'],
    });
  });

  it('leads to the one file where there are no parts, and to nothing where there is nothing', () => {
    expect(readEdition(link('BasicCompanyDataAsOneFile-2026-11-01.zip'))).toEqual({
      date: '2026-11-01',
      files: ['BasicCompanyDataAsOneFile-2026-11-01.zip'],
    });
    expect(readEdition('<p>Closed for maintenance</p>')).toBeNull();
  });
});

describe('the small readers', () => {
  it('read cursors of whole and half-done editions', () => {
    expect(parseEditionCursor('2026-11-01')).toEqual({ date: '2026-11-01', done: 0, whole: true });
    expect(parseEditionCursor('2026-11-01 3/7')).toEqual({ date: '2026-11-01', done: 3, whole: false });
    expect(() => parseEditionCursor('soon')).toThrow(/not an edition cursor/);
  });

  it('read days of the calendar and no others', () => {
    expect(readDay('01/02/2003')).toBe('2003-02-01');
    expect(['31/02/2003', '2003-02-01', '1/13/2003', ''].map(readDay)).toEqual([null, null, null, null]);
  });

  it('refuse a header without the columns that matter', () => {
    expect(() => readHeader(['a', 'b'])).toThrow(/no column CompanyName, CompanyNumber/);
  });

  it('refuse a row with another number of cells', () => {
    const header = readHeader(['CompanyName', ' CompanyNumber', 'CompanyStatus', 'CompanyCategory']);
    const read = makeRowReader(header);
    expect(read(['A LTD', '1', 'Active', 'x', 'y'])).toEqual({ reason: '5 cells where 4 were due' });
    expect(read(['', '1', 'Active', 'x'])).toEqual({ reason: 'the row has no company name' });
    expect(read(['A LTD', '12', 'Active', 'x'])).toMatchObject({ record: { company_number: '00000012' } });
  });
});

const RECORDED = resolve('../shared/data/companies-house');
const present = existsSync(RECORDED);
if (!present) console.warn(`skipped: the recorded register files need ${RECORDED}`);

/** What a file's rows come to. */
function tally(rows: readonly ReadRow[]) {
  const records = rows.flatMap((row) => ('record' in row ? [row.record] : []));
  return {
    rows: rows.length,
    records: records.length,
    refused: rows.flatMap((row) => ('reason' in row ? [row.reason] : [])),
    badDates: rows.reduce((sum, row) => sum + ('record' in row ? row.badDates : 0), 0),
    previousNames: records.reduce((sum, record) => sum + record.previous_names.length, 0),
    unpadded: records.filter((record) => record.company_number.length !== 8).length,
  };
}

function readCsv(text: Buffer) {
  const [header = [], ...rows] = parse(text, { relax_column_count: true, bom: true }) as string[][];
  return tally(rows.map(makeRowReader(readHeader(header))));
}

async function readZip(file: string) {
  const rows: ReadRow[] = [];
  let read = makeRowReader([]);
  for await (const { cells, header } of readZipRows(file)) {
    if (header) read = makeRowReader(readHeader(cells));
    else rows.push(read(cells));
  }
  return tally(rows);
}

describe.skipIf(!present)('every recorded register file', () => {
  it('of 2020, a sample of the whole', async () => {
    const text = gunzipSync(await readFile(join(RECORDED, 'basic-company-data-2020-05-01-sample.csv.gz')));
    expect(readCsv(text)).toMatchObject({ rows: 4537, records: 4537, refused: [], badDates: 0, unpadded: 0 });
  });

  it('of 2021, as published', async () => {
    const text = await readFile(join(RECORDED, 'basic-company-data-2021-as-published.csv'));
    expect(readCsv(text)).toMatchObject({ records: 31, refused: [], badDates: 0, unpadded: 0 });
  });

  it('in zips, edited by hand, with shadow members', async () => {
    expect(await readZip(join(RECORDED, 'parts/ch_part1_2.zip'))).toMatchObject({ refused: [], unpadded: 0 });
    expect(await readZip(join(RECORDED, 'parts/ch_part2_2.zip'))).toMatchObject({ refused: [], unpadded: 0 });
  });
});
