import { setTimeout as pause } from 'node:timers/promises';

/**
 * Writes batch after batch until there are no more, and after each leaves the file to others for as long as it took. SQLite keeps
 * no queue: another writer looks every few milliseconds whether the file is free, which between two batches it hardly ever is
 * (measured during a deletion of 400,000 rows: a debit waited up to 320 ms, with these pauses up to 60).
 * @param write - writes a batch, and says whether there may be another @throws as `write`
 */
export async function writeInBatches(write: () => Promise<boolean>): Promise<void> {
  for (let startMs = performance.now(); await write(); startMs = performance.now())
    await pause(performance.now() - startMs);
}
