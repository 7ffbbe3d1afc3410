import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { ATTRIBUTION, EXPORT_FORMATS } from '../../jobs/export-format.ts';

const columns = ['id', 'text'];
const write = (format: string, records: Record<string, unknown>[]) => {
  const { head, rows, tail } = EXPORT_FORMATS[format] ?? expect.fail(format);
  return head(columns) + rows(records, columns) + tail(columns);
};
const cell = (text: unknown) =>
  write('csv', [{ id: 'a', text }])
    .split('\r\n')[1]
    ?.slice(2);

describe('CSV', () => {
  it('has a header, rows and the attribution, each with as many cells, ending in CRLF', () => {
    const text = write('csv', [
      { id: 'a', text: 'plain' },
      { id: 'b', text: 'a "quoted", two-line\ntext' },
    ]);
    expect(text).toBe(`id,text\r\na,plain\r\nb,"a ""quoted"", two-line\ntext"\r\n${ATTRIBUTION},\r\n`);
    expect(parse(text)).toHaveLength(4);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+44 20', "'+44 20"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['not = a formula', 'not = a formula'],
    [-12.5, '-12.5'],
    [0, '0'],
    [null, ''],
    [undefined, ''],
    [true, 'true'],
    [false, 'false'],
    [['a', 'b'], '"[""a"",""b""]"'],
  ])('writes %j as %s', (value, expected) => {
    expect(cell(value)).toBe(expected);
  });

  it('quotes a lone line feed', () => {
    expect(write('csv', [{ id: 'a', text: 'two\nlines' }])).toContain('a,"two\nlines"\r\n');
  });

  it('defuses a carriage return at the start of a cell', () => {
    expect(write('csv', [{ id: 'a', text: '\r=1' }])).toContain('a,"\'\r=1"\r\n');
  });
});

describe('JSON lines', () => {
  it('begin with the attribution and keep every value as it is', () => {
    const lines = write('jsonl', [{ id: 'a', text: '=1', value: -1, list: ['é'] }])
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toEqual([{ attribution: ATTRIBUTION }, { id: 'a', text: '=1', value: -1, list: ['é'] }]);
  });
});
