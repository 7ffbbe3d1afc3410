import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeCoverage } from '../../../../api/operations/status/coverage.ts';
import { updateCoverage } from '../../../../ingest/completeness/coverage.ts';
import { runCells } from '../../../../ingest/crawl/cells/run.ts';
import { readClosedUntil } from '../../../../ingest/http/refusals.ts';
import { registerSources } from '../../../../ingest/runs/record.ts';
import { sources } from '../../../../ingest/sources/index.ts';
import { publicContractsScotland as source } from '../../../../ingest/sources/public-contracts-scotland.ts';
import type { JobsServices } from '../../../../jobs/process/services.ts';
import { makeTimetable } from '../../../../jobs/scheduler/timetable.ts';
import { isComplete } from '../../../../schema/catalogue/coverage.ts';
import { AS_OF, makeData, makeWorld, type World } from '../../small-world.ts';
import { FOLDER, makeScottish } from './releases.ts';

const DAY_MS = 86_400_000;
let world: World;
let now: Date;
beforeEach(async () => {
  const releases = [
    makeScottish(1, { day: '2026-10-03' }),
    makeScottish(2, { day: '2026-11-03' }),
    makeScottish(3, { day: '2026-10-04', type: '3', tag: 'award' }),
    makeScottish(4, { day: '2026-12-02' }),
    makeScottish(5, { day: '2027-01-02' }),
  ];
  world = await makeWorld(makeData({ byMonth: new Map([[FOLDER, releases]]) }));
  now = new Date(AS_OF);
  world.context.clocks.catalogueNow = () => now;
  await registerSources(world.catalogue, sources);
});
afterEach(() => world.close());

const turn = () => runCells(world.context, source);
const asked = () => world.upstream.requests.length;
async function nextDay(days = 1): Promise<void> {
  now = new Date(now.getTime() + days * DAY_MS);
  await world.clock.sleep(days * DAY_MS);
}
/** The cells of November and December that are unknown, empty or full. */
const states = async (month: string) =>
  Object.fromEntries(
    (
      await world.rows<{ type: string; state: string }>(
        `SELECT type, state FROM cell WHERE month = '${month}' AND type IN ('2', '3', '102')`,
      )
    ).map(({ type, state }) => [type, state]),
  );

it('probes a service that fails everywhere with one request a day, and catches up when it heals', async () => {
  await turn();
  world.upstream.setHealth('broken');
  await nextDay();
  expect(await turn()).toMatchObject({ state: 'failed', error: expect.stringContaining('nvarchar to float') });
  expect(await readClosedUntil(world.catalogue, source.id, world.context.clocks.wallNow())).toBeNull();
  expect(await turn()).toMatchObject({ state: 'failed', error: expect.stringContaining('answers nothing of use') });
  const [before] = [asked()];
  const entry = makeTimetable(sources).find(({ job }) => job === `ingest:${source.id}`);
  const services = { ...world.context, clocks: world.context.clocks } as unknown as JobsServices;
  // The timetable's turns of that day ask nothing and start no run.
  const runs = await world.count('run');
  expect(await entry?.run(services, new AbortController().signal)).toEqual({ closedUntil: '2026-11-22T00:00:00Z' });
  expect([asked(), await world.count('run')]).toEqual([before, runs]);
  expect(await turn()).toMatchObject({ requests: 0, error: expect.stringMatching(/the last time: \S.*nvarchar/) });
  for (let day = 0; day < 30; day++) {
    await nextDay();
    const error = expect.stringContaining('no usable answer in one attempt: ');
    expect(await turn()).toMatchObject({ state: 'failed', requests: 1, error });
  }
  const summary = await updateCoverage(world.context, source);
  expect(isComplete(summary)).toBe(false);
  expect(summary.gaps.spans.at(-1)?.until).toBe('2026-12-21T12:00:00Z');
  expect(summary.types?.find(({ type }) => type === '2')).toMatchObject({
    state: 'unknown',
    error: expect.stringContaining('500'),
  });
  const { complete, unknown_types } = describeCoverage(null, summary, [], [], now);
  expect(complete).toBe(false);
  expect(unknown_types).toContainEqual(
    expect.objectContaining({ type: '2', state: 'unknown', newest_unknown: '2026-12' }),
  );
  // Nothing that is held has gone, and nothing is claimed.
  expect(await world.count('notice WHERE gone = 0')).toBe(3);

  world.upstream.setHealth('well');
  await nextDay(20);
  expect(await turn()).toMatchObject({ state: 'succeeded', stored: 2, warning: null });
  expect(await world.count('notice WHERE gone = 0')).toBe(5);
  expect(await turn()).toMatchObject({ state: 'succeeded', stored: 0 });
  expect(isComplete(await updateCoverage(world.context, source))).toBe(true);
});

