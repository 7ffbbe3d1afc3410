import { type Database, DatabaseBusy } from '../../schema/db/interface.ts';

/** Requests that follow each other faster than this (towards this machine alone) are noted together. */
const NOTED_EACH_MS = 400;
const NOTE = 'UPDATE run SET requests = ?, refused = ?, waited_ms = ? WHERE id = ?';

/** Writes into a run's row what asking has come to, before each request leaves: a run that is killed has counted it. */
export function makeNote(catalogue: Database, runId: string) {
  let notedMs = Number.NEGATIVE_INFINITY;
  return async ({ requests, refused, waitedMs }: { requests: number; refused: number; waitedMs: number }) => {
    const nowMs = performance.now();
    if (nowMs - notedMs < NOTED_EACH_MS) return;
    notedMs = nowMs;
    try {
      await catalogue.write([{ sql: NOTE, args: [requests, refused, waitedMs, runId] }]);
    } catch (error) {
      // The next request notes this one too.
      if (!(error instanceof DatabaseBusy)) throw error;
    }
  };
}
