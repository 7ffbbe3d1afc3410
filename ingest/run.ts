import { randomUUID } from 'node:crypto';
import { isoInstant } from '../schema/config/clocks.ts';
import type { Statement } from '../schema/db/interface.ts';
import { type IngestContext, jobOf, type RunOptions, type RunReport, type RunState } from './context.ts';
import { runWindows } from './crawl/service.ts';
import { openHttpClient, UpstreamUnavailable } from './http/client.ts';
import { quarantineStatements } from './parse/quarantined.ts';
import { runRegister } from './register/run.ts';
import {
  countAsking,
  endRunStatements,
  makeTally,
  type RunName,
  startRunStatements,
  type Tally,
} from './runs/record.ts';
import { isLoopback, type Source } from './source.ts';
import { findSource } from './sources/index.ts';

/** How a run ended, before it is written down. */
interface Ending {
  state: RunState;
  error: string | null;
}

/**
 * Runs one source once: from its cursor (or over an explicit span) to now, and writes down how it went.
 * A run that did not finish has moved its cursor only over what it stored. Faults upstream end in the report, not in a throw.
 * @throws Error for an unknown source, or where the batch that closes the run is refused (the lease was lost).
 */
export async function runSource(
  context: IngestContext,
  sourceId: string,
  options: RunOptions = {},
): Promise<RunReport> {
  const source = findSource(sourceId);
  if (!source) throw new Error(`there is no source called ${sourceId}`);
  const name: RunName = { runId: randomUUID(), job: jobOf(options), source: source.id };
  const tally = makeTally();
  await context.catalogue.write([...fence(context), ...startRunStatements(name, wallTime(context))]);
  const ending = await settle(context, source, { name, tally, options });
  await context.catalogue.write([
    ...fence(context),
    ...endRunStatements(name, { ...ending, at: wallTime(context) }, tally),
  ]);
  logEnding(context, source, ending, tally);
  return { ...name, ...ending, ...tally };
}

interface Started {
  name: RunName;
  tally: Tally;
  options: RunOptions;
}

async function settle(context: IngestContext, source: Source, started: Started): Promise<Ending> {
  const { tally, options } = started;
  try {
    const faults = await runKind(context, source, started);
    const [first] = faults;
    if (first === undefined)
      return { state: tally.releases + tally.quarantined === 0 ? 'empty' : 'succeeded', error: null };
    const more = faults.length > 1 ? ` and ${faults.length - 1} more` : '';
    return { state: 'failed', error: `could not be read: ${first}${more}` };
  } catch (error) {
    if (options.signal?.aborted) return { state: 'abandoned', error: 'stopped before it had finished' };
    if (error instanceof UpstreamUnavailable) await keepWebPage(context, source, error);
    return { state: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
}

/** Does the work of one kind of source; answers with what could not be read. */
async function runKind(context: IngestContext, source: Source, { name, tally, options }: Started): Promise<string[]> {
  const { runId, job } = name;
  const priority = job === 'backfill' ? 'backfill' : 'nightly';
  const client = openHttpClient(context, source, chooseUrl(context, source), { priority, runId });
  try {
    return source.kind === 'notices'
      ? await runWindows(context, source, { runId, job, tally, options, client })
      : await runRegister(context, source, { runId, job, tally, options, client });
  } finally {
    countAsking(tally, client);
    await client.close();
  }
}

/** The address that decides on politeness: of a register's two, the one that is live. */
function chooseUrl({ settings }: IngestContext, source: Source): string {
  if (source.kind === 'notices') return source.baseUrl(settings);
  return isLoopback(source.bulkUrl(settings)) ? source.apiUrl(settings) : source.bulkUrl(settings);
}

/** A web page that came repeatedly instead of data is kept for the operator. */
async function keepWebPage(context: IngestContext, source: Source, { url, bytes, message }: UpstreamUnavailable) {
  if (!bytes) return;
  const page = { kind: 'page' as const, reason: message, url, bytes };
  await context.catalogue.write([...fence(context), ...quarantineStatements(source.id, [page], wallTime(context))]);
}

function logEnding({ log }: IngestContext, source: Source, { state, error }: Ending, tally: Tally): void {
  const facts = { source: source.id, state, ...tally };
  if (state === 'failed') log.error({ ...facts, error }, `ingest of ${source.title} failed`);
  else if (state === 'empty') log.info(facts, `${source.title} had nothing to read`);
  else log.info(facts, `ingest of ${source.title}: ${state}`);
}

function fence(context: IngestContext): Statement[] {
  return context.fence ? [context.fence] : [];
}

function wallTime({ clocks }: IngestContext): string {
  return isoInstant(clocks.wallNow());
}
