import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findService } from '../../ingest/sources/index.ts';
import type { Database } from '../../schema/db/interface.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { type Child, type Crew, type Ended, makeCrew, startChild } from '../support/start-child.ts';
import { type Json, listBySource, type UpstreamData } from '../upstream/data.ts';
import { makeRandom, type Random } from '../upstream/sample/random.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { upstreamSettings } from '../upstream/settings.ts';
import { asksForHeld, type Held } from './asked-twice.ts';
import { type Facts, readFacts } from './facts.ts';
import type { IngestAnswer, IngestOrder } from './ingest-process.ts';
import { addComparison, type ChaosReport, makeReport } from './report.ts';
import { readStep, STEPS } from './steps.ts';

interface ChaosOptions {
  data: UpstreamData;
  kills: number;
  seed: number;
  /** An empty folder for the data folders. */
  folder: string;
  /** What is done in which order: a source, or a job and a source (default: all, as an operator fills an empty installation). */
  steps?: readonly string[];
  /** How far the killed processes stand back for whatever else runs on the machine (default 0). */
  niceness?: number;
  onLine?: (line: string) => void;
}

interface Chaos {
  options: ChaosOptions;
  upstream: Upstream;
  random: Random;
  report: ChaosReport;
  crew: Crew;
  since: string;
  steps: readonly string[];
  /** What each step took undisturbed, in milliseconds. */
  tookMs: number[];
}

const CHILD = 'test/chaos/ingest-process.ts';
const OVERLAP_HOURS = 3;
const ANY_CELL = { month: '2026-01', type: '2' };
const DAY_MS = 86_400_000;
/**
 * The longest that a process is left at work, as a share of what its step took undisturbed, and by what it grows with
 * each kill of the step: however slow the machine, a part that is applied as a whole comes to its end at last.
 */
const AT_WORK = { share: 1 / 6, growth: 1.15 };
/** How many of the kills hit a process that is still opening its databases, and how long that may take. */
const OPENING = { share: 0.1, longestMs: 100 };

/** Ingests once undisturbed, then again and again with processes killed at random moments, and compares. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const upstream = await startUpstream({ data: options.data });
  const settings = makeSettings(options.data, upstream.url);
  const crew = makeCrew(() => startChild(CHILD, settings, options.niceness));
  try {
    return await killAndCompare({
      options,
      upstream,
      crew,
      random: makeRandom(options.seed),
      since: earliest(options.data).toISOString(),
      steps: options.steps ?? STEPS,
      tookMs: [],
      report: makeReport(),
    });
  } finally {
    await crew.close();
    await upstream.close();
  }
}

async function killAndCompare(chaos: Chaos): Promise<ChaosReport> {
  const { report, options } = chaos;
  const due = await runUndisturbed(chaos);
  while (report.kills < options.kills) {
    const killedBefore = report.kills;
    const came = await runDisturbed(chaos, join(options.folder, `killed-${report.folders}`));
    report.folders += 1;
    const said = addComparison(report, due, came);
    options.onLine?.(`folder ${report.folders}: ${report.kills - killedBefore} kills, ${said}`);
  }
  return report;
}

function makeSettings(data: UpstreamData, url: string): Record<string, string> {
  const days = Math.ceil((data.asOf.getTime() - earliest(data).getTime()) / DAY_MS);
  return {
    ...upstreamSettings(url),
    COMPANIES_HOUSE_API_KEY: 'any',
    OVERLAP_HOURS: String(OVERLAP_HOURS),
    FIRST_WINDOW_DAYS: String(days),
    REWALK_DAYS: String(days),
    AS_OF: data.asOf.toISOString(),
  };
}

/** A whole day before the first publication. */
function earliest(data: UpstreamData): Date {
  let earliestMs = data.asOf.getTime();
  for (const releases of listBySource(data).values()) {
    for (const { publishedAt } of releases) earliestMs = Math.min(earliestMs, publishedAt.getTime());
  }
  return new Date(Math.floor(earliestMs / DAY_MS) * DAY_MS - DAY_MS);
}

