import { UNSTAMP } from '../../ingest/rebuild/rule-editions.ts';
import { type Applied, applyTakedown } from '../../ingest/store/takedown.ts';
import { endTakedown, readPending, recordTakedown, type Wanted } from '../../ingest/takedown/record.ts';
import { readTakedowns, type Takedown } from '../../ingest/takedown/treatment.ts';
import type { ExportFormat } from '../../schema/accounts/exports/datasets.ts';
import { assertStore } from '../../schema/accounts/exports/mark.ts';
import { type ExportRow, requeueStatement } from '../../schema/accounts/exports/states.ts';
import { isoInstant, sleepReally } from '../../schema/config/clocks.ts';
import { readRows } from '../exports/read-rows.ts';
import { makeRowJudge } from '../exports/redaction.ts';
import { type Done, type Holding, withLease } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';
import { dropFormerGeneration } from '../tasks/rebuild/file.ts';
import { findChangedSuccessions, syncIndex } from '../tasks/run.ts';
import { forgetAnswers, readMentions, redactDeliveries } from './accounts.ts';
import { keepTakedowns } from './kept.ts';

interface TakedownReport extends Applied {
  id: string;
  /** Finished exports whose files were removed and are written again. */
  exports: number;
  /** Remembered answers that were dropped. */
  answers: number;
  /** Deliveries of watches that were redacted. */
  deliveries: number;
}

const LOST =
  'these processes contain what was taken down, and can no longer be compiled: nothing of them is served until a rebuild by a program that can';
const CANNOT_FOLLOW =
  'an organisation has another id since this takedown, or a framework is gone: these processes say what they said before, as they can no longer be compiled';

/** Pause before a job whose lease another process holds is tried again, in milliseconds. */
const WAIT_MS = 500;

/** Takes something down, with everything derived from it. If it is killed part-way, upkeep or the same command finishes it. */
export function takeDown(
  services: JobsServices,
  wanted: Wanted,
  { reason, by, signal }: { reason: string; by?: string; signal?: AbortSignal },
): Promise<Done<TakedownReport>> {
  return underLease(services, signal, async (holding) => {
    const now = services.clocks.wallNow();
    const takedown = await recordTakedown(services.catalogue, wanted, {
      reason,
      ...(by ? { by } : {}),
      now,
      before: [holding.fence],
    });
    return finish(services, takedown, holding);
  });
}

/** Finishes takedowns that were recorded but not completed, or that a database has lost since; returns their reports. */
export async function finishTakedowns(services: JobsServices, signal?: AbortSignal): Promise<Done<TakedownReport[]>> {
  return underLease(services, signal, async (holding) => {
    await keepTakedowns(services, [holding.fence]);
    const pending = await readPending(services.catalogue);
    const reports: TakedownReport[] = [];
    for (const takedown of await readTakedowns(services.catalogue))
      if (pending.has(takedown.id)) reports.push(await finish(services, takedown, holding));
    return reports;
  });
}

function underLease<T>(
  services: JobsServices,
  signal: AbortSignal | undefined,
  work: (holding: Holding) => Promise<T>,
) {
  return withLease(services.catalogue, 'takedown', { holder: services.holder, signal }, work);
}

/** Carries out what was recorded. Where something is away, the log says what may still contain what was taken down. */
async function finish(services: JobsServices, takedown: Takedown, holding: Holding): Promise<TakedownReport> {
  const left = new Set(['catalogue', 'remembered answers', 'deliveries', 'exports', 'search index']);
  try {
    return await carryOut(services, takedown, holding, left);
  } catch (error) {
    const said =
      'a takedown is recorded, but not yet carried out everywhere: repeat the command, or leave it to the hourly upkeep';
    services.log.warn({ takedown: takedown.id, left: [...left].join(' and ') }, said);
    throw error;
  }
}

