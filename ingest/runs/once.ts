import { randomUUID } from 'node:crypto';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { IngestContext, RunJob, RunOptions, RunReport, RunState, Tally } from '../context.ts';
import { type HttpClient, type HttpClientOptions, openHttpClient, UpstreamUnavailable } from '../http/client.ts';
import type { BudgetOf, Source, WindowsSource } from '../source.ts';
import {
  countAsking,
  countRunStatement,
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
  const name: RunName = { runId: randomUUID(), job: jobOf(options), source: source.id };
  const tally = makeTally();
  await context.catalogue.write([...fenceOf(context), ...startRunStatements(name, wallTime(context))]);
  const ending = await finishRun(
    context,
    source,
    { url, parts: { runId: name.runId, job: name.job, tally, options } },
    work,
  );
  await context.catalogue.write([
    ...fenceOf(context),
    ...endRunStatements(name, { ...ending, at: wallTime(context) }, tally),
  ]);
  logEnding(context, source, ending, tally);
  return { ...name, ...ending, ...tally };
}

async function finishRun(
  context: IngestContext,
  source: Source,
  { url, parts }: { url: string; parts: Omit<RunParts, 'client'> },
  work: (parts: RunParts) => Promise<string[]>,
): Promise<Ending> {
  const { runId, job, tally, options } = parts;
  const priority = job === 'backfill' ? 'backfill' : 'nightly';
  try {
    const [first, ...more] = await withClient(context, source, { url, tally, priority, runId }, (client) =>
      work({ ...parts, client }),
    );
    if (first === undefined)
      return { state: tally.releases + tally.quarantined === 0 ? 'empty' : 'succeeded', error: null };
    return {
      state: 'failed',
      error: `could not be read: ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`,
    };
  } catch (error) {
    if (options.signal?.aborted) return { state: 'abandoned', error: 'stopped before it had finished' };
    if (error instanceof UpstreamUnavailable) await keepWebPage(context, source, error);
    return { state: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
}

/** Does `work` with a client of its own, whose counts go to the tally. */
async function withClient(
  context: IngestContext,
  source: Source,
  { url, tally, ...options }: { url: string; tally: Tally } & HttpClientOptions,
  work: (client: HttpClient) => Promise<string[]>,
): Promise<string[]> {
  const client = openHttpClient(context, source, url, options);
  try {
    return await work(client);
  } finally {
    countAsking(tally, client);
    await client.close();
  }
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

function logEnding({ log }: IngestContext, source: Source, { state, error }: Ending, tally: Tally): void {
  const facts = { source: source.id, state, ...tally };
  if (state === 'failed') log.error({ ...facts, error }, `ingest of ${source.title} failed`);
  else if (state === 'empty') log.info(facts, `${source.title} had nothing to read`);
  else log.info(facts, `ingest of ${source.title}: ${state}`);
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

const START_BESIDE =
  "INSERT INTO run (id, job, source, started_at, state) VALUES (?, ?, ?, ?, 'running') ON CONFLICT DO NOTHING";
const END_BESIDE = 'UPDATE run SET ended_at = ?, state = ?, error = ? WHERE id = ?';

/**
 * Does `work` as a run of its own job, recorded from its first moment to its outcome. `work` returns what went wrong; if it
 * throws, the run ends as failed, or as abandoned where the signal stopped it.
 */
export async function runBeside(
  context: IngestContext,
  asked: SingleRun,
  work: (run: BesideRun) => Promise<string[]>,
): Promise<RunReport> {
  const { catalogue, log } = context;
  const { source, job } = asked;
  const runId = randomUUID();
  const tally = makeTally();
  const start = { sql: START_BESIDE, args: [runId, job, source.id, wallTime(context)] };
  await catalogue.write([...fenceOf(context), start]);
  const { state, error } = await finishSingleRun(context, asked, { runId, tally }, work);
  const end = { sql: END_BESIDE, args: [wallTime(context), state, error, runId] };
  await catalogue.write([...fenceOf(context), countRunStatement(runId, tally), end]);
  const facts = { source: source.id, job, state, ...tally };
  if (state === 'failed') log.error({ ...facts, error }, `${job} of ${source.title} failed`);
  else log.info(facts, `${job} of ${source.title}: ${state}`);
  return { runId, source: source.id, state, error, ...tally };
}

async function finishSingleRun(
  context: IngestContext,
  { source, budget, signal }: SingleRun,
  run: Omit<BesideRun, 'client'>,
  work: (run: BesideRun) => Promise<string[]>,
): Promise<Ending> {
  const asking = { ...run, url: source.baseUrl(context.settings), priority: 'probe', budget } as const;
  try {
    const [first, ...more] = await withClient(context, source, asking, (client) => work({ ...run, client }));
    if (first === undefined) return { state: run.tally.requests === 0 ? 'empty' : 'succeeded', error: null };
    return { state: 'failed', error: more.length === 0 ? first : `${first} and ${more.length} more` };
  } catch (error) {
    if (signal?.aborted) return { state: 'abandoned', error: 'stopped before it had finished' };
    return { state: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
}

/** Now by the wall clock, as ISO 8601 UTC. */
export function wallTime({ clocks }: IngestContext): string {
  return isoInstant(clocks.wallNow());
}

/** The purpose of a run with these options. */
export function jobOf({ job, since, until }: RunOptions): RunJob {
  return job ?? (since || until ? 'backfill' : 'ingest');
}
