import { pino } from 'pino';
import { openJobsServices } from '../../../jobs/startup/open-services.ts';
import { writeExports } from '../../../jobs/tasks/run.ts';
import { readSettings } from '../../../schema/config/settings.ts';

/** A jobs process that only writes exports: `DATA_DIR=… writer-process.ts`. To be killed half-way. */
const services = await openJobsServices(readSettings(process.env), pino({ level: 'silent' }));
const done = await writeExports(services);
console.log(done.acquired ? `ended ${done.result}` : `held by ${done.holder}`);
await services.close();
