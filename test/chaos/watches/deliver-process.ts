import { pino } from 'pino';
import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import { followTimetable } from '../../../jobs/scheduler/follow.ts';
import { makeTimetable } from '../../../jobs/scheduler/timetable.ts';
import { openJobsServices } from '../../../jobs/startup/open-services.ts';
import { readSettings } from '../../../schema/config/settings.ts';

/** The jobs process with nothing of its timetable but what matches and sends watches; says `ready` once it is followed. */
const settings = readSettings(process.env);
const services = await openJobsServices(settings, pino({ level: 'silent' }));
const entries = makeTimetable([]).filter(({ job }) => job === 'watches' || job === 'webhooks');
await followTimetable(services, entries, makeMetrics(services));
console.log('ready');
