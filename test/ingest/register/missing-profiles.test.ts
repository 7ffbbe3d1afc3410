import { afterEach, expect, it } from 'vitest';
import { runRegister } from '../../../ingest/register/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { makeData, makeRegisterRow, makeWorld, type World } from '../small-world.ts';

const ALL = [
  '01234561',
  '01234562',
  '01234563',
  '01234564',
  '01234565',
  '01234566',
  '01234567',
  '01234568',
  '01234569',
];

let world: World;
afterEach(() => world.close());

/** Opens a register that lists some companies. All are suppliers, the first the busiest, and have a profile. */
async function open(listed: string[] = ALL): Promise<void> {
  const profiles = new Map(
    ALL.map((number) => [number, { company_name: `ALPHA ${number} LIMITED`, company_number: number, etag: 'e1' }]),
  );
  const bulk = listed.map((number) => makeRegisterRow(number, `ALPHA ${number} LIMITED`));
  world = await makeWorld(makeData({ bulk, profiles }), { settings: { COMPANIES_HOUSE_API_KEY: 'the-key' } });
  await registerSources(world.catalogue, sources);
  await world.catalogue.write(
    ALL.map((number, index) => ({
      sql: `INSERT INTO company (id, name, name_key, company_number, contract_count, digest, seq)
        VALUES (?, 'A', 'a', ?, ?, 'd', 0)`,
      args: [`c-${number}`, number, 99 - index],
    })),
  );
}

const run = () => runRegister(world.context, 'companies_house');
const answer = (path: RegExp, status: number) =>
  world.upstream.setFaults([{ path, fault: { kind: 'status', status } }]);
const stored = async () => {
  const sql = 'SELECT company_number AS number FROM registered_company WHERE profile IS NOT NULL ORDER BY 1';
  return (await world.rows<{ number: string }>(sql)).map(({ number }) => number);
};

it('profiles that an outage of several nights skipped are fetched after it', async () => {
  await open();
  answer(/company\//, 500);
  for (let night = 0; night < 3; night++) expect((await run()).state).toBe('failed');
  expect(await world.count("absent_profile WHERE asked_at = ''")).toBe(9);
  answer(/123456[123]$/, 500);
  for (let night = 0; night < 2; night++) expect((await run()).state).toBe('failed');
  expect(await stored()).toEqual(ALL.slice(3));
});

it('an outage of 404 ends the run also where every third supplier is in no edition', async () => {
  await open(ALL.filter((_, index) => index % 3 !== 2));
  answer(/company\//, 404);
  expect(await run()).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/no profile \(404\) of 01234564/),
  });
  answer(/none/, 404);
  expect((await run()).state).toBe('succeeded');
  expect(await stored()).toEqual(ALL.slice(4));
});

it('companies that have left the register may have no profile: the others come all the same', async () => {
  await open();
  answer(/company\//, 500);
  await run();
  await world.catalogue.write([{ sql: `UPDATE registered_company SET gone = 1 WHERE company_number < '${ALL[3]}'` }]);
  answer(/123456[123]$/, 404);
  expect((await run()).state).toBe('succeeded');
  expect(await stored()).toEqual(ALL.slice(3));
});

it('a service that answers everything with something else is left alone after three, and the run says so', async () => {
  await open();
  world.upstream.setFaults([{ path: /company\//, fault: { kind: 'body', of: () => Buffer.from('{"errors":[]}') } }]);
  expect(await run()).toMatchObject({
    state: 'succeeded',
    quarantined: 3,
    warning: 'the profiles of 01234563 and others cannot be read',
  });
  world.upstream.setFaults([]);
  expect(await run()).toMatchObject({ state: 'succeeded', warning: null });
  expect(await stored()).toEqual(ALL);
});
