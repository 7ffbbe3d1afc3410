import { afterEach, describe, expect, it } from 'vitest';
import type { RunOptions } from '../../ingest/context.ts';
import { runSource } from '../../ingest/run.ts';
import { registerSources } from '../../ingest/runs/record.ts';
import { sources } from '../../ingest/sources/index.ts';
import { fenceStatement } from '../../jobs/process/lease.ts';
import type { PublishedRelease } from '../upstream/data.ts';
import { startUpstream } from '../upstream/server.ts';
import { AS_OF, makeData, makeNotice, makeNotices, makeWorld, type World, type WorldOptions } from './small-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let world: World;
/** The catalogue's clock of this world. */
let now: Date;

async function open(findATender: PublishedRelease[], options: WorldOptions = {}): Promise<void> {
  now = AS_OF;
  world = await makeWorld(makeData({ findATender }), options);
  world.context.clocks = { catalogueNow: () => now, wallNow: () => now };
  await registerSources(world.catalogue, sources);
}
afterEach(async () => {
  await world.upstream.close();
  await world.close();
});

const run = (options: RunOptions = {}) => runSource(world.context, 'find_a_tender', options);
const source = async () =>
  (
    await world.rows<{ last_success_at: string | null; last_attempt_at: string | null; last_error: string | null }>(
      "SELECT last_success_at, last_attempt_at, last_error FROM source WHERE id = 'find_a_tender'",
    )
  )[0];
const cursor = async () => (await world.rows<{ value: string }>('SELECT value FROM cursor'))[0]?.value;
const readStoredIds = async () =>
  (await world.rows<{ id: string }>('SELECT release_id AS id FROM release')).map(({ id }) => id).sort();
const iso = (instant: Date) => `${instant.toISOString().slice(0, 19)}Z`;
/** The same service, which has published more since. */
async function serveInstead(findATender: PublishedRelease[]): Promise<void> {
  await world.upstream.close();
  const upstream = await startUpstream({ data: makeData({ findATender }) });
  const settings = { ...world.context.settings, FIND_A_TENDER_URL: upstream.url };
  world = { ...world, upstream, context: { ...world.context, settings } };
}
const later = (byMs: number) => {
  now = new Date(now.getTime() + byMs);
};

describe('a backfill', () => {
  it('is a run of its own, and says nothing of when the source last succeeded', async () => {
    await open(makeNotices(30, HOUR_MS));
    expect(await run({ since: new Date(AS_OF.getTime() - 5 * DAY_MS) })).toMatchObject({ state: 'succeeded' });
    expect(await world.rows('SELECT job, state FROM run')).toEqual([{ job: 'backfill', state: 'succeeded' }]);
    expect(await source()).toEqual({ last_success_at: null, last_attempt_at: null, last_error: null });
    await run();
    expect((await source())?.last_success_at).toBe('2026-11-20T12:00:00Z');
  });

  it('that fails leaves the source as its last turn left it', async () => {
    await open(makeNotices(30, HOUR_MS));
    await run();
    const before = await source();
    later(HOUR_MS);
    world.upstream.setFaults([{ path: /ocds/, fault: { kind: 'status', status: 500 } }]);
    expect(await run({ since: new Date('2021-01-01T00:00:00Z') })).toMatchObject({ state: 'failed' });
    expect(await source()).toEqual(before);
  });

  it('that begins after the cursor leaves the cursor where it is, before what was not asked for', async () => {
    await open(makeNotices(3, HOUR_MS));
    await run();
    const before = await cursor();
    later(2 * DAY_MS);
    await run({ since: new Date(now.getTime() - HOUR_MS) });
    expect(await cursor()).toBe(before);
  });
});

