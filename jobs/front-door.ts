import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { BadSettings } from '../schema/env.ts';
import { ExpectedFault } from './house.ts';

/** Adds the settings of a `.env` file in the working folder, where there is one; the environment's own win. */
export function addEnvFile(): void {
  if (existsSync('.env')) loadEnvFile('.env');
}

/** Runs a front door. A fault that an operator can mend is one clear message and exit code 1; any other keeps its stack. */
export async function enter(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(describeFault(error));
    process.exitCode = 1;
  }
}

/** What an operator is told of an error. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof BadSettings || error instanceof ExpectedFault) return error.message;
  return EXPECTED_NAMES.has(error.name) ? error.message : (error.stack ?? error.message);
}

/** Faults of the surroundings that carry their own explanation. */
const EXPECTED_NAMES = new Set(['DatabaseBusy', 'SearchUnavailable', 'LeaseLost']);
