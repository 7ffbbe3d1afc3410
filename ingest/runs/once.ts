import { randomUUID } from 'node:crypto';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { IngestContext, RunJob, RunOptions, RunReport, RunState } from '../context.ts';
import { type HttpClient, openHttpClient, UpstreamUnavailable } from '../http/client.ts';
import type { Source } from '../source.ts';
import {
  countAsking,
  countRunStatement,
  endRunStatements,
  fenceOf,
  makeTally,
  quarantineStatements,
  type RunName,
  startRunStatements,
  type Tally,
} from './record.ts';

/** What the work of a run is handed. */
export interface RunParts {
  runId: string;
  job: RunJob;
  tally: Tally;
  options: RunOptions;
  client: HttpClient;
}

/** How a run ended, before it is written down. */
interface Ending {
  state: RunState;
  error: string | null;
}

/**
 * Runs one source once with `work`, which answers with what it could not read, and writes down how it went. `url` is any
 * address on the source's host. Faults upstream end in the report, not in a throw.
 * @throws Error where the batch that closes the run is refused (the lease was lost).
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
  const ending = await settle(
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

async function settle(
  context: IngestContext,
  source: Source,
  { url, parts }: { url: string; parts: Omit<RunParts, 'client'> },
  work: (parts: RunParts) => Promise<string[]>,
): Promise<Ending> {
  const { tally, options } = parts;
  try {
    const [first, ...more] = await workWithClient(context, source, { url, parts }, work);
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

async function workWithClient(
  context: IngestContext,
  source: Source,
  { url, parts }: { url: string; parts: Omit<RunParts, 'client'> },
  work: (parts: RunParts) => Promise<string[]>,
): Promise<string[]> {
  const priority = parts.job === 'backfill' ? 'backfill' : 'nightly';
  const client = openHttpClient(context, source, url, { priority, runId: parts.runId });
  try {
    return await work({ ...parts, client });
  } finally {
    countAsking(parts.tally, client);
    await client.close();
  }
}

/** A web page that came repeatedly instead of data is kept for the operator. */
async function keepWebPage(context: IngestContext, source: Source, { url, bytes, message }: UpstreamUnavailable) {
  if (!bytes) return;
  const page = { kind: 'page' as const, reason: message, url, bytes };
  await context.catalogue.write([...fenceOf(context), ...quarantineStatements(source.id, [page], wallTime(context))]);
}

function logEnding({ log }: IngestContext, source: Source, { state, error }: Ending, tally: Tally): void {
  const facts = { source: source.id, state, ...tally };
  if (state === 'failed') log.error({ ...facts, error }, `ingest of ${source.title} failed`);
  else if (state === 'empty') log.info(facts, `${source.title} had nothing to read`);
  else log.info(facts, `ingest of ${source.title}: ${state}`);
}

/** A run that is not the source's ingest: it asks for single things, and moves no cursor. */
export interface BesideRun {
  runId: string;
  tally: Tally;
}

const START_BESIDE =
  "INSERT INTO run (id, job, source, started_at, state) VALUES (?, ?, ?, ?, 'running') ON CONFLICT DO NOTHING";
const END_BESIDE = 'UPDATE run SET ended_at = ?, state = ?, error = ? WHERE id = ?';

/**
 * Does `work` as a run of its own job, written down from its first moment to how it ended. `work` answers with what
 * went wrong; what it throws ends the run as failed, or as abandoned where the signal stopped it.
 */
export async function runBeside(
  context: IngestContext,
  { source, job, signal }: { source: Source; job: string; signal: AbortSignal | undefined },
  work: (run: BesideRun) => Promise<string[]>,
): Promise<RunReport> {
  const { catalogue, log } = context;
  const run: BesideRun = { runId: randomUUID(), tally: makeTally() };
  await catalogue.write([
    ...fenceOf(context),
    { sql: START_BESIDE, args: [run.runId, job, source.id, wallTime(context)] },
  ]);
  const { state, error } = await settleBeside(run, signal, work);
  const end = { sql: END_BESIDE, args: [wallTime(context), state, error, run.runId] };
  await catalogue.write([...fenceOf(context), countRunStatement(run.runId, run.tally), end]);
  const facts = { source: source.id, job, state, ...run.tally };
  if (state === 'failed') log.error({ ...facts, error }, `${job} of ${source.title} failed`);
  else log.info(facts, `${job} of ${source.title}: ${state}`);
  return { runId: run.runId, source: source.id, state, error, ...run.tally };
}

async function settleBeside(
  run: BesideRun,
  signal: AbortSignal | undefined,
  work: (run: BesideRun) => Promise<string[]>,
): Promise<{ state: RunState; error: string | null }> {
  try {
    const [first, ...more] = await work(run);
    if (first === undefined) return { state: run.tally.requests === 0 ? 'empty' : 'succeeded', error: null };
    return { state: 'failed', error: more.length === 0 ? first : `${first} and ${more.length} more` };
  } catch (error) {
    if (signal?.aborted) return { state: 'abandoned', error: 'stopped before it had finished' };
    return { state: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
}

function wallTime({ clocks }: IngestContext): string {
  return isoInstant(clocks.wallNow());
}

/** What a run with these options is for. */
export function jobOf({ job, since, until }: RunOptions): RunJob {
  return job ?? (since || until ? 'backfill' : 'ingest');
}
