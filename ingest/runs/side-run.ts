import { randomUUID } from 'node:crypto';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import type { IngestContext, RunReport, RunState } from '../context.ts';
import type { Source } from '../source.ts';
import { countRunStatement, makeTally, type Tally } from './record.ts';

/** A run that is not the source's ingest: it asks for single things, and moves no cursor. */
export interface BesideRun {
  runId: string;
  tally: Tally;
}

const START =
  "INSERT INTO run (id, job, source, started_at, state) VALUES (?, ?, ?, ?, 'running') ON CONFLICT DO NOTHING";
const END = 'UPDATE run SET ended_at = ?, state = ?, error = ? WHERE id = ?';

/**
 * Does `work` as a run of its own job, written down from its first moment to how it ended. `work` answers with what
 * went wrong; what it throws ends the run as failed, or as abandoned where the signal stopped it.
 */
export async function runBeside(
  context: IngestContext,
  { source, job, signal }: { source: Source; job: string; signal: AbortSignal | undefined },
  work: (run: BesideRun) => Promise<string[]>,
): Promise<RunReport> {
  const { catalogue, clocks, log } = context;
  const run: BesideRun = { runId: randomUUID(), tally: makeTally() };
  const wallTime = () => isoInstant(clocks.wallNow());
  await catalogue.write([...fenceOf(context), { sql: START, args: [run.runId, job, source.id, wallTime()] }]);
  const { state, error } = await settle(run, signal, work);
  const end = { sql: END, args: [wallTime(), state, error, run.runId] };
  await catalogue.write([...fenceOf(context), countRunStatement(run.runId, run.tally), end]);
  const facts = { source: source.id, job, state, ...run.tally };
  if (state === 'failed') log.error({ ...facts, error }, `${job} of ${source.title} failed`);
  else log.info(facts, `${job} of ${source.title}: ${state}`);
  return { runId: run.runId, source: source.id, state, error, ...run.tally };
}

async function settle(
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

/** The lease's fence, where the job holds a lease: the first statement of each of its batches. */
export function fenceOf({ fence }: IngestContext): Statement[] {
  return fence ? [fence] : [];
}
