import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { groupBy } from '../../schema/text/memoise.ts';
import { contactStatements } from '../contacts/personal-details.ts';
import { parseInstant } from '../fields/dates.ts';
import type { ReadRelease } from '../parse/page.ts';
import type { Quarantined } from '../parse/repair.ts';
import { bumpSeq, isCompileFault, writeOptimistically } from '../rows/versioned.ts';
import { quarantineStatements } from '../runs/record.ts';
import { isTombstone, makeTreatment, readTakedowns } from '../takedown/treatment.ts';
import { type Besides, type Changes, compileChanges } from './changes.ts';
import { MOVED_MAX, readMoves, takeMoves } from './relations/link-rows.ts';
import { type FetchedRelease, releaseStatements, sortReleases, unknownStatements } from './releases.ts';

/** A release; if it was fetched before, or came from one of several pages, with its own instant and page. */
export type ReleaseToStore = ReadRelease & { fetchedAt?: string; pageSha256?: string };

/** A page, or several, to be stored in one batch. */
interface PageToStore extends Pick<Besides, 'ahead' | 'movedMost'> {
  source: string;
  /** Instant of fetch, ISO 8601 UTC. */
  fetchedAt: string;
  /** The wall clock, ISO 8601 UTC; absent where the releases came some time ago. */
  now?: string;
  releases: readonly ReleaseToStore[];
  quarantined: readonly Quarantined[];
  /** Of the page, where its releases do not say. */
  pageSha256?: string;
  /** Contact points of tenders that are open at this instant are kept; by default, none are. */
  contactsOpenAt?: Date | undefined;
  /** First in the batch: the lease's fence. */
  before: readonly Statement[];
  /** Last in the batch: the window's row and the cursor. */
  after: readonly Statement[];
  /** After those, where a release could not be compiled. */
  afterRefusal?: readonly Statement[];
  /** Ends the moves after the batch in progress; the next page that is stored continues them. */
  signal?: AbortSignal | undefined;
}

interface StoreReport {
  /** Releases that were new. */
  stored: number;
  /** Releases that were already stored, including their bodies. */
  unchanged: number;
  /** Releases that could not be compiled and went to quarantine. */
  refused: number;
}

/**
 * Stores a page, and moves the processes of organisations whose ids it changes. A release that cannot be compiled is our own
 * fault, and must not stop the others. Then each process is stored separately, those that fail go to quarantine with their
 * bytes, and the last statements of the batch come at the end.
 * @throws DatabaseBusy if another writer held the catalogue too long; Error `lease lost` if the fence refused
 */
export async function storePage(catalogue: Database, page: PageToStore): Promise<StoreReport> {
  const report = await storeReleases(catalogue, page);
  await moveProcesses(catalogue, page.before, page);
  return report;
}

async function storeReleases(catalogue: Database, page: PageToStore): Promise<StoreReport> {
  try {
    return await storeWhole(catalogue, page);
  } catch (error) {
    if (!isCompileFault(error)) throw error;
    return storeSeparately(catalogue, page);
  }
}

/**
 * Compiles the other processes of organisations whose ids changed, a bounded number a batch, also those that a killed run left.
 * Their former ids lead to the present ones already, and each batch counts what it moves. A process that can no longer be
 * compiled keeps its rows, and the next rebuild names it. Returns the ocids of these.
 * @param signal ends it after the batch in progress: the rest is left to the next call
 */
export async function moveProcesses(
  catalogue: Database,
  before: readonly Statement[],
  { movedMost = MOVED_MAX, signal }: Pick<PageToStore, 'movedMost' | 'signal'>,
): Promise<string[]> {
  const passed: string[] = [];
  while (!signal?.aborted && (await readMoves(catalogue)).length > 0) {
    const ocids = await writeOptimistically(catalogue, async () => {
      // Compiled in here, as another run may meanwhile have passed what cannot be compiled.
      const { versioned, others, passed: result } = await compileMoved(catalogue, movedMost);
      const bump = versioned.length > 0 ? [bumpSeq] : [];
      return { before, statements: [...bump, ...others, ...versioned], compiled: true, result };
    });
    passed.push(...ocids);
    // Local reads and writes are synchronous: the lease's heartbeat gets its turn between batches.
    await yieldToEventLoop();
  }
  return passed;
}

