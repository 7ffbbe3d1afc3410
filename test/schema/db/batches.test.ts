import { expect, it } from 'vitest';
import { writeInBatches } from '../../../schema/db/batches.ts';

it('batch after batch, the file is left to others for as long as a batch took', async () => {
  const BATCH_MS = 15;
  const began: number[] = [];
  await writeInBatches(async () => {
    const startMs = performance.now();
    began.push(startMs);
    while (performance.now() < startMs + BATCH_MS);
    return began.length < 4;
  });
  expect(began).toHaveLength(4);
  const between = began.slice(1).map((startMs, index) => startMs - (began[index] ?? 0));
  // A timer may come a millisecond early.
  expect(between.every((ms) => ms >= 2 * BATCH_MS - 1)).toBe(true);
});

it('an error ends it, and reaches the caller', async () => {
  await expect(writeInBatches(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
});
