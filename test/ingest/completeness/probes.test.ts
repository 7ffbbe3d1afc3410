import { afterEach, describe, expect, it } from 'vitest';
import { updateCoverage } from '../../../ingest/completeness/coverage.ts';
import { runProbes } from '../../../ingest/completeness/probes.ts';
import { readQuarantinedRows, retryQuarantined } from '../../../ingest/quarantine/retry.ts';
import { runSource } from '../../../ingest/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { findATender } from '../../../ingest/sources/find-a-tender.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { isComplete } from '../../../schema/catalogue/coverage.ts';
import type { PublishedRelease } from '../../upstream/data.ts';
import { AS_OF, makeData, makeNotice, makeNotices, makeWorld, type World, type WorldOptions } from '../small-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let world: World;
afterEach(() => world.close());

const open = async (findATender: PublishedRelease[], options: WorldOptions = {}) => {
  world = await makeWorld(makeData({ findATender }), options);
  await registerSources(world.catalogue, sources);
  return runSource(world.context, 'find_a_tender', { since: new Date(AS_OF.getTime() - 3 * DAY_MS) });
};
const without = (notices: PublishedRelease[], ...numbers: number[]) =>
  notices.filter(({ release }) => !numbers.includes(Number(String(release.id).slice(0, 6))));
const probe = (limit = 100) => runProbes(world.context, findATender, { limit });
const stock = () => updateCoverage(world.context, findATender);
const probes = () =>
  world.rows<{ notice_id: string; state: string }>('SELECT notice_id, reason, state, error FROM probe ORDER BY 1');
const askedById = () =>
  world.upstream.requests.flatMap(({ path }) => /ocdsReleasePackages\/(\d{6}-\d{4})/.exec(path)?.[1] ?? []);
const sleepADay = () => world.clock.sleep(DAY_MS);

describe('numbers that no window brought', () => {
  it('are listed, fetched by id, and stored as any release is', async () => {
    await open(makeNotices(30, HOUR_MS), { unlisted: (id) => ['000007-2026', '000008-2026'].includes(id) });
    expect(await world.count('release')).toBe(28);
    expect(await stock()).toMatchObject({
      probes: { wanted: 2 },
      sequence: [{ year: 2026, lowest: 1, highest: 30, held: 28, missing: 2 }],
    });
    expect(await probe()).toMatchObject({ state: 'succeeded', requests: 2, releases: 2, stored: 2 });
    expect(askedById()).toEqual(['000007-2026', '000008-2026']);
    expect(await world.count("notice WHERE notice_id = '000007-2026'")).toBe(1);
    const after = await stock();
    expect(after).toMatchObject({ probes: { fetched: 2, wanted: 0 }, sequence: [{ held: 30, missing: 0 }] });
    expect(isComplete(after)).toBe(true);
    expect(await world.rows('SELECT job, state, requests, stored FROM run ORDER BY rowid')).toContainEqual({
      job: 'probe',
      state: 'succeeded',
      requests: 2,
      stored: 2,
    });
  });

  it('are never published only once a second day has no answer either, and are not fetched again', async () => {
    await open(without(makeNotices(30, HOUR_MS), 12));
    await probe();
    expect(await probes()).toMatchObject([{ notice_id: '000012-2026', state: 'wanted', error: /404/ }]);
    await probe();
    expect(askedById()).toHaveLength(1);
    await sleepADay();
    await probe();
    expect(await probes()).toMatchObject([{ state: 'never_published' }]);
    expect(await stock()).toMatchObject({ sequence: [{ missing: 0, never_published: 1 }] });
    await sleepADay();
    expect(await probe()).toMatchObject({ state: 'empty', requests: 0 });
    expect(askedById()).toHaveLength(2);
  });

  it('are still wanted after an outage that answers every address with 404, however long', async () => {
    await open(makeNotices(30, HOUR_MS), { unlisted: (id) => id === '000012-2026' });
    await stock();
    world.upstream.setFaults([{ path: /./, fault: { kind: 'status', status: 404 } }]);
    for (let night = 0; night < 3; night++) {
      await sleepADay();
      expect(await runSource(world.context, 'find_a_tender')).toMatchObject({ state: 'failed' });
      await probe();
      expect(await probes()).toMatchObject([{ state: 'wanted' }]);
    }
    world.upstream.setFaults([]);
    await sleepADay();
    expect(await runSource(world.context, 'find_a_tender')).toMatchObject({ state: 'succeeded' });
    expect(await probe()).toMatchObject({ state: 'succeeded', stored: 1 });
    expect(await probes()).toMatchObject([{ state: 'fetched' }]);
  });

  it('that are published late after all are stored by the probe of the next day', async () => {
    await open(makeNotices(30, HOUR_MS), {
      unlisted: (id) => id === '000009-2026',
      faults: [{ path: /000009-2026$/, fault: { kind: 'status', status: 404 }, times: 1 }],
    });
    await probe();
    await sleepADay();
    expect(await probe()).toMatchObject({ stored: 1 });
    expect(await probes()).toMatchObject([{ state: 'fetched', error: null }]);
  });

  it('are still missing where what comes cannot be compiled, until it is read again from quarantine', async () => {
    const notices = makeNotices(30, HOUR_MS);
    await open(notices, { unlisted: (id) => id === '000009-2026' });
    const { catalogue } = world.context;
    const trip = () => {
      throw new TypeError('a fault of ours');
    };
    world.context.catalogue = {
      ...catalogue,
      read: (statement) => (statement.sql.startsWith('SELECT id FROM process') ? trip() : catalogue.read(statement)),
    };
    expect(await probe()).toMatchObject({ state: 'failed', error: /cannot be compiled/, releases: 0, quarantined: 1 });
    world.context.catalogue = catalogue;
    expect(await probes()).toMatchObject([{ state: 'failed', error: 'in quarantine: it cannot be compiled' }]);
    expect(isComplete(await stock())).toBe(false);
    const rows = readQuarantinedRows(catalogue, { source: 'find_a_tender' });
    for await (const row of rows) await retryQuarantined(world.context, row);
    expect(isComplete(await stock())).toBe(true);
  });

  it.each([1, 2])('are fetched the next day where a clock that was ahead asked %i times in vain', async (times) => {
    await open(makeNotices(30, HOUR_MS), {
      unlisted: (id) => id === '000009-2026',
      faults: [{ path: /000009-2026$/, fault: { kind: 'status', status: 404 }, times }],
    });
    await world.clock.sleep(365 * DAY_MS);
    for (let asked = 0; asked < times; asked++) {
      await probe();
      await sleepADay();
    }
    await world.clock.sleep(-(364 + times) * DAY_MS);
    expect(await probe()).toMatchObject({ requests: 1, stored: 1 });
    expect(await probes()).toMatchObject([{ state: 'fetched', error: null }]);
  });

  it('that cannot be read keep their error and are fetched again', async () => {
    await open(makeNotices(30, HOUR_MS), {
      unlisted: (id) => id === '000009-2026',
      faults: [{ path: /000009-2026$/, fault: { kind: 'broken_json' }, times: 1 }],
    });
    expect(await probe()).toMatchObject({ state: 'failed', quarantined: 1, error: /000009-2026: broken JSON/ });
    expect(await probes()).toMatchObject([{ state: 'failed', error: /broken JSON/ }]);
    expect(await probe()).toMatchObject({ state: 'succeeded', stored: 1 });
  });

  it('are fetched so many at a time, from where the last run stood', async () => {
    await open(makeNotices(30, HOUR_MS), { unlisted: (id) => id > '000010-2026' && id < '000020-2026' });
    expect(await probe(4)).toMatchObject({ requests: 4, stored: 4, warning: '5 ids are still to be asked for' });
    expect(await probe(4)).toMatchObject({ requests: 4, stored: 4 });
    expect(await probe(4)).toMatchObject({ requests: 1, stored: 1, warning: null });
    expect(new Set(askedById()).size).toBe(9);
  });

  it('end the run where the service is ill, and not their own state', async () => {
    await open(makeNotices(30, HOUR_MS), {
      unlisted: (id) => id > '000010-2026' && id < '000020-2026',
      faults: [{ path: /ocdsReleasePackages\/\d/, fault: { kind: 'status', status: 503 } }],
    });
    expect(await probe()).toMatchObject({ state: 'failed', requests: 15 });
    expect(await world.count("probe WHERE state = 'failed'")).toBe(3);
    world.upstream.setFaults([]);
    expect(await probe()).toMatchObject({ state: 'succeeded', stored: 9 });
  });
});