/** The next processes; fewer where one can no longer be compiled, and that one alone as it is. Reads only. */
async function compileMoved(catalogue: Database, most: number): Promise<Changes & { passed: string[] }> {
  const { ocids: also, statements } = await takeMoves(catalogue, await readMoves(catalogue), most, false);
  try {
    const { versioned, others } = await compileChanges(catalogue, [], { also });
    return { versioned, others: [...others, ...statements], passed: [] };
  } catch (error) {
    if (!isCompileFault(error)) throw error;
    return most > 1 ? compileMoved(catalogue, Math.ceil(most / 2)) : { ...NOTHING, others: statements, passed: also };
  }
}

const NOTHING: Changes = { versioned: [], others: [] };

async function storeSeparately(catalogue: Database, page: PageToStore): Promise<StoreReport> {
  const total: StoreReport = { stored: 0, unchanged: 0, refused: 0 };
  const quarantined = [...page.quarantined];
  for (const releases of groupBy(page.releases, ({ ocid }) => ocid).values()) {
    try {
      // What they move comes later, as it is not their fault if that cannot be compiled.
      const alone = { ...page, releases, quarantined: [], after: [], movedMost: 0 };
      const { stored, unchanged } = await storeWhole(catalogue, alone);
      total.stored += stored;
      total.unchanged += unchanged;
    } catch (error) {
      if (!isCompileFault(error)) throw error;
      total.refused += releases.length;
      quarantined.push(...releases.map((release) => toQuarantined(release, error)));
    }
  }
  const after = [...page.after, ...(total.refused > 0 ? (page.afterRefusal ?? []) : [])];
  await storeWhole(catalogue, { ...page, releases: [], quarantined, after });
  return total;
}

function toQuarantined({ ocid, releaseId, body }: ReleaseToStore, { message }: Error): Quarantined {
  const reason = `it cannot be compiled: ${message.slice(0, 200)}`;
  return { kind: 'release', reason, url: ocid, recordId: releaseId, bytes: Buffer.from(body) };
}

/**
 * Stores a page in ONE batch: its new releases, everything compiled from them and their earlier releases, identities,
 * counts and totals, and quarantined records. Rows change only where they differ; a page stored twice changes nothing.
 */
async function storeWhole(catalogue: Database, page: PageToStore): Promise<StoreReport> {
  const { source, fetchedAt, pageSha256 = '' } = page;
  const fetched = page.releases.map((release) => withDate({ fetchedAt, pageSha256, ...release }));
  return writeOptimistically(catalogue, async () => {
    const treatment = makeTreatment(await readTakedowns(catalogue));
    const { instants, ocids, ...sorted } = await sortReleases(catalogue, fetched, page.now);
    const fresh = sorted.fresh.map(treatment.release);
    const kept = fresh.filter((release) => !isTombstone(release));
    const besides = { also: ocids, instants, ahead: page.ahead, movedMost: page.movedMost };
    const isNews = kept.length + ocids.length > 0;
    const compiled = isNews ? await compileChanges(catalogue, kept, besides) : NOTHING;
    const statements = [
      ...(compiled.versioned.length > 0 ? [bumpSeq] : []),
      ...releaseStatements(fresh, page.ahead?.packedOf),
      ...sorted.statements,
      ...unknownStatements(fresh),
      ...compiled.others,
      ...compiled.versioned,
      ...(page.contactsOpenAt ? contactStatements(fresh, page.contactsOpenAt) : []),
      ...quarantineStatements(catalogue, source, page.quarantined.map(treatment.quarantined), fetchedAt),
      ...page.after,
    ];
    return {
      before: page.before,
      statements,
      compiled: fresh.length + ocids.length > 0,
      result: { stored: fresh.length, unchanged: fetched.length - fresh.length, refused: 0 },
    };
  });
}

/** An undated release counts as being as old as its first fetch. */
function withDate(release: FetchedRelease): FetchedRelease {
  return parseInstant(release.date) ? release : { ...release, date: release.fetchedAt };
}
