import type { FillableIndex, IndexBatch } from '../engine.ts';

/** Stores batches in their order, as many under way at once as the index takes. */
export interface Storing {
  /** Ends when the next batch may come. @throws what storing this one or one before it threw */
  store(batch: IndexBatch): Promise<void>;
  /** Waits for all that is under way. @throws the same */
  settle(): Promise<void>;
}

/** @param onStored hears of each batch once the index holds it */
export function storeInTurn(
  index: Pick<FillableIndex, 'store' | 'batchesAtOnce'>,
  onStored: (batch: IndexBatch) => void,
): Storing {
  const underWay: Promise<void>[] = [];
  return {
    async store(batch) {
      const storing = index.store(batch).then(() => onStored(batch));
      // Whoever waits for it hears of a failure; until then nobody may.
      void Promise.allSettled([storing]);
      underWay.push(storing);
      while (underWay.length >= (index.batchesAtOnce ?? 1)) await underWay.shift();
    },
    async settle() {
      await Promise.all(underWay.splice(0));
    },
  };
}
