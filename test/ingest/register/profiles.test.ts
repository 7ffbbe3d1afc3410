import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runRegister } from '../../../ingest/register/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { compileCompanyTexts } from '../../../ingest/store/company-texts.ts';
import type { Json, RegisterRow } from '../../upstream/data.ts';
import { makeData, makeRegisterRow, makeWorld, type World } from '../small-world.ts';

const DAY_MS = 86_400_000;
const EPSILON = {
  company_name: 'EPSILON LTD',
  company_number: '09999999',
  type: 'ltd',
  company_status: 'dissolved',
  date_of_creation: '1999-05-06',
  etag: 'e1',
  registered_office_address: { locality: 'York', postal_code: 'YO1 1AA' },
  previous_company_names: [{ name: 'EPSILON ONE LTD', ceased_on: '2003-01-01' }],
};
const ALPHA = {
  ...EPSILON,
  company_number: '01234567',
  company_name: 'ALPHA PAVING LIMITED',
  company_status: 'active',
};

let world: World;
let profiles: Map<string, Json>;
beforeEach(async () => {
  profiles = new Map([
    ['01234567', ALPHA],
    ['09999999', EPSILON],
  ]);
  await open([makeRegisterRow('01234567', 'ALPHA PAVING LIMITED')]);
});
afterEach(() => world.close());

async function open(bulk: RegisterRow[]): Promise<void> {
  world = await makeWorld(makeData({ bulk, profiles }), { settings: { COMPANIES_HOUSE_API_KEY: 'the-key' } });
  await registerSources(world.catalogue, sources);
}

const run = () => runRegister(world.context, 'companies_house');
const addSupplier = (number: string, contracts = 1) =>
  world.catalogue.write([
    {
      sql: `INSERT INTO company (id, name, name_key, company_number, contract_count, digest, seq)
        VALUES (?, 'A', 'a', ?, ?, 'd', 0)`,
      args: [`c-${number}`, number, contracts],
    },
  ]);
const asked = () =>
  world.upstream.requests.flatMap(({ path }) => (path.startsWith('/company/') ? [path.slice('/company/'.length)] : []));
/** The numbers that the next run asks for. */
const askedNext = async () => {
  const before = asked().length;
  const report = await run();
  return { numbers: asked().slice(before), report };
};
const daysPass = (days: number) => world.clock.sleep(days * DAY_MS);

