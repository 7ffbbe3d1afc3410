import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findService, listServices } from '../../../ingest/sources/index.ts';
import type { IngestAnswer, IngestOrder } from '../../chaos/ingest-process.ts';
import { makeFolder } from '../../support/databases.ts';
import { startChild } from '../../support/start-child.ts';
import type { UpstreamData } from '../../upstream/data.ts';
import { haveRecordings, readKnownRecordings } from '../../upstream/recordings/known.ts';
import { startUpstream } from '../../upstream/server.ts';
import { upstreamSettings } from '../../upstream/settings.ts';
import type { FloorAnswer, FloorOrder } from './floor.ts';
import type { RebuildAnswer, RebuildOrder } from './rebuild-process.ts';
import { makeBenchData, nextEdition, SPAN_DAYS } from './world.ts';

interface IngestBench {
  /** Generated releases of all procurement services together (default 20,000). */
  releases?: number;
  /** Generated rows of the register (default 100,000). */
  rows?: number;
}

export const INGEST = 'test/chaos/ingest-process.ts';
const FLOOR = 'test/bench/ingest/floor.ts';
const REBUILD = 'test/bench/ingest/rebuild-process.ts';
/** What both services published in five years. */
const FIVE_YEARS = 1_360_000;
/** As the bulk product is cut. */
const BULK_PARTS = 7;

/** A month in the middle of the generated ones, and how often it is asked again. */
const AGAIN_MONTH = '2026-05-15T00:00:00Z';
const AGAIN_TIMES = 60;

/** Older than anything recorded. */
const SINCE_EVER = '2014-01-01T00:00:00Z';

/** Ingest from loopback without pacing, each beside the least that the same driver needs for the same bytes or rows. */
export async function benchIngest({ releases = 20_000, rows = 100_000 }: IngestBench = {}): Promise<void> {
  const services = listServices().map(({ id }) => id);
  const data = makeBenchData(releases, rows);
  await withUpstream(data, async (bench) => {
    console.log(`\ningest of ${releases} generated releases from loopback without pacing`);
    await compare(bench, { name: 'releases', sources: services, floor: 'pages' });
    for (const id of services) await askAgain(bench, id);
    await printRebuild(bench, join(bench.folder, 'releases'));
    console.log(`\ningest of a Companies House edition of ${rows} generated rows`);
    await makeEdition(bench);
    await compare(bench, { name: 'register', sources: ['companies_house'], floor: 'register' });
    await withUpstream(nextEdition(data), async ({ url, settings }) => {
      await makeEdition({ url });
      await applyNext({ settings, folder: join(bench.folder, 'register') });
    });
  });
  if (!haveRecordings('ingest of the recordings')) return;
  await withUpstream(await readKnownRecordings(), async (bench) => {
    console.log('\ningest of the recordings from loopback without pacing');
    const recorded = services.filter((id) => findService(id)?.asked === 'by_window');
    await compare(bench, { name: 'recordings', sources: recorded, floor: 'pages', since: SINCE_EVER });
  });
}

/** Serves this data on loopback, with a folder to ingest into. */
export async function withUpstream(data: UpstreamData, work: (bench: Bench) => Promise<void>): Promise<void> {
  const folder = await makeFolder();
  const { url, close } = await startUpstream({ data, bulkParts: BULK_PARTS });
  const settings = {
    ...upstreamSettings(url),
    FIRST_WINDOW_DAYS: String(SPAN_DAYS + 1),
    AS_OF: data.asOf.toISOString(),
  };
  try {
    await work({ url, folder: folder.path, settings });
  } finally {
    await close();
    await folder.remove();
  }
}

export interface Bench {
  url: string;
  folder: string;
  settings: Record<string, string>;
}

interface Comparison {
  name: string;
  sources: readonly string[];
  floor: FloorOrder['kind'];
  /** Where the first window begins; without it as many days back as the settings say. */
  since?: string;
}

async function compare(bench: Bench, { name, sources, floor, since }: Comparison): Promise<void> {
  const folder = join(bench.folder, name);
  await mkdir(folder);
  const answers: IngestAnswer[] = [];
  for (const source of sources) {
    const answer = await run<IngestAnswer>(INGEST, bench, {
      folder,
      source,
      ...(since ? { since } : {}),
    } satisfies IngestOrder);
    if (answer.state !== 'succeeded') throw new Error(`${source}: ${answer.state}, ${answer.error}`);
    answers.push(answer);
  }
  const least = await run<FloorAnswer>(FLOOR, bench, { kind: floor, folder, url: bench.url } satisfies FloorOrder);
  const count = sum(answers, ({ releases }) => releases);
  const took = { tookMs: sum(answers, ({ tookMs }) => tookMs), cpuMs: sum(answers, ({ cpuMs }) => cpuMs) };
  const ratio = (least.tookMs / least.count / (took.tookMs / count)).toFixed(2);
  const cpuRatio = (least.cpuMs / least.count / (took.cpuMs / count)).toFixed(2);
  console.log(`  floor: parsed and inserted  ${rate(least.count, least.tookMs)}`);
  if (floor === 'pages') await printCompiled(bench, folder, least);
  console.log(
    `  ingest                      ${rate(count, took.tookMs)}   ${ratio} x the floor (${cpuRatio} x by processor time; ${(took.cpuMs / count).toFixed(2)} ms of processor each)`,
  );
  for (const { source, requests, releases, stored, tookMs, cpuMs, successionsMs, residentMb, peakMb } of answers) {
    const quarters = residentMb.join(', ');
    const each = `${rate(releases, tookMs).trim()}, ${(cpuMs / releases).toFixed(2)} ms of processor each`;
    console.log(
      `    ${source}: ${stored} stored, ${requests} requests, ${(tookMs / 1_000).toFixed(1)} s (${each}), successions after it ${(successionsMs / 1_000).toFixed(1)} s; peak ${peakMb} MB (after each quarter ${quarters})`,
    );
  }
}

