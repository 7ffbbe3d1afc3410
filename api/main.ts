import { existsSync } from 'node:fs';
import { inspect } from 'node:util';
import { DatabaseFault } from '../schema/database-faults.ts';
import { BadSettings, readSettings, type Settings } from '../schema/env.ts';
import { hideCredentials, openLog } from '../schema/log.ts';
import { openHouse } from './open.ts';
import { startServer } from './server.ts';

/** Seconds that running requests get to end before the process does. */
const DRAIN_SECONDS = 30;

if (existsSync('.env')) process.loadEnvFile('.env');

try {
  await runApi(readSettings(process.env));
} catch (error) {
  const isExpected = error instanceof BadSettings || error instanceof DatabaseFault;
  console.error(hideCredentials(isExpected ? error.message : inspect(error)));
  // What was opened before the fault (a port that listens, a reader process) would go on without the rest.
  process.exit(1);
}

/** The API process: both doors, the pages and the private server, until SIGTERM or SIGINT. */
async function runApi(settings: Settings): Promise<void> {
  const log = openLog(settings, 'api');
  const house = await openHouse(settings, log);
  const server = await startServer(house, { log });
  log.info({ public: server.url, private: server.privateUrl }, 'answering');
  const unnamed = (['OPERATOR', 'PRIVACY_CONTACT'] as const).filter((name) => !settings[name]);
  if (unnamed.length > 0) log.warn({ settings: unnamed }, 'the privacy notice and the terms name no operator');
  let stopping = false;

  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    const giveUp = setTimeout(() => {
      log.error(`requests still running after ${DRAIN_SECONDS} s; ending all the same`);
      process.exit(1);
    }, DRAIN_SECONDS * 1_000);
    await server.close();
    await house.close();
    clearTimeout(giveUp);
    log.info('stopped');
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}
