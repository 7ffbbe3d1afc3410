import { existsSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runRegister } from '../../../ingest/register/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { sha256 } from '../../../schema/text/json-values.ts';
import { publishedColumn, REGISTER_COLUMNS, type RegisterRow } from '../../upstream/data.ts';
import type { FaultRule } from '../../upstream/faults.ts';
import { zipOf } from '../../upstream/services/companies-house.ts';
import { makeData, makeRegisterRow, makeWorld, type World } from '../small-world.ts';

let world: World;
afterEach(() => world.close());

const open = async (bulk: RegisterRow[], bulkEdition = '2026-11-01') => {
  world = await makeWorld(makeData({ bulk, bulkEdition }));
  await registerSources(world.catalogue, sources);
};
const run = () => runRegister(world.context, 'companies_house');
const makeRows = (count: number) =>
  Array.from({ length: count }, (_, index) => makeRegisterRow(String(index + 1), `COMPANY ${index + 1} LTD`));
const FOUR = makeRows(4);
const countStored = () => world.count('registered_company WHERE gone = 0');
const cursor = () => world.rows("SELECT value FROM cursor WHERE source = 'companies_house'");
const bodyOf = (path: RegExp, of: (body: Buffer) => Buffer | Promise<Buffer>): FaultRule => ({
  path,
  fault: { kind: 'body', of },
});

const HEADER = REGISTER_COLUMNS.map(publishedColumn).join(',');
const line = (row: RegisterRow) => REGISTER_COLUMNS.map((name) => `"${row[name] ?? ''}"`).join(',');

/** The files that this process has open. */
async function listOpenFiles(): Promise<string[]> {
  const folder = '/proc/self/fd';
  return Promise.all((await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => '')));
}

describe('a part', () => {
  const second = /part2_2/;

  it('whose download is cut is fetched again, and fails the run only where it is cut every time', async () => {
    await open(FOUR);
    world.upstream.setFaults([{ path: second, fault: { kind: 'truncated' }, times: 1 }]);
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 4, requests: 4 });
    world.upstream.setFaults([{ path: second, fault: { kind: 'truncated' } }]);
    const again = await runRegister(world.context, 'companies_house', { again: true });
    expect(again).toMatchObject({ state: 'failed', error: expect.stringMatching(/no usable answer in 5 attempts/) });
    expect(await countStored()).toBe(4);
  });

  const damaged: [string, FaultRule, RegExp][] = [
    ['ends early', bodyOf(second, (body) => body.subarray(0, body.length - 40)), /part2_2\.zip is not a whole zip/],
    ['has another checksum than it states', bodyOf(second, breakChecksum), /part2_2\.zip is damaged: .*checksum/],
    ['does not inflate', bodyOf(second, breakData), /part2_2\.zip is damaged/],
    ['lacks a column that is needed', bodyOf(second, () => zipOf(['a,b', '1,2'])), /no column CompanyName, Comp/],
    ['holds no rows of ours', bodyOf(second, () => zipOf([])), /part2_2\.zip holds no CSV/],
    [
      'can hardly be read',
      bodyOf(second, () => zipOf([HEADER, ...Array.from({ length: 101 }, () => 'x,y')])),
      /101 of 101 rows cannot be read, the last of them: 2 cells where 55 were due/,
    ],
  ];
  it.each(damaged)('that %s changes nothing, is reported, and is read by the next run', async (_name, fault, error) => {
    await open(FOUR);
    world.upstream.setFaults([fault]);
    expect(await run()).toMatchObject({ state: 'failed', error: expect.stringMatching(error), stored: 2 });
    expect(await countStored()).toBe(2);
    expect(await cursor()).toEqual([{ value: '2026-11-01 1/2' }]);
    expect(existsSync(join(world.context.settings.DATA_DIR, 'incoming', 'register'))).toBe(false);
    world.upstream.setFaults([]);
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 2, requests: 2 });
    expect(await countStored()).toBe(4);
  });

  it('that is not read to its end is closed, as a removed file keeps its space until then', async () => {
    await open(FOUR);
    const noise = Array.from({ length: 20_000 }, (_, at) => sha256(String(at)));
    world.upstream.setFaults([bodyOf(second, () => zipOf(['a,b', ...noise]))]);
    expect(await run()).toMatchObject({ state: 'failed', error: expect.stringMatching(/no column/) });
    await expect.poll(listOpenFiles).not.toContainEqual(expect.stringContaining('part2_2'));
  });

  it('with rows that are none keeps their bytes beneath the header, and reads the rest', async () => {
    await open([]);
    const short = '"A","1"';
    const openQuote = '"B LTD","00000002","Leeds';
    const rows = [HEADER, short, line(makeRegisterRow('3', 'GOOD LTD')), openQuote, line(makeRegisterRow('4', 'TOO'))];
    world.upstream.setFaults([bodyOf(second, () => zipOf(rows))]);
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 2, quarantined: 2 });
    type Row = { reason: string; bytes: Uint8Array };
    const kept = await world.rows<Row>('SELECT reason, bytes FROM quarantine ORDER BY reason');
    expect(kept.map(({ reason, bytes }) => [reason, Buffer.from(bytes).toString()])).toEqual([
      ['2 cells where 55 were due', `${HEADER}\r\n${short}`],
      ['a quote is left open', `${HEADER}\r\n${openQuote}`],
    ]);
  });

  it('that was cut short by a kill is repeated, and no other', async () => {
    await open(makeRows(12_000));
    const lost = `INSERT INTO fence (ok) SELECT CASE WHEN (SELECT max(releases) FROM run) >= 11_000 THEN 0 ELSE 1 END`;
    world.context.fence = { sql: lost.replace('_', '') };
    await expect(run()).rejects.toThrow();
    expect(await cursor()).toEqual([{ value: '2026-11-01 1/2' }]);
    const before = await countStored();
    world.context.fence = null;
    expect(await run()).toMatchObject({ state: 'succeeded', requests: 2, stored: 12_000 - before });
    expect(await countStored()).toBe(12_000);
    expect(await run()).toMatchObject({ state: 'empty', requests: 1 });
  });
});

