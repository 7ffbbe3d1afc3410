import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { type CsvRow, readCsvRows } from '../../../ingest/register/csv.ts';
import { makeRowReader, readHeader } from '../../../ingest/register/row.ts';
import { runRegister } from '../../../ingest/register/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { publishedColumn, REGISTER_COLUMNS, type RegisterRow } from '../../upstream/data.ts';
import { zipOf } from '../../upstream/services/companies-house.ts';
import { makeData, makeRegisterRow, makeWorld, type World } from '../small-world.ts';

const HEADER = readHeader(REGISTER_COLUMNS.map(publishedColumn));
const recordOf = (row: RegisterRow) => {
  const read = makeRowReader(HEADER)(REGISTER_COLUMNS.map((name) => row[name] ?? ''));
  if ('reason' in read) throw new Error(read.reason);
  return { ...read.read().record, kinds: read.status };
};

describe('a cell', () => {
  it.each(['null', 'NULL', 'Null', ' null ', 'NA', 'N/A', '#N/A', 'nan', 'NaN', 'None', '\\N', 'undefined', '\u200b'])(
    'that says %j is empty, whatever its column',
    (nothing) => {
      const record = recordOf(
        makeRegisterRow('1', 'NULL POINT LTD', {
          'RegAddress.CareOf': nothing,
          'RegAddress.PostCode': nothing,
          DissolutionDate: nothing,
          CompanyStatus: nothing,
          'PreviousName_1.CompanyName': nothing,
          'Accounts.AccountRefDay': nothing,
        }),
      );
      expect(record).toMatchObject({ company_name: 'NULL POINT LTD', previous_names: [], locality: 'LEEDS' });
      for (const name of ['care_of', 'postal_code', 'dissolved', 'status'] as const)
        expect(record[name]).toBeUndefined();
      expect(record.accounts.reference_day).toBeUndefined();
    },
  );

  it('with a line break, or with characters that show nothing, is one line of what shows', () => {
    const record = recordOf(
      makeRegisterRow('1', 'A\u00a0\u202eB\u2066 LTD', {
        CompanyStatus: 'Active - Proposal\r\n to Strike\u200b off\n',
        'RegAddress.PostCode': ' ls1\t4ap ',
        'RegAddress.AddressLine1': '1  NULL\vSTREET',
        'RegAddress.AddressLine2': 'BLOCK\x1fB',
      }),
    );
    expect(record).toMatchObject({
      company_name: 'A B LTD',
      status: 'Active - Proposal to Strike off',
      kinds: 'Active - Proposal to Strike off',
      postal_code: 'LS1 4AP',
      address_line_1: '1  NULL STREET',
      address_line_2: 'BLOCKB',
    });
  });
});

describe('a cell that nothing but the separator of cells is wrong with', () => {
  it('is cleaned too', () => {
    expect(recordOf(makeRegisterRow('1', 'A\x1fB LTD', {})).company_name).toBe('AB LTD');
  });
});

describe('a line cut short', () => {
  const read = async (lines: string[]) => {
    const rows: CsvRow[] = [];
    for await (const some of readCsvRows(Readable.from([Buffer.from(lines.join('\r\n'))]))) rows.push(...some);
    return rows.slice(1).map(({ cells }) => cells);
  };

  it.each([
    ['"CUT', 1],
    ['"CUT","1","x', 3],
    ['"CUT","1"', 2],
    ['CUT,1', 2],
  ])('as %s never takes in the row beneath it', async (cut, at) => {
    const whole = '"B LTD","2","y"';
    const [first, second] = await read(['"a","b","c"', cut, whole]);
    expect([first === null || first?.length === at, second]).toEqual([true, ['B LTD', '2', 'y']]);
  });
});

const lineOf = (row: RegisterRow) => REGISTER_COLUMNS.map((name) => `"${row[name] ?? ''}"`).join(',');