describe('a re-walk', () => {
  it('brings what became visible late, which the next turn does not ask for', async () => {
    const visible = makeNotices(45, HOUR_MS);
    const late = makeNotice(999, new Date(AS_OF.getTime() - 40 * HOUR_MS));
    await open(visible);
    await run();
    await serveInstead([...visible, late]);
    later(HOUR_MS);
    expect(await run()).toMatchObject({ stored: 0 });
    expect(await run({ job: 'rewalk' })).toMatchObject({ state: 'succeeded', stored: 1 });
    expect(await readStoredIds()).toContain('000999-2026');
    expect(await world.rows("SELECT job FROM run WHERE job = 'rewalk'")).toHaveLength(1);
  });

  it('reaches as far back as its setting says, and not further', async () => {
    await open(makeNotices(60, HOUR_MS), { settings: { REWALK_DAYS: '1' } });
    await run();
    const asked = world.upstream.requests.length;
    await run({ job: 'rewalk' });
    expect(world.upstream.requests[asked]?.query.updatedFrom).toBe('2026-11-19T12:00:00');
  });

  it('that was cut short resumes where it stood, and starts again on the next night', async () => {
    await open(makeNotices(300, HOUR_MS / 5));
    await run();
    const stop = new AbortController();
    const first = await run({
      job: 'rewalk',
      signal: stop.signal,
      onProgress: ({ requests }) => requests >= 2 && stop.abort(),
    });
    expect(first.state).toBe('abandoned');
    const whole = await askedFrom({ job: 'rewalk' });
    const again = await askedFrom({ job: 'rewalk' });
    expect(again).toBe('2026-11-17T12:00:00');
    expect(whole > again).toBe(true);
  });

  it('has nothing to do where nothing was walked yet', async () => {
    await open(makeNotices(5, HOUR_MS));
    expect(await run({ job: 'rewalk' })).toMatchObject({ state: 'empty', requests: 0 });
    expect(await cursor()).toBeUndefined();
  });

  /** Where the first request of a run begins. */
  async function askedFrom(options: RunOptions): Promise<string> {
    const before = world.upstream.requests.length;
    await run(options);
    return world.upstream.requests[before]?.query.updatedFrom ?? '';
  }
});

describe('a catalogue clock that jumps', () => {
  it.each([
    ['an hour', HOUR_MS],
    ['a day', DAY_MS],
  ])('ahead by %s and back leaves no cursor in the future and loses nothing', async (_name, byMs) => {
    await open(makeNotices(40, HOUR_MS));
    await run();
    later(byMs);
    await run();
    expect(await cursor()).toBe(iso(now));
    // The clock is right again; a quarter of an hour later something was published, and nobody looked for a while.
    later(-byMs + HOUR_MS / 4);
    await run();
    expect((await cursor()) ?? '').toBe(iso(now));
    expect(await world.rows("SELECT as_of FROM source WHERE id = 'find_a_tender'")).toEqual([{ as_of: iso(now) }]);
    expect(await world.rows(`SELECT 1 FROM window WHERE completed_at > '${iso(now)}'`)).toEqual([]);
  });

  it('ahead by a day does not make what was requested then count as covered when its time really comes', async () => {
    const early = makeNotices(40, HOUR_MS);
    await open(early);
    await run();
    later(DAY_MS);
    await run();
    later(-DAY_MS + HOUR_MS / 4);
    await run();
    await serveInstead([...early, makeNotice(900, new Date(AS_OF.getTime() + 2 * HOUR_MS))]);
    later(2 * DAY_MS);
    expect(await run()).toMatchObject({ stored: 1 });
    expect(await readStoredIds()).toContain('000900-2026');
  });

  it('back by a day keeps a backfill as covered, and continues from where the clock is', async () => {
    await open(makeNotices(40, HOUR_MS));
    await run();
    later(2 * DAY_MS);
    await run();
    const since = new Date(AS_OF.getTime() - 30 * DAY_MS);
    const until = new Date(AS_OF.getTime() - 5 * DAY_MS);
    await run({ since, until });
    later(-DAY_MS);
    await run();
    expect((await cursor()) ?? '').toBe(iso(now));
    later(DAY_MS);
    expect(await run({ since, until })).toMatchObject({ requests: 0 });
    expect(await run()).toMatchObject({ state: 'empty', error: null });
    expect(await cursor()).toBe(iso(now));
  });
});

