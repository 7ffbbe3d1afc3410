import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { updateCoverage } from '../../../ingest/completeness/coverage.ts';
import { checkDailyListing, lastDays, wholeDays } from '../../../ingest/completeness/daily-listing.ts';
import { runProbes } from '../../../ingest/completeness/probes.ts';
import { UnreadablePage } from '../../../ingest/parse/repair.ts';
import { resolvePages } from '../../../ingest/quarantine/retry.ts';
import { runSource } from '../../../ingest/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import type { DailyListing } from '../../../ingest/source.ts';
import { contractsFinder, readDailyCsv } from '../../../ingest/sources/contracts-finder.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { isComplete } from '../../../schema/catalogue/coverage.ts';
import type { FaultRule } from '../../upstream/faults.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { makeData, makeWorld, type World } from '../small-world.ts';

const DAY_MS = 86_400_000;
const sample = makeSample({ notices: 700 });
const FROM = new Date(sample.asOf.getTime() - 20 * DAY_MS);
const releases = [...sample.contractsFinder].filter(({ publishedAt }) => publishedAt > FROM);
const ids = releases.map(({ release }) => String(release.id));
/** One of a whole day in the middle of the span. */
const lost = releases[Math.floor(releases.length / 2)];
const lostId = String(lost?.release.id);
const dailyListing = contractsFinder.dailyListing as DailyListing;
const source = { ...contractsFinder, dailyListing };

let world: World;
afterEach(() => world?.close());

const open = async (unlisted: string[] = [lostId]) => {
  const data = makeData({ asOf: sample.asOf, contractsFinder: releases });
  world = await makeWorld(data, { unlisted: (id) => unlisted.includes(id) });
  await registerSources(world.catalogue, sources);
  await runSource(world.context, 'contracts_finder', { since: FROM });
};
const days = () => wholeDays(FROM, sample.asOf, sample.asOf);
const check = () => checkDailyListing(world.context, source, { days: days() });
const probe = () => runProbes(world.context, source, { limit: 100 });
const spoil = (faults: FaultRule[]) => world.upstream.setFaults(faults);
const unheldDays = () =>
  world.rows<{ counted: number; held: number }>('SELECT counted, held FROM witness_day WHERE held < counted');

describe('the daily file of Contracts Finder', () => {
  it('names what the search lost, which is then fetched by its id', async () => {
    await open();
    expect(await world.count(`release WHERE release_id = '${lostId}'`)).toBe(0);
    expect(await check()).toMatchObject({ state: 'succeeded', requests: days().length });
    expect(await world.rows('SELECT notice_id, reason, state FROM probe')).toEqual([
      { notice_id: lostId, reason: 'daily_csv', state: 'wanted' },
    ]);
    expect(await unheldDays()).toHaveLength(1);
    expect(isComplete(await updateCoverage(world.context, source))).toBe(false);
    expect(await probe()).toMatchObject({ state: 'succeeded', requests: 1, stored: 1 });
    expect(world.upstream.requests.at(-1)?.path).toBe(`/Published/OCDS/Release/${lostId}`);
    expect(await unheldDays()).toEqual([]);
    expect(isComplete(await updateCoverage(world.context, source))).toBe(true);
  });

  it('agrees with what is stored where nothing was lost', async () => {
    await open([]);
    expect(await check()).toMatchObject({ state: 'succeeded' });
    expect(await world.count('probe')).toBe(0);
    const [sum] = await world.rows<{ n: number }>('SELECT sum(counted) AS n FROM witness_day');
    const today = releases.filter(({ publishedAt }) => publishedAt.toISOString() >= '2026-11-20');
    const first = releases.filter(({ publishedAt }) => publishedAt < new Date(`${days()[0]}T00:00:00+01:00`));
    expect(sum?.n).toBeGreaterThanOrEqual(ids.length - today.length - first.length - 2);
  });

  it('that ends early, is a web page or is not there fails the run, and no other day', async () => {
    await open();
    const [bad = '', gone = ''] = days();
    const path = (day: string) => new RegExp(`CSV/${day.split('-').map(Number).join('/')}$`);
    spoil([
      { path: path(bad), fault: { kind: 'broken_json' } },
      { path: path(gone), fault: { kind: 'status', status: 404 } },
    ]);
    const report = await check();
    expect(report).toMatchObject({ state: 'failed', quarantined: 1, error: /and 1 more$/ });
    expect(await world.count('witness_day')).toBe(days().length - 2);
    expect(await world.count('quarantine')).toBeGreaterThan(0);
  });

  it('that could not be read is let go of once it is read', async () => {
    await open([]);
    const bad = days().at(-1) ?? '';
    spoil([
      { path: new RegExp(`CSV/${bad.split('-').map(Number).join('/')}$`), fault: { kind: 'broken_json' }, times: 1 },
    ]);
    await check();
    const held = () => world.rows('SELECT state, bytes IS NULL AS gone FROM quarantine');
    expect(await resolvePages(world.context, source)).toBe(0);
    expect(await held()).toEqual([{ state: 'held', gone: 0 }]);
    await world.clock.sleep(DAY_MS);
    await check();
    expect(await resolvePages(world.context, source)).toBe(1);
    expect(await held()).toEqual([{ state: 'resolved', gone: 1 }]);
  });
});

