import { afterEach, describe, expect, it } from 'vitest';
import { runSource } from '../../ingest/run.ts';
import { findFreePort } from '../support/free-port.ts';
import type { Fault } from '../upstream/faults.ts';
import { AS_OF, makeData, makeNotice, makeNotices, makeWorld, type World, worldSettings } from './small-world.ts';

const HOUR_MS = 3_600_000;
const PATH = /ocdsReleasePackages/;
let world: World;
afterEach(() => world.close());

const run = () => runSource(world.context, 'find_a_tender');
const open = async (fault: Fault, times?: number, skip = 0) => {
  world = await makeWorld(makeData({ findATender: makeNotices(40, HOUR_MS) }), {
    faults: [{ path: PATH, fault, skip, ...(times ? { times } : {}) }],
  });
};
const cursor = async () => (await world.rows<{ value: string }>('SELECT value FROM cursor'))[0]?.value;

describe('a fault that passes', () => {
  it.each<[string, Fault, number]>([
    ['a 429 that names a time', { kind: 'status', status: 429, retryAfterSeconds: 37 }, 37_000],
    ['a 503', { kind: 'status', status: 503, retryAfterSeconds: 11 }, 11_000],
    ['a 504', { kind: 'status', status: 504 }, 30_000],
    ['a reset', { kind: 'reset' }, 5_000],
    ['a body cut short', { kind: 'truncated' }, 5_000],
    ['a web page instead of JSON', { kind: 'html' }, 120_000],
    ['broken JSON', { kind: 'broken_json' }, 5_000],
  ])('%s: is waited out, and nothing is lost', async (_name, fault, waitMs) => {
    await open(fault, 1, 1);
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 40, quarantined: 0 });
    expect(world.clock.slept).toEqual([waitMs]);
    expect(await world.count('release')).toBe(40);
  });

  it('a 403 of Contracts Finder waits five minutes', async () => {
    world = await makeWorld(makeData({ contractsFinder: [] }), {
      faults: [{ path: /OCDS\/Search/, fault: { kind: 'status', status: 403 }, times: 1 }],
    });
    expect(await runSource(world.context, 'contracts_finder')).toMatchObject({ state: 'empty' });
    expect(world.clock.slept).toEqual([300_000]);
  });

  it('silence is given up after the set time and requested again', async () => {
    await open({ kind: 'delay', delayMs: 600 }, 1);
    world.context.settings = worldSettings(world.upstream.url, world.context.settings.DATA_DIR, {
      REQUEST_TIMEOUT_SECONDS: '0.2',
    });
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 40 });
    expect(world.clock.slept).toEqual([5_000]);
  });
});

it('a service that answers every window with the same full page ends the run, which names the window', async () => {
  const page = makeNotices(100, HOUR_MS).map(({ release }) => release);
  const of = (body: Buffer) => Buffer.from(JSON.stringify({ ...JSON.parse(String(body)), releases: page }));
  await open({ kind: 'body', of });
  const span = /from 2026-11-18T12:00:19Z to 2026-11-18T12:00:20Z: Find a Tender seems to ignore the times/;
  const report = await run();
  expect(report).toMatchObject({ state: 'failed', error: expect.stringMatching(span) });
  expect(report.requests).toBeLessThan(60);
  expect(await world.count("window WHERE state = 'unproved'")).toBe(20);
  expect(await cursor()).toBe('2026-11-18T12:00:20Z');
  world.upstream.setFaults([]);
  expect(await run()).toMatchObject({ state: 'succeeded' });
  expect(await world.count('release')).toBe(140);
  expect(await cursor()).toBe('2026-11-20T12:00:00Z');
});

