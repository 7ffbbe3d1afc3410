import { assertStore } from '../../schema/accounts/exports/mark.ts';
import { StoreAway } from '../../schema/accounts/exports/storage.ts';
import { AWAY_MS_MAX } from '../exports/writer.ts';
import type { JobsServices } from '../process/services.ts';
import { claimExports, writeExports } from '../tasks/run.ts';

/** How often this process checks that its mark is still there. Without the mark no API takes exports, so no waiting export would reveal its loss. */
const CHECK_EVERY_MS = 30_000;

/** What this process knows of its store of exports from one run of the writer to the next. Times are those of `performance.now`. */
interface StoreState {
  /** Whether it has recorded that it writes there; `doubted`: it has, and the store has failed it since. */
  claim: 'none' | 'made' | 'doubted';
  /** When the mark is checked next. */
  checkAtMs: number;
  /** Since when the store has been away; undefined while it answers. */
  awaySinceMs: number | undefined;
}

/**
 * Makes the job that writes paid exports. It writes once this process has recorded where. While the store is away, exports wait;
 * after an hour away those that have waited as long are ended. Returns how many it ended, or null.
 */
export function makeExportWriter() {
  const state: StoreState = { claim: 'none', checkAtMs: 0, awaySinceMs: undefined };
  return async (services: JobsServices, signal: AbortSignal): Promise<{ written: number } | null> => {
    const fault = await findStoreFault(state, services, signal);
    if (fault && !isAwayForLong(state)) throw fault;
    const done = await writeExports(services, signal).catch((error: unknown) => {
      doubtClaim(state, error);
      throw error;
    });
    if (fault) throw fault;
    return done.acquired && done.result > 0 ? { written: done.result } : null;
  };
}

/** Claims the store, or checks from time to time that it still has the mark. Returns why it cannot be used, or null. */
async function findStoreFault(
  state: StoreState,
  services: JobsServices,
  signal: AbortSignal,
): Promise<StoreAway | null> {
  try {
    await claimOrCheck(state, services, signal);
    state.awaySinceMs = undefined;
    return null;
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    doubtClaim(state, error);
    state.awaySinceMs ??= performance.now();
    return error;
  }
}

/** @throws StoreAway */
async function claimOrCheck(state: StoreState, services: JobsServices, signal: AbortSignal): Promise<void> {
  if (state.claim === 'made') {
    if (performance.now() < state.checkAtMs) return;
    await assertStore(services.accounts, services.exports);
  } else {
    const { acquired } = await claimExports(services, { isAgain: state.claim === 'doubted', signal });
    if (!acquired) return;
    state.claim = 'made';
  }
  state.checkAtMs = performance.now() + CHECK_EVERY_MS;
}

/** A store that failed after the claim may have lost the mark: it is claimed again. */
function doubtClaim(state: StoreState, error: unknown): void {
  if (error instanceof StoreAway && state.claim === 'made') state.claim = 'doubted';
}

/** Only the time that this process has seen counts: exports may have waited for jobs to start, while the store was there. */
function isAwayForLong({ awaySinceMs }: StoreState): boolean {
  return awaySinceMs !== undefined && performance.now() >= awaySinceMs + AWAY_MS_MAX;
}