/** The catalogue first, as everything else derives from it; then the index, remembered answers and finished files. */
async function carryOut(
  services: JobsServices,
  takedown: Takedown,
  { fence, signal }: Holding,
  left: Set<string>,
): Promise<TakedownReport> {
  const { accounts, holder } = services;
  // Waits for the writer, which may be composing something from rows that it read before.
  const asWriter = <T>(lease: 'exports' | 'watches', work: (holding: Holding) => Promise<T>) =>
    untilAcquired(signal, () => withLease(accounts, lease, { holder, signal }, work));
  const applied = await applyTakedown(services.catalogue, takedown, { before: [fence, UNSTAMP], signal });
  left.delete('catalogue');
  if (applied.lost.length > 0) services.log.warn({ takedown: takedown.id, ocids: applied.lost }, LOST);
  if (applied.passed.length > 0) services.log.warn({ takedown: takedown.id, ocids: applied.passed }, CANNOT_FOLLOW);
  // The evidence that one purchase follows another quotes their titles.
  await untilAcquired(signal, () => findChangedSuccessions(services, signal));
  const [index] = await Promise.allSettled([syncIndex(services, { signal })]);
  if (index.status === 'fulfilled' && index.value.acquired) left.delete('search index');
  await keepTakedowns(services, [fence]);
  const { inAnswer, inItem } = await readMentions(services.catalogue, takedown);
  const answers = await forgetAnswers(accounts, inAnswer);
  left.delete('remembered answers');
  const deliveries = await asWriter('watches', (holding) => redactDeliveries(accounts, inItem, holding.fence));
  left.delete('deliveries');
  // The generation that a rebuild left for its last readers still contains what was taken down.
  await dropFormerGeneration(services);
  // Near the end, as it waits for an export that is being written, and fails while the store is away.
  const exports = await asWriter('exports', (holding) => requeueExports(services, takedown, holding));
  left.delete('exports');
  // Once more after all else, where Meilisearch was away or another process is storing rows that it read before.
  if (left.has('search index')) await untilAcquired(signal, () => syncIndex(services, { signal }));
  await services.catalogue.write([fence, endTakedown(takedown.id)]);
  services.log.info({ takedown: takedown.id, ...applied, exports, answers, deliveries }, 'taken down');
  return { id: takedown.id, ...applied, exports, answers, deliveries };
}

/** The result of a leased job, once the process that holds its lease has finished. */
async function untilAcquired<T>(signal: AbortSignal, work: () => Promise<Done<T>>): Promise<T> {
  for (;;) {
    const done = await work();
    if (done.acquired) return done.result;
    await sleepReally(WAIT_MS, signal);
  }
}

const FINISHED = "SELECT * FROM export WHERE status = 'completed' AND file IS NOT NULL ORDER BY created_at, id";
const OUTDATED = "SELECT file FROM export WHERE status = 'processing' AND file IS NOT NULL";

/**
 * Queues finished exports that contain what was taken down to be written again, and removes their files. Returns how many. The
 * caller holds the writers' lease, so that no export is written meanwhile. It may be repeated after a kill at any point. @throws
 * StoreAway where this process cannot see the files
 */
async function requeueExports(services: JobsServices, takedown: Takedown, { fence, signal }: Holding): Promise<number> {
  const { accounts, catalogue, clocks, exports, log } = services;
  // If this process looks in a different place, a missing file would stay as it is.
  await assertStore(accounts, exports);
  const isConcerned = await makeRowJudge(catalogue, takedown);
  let requeued = 0;
  for (const row of await accounts.read<ExportRow>({ sql: FINISHED })) {
    if (!(await holds(services, row, isConcerned, signal))) continue;
    await accounts.write([fence, requeueStatement(row.id, isoInstant(clocks.wallNow()))]);
    log.info({ export: row.id }, 'finished export is written again after a takedown');
    requeued++;
  }
  for (const { file } of await accounts.read<{ file: string }>({ sql: OUTDATED })) await exports.remove(file);
  return requeued;
}

/** Whether a finished file has such a row. The file itself is searched, as it may contain more than the catalogue now does. */
async function holds(
  { exports }: JobsServices,
  { format, file, bytes }: ExportRow,
  isConcerned: Awaited<ReturnType<typeof makeRowJudge>>,
  signal: AbortSignal,
): Promise<boolean> {
  if (file === null || (await exports.size(file)) === undefined) return false;
  const finished = { format: format as ExportFormat, file, bytes: bytes ?? 0 };
  for await (const row of readRows(exports, finished)) {
    signal.throwIfAborted();
    if (isConcerned(row)) return true;
  }
  return false;
}