/** A month that is asked again and again and adds nothing, of a service that answers whole months. */
async function askAgain(bench: Bench, source: string): Promise<void> {
  const service = findService(source);
  if (service?.asked !== 'by_cell') return;
  const month = { since: AGAIN_MONTH, until: AGAIN_MONTH, again: AGAIN_TIMES };
  const order = { folder: join(bench.folder, 'releases'), source, ...month } satisfies IngestOrder;
  const { stored, releases, requests, tookMs, cpuMs } = await run<IngestAnswer>(INGEST, bench, order);
  if (stored > 0) throw new Error(`${source}: ${stored} releases of an unchanged month were stored`);
  const each = `${(tookMs / AGAIN_TIMES).toFixed(0)} ms and ${(cpuMs / AGAIN_TIMES).toFixed(0)} ms of processor`;
  console.log(
    `    ${source}, one month ${AGAIN_TIMES} times: ${releases} releases in ${requests} requests, each time ${each}, nothing stored`,
  );
}

/** What no ingest can do without: inserting the very rows that it leaves, with nothing to read and to compile. */
async function printCompiled(bench: Bench, folder: string, least: FloorAnswer): Promise<void> {
  const order = { kind: 'compiled', folder, url: bench.url } satisfies FloorOrder;
  const { count, tookMs } = await run<FloorAnswer>(FLOOR, bench, order);
  const ratio = (least.tookMs / least.count / (tookMs / count)).toFixed(2);
  console.log(`  its rows alone, inserted    ${rate(count, tookMs)}   ${ratio} x the floor`);
}

/** The catalogue of an ingest compiled again from its releases. */
async function printRebuild(bench: Bench, folder: string): Promise<void> {
  const { releases, same, ...took } = await run<RebuildAnswer>(REBUILD, bench, { folder } satisfies RebuildOrder);
  if (!same) throw new Error('the rebuilt catalogue is another than the one that was ingested');
  const each = (took.cpuMs / releases).toFixed(2);
  const minutes = ((took.tookMs / releases) * FIVE_YEARS) / 60_000;
  console.log(
    `  rebuilt                     ${rate(releases, took.tookMs)}   ${each} ms of processor each, on ${availableParallelism()} cores; peak ${took.peakMb} MB in the process that writes`,
  );
  console.log(
    `    ${FIVE_YEARS} releases would take ${minutes.toFixed(0)} min (extrapolated from ${releases}; a larger catalogue has deeper indexes)`,
  );
}

/** The next month's edition over the one that is held. */
async function applyNext({ settings, folder }: Pick<Bench, 'settings' | 'folder'>): Promise<void> {
  const order = { folder, source: 'companies_house' } satisfies IngestOrder;
  const { releases, stored, unchanged, tookMs, peakMb } = await run<IngestAnswer>(INGEST, { settings }, order);
  console.log(`  the next edition            ${rate(releases, tookMs)}`);
  console.log(`    ${stored} stored, ${unchanged} unchanged, ${(tookMs / 1_000).toFixed(1)} s; peak ${peakMb} MB`);
}

function sum(answers: readonly IngestAnswer[], pick: (answer: IngestAnswer) => number): number {
  return answers.reduce((total, answer) => total + pick(answer), 0);
}

function rate(count: number, tookMs: number): string {
  return `${((count / tookMs) * 1_000).toFixed(0).padStart(7)}/s`;
}

/** Has every file of the edition made, which is no part of reading it. */
async function makeEdition({ url }: Pick<Bench, 'url'>): Promise<void> {
  const page = await (await fetch(`${url}/en_output.html`)).text();
  for (const [, file] of page.matchAll(/href="([^"]+-part\d+_\d+\.zip)"/g))
    await (await fetch(`${url}/${file}`)).arrayBuffer();
}

/** Gives a process its order; answers with the last line it says. */
export async function run<T>(script: string, { settings }: Pick<Bench, 'settings'>, order: object): Promise<T> {
  const child = startChild(script, settings);
  child.begin(order);
  const { code, said, complained } = await child.ended;
  if (code !== 0) throw new Error(`${JSON.stringify(order)}: ${said.join(' ')} ${complained}`);
  return JSON.parse(said.at(-1) ?? '') as T;
}