describe('an outage of the daily file', () => {
  const FILE = /Harvester/;
  const dayAfter = async (faults: FaultRule[]) => {
    spoil(faults);
    world.clock.sleep(DAY_MS);
    return checkDailyListing(world.context, source, {});
  };
  const openInTime = async () => {
    await open();
    const now = () => new Date(world.clock.nowMs());
    world.context.clocks = { catalogueNow: now, wallNow: now };
    world.clock.sleep(FROM.getTime() + 2 * DAY_MS - world.clock.nowMs());
  };
  const read = async () =>
    (await world.rows<{ day: string }>('SELECT day FROM witness_day ORDER BY day')).map(({ day }) => day);

  it.each<[string, FaultRule['fault']]>([
    ['that resets', { kind: 'reset' }],
    ['that has no file', { kind: 'status', status: 404 }],
  ])('%s is made up for, however many nights it takes', async (_name, fault) => {
    await openInTime();
    expect(await dayAfter([])).toMatchObject({ state: 'succeeded' });
    const before = await read();
    for (let night = 0; night < 8; night++) {
      expect(await dayAfter([{ path: FILE, fault }])).toMatchObject({ state: 'failed' });
    }
    expect(await read()).toEqual(before);
    expect(await dayAfter([])).toMatchObject({ state: 'succeeded', requests: 9 });
    expect((await read()).length).toBe(before.length + 9);
    expect(await dayAfter([])).toMatchObject({ state: 'succeeded', requests: 3 });
  });

  it('of one day keeps no other day from being read', async () => {
    await openInTime();
    await dayAfter([{ path: FILE, fault: { kind: 'html' }, times: 5 }]);
    expect(await read()).toHaveLength(2);
  });

  it.each([500, 400])(
    'that leaves three days broken for good (%i) keeps none after them from being read',
    async (status) => {
      await openInTime();
      await dayAfter([]);
      const before = await read();
      const broken: FaultRule[] = [];
      for (let night = 0; night < 3; night++) {
        const [next = ''] = lastDays(new Date(world.clock.nowMs() + DAY_MS), 1);
        broken.push({
          path: new RegExp(`CSV/${next.split('-').map(Number).join('/')}$`),
          fault: { kind: 'status', status },
        });
        await dayAfter(broken);
      }
      expect(await read()).toEqual(before);
      for (let night = 0; night < 3; night++) await dayAfter(broken);
      expect(await dayAfter(broken)).toMatchObject({ state: 'succeeded', requests: 3 });
      expect(await read()).toHaveLength(before.length + 4);
    },
  );

  it('that answers with an empty list is not believed', async () => {
    await open([]);
    const header = Buffer.from('uri,releases/0/ocid,releases/0/id\n');
    spoil([{ path: FILE, fault: { kind: 'body', of: () => header } }]);
    const stored = await world.rows<{ day: string }>(
      `SELECT day FROM coverage_day WHERE day < '${days().at(-1)}' AND day >= '${days()[0]}'`,
    );
    const error = /^\d{4}-\d\d-\d\d: it lists nothing, and \d+ releases of that day are stored/;
    expect(await check()).toMatchObject({ state: 'failed', error: expect.stringMatching(error) });
    expect(await read()).not.toEqual(expect.arrayContaining(stored.map(({ day }) => day)));
    // Where a usual number is known, no working day is empty.
    world.context.expected = { least: 1, most: 100 };
    await world.rows('DELETE FROM coverage_day');
    expect(await check()).toMatchObject({ error: expect.stringMatching(/it lists nothing, on a working day/) });
  });
});

describe('a daily file', () => {
  it('may list several releases a row, nothing, or what cannot be kept', () => {
    const id = '0f0f0f0f-1111-2222-3333-444444444444';
    const read = (text: string) => readDailyCsv(Buffer.from(text)).map((each) => each.id);
    const header = 'uri,releases/0/ocid,releases/0/id,releases/1/ocid,releases/1/id\n';
    expect(read(`${header}x,ocds-b5fd17-a,${id}-1,ocds-b5fd17-b,${id.toUpperCase()}-2\n`)).toEqual([
      `${id}-1`,
      `${id}-2`,
    ]);
    expect(read(`${header}x,ocds-b5fd17-,${id}-1,,\n`)).toEqual([]);
    expect(read('\r\n')).toEqual([]);
    expect(() => read('a,b\n1,2\n')).toThrow(UnreadablePage);
    expect(() => read(`${header}x,ocds-b5fd17-a,"${id}-1`)).toThrow(/broken CSV/);
  });

  it('is fetched only once its day is over, in London', () => {
    expect(lastDays(new Date('2026-10-25T23:30:00Z'), 2)).toEqual(['2026-10-23', '2026-10-24']);
    expect(lastDays(new Date('2026-07-01T23:30:00Z'), 1)).toEqual(['2026-07-01']);
    const now = new Date('2026-10-27T09:00:00Z');
    expect(wholeDays(new Date('2026-10-24T00:00:00Z'), now, now)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
  });
});

/** A genuine daily file, read where it lies; it is no part of this project. */
const RECORDED = resolve('../shared/data/contracts-finder/csv/harvester-daily-2020-08-05.csv');
const present = existsSync(RECORDED);
if (!present) console.warn(`SKIPPED: the recorded daily file needs ${RECORDED}, which is not there`);

describe.skipIf(!present)('the daily file recorded in August 2020', () => {
  it('lists 29 releases of an older form, each by its process and its notice', async () => {
    const listed = readDailyCsv(await readFile(RECORDED));
    expect(listed).toHaveLength(29);
    for (const { id, storedAs } of listed) {
      expect(id).toMatch(/^ocds-b5fd17-[0-9a-f-]{36}$/);
      expect(storedAs).toEqual([expect.stringContaining(id), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    }
  });
});