it('a run whose lease went to another process writes nothing more, not even how it ended', async () => {
  await open(makeNotices(3, HOUR_MS));
  await world.catalogue.write([
    { sql: "INSERT INTO lease (name, token, holder, expires_at) VALUES ('ingest:find_a_tender', 'ours', 'us', 0)" },
  ]);
  world.context.fence = fenceStatement({ name: 'ingest:find_a_tender', token: 'ours' });
  const of = async (body: Buffer) => {
    await world.catalogue.write([{ sql: "UPDATE lease SET token = 'theirs'" }]);
    return body;
  };
  world.upstream.setFaults([{ path: /ocds/, fault: { kind: 'body', of }, times: 1 }]);
  await expect(run()).rejects.toThrow(/lease lost/);
  await expect(run()).rejects.toThrow(/lease lost/);
  expect(await world.rows('SELECT state FROM run')).toEqual([{ state: 'running' }]);
  expect(await source()).toMatchObject({ last_success_at: null, last_error: null });
  expect(await world.count('release')).toBe(0);
});

describe('what a run waited for', () => {
  it('is in its row', async () => {
    await open(makeNotices(3, HOUR_MS));
    const refused = { kind: 'status' as const, status: 429, retryAfterSeconds: 37 };
    world.upstream.setFaults([{ path: /ocds/, fault: refused, times: 1 }]);
    expect(await run()).toMatchObject({ state: 'succeeded', refused: 1, waitedMs: 37_000 });
    expect(await world.rows('SELECT refused, waited_ms FROM run')).toEqual([{ refused: 1, waited_ms: 37_000 }]);
  });
});

it('a run counts its requests as they leave, so that one that is killed has counted them', async () => {
  await open(makeNotices(3, HOUR_MS));
  const counted: unknown[] = [];
  const of = async (body: Buffer) => {
    counted.push(...(await world.rows('SELECT requests, state FROM run')));
    return body;
  };
  world.upstream.setFaults([{ path: /ocds/, fault: { kind: 'body', of }, times: 1 }]);
  await run();
  expect(counted).toEqual([{ requests: 1, state: 'running' }]);
});

describe('a service that forbids again and again', () => {
  it('may be tried once by hand: another 403 is one request more, an answer opens it for the timetable', async () => {
    await open(makeNotices(3, HOUR_MS));
    world.upstream.setFaults([{ path: /ocds/, fault: { kind: 'status', status: 403 } }]);
    await run();
    const byHand = () => runSource({ ...world.context, byHand: true }, 'find_a_tender');
    expect(await byHand()).toMatchObject({ state: 'failed', requests: 1 });
    world.upstream.setFaults([]);
    expect(await run()).toMatchObject({ state: 'failed', requests: 0 });
    expect(await byHand()).toMatchObject({ state: 'succeeded' });
    expect((await run()).state).not.toBe('failed');
  });

  it('gets no further request that day, from any process, and some on the next', async () => {
    await open(makeNotices(3, HOUR_MS));
    world.upstream.setFaults([{ path: /ocds/, fault: { kind: 'status', status: 403 } }]);
    const closed = /forbade it again and again \(403\): nothing more is asked before 2026-11-21T00:00:00Z/;
    expect(await run()).toMatchObject({ state: 'failed', requests: 3, error: expect.stringMatching(closed) });
    expect(world.clock.slept.filter((ms) => ms === 300_000)).toHaveLength(2);
    world.upstream.setFaults([]);
    later(11 * HOUR_MS);
    expect(await run()).toMatchObject({ state: 'failed', requests: 0, error: expect.stringMatching(closed) });
    later(HOUR_MS);
    expect(await run()).toMatchObject({ state: 'succeeded' });
  });
});
