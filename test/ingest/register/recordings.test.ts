import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { type CsvRow, readCsvRows } from '../../../ingest/register/csv.ts';
import { checkZip, readZipRows } from '../../../ingest/register/edition.ts';
import { findUnknownKinds } from '../../../ingest/register/known-codes.ts';
import { recordOfProfile } from '../../../ingest/register/profiles.ts';
import { makeRowReader, type RegisterRow, readHeader } from '../../../ingest/register/row.ts';
import { REGISTER_COLUMNS } from '../../upstream/data.ts';
import { haveRecordings, RECORDINGS, recordedFiles } from '../../upstream/recordings/known.ts';

/** Genuine register files, read where they lie; they are no part of this project. */
const RECORDED = join(RECORDINGS, 'companies-house');
const present = haveRecordings('reading the recorded register files', 'companies-house');

const known = new Set<string>(REGISTER_COLUMNS);

/** What a file's rows come to. */
function tally(header: readonly string[], rows: readonly (RegisterRow | { reason: string })[]) {
  const listed = rows.flatMap((row) => ('reason' in row ? [] : [row]));
  const read = listed.map((row) => row.read());
  const records = read.map(({ record }) => record);
  return {
    columns: header.length,
    unknownColumns: header.filter((name) => !known.has(name)),
    rows: rows.length,
    companies: new Set(records.map((record) => record.company_number)).size,
    refused: rows.flatMap((row) => ('reason' in row ? [row.reason] : [])),
    unknown: [...new Set(listed.flatMap(findUnknownKinds).map(({ field, value }) => `${field} ${value}`))],
    badDates: read.reduce((sum, { badDates }) => sum + badDates, 0),
    previousNames: records.reduce((sum, record) => sum + record.previous_names.length, 0),
    sicCodes: records.reduce((sum, record) => sum + record.sic_codes.length, 0),
    withPostcode: records.filter((record) => record.postal_code).length,
    incorporated: records.filter((record) => record.incorporated).length,
    lettered: records.filter((record) => /^[A-Z]/.test(record.company_number)).length,
  };
}

async function readRows(file: string) {
  if (file.endsWith('.zip')) {
    await checkZip(join(RECORDED, file));
    const rows: ReturnType<ReturnType<typeof makeRowReader>>[] = [];
    let columns: string[] = [];
    for await (const block of readZipRows(join(RECORDED, file))) {
      columns = readHeader(block.header.cells ?? []);
      const read = makeRowReader(columns);
      rows.push(...block.rows.map(({ cells }) => read(cells)));
    }
    return tally(columns, rows);
  }
  const published = await readFile(join(RECORDED, file));
  const bytes = file.endsWith('.gz') ? gunzipSync(published) : published;
  const rows: CsvRow[] = [];
  for await (const some of readCsvRows(inPieces(bytes))) rows.push(...some);
  // The library is the second opinion on where cells begin and end.
  expect(rows.map(({ cells }) => cells)).toEqual(parse(bytes, { relax_column_count: true, bom: true }));
  const header = readHeader(rows.shift()?.cells ?? []);
  const read = makeRowReader(header);
  return tally(
    header,
    rows.map(({ cells }) => read(cells)),
  );
}

async function* inPieces(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}

/** rows, previous names, SIC codes, rows with a postcode, numbers that begin with letters. */
const BULK: Record<string, [number, number, number, number, number]> = {
  'basic-company-data-2020-05-01-sample.csv.gz': [4537, 638, 5204, 4482, 452],
  'basic-company-data-2021-as-published.csv': [31, 4, 34, 29, 6],
  // Members edited by hand, next to shadow files of macOS.
  'parts/ch_part1_2.zip': [9, 1, 11, 9, 2],
  'parts/ch_part2_2.zip': [14, 2, 16, 14, 1],
};

/** What no list of the register names: written in by hand. */
const UNKNOWN: Record<string, string[]> = {
  'parts/ch_part1_2.zip': ['CompanyStatus foobar', 'CompanyCategory foobar'],
};

/** Whether the accounts say of what kind they are. */
const PROFILES: Record<string, boolean> = {
  'api/company_candour.json': false,
  'api/company_candour_last_account_type.json': true,
};

/** Answers of the public API that no source asks for; the page reader refuses each by its shape's name. */
const NOT_SERVED = [
  'charges_pfb_hire',
  'filing_pfb_hire',
  'filing_tell_aldi',
  'insolvency_london_airways',
  'search_result_you',
];

describe.skipIf(!present)('every recorded register file', () => {
  it('is known to this test', () => {
    const expected = [...Object.keys(BULK), ...Object.keys(PROFILES), ...NOT_SERVED.map((name) => `api/${name}.json`)];
    expect(recordedFiles('companies-house').toSorted()).toEqual(
      expected.map((file) => join(RECORDED, file)).toSorted(),
    );
  });

  it.each(Object.entries(BULK))(
    '%s is read whole',
    async (file, [rows, previousNames, sicCodes, withPostcode, lettered]) => {
      expect(await readRows(file)).toEqual({
        columns: 55,
        unknownColumns: [],
        rows,
        companies: rows,
        refused: [],
        unknown: UNKNOWN[file] ?? [],
        badDates: 0,
        previousNames,
        sicCodes,
        withPostcode,
        incorporated: rows,
        lettered,
      });
    },
  );

  it.each(Object.entries(PROFILES))('%s becomes a record like a bulk row', async (file, saysAccounts) => {
    const profile = JSON.parse(await readFile(join(RECORDED, file), 'utf8'));
    const record = recordOfProfile(profile, profile.company_number);
    expect(record).toMatchObject({
      company_name: profile.company_name,
      category: 'ltd',
      status: 'active',
      incorporated: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      postal_code: expect.stringMatching(/^[A-Z0-9]+ [0-9][A-Z]{2}$/),
      accounts: { reference_day: 31, reference_month: 3, last_made_up: expect.stringMatching(/^20\d\d-03-31$/) },
      sic_codes: [{ code: expect.stringMatching(/^\d{5}$/) }],
      previous_names: [{ name: expect.any(String), ceased: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }],
    });
    expect('category' in record.accounts).toBe(saysAccounts);
  });
});
