import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import type { RunJob, RunOptions, RunReport } from '../../ingest/context.ts';
import { openJobsServices } from '../../jobs/startup/open-services.ts';
import { findChangedSuccessions, ingestSource } from '../../jobs/tasks/run.ts';
import { readSettings } from '../../schema/config/settings.ts';
import { processorMs } from '../support/processor-time.ts';
import { readStored } from './asked-twice.ts';

/** Which source to ingest into which data folder: its turn, its last days once more, or everything from an instant. */
export interface IngestOrder {
  folder: string;
  source: string;
  job?: RunJob;
  since?: string;
  /** Everything up to here and no further, again though it is stored, so many times. */
  until?: string;
  again?: number;
  /** Says what is held before it begins, and takes the lease of a killed process at once instead of half a minute later. */
  afterKill?: boolean;
}

/** What one ingest came to and what it took. */
export interface IngestAnswer extends RunReport {
  /** From the first request to the last commit, in milliseconds. */
  tookMs: number;
  /** Processor time of that, all threads and processes together. */
  cpuMs: number;
  /** What follows the run: which purchases succeed which contracts, in milliseconds. */
  successionsMs: number;
  /** The process's resident memory when the first, second, third and last quarter of the work was done, in MB. */
  residentMb: number[];
  /** The most it ever was, in MB. */
  peakMb: number;
}

const MB = 1_048_576;

/** One ingest of one source in a process of its own: takes an order on standard input, says `ready` before its first request. */
const {
  folder,
  source,
  job,
  since,
  until,
  again = 0,
  afterKill,
} = JSON.parse(await text(process.stdin)) as IngestOrder;
const settings = readSettings({ ...process.env, DATA_DIR: folder });
const services = await openJobsServices(settings, pino({ level: 'silent' }));
// Here and not in the harness: a connection there stays open until its statements are collected, and would be a second process.
if (afterKill) {
  await services.catalogue.write([{ sql: 'UPDATE lease SET expires_at = 0' }]);
  const overlapMs = settings.OVERLAP_HOURS * 3_600_000;
  console.log(JSON.stringify(await readStored(services.catalogue, overlapMs, job)));
}
// The first request loads it, once for a process: that is no part of what a release takes.
await import('@crawlee/basic');
console.log('ready');
const startedMs = performance.now();
const startedCpuMs = processorMs();
const residentMb: number[] = [];
const options: RunOptions = {
  ...(job ? { job } : {}),
  ...(since ? { since: new Date(since) } : {}),
  ...(until ? { until: new Date(until) } : {}),
  ...(again > 0 ? { again: true } : {}),
  onProgress: ({ fraction }) => {
    if (fraction >= (residentMb.length + 1) / 4) residentMb.push(Math.round(process.memoryUsage.rss() / MB));
  },
};
let done = await ingestSource(services, source, options);
for (let time = 1; time < again; time++) done = await ingestSource(services, source, options);
const tookMs = performance.now() - startedMs;
const cpuMs = processorMs() - startedCpuMs;
if (done.acquired) await findChangedSuccessions(services);
const successionsMs = performance.now() - startedMs - tookMs;
await services.close();
if (!done.acquired) throw new Error(`${source} is being ingested by ${done.holder}`);
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(
  JSON.stringify({
    ...done.result,
    tookMs,
    cpuMs,
    successionsMs,
    residentMb,
    peakMb,
  } satisfies IngestAnswer),
);
process.exitCode = done.result.state === 'succeeded' || done.result.state === 'empty' ? 0 : 1;
