import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { openJobsServices } from '../../../jobs/startup/open-services.ts';
import { writeExports } from '../../../jobs/tasks/run.ts';
import { readSettings } from '../../../schema/config/settings.ts';

/** How a jobs process wrote what was waiting. */
export interface ExportAnswer {
  tookMs: number;
  cpuMs: number;
  /** Resident megabytes after a tenth of the time, in its middle, at its end and at most. */
  megabytes: number[];
}

/** A jobs process that only writes exports; its order is its standard input. */
const settings = readSettings(process.env);
await text(process.stdin);
const services = await openJobsServices(settings, pino({ level: 'error' }, pino.destination(2)));
const seen: number[] = [];
const look = setInterval(() => seen.push(process.memoryUsage.rss() / 1e6), 100);
const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
await writeExports(services);
const tookMs = performance.now() - startMs;
const { user, system } = process.cpuUsage(startCpu);
clearInterval(look);
const at = (share: number) => seen[Math.floor(share * (seen.length - 1))] ?? 0;
const megabytes = [at(0.1), at(0.5), at(1), process.resourceUsage().maxRSS / 1e3];
console.log(JSON.stringify({ tookMs, cpuMs: (user + system) / 1e3, megabytes } satisfies ExportAnswer));
await services.close();