describe('profiles', () => {
  it('that a clock which was ahead requested are requested again once it is set right', async () => {
    for (const number of ['01234567', '08888888']) await addSupplier(number);
    const { clocks } = world.context;
    world.context.clocks = { ...clocks, wallNow: () => new Date(clocks.wallNow().getTime() + 365 * DAY_MS) };
    expect((await askedNext()).numbers).toEqual(['01234567', '08888888']);
    world.context.clocks = clocks;
    expect((await askedNext()).numbers).toEqual(['01234567', '08888888']);
    expect((await askedNext()).numbers).toEqual([]);
  });

  it('come for suppliers named by number, once, with the key as user name', async () => {
    for (const number of ['01234567', '09999999', '08888888']) await addSupplier(number);
    expect(await run()).toMatchObject({ state: 'succeeded', releases: 3, requests: 6 });
    expect(
      await world.rows(
        'SELECT company_number, name, status, edition FROM registered_company WHERE profile IS NOT NULL ORDER BY 1',
      ),
    ).toEqual([
      { company_number: '01234567', name: 'ALPHA PAVING LIMITED', status: 'Active', edition: '2026-11-01' },
      { company_number: '09999999', name: 'EPSILON LTD', status: 'dissolved', edition: null },
    ]);
    expect(await world.rows('SELECT company_number, attempts FROM absent_profile')).toEqual([
      { company_number: '08888888', attempts: 1 },
    ]);
    expect(await world.count('unknown_value')).toBe(0);
    expect(await run()).toMatchObject({ state: 'empty', requests: 1 });
  });

  it('are fetched again by age, after those never fetched, the busiest first', async () => {
    await addSupplier('09999999');
    await run();
    await daysPass(10);
    await addSupplier('01234567');
    await addSupplier('08888888', 5);
    expect((await askedNext()).numbers).toEqual(['08888888', '01234567']);
    await daysPass(81);
    expect((await askedNext()).numbers).toEqual(['09999999']);
    await daysPass(10);
    profiles.set('08888888', { ...EPSILON, company_number: '08888888', company_name: 'ETA LTD' });
    expect((await askedNext()).numbers).toEqual(['08888888', '01234567']);
    expect(await world.count('absent_profile')).toBe(0);
  });

  it('with the stored etag are unchanged; with another they move the row, and the company no edition lists', async () => {
    await addSupplier('01234567');
    await addSupplier('09999999');
    await run();
    const state = () => world.rows<{ seq: number }>('SELECT seq, name FROM registered_company ORDER BY company_number');
    const before = await state();
    await daysPass(91);
    profiles.set('01234567', { ...ALPHA, can_file: true });
    profiles.set('09999999', { ...EPSILON, etag: 'e2', company_name: 'EPSILON AGAIN LTD' });
    expect((await askedNext()).report).toMatchObject({ stored: 1, unchanged: 1 });
    const [alpha, epsilon] = await state();
    expect(alpha).toEqual(before[0]);
    expect(epsilon).toMatchObject({ name: 'EPSILON AGAIN LTD' });
    expect(epsilon?.seq).toBeGreaterThan(before[1]?.seq ?? 0);
  });

  it('with a code that nobody has listed are kept as they came, and the code is counted once a run', async () => {
    profiles.set('01234567', { ...ALPHA, company_status: 'hibernating' });
    profiles.set('09999999', { ...EPSILON, company_status: 'hibernating', type: 'guild' });
    await addSupplier('01234567');
    await addSupplier('09999999');
    await run();
    expect(await world.rows('SELECT field, value, sightings FROM unknown_value ORDER BY field')).toEqual([
      { field: 'company_status', value: 'hibernating', sightings: 1 },
      { field: 'type', value: 'guild', sightings: 1 },
    ]);
    expect(await world.rows("SELECT status, category FROM registered_company WHERE name = 'EPSILON LTD'")).toEqual([
      { status: 'hibernating', category: 'guild' },
    ]);
  });

  it('are not fetched without a key, and a refused key is reported without being repeated', async () => {
    await addSupplier('01234567');
    world.context.settings = { ...world.context.settings, COMPANIES_HOUSE_API_KEY: undefined };
    await run();
    expect(asked()).toEqual([]);
    world.context.settings = { ...world.context.settings, COMPANIES_HOUSE_API_KEY: 'wrong-one' };
    world.upstream.setFaults([{ path: /\/company\//, fault: { kind: 'status', status: 401 } }]);
    const { error, state } = await run();
    expect({ error, state }).toEqual({
      state: 'failed',
      error: expect.stringMatching(/does not accept the key in COMPANIES_HOUSE_API_KEY: refused \(401\)/),
    });
    expect(error).not.toContain('wrong-one');
    expect(asked()).toHaveLength(1);
  });

  it('of which one gets no answer do not keep the next from being fetched, and the run says so', async () => {
    await addSupplier('01234567', 2);
    await addSupplier('09999999');
    world.upstream.setFaults([{ path: /01234567/, fault: { kind: 'status', status: 500 } }]);
    const { report } = await askedNext();
    expect(report).toMatchObject({
      state: 'failed',
      stored: 2,
      error: expect.stringMatching(/the profile of 01234567: .*500/),
    });
    world.upstream.setFaults([]);
    expect((await askedNext()).numbers).toEqual(['01234567']);
    await daysPass(91);
    world.upstream.setFaults([{ path: /01234567/, fault: { kind: 'status', status: 500 } }]);
    expect([(await run()).state, await world.count('absent_profile')]).toEqual(['failed', 1]);
    world.upstream.setFaults([]);
    expect([(await run()).unchanged, await world.count('absent_profile')]).toEqual([1, 0]);
  });

  it.each([500, 400])(
    'of which three are never answered (%i) do not keep the others from being fetched',
    async (status) => {
      for (const number of ['00000001', '00000002', '00000003']) await addSupplier(number, 3);
      await addSupplier('01234567', 2);
      await addSupplier('09999999');
      world.upstream.setFaults([{ path: /0000000/, fault: { kind: 'status', status } }]);
      expect((await askedNext()).report.state).toBe('failed');
      const { numbers, report } = await askedNext();
      expect(numbers.slice(0, 3)).toEqual(['01234567', '09999999', '00000001']);
      expect(report).toMatchObject({
        state: 'failed',
        error: expect.stringMatching(/the profile of 00000001: .* and 2/),
      });
      expect(await world.count('registered_company WHERE profile > 0')).toBe(2);
    },
  );

  it('of another company wait in quarantine, and the stored one stays', async () => {
    await addSupplier('01234567');
    profiles.set('01234567', EPSILON);
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 1, quarantined: 1 });
    expect(await world.count('registered_company WHERE profile IS NULL')).toBe(1);
    expect(await world.rows('SELECT record_id, reason FROM quarantine')).toEqual([
      { record_id: '01234567', reason: 'not a profile of this company' },
    ]);
  });

  it('end the run where none is served of companies in the register: the others are requested by the next', async () => {
    const numbers = ['01234567', '01234568', '01234569', '01234570', '01234571'];
    await world.close();
    await open(numbers.map((number) => makeRegisterRow(number, `ALPHA ${number} LIMITED`)));
    for (const [index, number] of numbers.entries()) await addSupplier(number, 9 - index);
    world.upstream.setFaults([{ path: /company\//, fault: { kind: 'status', status: 404 } }]);
    expect(await run()).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/serves no profile \(404\) of 01234569 and others in the register/),
    });
    world.upstream.setFaults([]);
    expect((await askedNext()).numbers).toEqual(['01234570', '01234571']);
  });

  it('are still fetched where the edition cannot be, and the run fails for the edition', async () => {
    await addSupplier('09999999');
    world.upstream.setFaults([{ path: /part2_2/, fault: { kind: 'status', status: 404 } }]);
    const { numbers, report } = await askedNext();
    expect(numbers).toEqual(['09999999']);
    expect(report).toMatchObject({ state: 'failed', error: expect.stringMatching(/part2_2\.zip: nothing is served/) });
    expect(await world.count("registered_company WHERE name = 'EPSILON LTD'")).toBe(1);
    world.upstream.setFaults([{ path: /company\/|part2_2/, fault: { kind: 'status', status: 404 } }]);
    expect((await askedNext()).report).toMatchObject({
      error: expect.stringMatching(/part2_2\.zip: nothing is served/),
    });
  });

  it.each([{ previous_company_names: [null] }, { sic_codes: '62020' }, { has_charges: 'true' }, { company_name: 5 }])(
    'with %o, which no answer could repeat, wait in quarantine, and the stored one stays',
    async (odd) => {
      await addSupplier('01234567');
      await run();
      await daysPass(91);
      profiles.set('01234567', { ...ALPHA, etag: 'e2', ...odd });
      expect(await run()).toMatchObject({ state: 'succeeded', stored: 0, quarantined: 1 });
      expect(await compileCompanyTexts(world.context)).toBe(1);
      expect(await world.rows("SELECT profile ->> 'etag' AS etag FROM registered_company WHERE profile > ''")).toEqual([
        { etag: 'e1' },
      ]);
    },
  );

  it('come after a 429 when the service says so', async () => {
    await addSupplier('01234567');
    const fault = { kind: 'status' as const, status: 429, retryAfterSeconds: 200 };
    world.upstream.setFaults([{ path: /01234567/, fault, times: 1 }]);
    const startedMs = world.clock.nowMs();
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 2 });
    expect(world.clock.nowMs() - startedMs).toBeGreaterThanOrEqual(200_000);
  });
});
