import { setImmediate as pause } from 'node:timers/promises';
import { Gzip, gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, vi } from 'vitest';
import { ENCODERS } from '../../../jobs/exports/formats.ts';
import type { Cell, ExportCells, ExportColumn, ExportFormat } from '../../../schema/accounts/exports/datasets.ts';
import { readExportFile } from './read-file.ts';

const COLUMNS: ExportColumn[] = [
  { name: 'id', kind: 'text' },
  { name: 'text', kind: 'text' },
  { name: 'list', kind: 'json' },
];

async function write(format: ExportFormat, rows: ExportCells[], columns = COLUMNS): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const page = (async function* () {
    yield rows;
  })();
  for await (const piece of ENCODERS[format](columns, page, { attributions: [] })) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** How one cell stands in a CSV file. */
const cell = async (text: Cell) =>
  /^a,(.*),\r$/s.exec((await write('csv', [['a', text, null]])).toString().split('\n').slice(1, -1).join('\n'))?.[1];

describe('CSV', () => {
  it('has a header and rows and nothing else, each with as many cells, ending in CRLF', async () => {
    const text = (
      await write('csv', [
        ['a', 'plain', null],
        ['b', 'a "quoted", two-line\ntext', '["x","y"]'],
      ])
    ).toString();
    expect(text).toBe(`id,text,list\r\na,plain,\r\nb,"a ""quoted"", two-line\ntext","[""x"",""y""]"\r\n`);
    expect(parse(text)).toHaveLength(3);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+44 20', "'+44 20"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['  =1+1', "'  =1+1"],
    ['\u00a0@x', "'\u00a0@x"],
    ['\t=1', "'\t=1"],
    ['\ttext', "'\ttext"],
    ['\rtext', `"'\rtext"`],
    ['\n=1', `"'\n=1"`],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['not = a formula', 'not = a formula'],
    ['two\nlines', '"two\nlines"'],
    ['a\rb', '"a\rb"'],
    [-12.5, '-12.5'],
    [0, '0'],
    [null, ''],
    [true, 'true'],
    [false, 'false'],
  ])('writes %j as %s', async (value, expected) => {
    expect(await cell(value)).toBe(expected);
  });
});

describe('JSON lines', () => {
  it('are rows and nothing else, and keep every value as it is', async () => {
    const lines = (
      await write('jsonl', [
        ['=1', 'é "x"\u2028', '[{"b":null}]'],
        ['b', -1.5, null],
      ])
    )
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toEqual([
      { id: '=1', text: 'é "x"\u2028', list: [{ b: null }] },
      { id: 'b', text: -1.5, list: null },
    ]);
  });
});

describe('Parquet', () => {
  it('leaves out a whole number that its column cannot hold, and writes the others', async () => {
    const columns: ExportColumn[] = [{ name: 'bids', kind: 'whole' }];
    const file = await write('parquet', [[3], [2 ** 31 - 1], [2 ** 31], [7_700_900_123], [null]], columns);
    const { rows } = await readExportFile('parquet', file);
    expect(rows.map(({ bids }) => bids)).toEqual([3, 2 ** 31 - 1, null, null, null]);
  });
});

describe('gzip', () => {
  it.each(['csv', 'jsonl'] as const)('of %s holds the same bytes', async (format) => {
    const rows: ExportCells[] = [['a', 'b', '[]']];
    expect(gunzipSync(await write(`${format}.gz`, rows)).toString()).toBe((await write(format, rows)).toString());
  });

  it('without memory for it fails, however long the next page takes', async () => {
    const pages = (async function* () {
      await pause();
      yield [];
    })();
    vi.spyOn(Gzip.prototype, 'end').mockImplementationOnce(() => {
      throw new Error('no memory');
    });
    const pieces = ENCODERS['csv.gz'](COLUMNS, pages, { attributions: [] });
    await expect(pieces[Symbol.asyncIterator]().next()).rejects.toThrow('no memory');
  });
});
