import { afterAll, beforeAll, expect, it } from 'vitest';
import { matchSuppliers } from '../../../../ingest/party/match/suppliers.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import type { BenchSighting } from '../../../generated/register/other-suppliers.ts';
import { isRight, matchAll, storeRegister } from '../../../generated/register/store.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';

/** A small edition of the benchmark's register, and suppliers drawn from it. */
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let drawn: BenchSighting[];
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  drawn = await storeRegister(catalogue, { companies: 10_000, sightings: 2_000 });
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

it('995 in 1,000 suppliers tied to a company are tied to their own, by every method', async () => {
  const { matched } = await matchAll(catalogue, drawn);
  const answered = matched.filter(({ match }) => match !== null);
  const listed = matched.filter(({ sighting }) => sighting.truth !== null);
  expect([drawn.length, listed.length]).toEqual([2_000, expect.any(Number)]);
  expect(answered.filter(isRight).length / answered.length).toBeGreaterThanOrEqual(0.995);
  for (const method of new Set(answered.map(({ match }) => match?.method))) {
    const own = answered.filter(({ match }) => match?.method === method);
    expect(own.filter((one) => !isRight(one)).length).toBeLessThanOrEqual(Math.max(1, own.length * 0.005));
  }
  expect(listed.filter(isRight).length / listed.length).toBeGreaterThan(0.8);
});

it('no misspelling, former name, moved address or missing postcode leads astray', async () => {
  const tricky = new Set(['misspelt', 'formerName', 'wrongEnding', 'andOrPunctuation', 'withoutEnding', 'tradingAs']);
  const { matched } = await matchAll(
    catalogue,
    drawn.filter(({ name }) => tricky.has(name)),
  );
  expect(matched.length).toBeGreaterThan(300);
  expect(matched.filter((one) => one.match && !isRight(one))).toEqual([]);
});

it('together or one by one suppliers find the same', async () => {
  const some = drawn.slice(0, 60).map(({ wanted }) => wanted);
  const together = await matchSuppliers(catalogue, some);
  for (const [index, one] of some.entries()) expect(await matchSuppliers(catalogue, [one])).toEqual([together[index]]);
});

it('three reads answer for a whole batch, each through an index', async () => {
  const asked: string[] = [];
  const watched: Database = {
    ...catalogue,
    read: (statement) => {
      asked.push(statement.sql);
      return catalogue.read(statement);
    },
  };
  await matchSuppliers(
    watched,
    drawn.slice(0, 500).map(({ wanted }) => wanted),
  );
  expect(asked).toHaveLength(3);
  for (const sql of asked) {
    const plan = await catalogue.read<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: ['[]'] });
    const steps = plan.map(({ detail }) => detail).filter((step) => !step.includes('json_each'));
    expect(steps).not.toEqual([]);
    for (const step of steps) expect(step).not.toMatch(/^SCAN /);
  }
});
