import { CommanderError } from 'commander';
import { addEnvFile } from '../../schema/config/env-file.ts';
import { BadSettings } from '../../schema/config/settings.ts';
import { hideCredentials } from '../../schema/process/log.ts';
import { describeSurroundings } from '../../schema/process/system-faults.ts';
import { ExpectedFault } from '../process/services.ts';

/**
 * Runs a front door, once the settings of a `.env` file are added to its environment. A fault that an operator can mend is one
 * clear message and its exit code; any other keeps its stack.
 */
export async function enter(environment: Record<string, string | undefined>, work: () => Promise<void>): Promise<void> {
  try {
    addEnvFile(environment);
    await work();
  } catch (error) {
    const said = describeFault(error);
    if (said) console.error(hideCredentials(said));
    process.exitCode = exitCodeOf(error);
  }
}

/** The exit code for an error: 1, unless the error sets another; 2 for a wrong command line, 0 for requested help. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof ExpectedFault ? error.exitCode : 1;
}

/** The text about an error that an operator sees; empty where the command-line library has already printed it. */
export function describeFault(error: unknown): string {
  if (error instanceof CommanderError) return '';
  if (!(error instanceof Error)) return String(error);
  if (error instanceof BadSettings || error instanceof ExpectedFault) return error.message;
  if (EXPECTED_NAMES.has(error.name)) return error.message;
  return describeSurroundings(error) ?? error.stack ?? error.message;
}

/** Faults of the environment that explain themselves. */
const EXPECTED_NAMES = new Set([
  'DatabaseBusy',
  'DatabaseAway',
  'DatabaseFault',
  'OutcomeUnknown',
  'GenerationMissing',
  'SearchUnavailable',
  'TaskFailed',
  'LeaseLost',
  'StoreAway',
]);
