import { benchIngest } from './measure.ts';

/** The ingest benchmarks alone, of any size: `node --import tsx test/bench/ingest/run.ts [releases] [rows]`. */
const [releases, rows] = process.argv.slice(2).map(Number);
if ([releases, rows].some((count) => count !== undefined && !(Number.isSafeInteger(count) && count > 0))) {
  throw new Error('expected: run.ts [releases] [rows], both whole numbers above 0');
}
await benchIngest({ ...(releases ? { releases } : {}), ...(rows ? { rows } : {}) });