describe('an edition', () => {
  it.each([['2026-11-01'], ['2026-09-01']])(
    'that lacks a part in seven of %s marks nothing as gone, and is read again by the next run',
    async (before) => {
      await open(makeRows(3_000), before);
      await run();
      const first = world;
      world = await makeWorld(makeData({ bulk: makeRows(2_571), bulkEdition: '2026-12-01' }));
      first.context.settings = { ...world.context.settings, DATA_DIR: first.context.settings.DATA_DIR };
      const report = await runRegister(first.context, 'companies_house');
      expect(report).toMatchObject({ state: 'failed', error: expect.stringMatching(/lacks 429 of 3000 companies/) });
      expect(await first.count('registered_company WHERE gone = 1')).toBe(0);
      await world.close();
      world = await makeWorld(makeData({ bulk: makeRows(2_900), bulkEdition: '2026-12-01' }));
      first.context.settings = { ...world.context.settings, DATA_DIR: first.context.settings.DATA_DIR };
      const healed = await runRegister(first.context, 'companies_house');
      expect(healed).toMatchObject({ state: 'succeeded', requests: 3, stored: 100, unchanged: 2_900 });
      expect(await first.count('registered_company WHERE gone = 1')).toBe(100);
      await first.close();
    },
  );

  it('that was not believed is corrected by the next of its date', async () => {
    await open(makeRows(3_000));
    await run();
    const first = world;
    const takes = async (bulk: RegisterRow[], faults: FaultRule[] = []) => {
      world = await makeWorld(makeData({ bulk, bulkEdition: '2026-12-01' }));
      world.upstream.setFaults(faults);
      first.context.settings = { ...world.context.settings, DATA_DIR: first.context.settings.DATA_DIR };
      const { state } = await runRegister(first.context, 'companies_house');
      await world.close();
      return state;
    };
    const slipped = makeRows(2_000).map((row) => ({ ...row, 'RegAddress.PostCode': 'ZZ1 1ZZ' }));
    expect(await takes(slipped)).toBe('failed');
    expect(await takes(makeRows(3_000), [{ path: /part2_2/, fault: { kind: 'status', status: 404 } }])).toBe('failed');
    expect(await takes(makeRows(3_000))).toBe('succeeded');
    expect(await first.count("registered_company WHERE postcode = 'ZZ1 1ZZ'")).toBe(0);
    await first.close();
  });

  it('counts a kind that nobody has listed once a run, and keeps it as published', async () => {
    const odd = { CompanyStatus: 'Hibernating', CompanyCategory: 'Guild', 'Accounts.AccountCategory': 'LOOSE CHANGE' };
    await open([...FOUR, ...[7, 8, 9].map((n) => makeRegisterRow(String(n), `ODD ${n}`, odd))]);
    await run();
    const counted = () => world.rows('SELECT field, value, sightings FROM unknown_value ORDER BY field');
    const once = [
      { field: 'Accounts.AccountCategory', value: 'LOOSE CHANGE', sightings: 1 },
      { field: 'CompanyCategory', value: 'Guild', sightings: 1 },
      { field: 'CompanyStatus', value: 'Hibernating', sightings: 1 },
    ];
    expect(await counted()).toEqual(once);
    await runRegister(world.context, 'companies_house', { again: true });
    expect(await counted()).toEqual(once.map((row) => ({ ...row, sightings: 2 })));
    expect(await world.count("registered_company WHERE status = 'Hibernating'")).toBe(3);
  });
});

/** The checksum in the central directory is for another content. */
function breakChecksum(body: Buffer): Buffer {
  const broken = Buffer.from(body);
  const at = broken.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 16;
  broken.writeUInt32LE((broken.readUInt32LE(at) ^ 0xffff) >>> 0, at);
  return broken;
}

/** Some of the compressed bytes are others. */
function breakData(body: Buffer): Buffer {
  const broken = Buffer.from(body);
  broken.fill(0xff, 120, 160);
  return broken;
}