async function runUndisturbed(chaos: Chaos): Promise<Facts> {
  const folder = join(chaos.options.folder, 'undisturbed');
  await mkdir(folder, { recursive: true });
  for (const step of chaos.steps) {
    const child = chaos.crew.next();
    child.begin({ folder, ...readStep(step) } satisfies IngestOrder);
    const { tookMs, requests } = answerOf(step, await child.ended);
    chaos.tookMs.push(tookMs);
    chaos.options.onLine?.(`undisturbed: ${step}, ${requests} requests in ${Math.round(tookMs)} ms`);
  }
  const { report } = chaos;
  const due = await withCatalogue(folder, readFacts);
  report.compared = Object.keys(due.digests).length;
  report.releases = due.keys.release?.length ?? 0;
  report.faults.push(...due.faults, ...(await withCatalogue(folder, (catalogue) => findUnheld(catalogue, chaos))));
  return due;
}

/** What was published and is neither held nor in quarantine. */
async function findUnheld(catalogue: Database, { options: { data }, steps }: Chaos): Promise<string[]> {
  const rows = await catalogue.read<{ id: string }>({
    sql: 'SELECT release_id AS id FROM release UNION SELECT record_id FROM quarantine WHERE record_id IS NOT NULL',
  });
  const stored = new Set(rows.map(({ id }) => id));
  const ids = [...listBySource(data)].flatMap(([source, releases]) =>
    steps.includes(source) ? releases.map(({ release }) => storedId(source, release)) : [],
  );
  return ids.filter((id) => !stored.has(id)).map((id) => `${id} was published and is not held`);
}

/** The id of a release as it is stored, where its service counts releases through each answer. */
function storedId(source: string, release: Json): string {
  const service = findService(source);
  const url = service?.asked === 'by_cell' ? service.cellUrl('http://127.0.0.1', ANY_CELL) : '';
  return String((service?.adapt?.(release, url) ?? release).id);
}

/** The report of a process that came to its end. @throws Error where it failed. */
function answerOf(source: string, { code, said, complained }: Ended): IngestAnswer {
  if (code !== 0) throw new Error(`the ingest of ${source} failed: ${said.join(' ')} ${complained}`);
  return JSON.parse(said.at(-1) ?? '') as IngestAnswer;
}

/** One ingest from an empty folder, its processes killed until no kills are left. Every other one is a backfill. */
async function runDisturbed(chaos: Chaos, folder: string): Promise<Facts> {
  await mkdir(folder, { recursive: true });
  const span = chaos.report.folders % 2 === 0 ? { since: chaos.since } : {};
  for (const [index, step] of chaos.steps.entries()) {
    const { source, job } = readStep(step);
    // A span of months says nothing of the time since: a service that is asked by month takes its turn.
    const crawled = findService(source)?.asked === 'by_window' && !job ? span : {};
    const order = { folder, source, afterKill: true, ...(job ? { job } : {}), ...crawled };
    let longestMs = (chaos.tookMs[index] ?? 0) * AT_WORK.share;
    while (!(await runOnce(chaos, order, longestMs))) {
      chaos.report.restarts += 1;
      longestMs *= AT_WORK.growth;
    }
  }
  return withCatalogue(folder, readFacts);
}

/** One process: true when it came to its end before it was killed. */
async function runOnce(chaos: Chaos, order: IngestOrder, longestMs: number): Promise<boolean> {
  const { upstream, report } = chaos;
  const before = upstream.requests.length;
  const child = chaos.crew.next();
  child.begin(order);
  const stop = report.kills < chaos.options.kills ? killLater(chaos.random, child, longestMs) : () => undefined;
  const ended = await child.ended;
  stop();
  const asked = upstream.requests.slice(before);
  report.requests += asked.length;
  const stored = asked.length > 0 ? (JSON.parse(ended.said[0] ?? '') as Held) : undefined;
  const again = asked.filter((request) => stored && asksForHeld(stored, request));
  report.askedTwice.push(...again.map(({ path, query }) => `${path} ${JSON.stringify(query)}`));
  if (ended.code === null) report.kills += 1;
  else answerOf(order.source, ended);
  return ended.code !== null;
}

/** Kills a process at a random moment of its work, or while it opens its databases; answers with what calls it off. */
function killLater(random: Random, child: Child, longestMs: number): () => void {
  const opening = random.chance(OPENING.share);
  const waitMs = random.next() * (opening ? OPENING.longestMs : longestMs);
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const arm = () => {
    if (!ended) timer = setTimeout(child.kill, waitMs);
  };
  if (opening) arm();
  else void child.ready.then(arm);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

async function withCatalogue<T>(folder: string, use: (catalogue: Database) => Promise<T>): Promise<T> {
  const catalogue = await openDatabase({ url: `file:${join(folder, 'catalogue.db')}`, durability: 'normal' });
  try {
    return await use(catalogue);
  } finally {
    await catalogue.close();
  }
}
