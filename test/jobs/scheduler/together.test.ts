import { afterEach, describe, expect, it, vi } from 'vitest';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import type { JobsServices } from '../../../jobs/process/services.ts';
import { followTimetable } from '../../../jobs/scheduler/follow.ts';
import { makeTimetable } from '../../../jobs/scheduler/timetable.ts';
import { ingestSource } from '../../../jobs/tasks/run.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { catalogueDigest } from '../../ingest/store/catalogue-digest.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { startUpstream, type Upstream } from '../../upstream/server.ts';
import { upstreamSettings } from '../../upstream/settings.ts';

const data = makeSample({ notices: 60, buyers: 10, companies: 20 });
const FIND_A_TENDER = /ocdsReleasePackages/;
let upstream: Upstream;
let built: Awaited<ReturnType<typeof makeJobServices>>;
const closing: (() => Promise<void>)[] = [];

async function open(): Promise<JobsServices> {
  upstream = await startUpstream({ data });
  built = await makeJobServices({ ...upstreamSettings(upstream.url), AS_OF: data.asOf.toISOString() });
  closing.push(built.close, upstream.close);
  await registerSources(built.services.catalogue, sources);
  return built.services;
}
/** Another job process on the same databases. */
async function openBeside(services: JobsServices, holder: string): Promise<JobsServices> {
  const catalogue = await openDatabase({ url: services.catalogue.url, durability: 'normal' });
  closing.unshift(() => catalogue.close());
  return { ...services, catalogue, holder };
}
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const succeeded = async ({ catalogue }: JobsServices) =>
  (
    await catalogue.read<{ job: string; source: string }>({
      sql: "SELECT job, source FROM run WHERE state IN ('succeeded', 'empty') ORDER BY job, source",
    })
  ).map(({ job, source }) => `${job}:${source}`);

describe('a service that hangs', () => {
  it('keeps only its own source: the others have their turn', async () => {
    const services = await open();
    upstream.setFaults([{ path: FIND_A_TENDER, fault: { kind: 'delay', delayMs: 600_000 } }]);
    // A source that is asked month by month takes minutes for its turn.
    const quick = sources.filter((source) => source.kind !== 'notices' || source.asked === 'by_window');
    const turns = makeTimetable(quick).filter(({ lastSuccessOf: turn }) => turn?.job === 'ingest');
    const following = await followTimetable(services, turns, makeMetrics(services));
    await vi.waitFor(
      async () => expect(await succeeded(services)).toEqual(['ingest:companies_house', 'ingest:contracts_finder']),
      { timeout: LIMITS_MS.wait },
    );
    expect(following.running()).toEqual(['ingest:find_a_tender']);
    upstream.setFaults([]);
    await following.stop();
    const [run] = await services.catalogue.read({ sql: "SELECT state FROM run WHERE source = 'find_a_tender'" });
    expect(run).toEqual({ state: 'abandoned' });
  });
});

it('a run that fails is a failed run of its job, so that an alert hears of it', async () => {
  const services = await open();
  upstream.setFaults([{ path: FIND_A_TENDER, fault: { kind: 'status', status: 401 } }]);
  const ingest = makeTimetable(sources).find(({ job }) => job === 'ingest:find_a_tender');
  await expect(ingest?.run(services, new AbortController().signal)).rejects.toThrow('401');
  const runs = await services.catalogue.read({ sql: "SELECT state FROM run WHERE source = 'find_a_tender'" });
  expect(runs).toEqual([{ state: 'failed' }]);
});

describe('two job processes on one database', () => {
  it('give a source one turn, in either order', async () => {
    const one = await open();
    const other = await openBeside(one, 'the other');
    const done = await Promise.all([ingestSource(one, 'find_a_tender'), ingestSource(other, 'find_a_tender')]);
    expect(done.map(({ acquired: held }) => held).sort()).toEqual([false, true]);
    expect(await succeeded(one)).toEqual(['ingest:find_a_tender']);
    const asked = upstream.requests.map(({ query }) => JSON.stringify(query));
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('let a backfill and the turn of the same source go on beside each other, and store everything once', async () => {
    const one = await open();
    const other = await openBeside(one, 'the backfill');
    const since = new Date(data.asOf.getTime() - 400 * 86_400_000);
    const [turn, backfill] = await Promise.all([
      ingestSource(one, 'find_a_tender'),
      ingestSource(other, 'find_a_tender', { since }),
    ]);
    expect([turn, backfill]).toMatchObject([{ acquired: true }, { acquired: true }]);
    expect(await succeeded(one)).toEqual(['backfill:find_a_tender', 'ingest:find_a_tender']);
    const beside = await catalogueDigest(one.catalogue);
    const alone = await open();
    await ingestSource(alone, 'find_a_tender', { since });
    expect(beside).toEqual(await catalogueDigest(alone.catalogue));
    const sql = "SELECT releases, (SELECT count(*) FROM release) AS held FROM source WHERE id = 'find_a_tender'";
    const [count] = await one.catalogue.read<{ releases: number; held: number }>({ sql });
    expect(count?.releases).toBe(count?.held);
  });
});

describe('a process that was down', () => {
  it('has the missed turns and the missed re-walk at once when it is back', async () => {
    const services = await open();
    const entries = makeTimetable(sources).filter(({ lastSuccessOf: turn }) => turn?.source === 'find_a_tender');
    await ingestSource(services, 'find_a_tender');
    await services.catalogue.write([
      { sql: "UPDATE run SET started_at = '2026-01-01T00:00:00Z', ended_at = '2026-01-01T00:00:10Z'" },
    ]);
    const following = await followTimetable(services, entries, makeMetrics(services));
    await vi.waitFor(
      async () =>
        expect(await succeeded(services)).toEqual(
          expect.arrayContaining(['ingest:find_a_tender', 'rewalk:find_a_tender']),
        ),
      { timeout: LIMITS_MS.wait },
    );
    await following.stop();
  });
});
