import { afterEach, describe, expect, it } from 'vitest';
import type { Progress } from '../../ingest/context.ts';
import { runSource } from '../../ingest/run.ts';
import { registerSources } from '../../ingest/runs/record.ts';
import { sources } from '../../ingest/sources/index.ts';
import { AS_OF, makeData, makeNotice, makeNotices, makeWorld, type World, type WorldOptions } from './small-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let world: World;
const open = async (data = makeData(), options: WorldOptions = {}) => {
  world = await makeWorld(data, options);
  await registerSources(world.catalogue, sources);
  return world;
};
afterEach(() => world.close());

const cursorOf = async (source: string) =>
  (await world.rows<{ source: string; value: string }>('SELECT source, value FROM cursor')).find(
    (row) => row.source === source,
  )?.value;
/** Everything the catalogue holds that must not change when the same is stored twice. */
const digestOf = async () => ({
  seq: await world.rows('SELECT value FROM counter'),
  releases: await world.rows('SELECT ocid, release_id, digest FROM release ORDER BY id'),
  notices: await world.rows('SELECT * FROM notice ORDER BY 1'),
  processes: await world.rows('SELECT * FROM process ORDER BY 1'),
});

describe('a first run', () => {
  it('walks from the first window to now, and says so in run, window, cursor and source rows', async () => {
    await open(makeData({ findATender: makeNotices(30, HOUR_MS) }));
    const seen: Progress[] = [];
    const report = await runSource(world.context, 'find_a_tender', { onProgress: (progress) => seen.push(progress) });
    expect(report).toMatchObject({ state: 'succeeded', releases: 30, stored: 30, quarantined: 0, error: null });
    expect(await world.count('release')).toBe(30);
    expect(await cursorOf('find_a_tender')).toBe('2026-11-20T12:00:00Z');
    expect(await world.rows("SELECT as_of, releases, last_error FROM source WHERE id = 'find_a_tender'")).toEqual([
      { as_of: '2026-11-20T12:00:00Z', releases: 30, last_error: null },
    ]);
    expect(await world.rows('SELECT state, requests, stored FROM run')).toEqual([
      { state: 'succeeded', requests: report.requests, stored: 30 },
    ]);
    expect(seen.at(-1)).toMatchObject({ requests: report.requests, releases: 30, windowsLeft: 0, fraction: 1 });
  });

  it('sends its name and contact, London time, and never stages or a cursor', async () => {
    await open(makeData({ findATender: makeNotices(3, HOUR_MS) }));
    await runSource(world.context, 'find_a_tender', { since: new Date('2026-07-01T00:00:00Z') });
    for (const { userAgent, query } of world.upstream.requests) {
      expect(userAgent).toBe('uk-procurement-data/1.0 (+ingest@example.org)');
      expect(Object.keys(query).sort()).toEqual(['limit', 'updatedFrom', 'updatedTo']);
    }
    expect(world.upstream.requests[0]?.query.updatedFrom).toBe('2026-07-01T01:00:00');
  });

  it('that finds nothing says that it was empty', async () => {
    await open();
    expect(await runSource(world.context, 'contracts_finder')).toMatchObject({ state: 'empty', releases: 0 });
    expect(
      await world.rows("SELECT last_success_at IS NOT NULL AS good FROM source WHERE id = 'contracts_finder'"),
    ).toEqual([{ good: 1 }]);
  });
});

