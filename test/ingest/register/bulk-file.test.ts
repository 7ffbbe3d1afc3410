import { afterEach, describe, expect, it } from 'vitest';
import { runRegister } from '../../../ingest/register/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import type { RegisterRow, UpstreamData } from '../../upstream/data.ts';
import { makeData, makeRegisterRow, makeWorld, type World, type WorldOptions } from '../small-world.ts';

let world: World;
afterEach(() => world.close());
const run = () => runRegister(world.context, 'companies_house');
const open = async (data: Partial<UpstreamData>, options: WorldOptions = {}) => {
  world = await makeWorld(makeData(data), options);
  await registerSources(world.catalogue, sources);
};

const ROWS: RegisterRow[] = [
  makeRegisterRow('01234567', 'ALPHA PAVING LIMITED', {
    'PreviousName_1.CompanyName': 'OLD ALPHA LTD',
    'PreviousName_1.CONDATE': '07/03/2011',
  }),
  makeRegisterRow('7654321', 'BETA & SONS LTD'),
  makeRegisterRow('SC123456', '"GAMMA", LLP', { IncorporationDate: '31/02/2001' }),
  makeRegisterRow('IP20165R', 'DELTA SOCIETY', { IncorporationDate: '' }),
];
const edition = () => world.rows("SELECT value FROM cursor WHERE source = 'companies_house'");
const numbers = () => world.rows('SELECT company_number, gone FROM registered_company ORDER BY 1');

describe('the bulk file', () => {
  it('is read part by part, numbers padded, dates turned, cells as published', async () => {
    await open({ bulk: ROWS }, { bulkParts: 3 });
    expect(await run()).toMatchObject({ state: 'succeeded', releases: 4, stored: 4, repairs: { bad_date: 1 } });
    expect((await numbers()).map((row) => (row as { company_number: string }).company_number)).toEqual([
      '01234567',
      '07654321',
      'IP20165R',
      'SC123456',
    ]);
    const [alpha] = await world.rows<{ record: string; incorporated: string; edition: string }>(
      "SELECT record, incorporated, edition FROM registered_company WHERE company_number = '01234567'",
    );
    expect(alpha).toMatchObject({ incorporated: '2001-02-03', edition: '2026-11-01' });
    expect(JSON.parse(alpha?.record ?? '')).toMatchObject({
      company_name: 'ALPHA PAVING LIMITED',
      locality: 'LEEDS',
      sic_codes: [{ code: '42110', description: 'Construction of roads and motorways' }],
      previous_names: [{ name: 'OLD ALPHA LTD', ceased: '2011-03-07' }],
    });
    expect(await world.rows('SELECT * FROM previous_name')).toEqual([
      { name_key: 'old alpha', company_number: '01234567', name: 'OLD ALPHA LTD' },
    ]);
    expect(await edition()).toEqual([{ value: '2026-11-01' }]);
    expect(await world.rows("SELECT as_of, releases FROM source WHERE id = 'companies_house'")).toEqual([
      { as_of: '2026-11-01T00:00:00Z', releases: 4 },
    ]);
  });

  it('that is stored is not fetched again, and fetched again changes nothing', async () => {
    await open({ bulk: ROWS });
    await run();
    const before = await world.rows('SELECT * FROM registered_company ORDER BY 1');
    const seq = await world.rows('SELECT value FROM counter');
    expect(await run()).toMatchObject({ state: 'empty', requests: 1 });
    const again = await runRegister(world.context, 'companies_house', { again: true });
    expect(again).toMatchObject({ state: 'succeeded', stored: 0, unchanged: 4 });
    expect(await world.rows('SELECT * FROM registered_company ORDER BY 1')).toEqual(before);
    expect(await world.rows('SELECT value FROM counter')).toEqual(seq);
  });

  it('of the next month brings what is new and changed, and marks what has gone', async () => {
    await open({ bulk: ROWS });
    await run();
    const first = world;
    const [{ value: seq } = { value: 0 }] = await first.rows<{ value: number }>('SELECT value FROM counter');
    const next = [
      makeRegisterRow('01234567', 'ALPHA ROADS LIMITED'),
      ...ROWS.slice(2),
      makeRegisterRow('00000009', 'NEW'),
    ];
    world = await makeWorld(makeData({ bulk: next, bulkEdition: '2026-12-01' }));
    first.context.settings = world.context.settings;
    const report = await runRegister(first.context, 'companies_house');
    expect(report).toMatchObject({ state: 'succeeded', releases: 4, stored: 3, unchanged: 2 });
    expect(
      await first.rows(`SELECT company_number, gone, seq > ${seq} AS moved FROM registered_company ORDER BY 1`),
    ).toEqual([
      { company_number: '00000009', gone: 0, moved: 1 },
      { company_number: '01234567', gone: 0, moved: 1 },
      { company_number: '07654321', gone: 1, moved: 1 },
      { company_number: 'IP20165R', gone: 0, moved: 0 },
      { company_number: 'SC123456', gone: 0, moved: 0 },
    ]);
    expect(await first.count('previous_name')).toBe(0);
    await first.close();
  });

  it('with a row whose number cannot be one quarantines that row alone', async () => {
    await open({ bulk: [...ROWS, makeRegisterRow('RJR', 'NOT A COMPANY'), makeRegisterRow('00000000', 'NOR THIS')] });
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 4, quarantined: 2 });
    expect(await world.rows('SELECT kind, reason, record_id FROM quarantine ORDER BY record_id')).toEqual([
      { kind: 'row', reason: 'not a company number: 00000000', record_id: '00000000' },
      { kind: 'row', reason: 'not a company number: RJR', record_id: 'RJR' },
    ]);
  });

  it('whose second part fails continues there the next time', async () => {
    await open({ bulk: ROWS }, { faults: [{ path: /part2_2/, fault: { kind: 'status', status: 400 } }] });
    expect(await run()).toMatchObject({ state: 'failed', stored: 2, error: expect.stringMatching(/part2_2.*400/) });
    expect(await edition()).toEqual([{ value: '2026-11-01 1/2' }]);
    world.upstream.setFaults([]);
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 2, requests: 2 });
    expect(await edition()).toEqual([{ value: '2026-11-01' }]);
  });

  it('that is a web page instead of a zip ends in a clear line', async () => {
    await open({ bulk: ROWS }, { faults: [{ path: /\.zip/, fault: { kind: 'html' } }] });
    expect(await run()).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/part1_2\.zip.*is not a whole zip/),
    });
    expect(await world.count('cursor')).toBe(0);
  });
});