describe('a catalogue that begins in the middle of a year', () => {
  const late = (number: number, hoursAgo: number) => makeNotice(number, new Date(AS_OF.getTime() - hoursAgo * HOUR_MS));

  it('lacks nothing of what came before it', async () => {
    await open([late(80_001, 30), late(80_002, 20), late(80_004, 10)]);
    expect(await stock()).toMatchObject({ sequence: [{ lowest: 80_001, highest: 80_004, held: 3, missing: 1 }] });
  });

  it('lacks nothing between two spans that were fetched', async () => {
    const old = (number: number) => makeNotice(number, new Date(`2026-03-02T1${number % 10}:00:00Z`));
    await open([old(101), old(103), late(80_001, 20), late(80_002, 10)]);
    await runSource(world.context, 'find_a_tender', {
      since: new Date('2026-03-01T00:00:00Z'),
      until: new Date('2026-03-03T00:00:00Z'),
    });
    const { gaps, sequence } = await stock();
    expect(gaps).toMatchObject({ count: 1, spans: [{ from: '2026-03-03T00:00:00Z', until: '2026-11-17T12:00:00Z' }] });
    expect(sequence).toMatchObject([{ held: 4, missing: 1 }]);
    expect(await probes()).toMatchObject([{ notice_id: '000102-2026' }]);
  });

  it('tells a leap in the numbers and asks for none of it', async () => {
    await open([late(80_001, 30), late(999_901, 20)]);
    expect(await stock()).toMatchObject({
      leaps: [{ after: '080001-2026', before: '999901-2026' }],
      probes: { wanted: 0 },
    });
  });
});

describe('a window too full to be read whole', () => {
  it('is proved once every number near those of its page is settled', async () => {
    const at = new Date(AS_OF.getTime() - HOUR_MS);
    const notices = Array.from({ length: 260 }, (_, index) => makeNotice(index + 1, at));
    await open(without(notices, 40));
    const lost = 259 - (await world.count('release'));
    expect(lost).toBeGreaterThan(0);
    const { unproved } = await stock();
    expect(unproved).toBeGreaterThan(0);
    expect(await probe(300)).toMatchObject({ stored: lost, requests: lost + 1 });
    expect(await world.count('release')).toBe(259);
    expect(await stock()).toMatchObject({ unproved, probes: { wanted: 1 } });
    await sleepADay();
    await probe();
    const after = await stock();
    expect(after).toMatchObject({ unproved: 0, probes: { never_published: 1 } });
    expect(isComplete(after)).toBe(true);
    expect(await world.count("window WHERE state = 'proved'")).toBe(unproved);
  });
});
