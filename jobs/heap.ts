import { setFlagsFromString } from 'node:v8';

/** How far the heap may outgrow what lives in it before it is collected; left alone, V8 lets it reach four times that. */
const HEAP_GROWTH_PERCENT = 50;

/**
 * Keeps a jobs process small. Ingest makes much garbage from little that lives: collecting it earlier costs a few per
 * cent of processor time and halves the memory (487 MB to 230 MB over 10,000 releases).
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
