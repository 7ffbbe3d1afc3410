import { randomUUID } from 'node:crypto';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { IngestContext, RunJob, RunOptions, RunReport, RunState, Tally } from '../context.ts';
import { type HttpClient, type HttpClientOptions, openHttpClient, UpstreamUnavailable } from '../http/client.ts';
import { isLoopback } from '../http/limiter.ts';
import type { BudgetOf, Source, WindowsSource } from '../source.ts';
import {
  countAsking,
  endRunStatements,
  fenceOf,
  makeTally,
  quarantineStatements,
  type RunName,
  startRunStatements,
} from './record.ts';

/** What the work of a run receives. */
export interface RunParts {
  runId: string;
  job: RunJob;
  tally: Tally;
  options: RunOptions;
  client: HttpClient;
}

/** How a run ended, before it is recorded. */
interface Ending {
  state: RunState;
  error: string | null;
}

/** The requests of a run, and what stops it. */
type Asking = Omit<HttpClientOptions, 'runId'> & { url: string; signal: AbortSignal | undefined };

/**
 * Runs one source once with `work`, which returns what it could not read, and records the outcome. `url` is any address on the
 * source's host. Faults upstream are reported, not thrown. @throws Error where the batch that closes the run is refused (the
 * lease was lost).
 */
export async function runOnce(
  context: IngestContext,
  source: Source,
  { url, options }: { url: string; options: RunOptions },
  work: (parts: RunParts) => Promise<string[]>,
): Promise<RunReport> {
  const job = jobOf(options);
  const asking: Asking = { url, priority: job === 'backfill' ? 'backfill' : 'nightly', signal: options.signal };
  const report = await recordRun(context, { source, job, asking }, async (run) => {
    const [first, ...more] = await work({ ...run, job, options });
    const { releases, quarantined } = run.tally;
    const unread = first === undefined ? [] : [`could not be read: ${first}`, ...more];
    return endingOf(unread, releases + quarantined === 0);
  });
  const { runId: _, error, ...facts } = report;
  if (report.state === 'failed') context.log.error({ ...facts, error }, `ingest of ${source.title} failed`);
  else if (report.state === 'empty') context.log.info(facts, `${source.title} had nothing to read`);
  else context.log.info(facts, `ingest of ${source.title}: ${report.state}`);
  return report;
}

/** A run other than the source's ingest: it requests single things, and moves no cursor. */
export type BesideRun = Pick<RunParts, 'runId' | 'tally' | 'client'>;

/** The source and the job of such a run, and the budget for its requests. */
interface SingleRun {
  source: WindowsSource;
  job: string;
  budget: BudgetOf;
  signal: AbortSignal | undefined;
}

/**
 * Does `work` as a run of its own job. `work` returns the faults it met; if it throws, the run ends as failed, or as abandoned where
 * the signal stopped it. @throws Error as `runOnce`
 */
export async function runBeside(
  context: IngestContext,
  { source, job, budget, signal }: SingleRun,
  work: (run: BesideRun) => Promise<string[]>,
): Promise<RunReport> {
  const asking: Asking = { url: source.baseUrl(context.settings), priority: 'probe', budget, signal };
  const report = await recordRun(context, { source, job, asking }, async (run) =>
    endingOf(await work(run), run.client.requests() === 0),
  );
  const { runId: _, error, ...facts } = { ...report, job };
  if (report.state === 'failed') context.log.error({ ...facts, error }, `${job} of ${source.title} failed`);
  else context.log.info(facts, `${job} of ${source.title}: ${report.state}`);
  return report;
}

/** Records a run from its first moment to its outcome, and does `work` with a client of its own, whose counts go to the tally. */
async function recordRun(
  context: IngestContext,
  { source, job, asking }: { source: Source; job: string; asking: Asking },
  work: (run: BesideRun) => Promise<Ending>,
): Promise<RunReport> {
  const { catalogue } = context;
  const name: RunName = { runId: randomUUID(), job, source: source.id };
  const tally = makeTally();
  await catalogue.write([...fenceOf(context), ...startRunStatements(name, wallTime(context))]);
  const ending = await finishRun(context, source, { ...asking, runId: name.runId, tally }, work);
  await catalogue.write([...fenceOf(context), ...endRunStatements(name, { ...ending, at: wallTime(context) }, tally)]);
  return { runId: name.runId, source: source.id, ...ending, ...tally };
}

async function finishRun(
  context: IngestContext,
  source: Source,
  { url, signal, tally, ...options }: Asking & Pick<RunParts, 'runId' | 'tally'>,
  work: (run: BesideRun) => Promise<Ending>,
): Promise<Ending> {
  const { runId } = options;
  try {
    const client = openHttpClient(context, source, url, options);
    try {
      return await work({ runId, tally, client });
    } finally {
      countAsking(tally, client);
      await client.close();
    }
  } catch (error) {
    if (signal?.aborted) return { state: 'abandoned', error: 'stopped before it had finished' };
    if (error instanceof UpstreamUnavailable) await keepWebPage(context, source, error);
    return { state: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
}

/** How a run ended that did all of its work. @param faults - that it met, the one to report first */
function endingOf([first, ...more]: readonly string[], isEmpty: boolean): Ending {
  if (first === undefined) return { state: isEmpty ? 'empty' : 'succeeded', error: null };
  return { state: 'failed', error: more.length === 0 ? first : `${first} and ${more.length} more` };
}

/** A web page that came repeatedly instead of data is kept for the operator. */
async function keepWebPage(context: IngestContext, source: Source, { url, bytes, message }: UpstreamUnavailable) {
  if (!bytes) return;
  const page = { kind: 'page' as const, reason: message, url, bytes };
  const { catalogue } = context;
  await catalogue.write([
    ...fenceOf(context),
    ...quarantineStatements(catalogue, source.id, [page], wallTime(context)),
  ]);
}

/** Now by the wall clock, as ISO 8601 UTC. */
export function wallTime({ clocks }: IngestContext): string {
  return isoInstant(clocks.wallNow());
}

/** The purpose of a run with these options. */
export function jobOf({ job, since, until }: RunOptions): RunJob {
  return job ?? (since || until ? 'backfill' : 'ingest');
}

/** How much a run found, in which unit, and where. */
interface Found {
  volume: number;
  unit: string;
  url: string;
}

/**
 * Says loudly, in the log and in the run's row, when a run found far less or far more than a source is known for.
 * A loopback upstream serves a sample, which no expectation of the real service fits: it is judged only by `context.expected`.
 */
export function judgeVolume(context: IngestContext, source: Source, { volume, unit, url }: Found, tally: Tally): void {
  const expected = context.expected ?? (isLoopback(url) ? null : source.expected);
  if (!expected || (volume >= expected.least && volume <= expected.most)) return;
  tally.warning = `${volume} ${unit}, expected ${expected.least} to ${expected.most}`;
  context.log.warn({ source: source.id, volume, expected }, `an unusual volume: ${tally.warning}`);
}
