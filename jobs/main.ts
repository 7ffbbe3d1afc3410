import { loadCrawler } from '../ingest/http/fetch.ts';
import { sources } from '../ingest/sources/index.ts';
import { readSettings, type Settings } from '../schema/config/settings.ts';
import { END_SIGNALS } from '../schema/process/end-signals.ts';
import { logWarnings, openLog } from '../schema/process/log.ts';
import { openMail } from '../schema/process/mail.ts';
import { checkJobsReadiness, type PrivateServer, startPrivateServer } from './metrics/private-server.ts';
import { makeMetrics } from './metrics/registry.ts';
import { requireContact } from './process/require-contact.ts';
import type { JobsServices } from './process/services.ts';
import { guardProcess, makeFailureBook } from './scheduler/failures.ts';
import { startFilling } from './scheduler/fill-index.ts';
import { type Following, followTimetable } from './scheduler/follow.ts';
import { makeTimetable } from './scheduler/timetable.ts';
import { enter } from './startup/front-door.ts';
import { awaitServers } from './startup/open-databases.ts';
import { openJobsServices } from './startup/open-services.ts';

/** Seconds that jobs have to reach a safe point; whatever they had not stored by then is fetched again. */
const DRAIN_SECONDS = 30;

await enter(process.env, async () => {
  const settings = readSettings(process.env);
  await (settings.JOBS_ROLES === 'index' ? fillIndex(settings) : runJobs(settings));
});
// Only a fault leads here. Anything opened before it (a port, a job at work) would keep running alone, and no signal would end it.
process.exit();

/** The jobs process: migrates, follows the timetable, and on a signal lets its jobs reach a safe point. */
async function runJobs(settings: Settings): Promise<void> {
  if (settings.JOBS_ENABLED) requireContact(settings);
  const signalled = nextSignal();
  const log = openLog(settings, 'jobs');
  logWarnings(log);
  // Modules that jobs need only later. Node never retries a failed import, so a process without them has to end and be started again.
  if (settings.JOBS_ENABLED) await Promise.all([loadCrawler(), openMail(settings)]);
  const ended = await Promise.race([awaitServers(settings, log), signalled]);
  // Nothing was opened yet.
  if (ended) return process.exit(0);
  const services = await openJobsServices(settings, log);
  const metrics = makeMetrics(services);
  const failures = makeFailureBook(services);
  guardProcess(services.log, metrics, failures);
  let following: Following | undefined;
  const checkReadiness = () => checkJobsReadiness(services, following !== undefined);
  const server = await startPrivateServer(services, { metrics, checkReadiness });
  services.log.info({ private: server.url, enabled: settings.JOBS_ENABLED }, 'databases at this version');
  following = await followTimetable(services, settings.JOBS_ENABLED ? makeTimetable(sources) : [], metrics, {
    failures,
  });
  await drain(services, following, server, await signalled);
}

/** The jobs process of a machine without jobs of its own: fills the machine's search index until a signal comes. */
async function fillIndex(settings: Settings): Promise<void> {
  const signalled = nextSignal();
  const log = openLog(settings, 'jobs');
  logWarnings(log);
  const filling = await Promise.race([startFilling(settings, log), signalled]);
  // It still waited for the catalogue, and nothing was begun.
  if (typeof filling === 'string') return process.exit(0);
  log.info({ private: filling.url, roles: settings.JOBS_ROLES }, 'filling the search index of this machine');
  log.info({ signal: await signalled }, 'stopping');
  await filling.stop();
  log.info('stopped');
  process.exit(0);
}

/** The first signal to end, or the loss of the parent process; later signals (a terminal and `start` both send one) change nothing. */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of END_SIGNALS) process.on(signal, resolve);
    process.once('disconnect', () => resolve('disconnect'));
    // Otherwise listening for it would keep a process alive that could not begin.
    process.channel?.unref();
  });
}

async function drain(
  services: JobsServices & { close(): Promise<void> },
  following: Following,
  server: PrivateServer,
  signal: string,
): Promise<void> {
  services.log.info({ signal, running: following.running() }, 'stopping');
  const giveUp = setTimeout(() => {
    services.log.error({ running: following.running() }, `still at work after ${DRAIN_SECONDS} s; ending all the same`);
    process.exit(1);
  }, DRAIN_SECONDS * 1_000);
  await following.stop();
  await server.close();
  await services.close();
  clearTimeout(giveUp);
  services.log.info('stopped');
  // Everything is closed; an idle upstream connection must not hold the process.
  process.exit(0);
}
