import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Progress, RunReport } from '../../ingest/context.ts';
import { findOutdated } from '../../ingest/rebuild/rule-editions.ts';
import { sources } from '../../ingest/sources/index.ts';
import type { Done } from '../../jobs/process/lease.ts';
import type { JobsServices } from '../../jobs/process/services.ts';
import { openJobsServices } from '../../jobs/startup/open-services.ts';
import { findChangedSuccessions, ingestSource, syncIndex } from '../../jobs/tasks/run.ts';
import { makeClocks } from '../../schema/config/clocks.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { openLog } from '../../schema/process/log.ts';
import { listBySource, type PublishedRelease, type UpstreamData } from '../upstream/data.ts';
import { startUpstream } from '../upstream/server.ts';
import { upstreamSettings } from '../upstream/settings.ts';
import { type Bars, makeBars } from './bars.ts';
import type { DemoData } from './data.ts';

export type OpenServices = Awaited<ReturnType<typeof openJobsServices>>;
type MakeSettings = (more: Record<string, string>) => Settings;

const DAY_MS = 86_400_000;
/** Longer than the lease of a killed process lives. */
const HELD_MS = 40_000;

/** Services with the data: that of an earlier run if it was completed and read by the same rules, otherwise filled now. */
export async function openFilledServices(data: DemoData, makeSettings: MakeSettings): Promise<OpenServices> {
  const settings = makeSettings({});
  const earlier = await openJobsServices(settings, openLog(settings, 'jobs'), 'asked');
  const filled = await readMeta(earlier, ['demo', 'as_of', 'sample']);
  if (filled.demo === data.name && filled.as_of && (await findOutdated(earlier.catalogue)).length === 0) {
    console.log(
      `\n${filled.sample}\nData of an earlier run, as of ${filled.as_of}; remove ${settings.DATA_DIR} to ingest it again.`,
    );
    return { ...earlier, ...heldAt(makeSettings, filled.as_of) };
  }
  await earlier.close();
  if (filled.demo) await rm(settings.DATA_DIR, { recursive: true });
  return fillServices(data, makeSettings);
}

async function fillServices(data: DemoData, makeSettings: MakeSettings): Promise<OpenServices> {
  const served = await data.load();
  const upstream = await startUpstream({ data: served });
  const asOf = served.asOf.toISOString();
  const settings = makeSettings({
    AS_OF: asOf,
    ...loopbackSettings(upstream.url),
  });
  const services = await openJobsServices(settings, openLog(settings, 'jobs'), 'asked');
  console.log(`\n${served.about}\nIngesting it through the real path, with the clock held at ${asOf}:`);
  await writeMeta(services, { as_of: asOf, sample: served.about });
  const bars = makeBars();
  const [startedMs, before] = [performance.now(), process.cpuUsage()];
  try {
    await ingestAll(services, served, bars);
  } finally {
    bars.close();
    await upstream.close();
  }
  const { user, system } = process.cpuUsage(before);
  const took = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(`  Ingested and indexed in ${took} s, with ${((user + system) / 1e6).toFixed(1)} s of processor.`);
  // Last: a demo that was stopped half-way continues where it was.
  await writeMeta(services, { demo: data.name });
  return services;
}

/** All sources one after the other through the real path, then the index. */
async function ingestAll(services: JobsServices, served: UpstreamData, bars: Bars): Promise<void> {
  const register = sources.filter(({ kind }) => kind === 'register');
  const procurement = sources.filter(({ kind }) => kind === 'notices');
  // The register first, so that suppliers are matched against it; and again, for the profiles of those that were named.
  for (const { id, title } of register) await ingestOne(services, id, `${title}, register`, bars);
  const published = listBySource(served);
  for (const { id, title } of procurement) {
    const FIRST_WINDOW_DAYS = countDays(published.get(id) ?? [], served.asOf);
    await ingestOne({ ...services, settings: { ...services.settings, FIRST_WINDOW_DAYS } }, id, title, bars);
  }
  for (const { id, title } of register) await ingestOne(services, id, `${title}, profiles`, bars, 'may be missing');
  await whenFree('What succeeds what', () => findChangedSuccessions(services));
  await whenFree('The index', () => syncIndex(services));
}

/** Days from the earliest of these releases to the fixed clock: how far the first scheduled run must reach. */
function countDays(releases: readonly PublishedRelease[], asOf: Date): number {
  const earliestMs = releases.reduce((ms, { publishedAt }) => Math.min(ms, publishedAt.getTime()), asOf.getTime());
  return Math.ceil((asOf.getTime() - earliestMs) / DAY_MS) + 1;
}

/** @param need - recordings have profiles of few companies that they name: what is missing is said */
async function ingestOne(
  services: JobsServices,
  id: string,
  title: string,
  bars: Bars,
  need: 'needed' | 'may be missing' = 'needed',
): Promise<void> {
  const onProgress = (progress: Progress) => bars.show(title, progress);
  const result = await whenFree(title, () => ingestSource(services, id, { onProgress }));
  const failure = result.state === 'failed' ? `; ${result.error}` : '';
  bars.finish(title, `${describeRun(result)}${failure}`);
  if (failure && need === 'needed') throw new Error(`${title}: ${result.error}`);
}

/** Runs a leased job, after the lease of a killed demo has expired. @throws Error where another one is running. */
async function whenFree<T>(title: string, work: () => Promise<Done<T>>): Promise<T> {
  const deadline = performance.now() + HELD_MS;
  for (let told = false; ; told = true) {
    const done = await work();
    if (done.acquired) return done.result;
    if (performance.now() > deadline) throw new Error(`${title} is being written by ${done.holder}`);
    if (!told) console.log(`  ${title}: waiting for ${done.holder}, or half a minute if it was killed`);
    await pause(1_000);
  }
}

function describeRun({ requests, releases, stored, repairs, quarantined }: RunReport): string {
  const repaired = Object.values(repairs).reduce((sum, count) => sum + count, 0);
  return `${releases} read in ${requests} requests, ${stored} stored, ${repaired} repaired, ${quarantined} quarantined`;
}

function loopbackSettings(url: string): Record<string, string> {
  return {
    ...upstreamSettings(url),
    COMPANIES_HOUSE_API_KEY: 'loopback',
    PROCUREMENT_GAP_SECONDS: '0',
    COMPANIES_HOUSE_GAP_SECONDS: '0',
  };
}

function heldAt(makeSettings: MakeSettings, asOf: string) {
  const settings = makeSettings({ AS_OF: asOf });
  return { settings, clocks: makeClocks(settings.AS_OF) };
}

async function readMeta({ catalogue }: JobsServices, names: string[]): Promise<Record<string, string | undefined>> {
  const rows = await catalogue.read<{ name: string; value: string }>({ sql: 'SELECT name, value FROM meta' });
  return Object.fromEntries(rows.filter(({ name }) => names.includes(name)).map(({ name, value }) => [name, value]));
}

async function writeMeta({ catalogue }: JobsServices, values: Record<string, string>): Promise<void> {
  const sql = 'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
  await catalogue.write(Object.entries(values).map((args) => ({ sql, args })));
}
