import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildGeneration } from '../../../ingest/rebuild/generation.ts';
import { processorMs } from '../../support/processor-time.ts';

/** The data folder of an ingest that has ended. */
export interface RebuildOrder {
  folder: string;
}

export interface RebuildAnswer {
  releases: number;
  /** Whether it is the catalogue that was ingested. */
  same: boolean;
  tookMs: number;
  /** Processor time of all its processes. */
  cpuMs: number;
  /** The most memory that the process that writes took, in MB. */
  peakMb: number;
}

/** A rebuild that is compared and not moved to, in a process of its own: takes an order on standard input. */
const { folder } = JSON.parse(await text(process.stdin)) as RebuildOrder;
const path = join(folder, 'rebuilt.db');
const startedMs = performance.now();
const startedCpuMs = processorMs();
const { releases, same } = await buildGeneration({
  livePath: join(folder, 'catalogue.db'),
  path,
  generation: 2,
});
const answer = {
  releases,
  same,
  tookMs: performance.now() - startedMs,
  cpuMs: processorMs() - startedCpuMs,
  peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
} satisfies RebuildAnswer;
for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
console.log(JSON.stringify(answer));
