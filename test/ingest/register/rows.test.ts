import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRow, readCsvRows, splitCells } from '../../../ingest/register/csv.ts';
import { readEdition } from '../../../ingest/register/edition.ts';
import { makeRowReader, readDay, readHeader } from '../../../ingest/register/row.ts';
import { parseEditionCursor } from '../../../ingest/runs/spans.ts';
import { processorMs } from '../../support/processor-time.ts';
import { REGISTER_COLUMNS } from '../../upstream/data.ts';

describe('the download page', () => {
  const link = (name: string) => `<a href="${name}">${name} (70Mb)</a>`;

  it('leads to the newest edition of which all parts are there, and to none of a day far ahead', () => {
    const page = [
      link('BasicCompanyDataAsOneFile-2062-11-01.zip'),
      link('BasicCompanyData-2026-10-01-part1_2.zip'),
      link('BasicCompanyData-2026-10-01-part2_2.zip'),
      link('BasicCompanyData-2026-11-01-part2_2.zip'),
    ].join('\n');
    expect(readEdition(page, '2026-12-01')).toEqual({
      date: '2026-10-01',
      files: ['BasicCompanyData-2026-10-01-part1_2.zip', 'BasicCompanyData-2026-10-01-part2_2.zip'],
    });
  });

  it('leads to the one file where there are no parts, and to nothing where there is nothing', () => {
    expect(readEdition(link('BasicCompanyDataAsOneFile-2026-11-01.zip'), '2026-12-01')).toEqual({
      date: '2026-11-01',
      files: ['BasicCompanyDataAsOneFile-2026-11-01.zip'],
    });
    expect(readEdition(link('BasicCompanyDataAsOneFile-2026-02-31.zip'), '2026-12-01')).toBeNull();
    expect(readEdition('<p>Closed for maintenance</p>', '2026-12-01')).toBeNull();
  });
});

describe('the rows of a CSV', () => {
  const HEADER = 'a,b,c';
  const read = async (text: string, pieceBytes = 7) => {
    const bytes = Buffer.from(text);
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    }
    const rows: CsvRow[] = [];
    for await (const some of readCsvRows(pieces())) rows.push(...some);
    return rows.slice(1).map(({ cells, bytes }) => cells ?? bytes.toString());
  };

  it.each([1, 7, 1_000])('are cut at their separators, quoted or bare, in pieces of %d bytes', async (pieceBytes) => {
    const text = [HEADER, 'x,,z', '"x","","z"', '', 'A "B" C,2,3', '"say ""hi""",",",""', 'é,ü,ß', '"é","1","2"'].join(
      '\n',
    );
    expect(await read(text, pieceBytes)).toEqual([
      ['x', '', 'z'],
      ['x', '', 'z'],
      ['A "B" C', '2', '3'],
      ['say "hi"', ',', ''],
      ['é', 'ü', 'ß'],
      ['é', '1', '2'],
    ]);
  });

  it('may hold a line break in a cell; a quote left open costs its line alone', async () => {
    const text = [HEADER, '"x","two', 'lines","z"', '"x","open', '"1","2","3"', '"x","open to the end'].join('\r\n');
    expect(await read(text)).toEqual([
      ['x', 'two\r\nlines', 'z'],
      '"x","open',
      ['1', '2', '3'],
      '"x","open to the end',
    ]);
  });

  it('cost no more where quotes are left open in many of them: 25 ms each held up the whole process', async () => {
    const line = (cells: string[]) => cells.map((cell) => `"${cell}"`).join(',');
    const good = line(Array.from({ length: 55 }, (_, at) => `value ${at}`));
    const lines = [good, ...Array.from({ length: 80 }, () => ['"x","open', ...Array.from({ length: 60 }, () => good)])];
    const short = Array.from({ length: 50 }, () => '"x","y');
    const beganMs = processorMs();
    const rows = await read([...lines.flat(), ...short].join('\r\n'), 100_000);
    expect(processorMs() - beganMs).toBeLessThan(1_000);
    expect(rows).toHaveLength(80 * 61 + 50);
    expect(rows.filter((row) => typeof row === 'string')).toHaveLength(80 + 50);
  });

  it('are read as ISO-8859-1 where they are not UTF-8', async () => {
    const rows: CsvRow[] = [];
    const bytes = Buffer.from('a,b\ncaf\xe9,1', 'latin1');
    for await (const some of readCsvRows(Readable.from([bytes]))) rows.push(...some);
    expect(rows[1]?.cells).toEqual(['café', '1']);
  });

  it('cut by the shorter way are those that the library cuts', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', ' ', 'é'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (cells) => {
        const line = cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
        expect(splitCells(line)).toEqual(cells);
      }),
    );
  });
});

describe('the small readers', () => {
  it('read cursors of whole and half-done editions', () => {
    expect(parseEditionCursor('2026-11-01')).toEqual({ date: '2026-11-01', done: 0, of: 0, whole: true });
    expect(parseEditionCursor('2026-11-01 3/7')).toEqual({ date: '2026-11-01', done: 3, of: 7, whole: false });
    expect(() => parseEditionCursor('soon')).toThrow(/not an edition cursor/);
  });

  it('read days of the calendar and no others', () => {
    expect(readDay('01/02/2003')).toBe('2003-02-01');
    expect(['31/02/2003', '2003-02-01', '1/13/2003', ''].map(readDay)).toEqual([null, null, null, null]);
  });

  it('refuse a header without the columns that matter', () => {
    expect(() => readHeader(['a', 'b'])).toThrow(/no column CompanyName, CompanyNumber/);
    const renamed = (name: string) =>
      REGISTER_COLUMNS.map((column) => (column === name ? `${column}1` : ` ${column} `));
    expect(readHeader(renamed('RegAddress.CareOf'))).toHaveLength(55);
    for (const name of ['RegAddress.PostCode', 'PreviousName_1.CompanyName', 'SICCode.SicText_1'])
      expect(() => readHeader(renamed(name))).toThrow(`no column ${name}`);
  });

  it('refuse a row with another number of cells', () => {
    const read = makeRowReader(['CompanyName', 'CompanyNumber', 'CompanyStatus', 'CompanyCategory']);
    expect(read(['A LTD', '1', 'Active', 'x', 'y'])).toEqual({ reason: '5 cells where 4 were due' });
    expect(read(['', '1', 'Active', 'x'])).toEqual({ reason: 'the row has no company name' });
    expect(read(null)).toEqual({ reason: 'a quote is left open' });
    expect(read(['A LTD', '12', 'Active', 'x'])).toMatchObject({ number: '00000012', status: 'Active' });
  });
});
