import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { addEnvFile } from '../schema/config/env-file.ts';
import { BadSettings, readSettings, type Settings } from '../schema/config/settings.ts';
import { DatabaseFault } from '../schema/db/interface.ts';
import { hideCredentials, logWarnings, openLog } from '../schema/process/log.ts';
import { describeSurroundings } from '../schema/process/system-faults.ts';
import type { Cluster } from './cluster/primary.ts';
import { startPrivateServer } from './private-server.ts';

/** Seconds that running requests have to end before the process does. */
const END_SECONDS = 30;

try {
  addEnvFile(process.env);
  // For the processes started from here. By default glibc places large blocks among small ones, and does not return their
  // pages once they are freed. With this, the list reader takes 104 MB instead of 134 over a million contracts.
  process.env.MALLOC_MMAP_THRESHOLD_ ??= String(128 * 1_024);
  await runApi(readSettings(process.env));
} catch (error) {
  // A worker that did not start has already reported why.
  if ((error as Error).name !== 'NotStarted') console.error(hideCredentials(describe(error)));
  // Otherwise anything opened before the fault (a port, a reader process) would keep running alone.
  process.exit(1);
}

/** A fault that an operator can mend is one sentence; any other error keeps its stack. */
function describe(error: unknown): string {
  if (error instanceof BadSettings || error instanceof DatabaseFault) return error.message;
  return (error instanceof Error && describeSurroundings(error)) || inspect(error);
}

/** REST, MCP, the pages and the private server, until a signal: in this process, or in several that it starts. */
async function runApi(settings: Settings): Promise<void> {
  const log = openLog(settings, 'api');
  logWarnings(log);
  if (cluster.isWorker) return (await import('./cluster/worker.ts')).runWorker(settings, log);
  const ends = listenForEnd();
  const server = await Promise.race([start(settings, log), ends.first]);
  if (typeof server === 'string') return endStart();
  log.info({ public: server.url, private: server.privateUrl }, 'answering');
  const unnamed = (['OPERATOR', 'PRIVACY_CONTACT'] as const).filter((name) => !settings[name]);
  if (unnamed.length > 0)
    log.warn({ settings: unnamed }, 'the privacy notice and the terms lack what these settings would say');
  const signal = await ends.first;
  log.info({ signal }, 'stopping');
  server.startDraining();
  // A SIGTERM comes from a supervisor, which waits; a person who pressed Ctrl-C or closed the terminal does not, nor does a lost parent.
  if (signal === 'SIGTERM') await ends.hurried(settings.DRAIN_SECONDS * 1_000);
  setTimeout(() => {
    log.error(`requests still running after ${END_SECONDS} s; ending all the same`);
    process.exit(1);
  }, END_SECONDS * 1_000);
  await server.close();
  log.info('stopped');
  // Everything is closed; a mail server that has yet to answer must not hold the process.
  process.exit(0);
}

/** The process that starts others loads none of their code, which saves memory. */
async function start(settings: Settings, log: Logger): Promise<Cluster> {
  // Before the databases: a probe of a process that waits for them finds it alive.
  const privateServer = await startPrivateServer(settings, log);
  if (settings.API_PROCESSES > 1)
    return (await import('./cluster/primary.ts')).startCluster(settings, log, privateServer);
  const { openServices } = await import('./process/open.ts');
  const { startServer } = await import('./server.ts');
  const services = await openServices(settings, log);
  const server = await startServer(services, { log, privateServer });
  const close = async () => {
    await server.close();
    await services.close();
  };
  return { ...server, close };
}

/** Ends a process that is stopped before it is ready. A worker that is still loading would log the loss of this process as a crash. */
function endStart(): never {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
  process.exit(0);
}

type End = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'disconnect';

/** Why this process is to end, and a wait that another signal than SIGTERM, or the loss of the parent, cuts short. */
function listenForEnd(): { first: Promise<End>; hurried(waitMs: number): Promise<void> } {
  const terminated = new Promise<End>((resolve) => process.on('SIGTERM', () => resolve('SIGTERM')));
  const hurry = new Promise<End>((resolve) => {
    for (const end of ['SIGINT', 'SIGHUP', 'disconnect'] as const) process.on(end, () => resolve(end));
    // Otherwise listening for the parent would keep this process alive after it has stopped.
    process.channel?.unref();
  });
  return {
    first: Promise.race([terminated, hurry]),
    async hurried(waitMs) {
      await Promise.race([pause(waitMs, undefined, { ref: false }), hurry]);
    },
  };
}
