import { afterEach, describe, expect, it } from 'vitest';
import { runSource } from '../../../ingest/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { makeData, makeNotice, makeWorld, type World } from '../small-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NIGHTS = [
  { change: 'back, with an hour that comes twice', day: '2026-10-25' },
  { change: 'forward, with an hour that does not come', day: '2026-03-29' },
];
let world: World;
afterEach(() => world.close());

/** A notice every three minutes from four hours before the change until six after it, so in every hour concerned. */
async function open(day: string): Promise<{ startMs: number; ids: string[] }> {
  const startMs = Date.parse(`${day}T00:00:00Z`) - 4 * HOUR_MS;
  const findATender = Array.from({ length: 200 }, (_, index) =>
    makeNotice(index + 1, new Date(startMs + index * 180_000)),
  );
  const contractsFinder = findATender.map(({ release, publishedAt }) => ({
    release: { ...release, ocid: `ocds-b5fd17-${release.id}`, id: `${release.id}-1` },
    publishedAt,
  }));
  world = await makeWorld(makeData({ findATender, contractsFinder }));
  await registerSources(world.catalogue, sources);
  return { startMs, ids: findATender.map(({ release }) => String(release.id)) };
}

const stored = async (source: string) =>
  (await world.rows<{ id: string }>(`SELECT release_id AS id FROM release WHERE source = '${source}'`))
    .map(({ id }) => id.slice(0, 11))
    .sort();
/** Ends of windows that a service on London time could take for another instant, or that do not exist. */
const doubtful = (day: string) =>
  world.upstream.requests
    .flatMap(({ query }) => [query.updatedFrom, query.updatedTo])
    .filter((end) => end && end >= `${day}T01:00:00` && end < `${day}T02:00:00`);

describe.each(NIGHTS)('the night on which the clocks go $change', ({ day }) => {
  it.each(['find_a_tender', 'contracts_finder'])('is had whole by a backfill of %s', async (source) => {
    const { startMs, ids } = await open(day);
    const span = { since: new Date(startMs - DAY_MS), until: new Date(startMs + DAY_MS) };
    expect(await runSource(world.context, source, span)).toMatchObject({ state: 'succeeded' });
    expect(await stored(source)).toEqual(ids);
    expect(await world.count("window WHERE state = 'unproved'")).toBe(0);
    expect(doubtful(day)).toEqual([]);
  });

  it('is had whole by turns through it, each no further than its own time', async () => {
    const { startMs, ids } = await open(day);
    let nowMs = startMs + HOUR_MS;
    world.context.clocks = { catalogueNow: () => new Date(nowMs), wallNow: () => new Date(nowMs) };
    for (; nowMs <= startMs + 11 * HOUR_MS; nowMs += HOUR_MS / 2) {
      expect((await runSource(world.context, 'find_a_tender')).state).not.toBe('failed');
      const [cursor] = await world.rows<{ value: string }>('SELECT value FROM cursor');
      expect(Date.parse(cursor?.value ?? '')).toBeLessThanOrEqual(nowMs);
    }
    expect(await stored('find_a_tender')).toEqual(ids);
    expect(doubtful(day)).toEqual([]);
  });
});