describe('an edition', () => {
  let world: World;
  afterEach(() => world.close());
  const open = async (bulk: RegisterRow[], bulkParts = 2) => {
    world = await makeWorld(makeData({ bulk }), { bulkParts });
    await registerSources(world.catalogue, sources);
  };
  const run = (options = {}) => runRegister(world.context, 'companies_house', options);
  const kept = () => world.rows('SELECT company_number, name, postcode, seq FROM registered_company ORDER BY 1');

  const thin = makeRegisterRow('7', 'THIN LTD');
  const full = makeRegisterRow('00000007', 'FULL LTD', { 'RegAddress.PostCode': 'ls1 4ap' });
  const other = makeRegisterRow('8', 'OTHER LTD');
  it.each([
    ['in one part', [thin, full, other, other], 1],
    ['in one part, the fuller first', [full, thin, other, other], 1],
    ['in two parts', [thin, other, full, other], 2],
    ['in two parts, the fuller first', [full, other, thin, other], 2],
  ])('that lists a company twice %s keeps the fuller row, and says so', async (_name, bulk, parts) => {
    await open(bulk, parts);
    expect(await run()).toMatchObject({ state: 'succeeded', repairs: { repeated_company: 2 } });
    const rows = await kept();
    expect(rows).toMatchObject([
      { company_number: '00000007', name: 'FULL LTD', postcode: 'LS1 4AP' },
      { company_number: '00000008', name: 'OTHER LTD' },
    ]);
    expect(await run({ again: true })).toMatchObject({ repairs: { repeated_company: 2 } });
    expect(await kept()).toMatchObject(rows.map((row) => ({ ...(row as object), seq: expect.any(Number) })));
  });

  it('of two rows that say as much keeps the same one in either order', async () => {
    const [one, two] = [makeRegisterRow('7', 'ONE LTD'), makeRegisterRow('7', 'TWO LTD')];
    await open([one, two]);
    await run();
    const [first] = await kept();
    await world.close();
    await open([two, one]);
    await run();
    expect(await kept()).toEqual([{ ...(first as object), seq: expect.any(Number) }]);
  });

  it('read again takes over what was corrected, also where it says less', async () => {
    await open([full]);
    await run();
    const first = world;
    world = await makeWorld(makeData({ bulk: [makeRegisterRow('7', 'CORRECTED LTD')] }), {});
    first.context.settings = { ...world.context.settings, DATA_DIR: first.context.settings.DATA_DIR };
    expect(await runRegister(first.context, 'companies_house', { again: true })).toMatchObject({ stored: 1 });
    expect(await first.rows('SELECT name FROM registered_company')).toEqual([{ name: 'CORRECTED LTD' }]);
    await first.close();
  });

  it.each([
    ['as published', '"OTHER LTD","00000008","","","1 HIGH STREET","","LEEDS"'],
    ['in the middle of a cell', '"OTHER LTD","00000008","","","1 HIGH STR'],
    ['of a company that had left', '"OTHER LTD","00000008","","","1 HIGH STR', 1],
  ])(
    'with a line cut short keeps it apart whole, and what was held of its company: %s',
    async (_name, line, left = 0) => {
      await open([thin, other]);
      await run();
      const first = world;
      const leave = 'UPDATE registered_company SET gone = ? WHERE company_number = ?';
      await first.catalogue.write([{ sql: leave, args: [left, '00000008'] }]);
      const lines = [REGISTER_COLUMNS.map(publishedColumn).join(','), line, lineOf(thin)];
      const body = { kind: 'body', of: () => zipOf(lines) } as const;
      const faults = [{ path: /\.zip/, fault: body }];
      world = await makeWorld(makeData({ bulk: [thin], bulkEdition: '2026-12-01' }), { bulkParts: 1, faults });
      first.context.settings = { ...world.context.settings, DATA_DIR: first.context.settings.DATA_DIR };
      expect(await runRegister(first.context, 'companies_house')).toMatchObject({ state: 'succeeded', quarantined: 1 });
      expect(await first.rows('SELECT name, gone FROM registered_company ORDER BY 1')).toEqual([
        { name: 'OTHER LTD', gone: 0 },
        { name: 'THIN LTD', gone: 0 },
      ]);
      await first.close();
    },
  );
});