it('once a type that failed from the first turn on heals, all months since are asked', async () => {
  world.upstream.setFaults([{ path: /noticeType=2&/, fault: { kind: 'status', status: 500 } }]);
  for (const days of [0, 1, 30, 30, 30]) {
    await nextDay(days);
    expect(await turn()).toMatchObject({ state: 'failed' });
  }
  const [before] = await world.rows("SELECT as_of FROM source WHERE id = 'public_contracts_scotland'");
  expect(before).toEqual({ as_of: null });
  // Nothing but its first run says since when it is asked: catalogues of older programs have that too.
  expect(await world.count('cursor')).toBe(0);
  world.upstream.setFaults([]);
  await nextDay();
  expect(await turn()).toMatchObject({ state: 'succeeded', warning: null });
  expect(await world.count('notice WHERE gone = 0')).toBe(5);
  expect(isComplete(await updateCoverage(world.context, source))).toBe(true);
});

it('may fail everywhere from the first turn on: once it heals, all months since are asked', async () => {
  world.upstream.setHealth('broken');
  for (const days of [0, 1, 30, 30, 30]) {
    await nextDay(days);
    expect(await turn()).toMatchObject({ state: 'failed' });
  }
  world.upstream.setHealth('well');
  await nextDay();
  expect(await turn()).toMatchObject({ state: 'succeeded', warning: null });
  expect(await world.count('notice WHERE gone = 0')).toBe(5);
});

it('is not complete where a type is unknown, also before time has passed since its last good answer', async () => {
  await turn();
  const described = async () => describeCoverage(null, await updateCoverage(world.context, source), [], [], now);
  const fail = (month: string) =>
    world.catalogue.write([{ sql: "UPDATE cell SET state = 'failed' WHERE type = '3' AND month = ?", args: [month] }]);
  expect(await described()).toMatchObject({ complete: true, unknown_types: [] });
  // A month that was read when it was over is held, whatever is answered since.
  await fail('2026-10');
  expect(await described()).toMatchObject({ complete: true, unknown_types: [] });
  await fail('2026-11');
  expect(await described()).toMatchObject({
    complete: false,
    gaps: { count: 0 },
    unknown_types: [{ type: '3', state: 'unknown', unknown_months: 0 }],
  });
});

it('closes a service that answers empty where it had releases', async () => {
  await turn();
  world.upstream.setHealth('empty');
  await nextDay();
  expect(await turn()).toMatchObject({ state: 'failed', error: expect.stringContaining('it answered empty') });
  expect(await states('2026-11')).toMatchObject({ 2: 'failed', 3: 'failed', 102: 'empty' });
  expect(await turn()).toMatchObject({ state: 'failed', error: expect.stringContaining('answers nothing of use') });
  await nextDay();
  expect(await turn()).toMatchObject({ state: 'failed', requests: 1 });
  world.upstream.setHealth('well');
  await nextDay();
  expect(await turn()).toMatchObject({ state: 'succeeded', stored: 0, warning: null });
});

it('believes an empty month of a type whose month before answers with what it had', async () => {
  await turn();
  expect(await states('2026-11')).toEqual({ 2: 'ok', 3: 'empty', 102: 'empty' });
});

it('believes nothing of a service that fails where it has releases and is empty where it has none', async () => {
  await turn();
  await nextDay(25);
  world.upstream.setHealth('half_broken');
  expect(await turn()).toMatchObject({ state: 'failed' });
  expect(await states('2026-12')).toMatchObject({ 2: 'failed', 102: 'empty' });
  const summary = await updateCoverage(world.context, source);
  expect(summary.types?.filter(({ state }) => state === 'unknown').map(({ type }) => type)).toContain('2');
  world.upstream.setHealth('well');
  await nextDay();
  expect(await turn()).toMatchObject({ state: 'succeeded', stored: 1 });
});

it.each([
  ['in summer', '2026-08-31T23:30:00Z', ['2026-08', '2026-09']],
  ['in winter', '2026-11-30T23:30:00Z', ['2026-10', '2026-11']],
])("asks the months of London at a month's end %s", async (_season, at, months) => {
  now = new Date(at);
  await turn();
  expect(
    (await world.rows<{ month: string }>('SELECT DISTINCT month FROM cell ORDER BY month')).map(({ month }) => month),
  ).toEqual(months);
});