describe('a fault that stays', () => {
  it.each<[string, Fault, RegExp]>([
    ['429', { kind: 'status', status: 429, retryAfterSeconds: 1 }, /5 attempts: asked to slow down/],
    ['reset', { kind: 'reset' }, /5 attempts/],
    ['a web page', { kind: 'html' }, /a web page came instead of data/],
    ['a refusal', { kind: 'status', status: 400 }, /refused \(400\)/],
  ])(
    '%s: the run fails, the cursor stands where all is held, the next run loses nothing',
    async (_name, fault, error) => {
      await open(fault, undefined, 3);
      const failed = await run();
      expect(failed).toMatchObject({ state: 'failed', error: expect.stringMatching(error) });
      const before = await cursor();
      expect(before && before < '2026-11-20T12:00:00Z').toBe(true);
      world.upstream.setFaults([]);
      expect(await run()).toMatchObject({ state: 'succeeded' });
      expect(await world.count('release')).toBe(40);
      expect(await cursor()).toBe('2026-11-20T12:00:00Z');
    },
  );

  it('a dead upstream is distinguished from the others', async () => {
    await open({ kind: 'reset' });
    const closed = await findFreePort();
    world.context.settings = worldSettings(`http://127.0.0.1:${closed}`, world.context.settings.DATA_DIR);
    expect(await run()).toMatchObject({ state: 'failed', error: expect.stringMatching(/ECONNREFUSED/) });
    expect(await cursor()).toBeUndefined();
    expect(await world.rows('SELECT state, error IS NOT NULL AS said FROM run')).toEqual([
      { state: 'failed', said: 1 },
    ]);
  });

  it('a live service gets no request without a contact', async () => {
    await open({ kind: 'reset' });
    world.context.settings = worldSettings('https://procurement.example', world.context.settings.DATA_DIR, {
      CONTACT: '',
    });
    expect(await run()).toMatchObject({ state: 'failed', error: expect.stringMatching(/CONTACT/) });
  });
});

describe('an answer that can never be read', () => {
  it('is quarantined with its bytes; every other record is stored and the cursor stays before it', async () => {
    const notices = makeNotices(40, HOUR_MS);
    const bad = notices[20] ?? makeNotice(21, AS_OF);
    bad.raw = '{"ocid": "ocds-h6vhtk-broken", "id": oops}';
    world = await makeWorld(makeData({ findATender: notices }));
    const report = await run();
    expect(report).toMatchObject({ state: 'failed', stored: 39, error: expect.stringMatching(/could not be read/) });
    expect(await world.count('release')).toBe(39);
    const [page] = await world.rows<{ kind: string; bytes: Uint8Array }>('SELECT kind, bytes FROM quarantine');
    expect(page?.kind).toBe('page');
    expect(Buffer.from(page?.bytes ?? []).toString()).toContain('oops');
    const before = (await cursor()) ?? '';
    expect(before <= bad.publishedAt.toISOString()).toBe(true);

    delete bad.raw;
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 1 });
    expect(await cursor()).toBe('2026-11-20T12:00:00Z');
  });

  it('of a part of a full window leaves the cursor before that window', async () => {
    let isFull = false;
    const of = (body: Buffer) => {
      if (isFull) return Buffer.from('[');
      isFull = JSON.parse(String(body)).releases.length === 100;
      return body;
    };
    world = await makeWorld(makeData({ findATender: makeNotices(150, 60_000) }), {
      faults: [{ path: PATH, fault: { kind: 'body', of } }],
    });
    expect(await run()).toMatchObject({ state: 'failed', error: expect.stringMatching(/could not be read/) });
    const [full] = await world.rows<{ from: string }>(`SELECT min("from") AS "from" FROM window WHERE state = 'split'`);
    expect(await cursor()).toBe(full?.from);
    world.upstream.setFaults([]);
    expect(await run()).toMatchObject({ state: 'succeeded' });
    expect(await world.count('release')).toBe(150);
  });

  it('of every window ends the run soon, not after the whole history', async () => {
    await open({ kind: 'broken_json' });
    const report = await run();
    expect(report.state).toBe('failed');
    expect(report.requests).toBeLessThan(200);
    expect(await cursor()).toBeUndefined();
  });
});

describe('a bad release', () => {
  it('without ocid is quarantined, and the rest of its page is read', async () => {
    await open({ kind: 'release_without_ocid' }, 1);
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 40, quarantined: 1 });
    expect(await world.rows('SELECT kind, reason FROM quarantine')).toEqual([
      { kind: 'release', reason: expect.stringMatching(/no ocid/) },
    ]);
    expect(await cursor()).toBe('2026-11-20T12:00:00Z');
  });

  it('of an unknown notice type is kept and the type is counted', async () => {
    await open({ kind: 'unknown_notice_type' }, 1);
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 41 });
    expect(await world.rows("SELECT value FROM unknown_value WHERE source = 'find_a_tender'")).toContainEqual({
      value: 'UK99',
    });
  });

  it('that comes twice in one answer is stored once', async () => {
    const notice = makeNotice(7, new Date(AS_OF.getTime() - HOUR_MS));
    world = await makeWorld(makeData({ findATender: [notice, notice] }));
    expect(await run()).toMatchObject({ state: 'succeeded' });
    expect(await world.count('release')).toBe(1);
  });
});