describe('a full window', () => {
  it('is split until no part is full, and has everything where a walk by the cursor loses some', async () => {
    const published = makeNotices(700, 40_000).map(({ release }) => String(release.id));
    await open(makeData({ findATender: makeNotices(700, 40_000) }));
    const crawled = await crawlByCursor(
      `${world.upstream.url}/api/1.0/ocdsReleasePackages?updatedFrom=2026-11-18T12:00:00&updatedTo=2026-11-20T12:00:00`,
    );
    const lost = published.filter((id) => !crawled.has(id));
    expect(lost.length).toBeGreaterThan(0);
    const asked = world.upstream.requests.length;
    expect(await runSource(world.context, 'find_a_tender')).toMatchObject({ state: 'succeeded', stored: 700 });
    const stored = (await world.rows<{ id: string }>('SELECT release_id AS id FROM release')).map(({ id }) => id);
    expect(stored.sort()).toEqual(published.sort());
    expect(stored).toEqual(expect.arrayContaining(lost));
    expect(world.upstream.requests.slice(asked).filter(({ query }) => query.cursor !== undefined)).toEqual([]);
    expect(await world.count("window WHERE state = 'split'")).toBeGreaterThan(3);
  });

  it('is also one that has fewer rows than were asked for, and names a next page', async () => {
    const of = (body: Buffer) => {
      const { releases, ...rest } = JSON.parse(String(body));
      const links = releases.length > 40 ? { next: 'https://example.org/next' } : {};
      return Buffer.from(JSON.stringify({ ...rest, releases: releases.slice(0, 40), links }));
    };
    await open(makeData({ findATender: makeNotices(90, 60_000) }), {
      faults: [{ path: /ocdsReleasePackages/, fault: { kind: 'body', of } }],
    });
    expect(await runSource(world.context, 'find_a_tender')).toMatchObject({ state: 'succeeded', stored: 90 });
    expect(await world.count("window WHERE state = 'unproved'")).toBe(0);
  });

  it('of Contracts Finder is split alike, without stages and without its cursor', async () => {
    const contractsFinder = makeNotices(300, 60_000).map(({ release, publishedAt }) => ({
      release: { ...release, ocid: `ocds-b5fd17-${release.id}`, id: `${release.id}-1` },
      publishedAt,
    }));
    await open(makeData({ contractsFinder }));
    expect(await runSource(world.context, 'contracts_finder')).toMatchObject({ state: 'succeeded' });
    expect(await world.count('release')).toBe(300);
    for (const { query } of world.upstream.requests) {
      expect(Object.keys(query).sort()).toEqual(['limit', 'publishedFrom', 'publishedTo']);
    }
  });

  it('of two seconds is followed by its cursor and marked as unproved', async () => {
    const at = new Date(AS_OF.getTime() - HOUR_MS);
    await open(makeData({ findATender: Array.from({ length: 150 }, (_, index) => makeNotice(index + 1, at)) }));
    const report = await runSource(world.context, 'find_a_tender');
    expect(report.state).toBe('succeeded');
    expect(await world.count('release')).toBeGreaterThan(100);
    expect(await world.count("window WHERE state = 'unproved'")).toBeGreaterThan(0);
  });

  it.each<[string, (next: string) => string, number]>([
    ['comes back', (next) => next, 5],
    ['is no address', () => 'http://[', 3],
  ])('of two seconds whose cursor %s is followed no further', async (_name, spoil, requests) => {
    const at = new Date(AS_OF.getTime() - HOUR_MS);
    let first: string | undefined;
    const of = (body: Buffer) => {
      const answer = JSON.parse(String(body));
      first ??= answer.links?.next;
      return Buffer.from(JSON.stringify({ ...answer, links: first ? { next: spoil(first) } : {} }));
    };
    await open(makeData({ findATender: Array.from({ length: 150 }, (_, index) => makeNotice(index + 1, at)) }), {
      faults: [{ path: /ocdsReleasePackages/, fault: { kind: 'body', of } }],
    });
    const span = { since: new Date(at.getTime() - 1_000), until: new Date(at.getTime() + 1_000) };
    // The span, and each half of it.
    expect(await runSource(world.context, 'find_a_tender', span)).toMatchObject({ state: 'succeeded', requests });
    expect(await world.count("window WHERE state = 'unproved'")).toBe(2);
  });
});

describe('a second run', () => {
  it('asks only the overlap again and changes nothing', async () => {
    await open(makeData({ findATender: makeNotices(40, HOUR_MS) }));
    await runSource(world.context, 'find_a_tender');
    const before = await digestOf();
    const asked = world.upstream.requests.length;
    const report = await runSource(world.context, 'find_a_tender');
    expect(report).toMatchObject({ state: 'succeeded', stored: 0, requests: 1 });
    expect(report.unchanged).toBeGreaterThan(0);
    expect(world.upstream.requests[asked]?.query.updatedFrom).toBe('2026-11-20T09:00:00');
    expect(await digestOf()).toEqual(before);
  });

  it('fetches a whole span again on demand, and still changes nothing', async () => {
    await open(makeData({ findATender: makeNotices(40, HOUR_MS) }));
    const since = new Date(AS_OF.getTime() - 3 * DAY_MS);
    await runSource(world.context, 'find_a_tender', { since });
    const before = await digestOf();
    expect(await runSource(world.context, 'find_a_tender', { since })).toMatchObject({ requests: 1 });
    expect(await runSource(world.context, 'find_a_tender', { since, again: true })).toMatchObject({
      stored: 0,
      unchanged: 40,
    });
    expect(await digestOf()).toEqual(before);
  });
});

describe('an explicit span', () => {
  it('in the past leaves the cursor to the timetable', async () => {
    await open(makeData({ findATender: makeNotices(5, DAY_MS) }));
    const span = { since: new Date('2026-11-16T00:00:00Z'), until: new Date('2026-11-18T00:00:00Z') };
    expect(await runSource(world.context, 'find_a_tender', span)).toMatchObject({ state: 'succeeded', stored: 2 });
    expect(await cursorOf('find_a_tender')).toBeUndefined();
  });

  it('that reaches now sets the cursor', async () => {
    await open(makeData({ findATender: makeNotices(5, DAY_MS) }));
    await runSource(world.context, 'find_a_tender', { since: new Date('2026-11-16T00:00:00Z'), until: AS_OF });
    expect(await cursorOf('find_a_tender')).toBe('2026-11-20T12:00:00Z');
  });

  it('that was stopped continues where it stood', async () => {
    await open(makeData({ findATender: makeNotices(300, HOUR_MS) }));
    const since = new Date(AS_OF.getTime() - 14 * DAY_MS);
    const stop = new AbortController();
    const first = await runSource(world.context, 'find_a_tender', {
      since,
      signal: stop.signal,
      onProgress: ({ requests }) => requests >= 4 && stop.abort(),
    });
    expect(first).toMatchObject({ state: 'abandoned', requests: 4 });
    const second = await runSource(world.context, 'find_a_tender', { since });
    expect(second).toMatchObject({ state: 'succeeded', unchanged: 0 });
    expect(first.stored + second.stored).toBe(300);
  });
});

/** What a client gets that follows `links.next`. */
async function crawlByCursor(url: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let next: string | undefined = url;
  while (next) {
    const page = (await (await fetch(next)).json()) as { releases: { id: string }[]; links?: { next?: string } };
    for (const { id } of page.releases) ids.add(id);
    next = page.links?.next;
  }
  return ids;
}
