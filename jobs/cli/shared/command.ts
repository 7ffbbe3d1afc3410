import { join } from 'node:path';
import type { Command } from 'commander';
import type { DestinationStream } from 'pino';
import { isoInstant, makeClocks } from '../../../schema/config/clocks.ts';
import type { Settings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { DatabaseName } from '../../../schema/db/migrate.ts';
import { END_SIGNALS } from '../../../schema/process/end-signals.ts';
import { openLog, openOutput } from '../../../schema/process/log.ts';
import { noteProof, type Proof } from '../../metrics/last-proofs.ts';
import { type JobsServices, StoppedBySignal } from '../../process/services.ts';
import type { Making } from '../../startup/missing-databases.ts';
import { openDatabases, openOne } from '../../startup/open-databases.ts';
import { makePrintable } from './text.ts';

/** The present instant by the wall clock, ISO 8601 UTC. */
export const instantNow = (): string => isoInstant(makeClocks().wallNow());

/** What a command receives. Settings are read when a command runs, so that `--help` needs none. */
export interface Cli {
  settings(): Settings;
  /** Prints one line of the answer. */
  out(line: string): void;
  /** Whether a person is watching: shows a bar instead of lines. */
  isTty: boolean;
}

/** Adds its options and its work, or its sub-commands, to a command that already has its name and its sentence. */
export type AddCommand = (command: Command, cli: Cli) => void;

/** Both databases for the duration of a command. @throws ExpectedFault where one is missing, unless it may be created. */
export async function withDatabases<T>(
  cli: Cli,
  work: (databases: { catalogue: Database; accounts: Database; made: string[] }) => Promise<T>,
  making: Making = 'nothing',
): Promise<T> {
  const databases = await openDatabases(cli.settings(), making);
  try {
    return await work(databases);
  } finally {
    await databases.catalogue.close();
    await databases.accounts.close();
  }
}

/** Only the accounts, while the catalogue may be away. @throws ExpectedFault where they are missing. */
export function withAccounts<T>(cli: Cli, work: (accounts: Database, settings: Settings) => Promise<T>): Promise<T> {
  return withOne(cli, 'accounts', work);
}

/** Only the catalogue, while the accounts may be away. @throws ExpectedFault where it is missing. */
export function withCatalogue<T>(cli: Cli, work: (catalogue: Database, settings: Settings) => Promise<T>): Promise<T> {
  return withOne(cli, 'catalogue', work);
}

async function withOne<T>(
  cli: Cli,
  name: DatabaseName,
  work: (database: Database, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = cli.settings();
  const database = await openOne(settings, name);
  try {
    return await work(database, settings);
  } finally {
    await database.close();
  }
}

/**
 * All services for the duration of a command. Its log goes to standard error: as sentences, or, if a level was requested, as
 * structured lines.
 */
export async function withServices<T>(cli: Cli, work: (services: JobsServices) => Promise<T>): Promise<T> {
  const settings = cli.settings();
  const log =
    settings.LOG_LEVEL === 'info'
      ? openLog(
          { ...settings, LOG_LEVEL: 'warn' },
          'cli',
          plainLog((line) => void process.stderr.write(line)),
        )
      : openLog(settings, 'cli', openOutput(2));
  // Most commands need a database alone: search engines, exports and the rules of ingest take half a second to load.
  const { openJobsServices } = await import('../../startup/open-services.ts');
  const services = await openJobsServices(settings, log, 'nothing');
  try {
    return await work({ ...services, byHand: true });
  } finally {
    await services.close();
  }
}

/** Turns structured log lines into sentences for an operator. Skips what the command itself prints about a run. */
export function plainLog(write: (line: string) => void): DestinationStream {
  return {
    write(line) {
      const said = describeLine(JSON.parse(line) as Record<string, unknown>);
      if (said) write(`${makePrintable(said)}\n`);
    },
  };
}

function describeLine({ msg, level: _, time: _1, pid: _2, hostname: _3, name: _4, ...facts }: Record<string, unknown>) {
  if ('stored' in facts || 'volume' in facts) return null;
  const known = Object.entries(facts).map(([name, value]) => describeFact(name, value));
  return [String(msg), known.join(', ')].filter(Boolean).join(': ');
}

function describeFact(name: string, value: unknown): string {
  if (name === 'waitMs') return `${Math.round(Number(value) / 1_000)} s`;
  if (name === 'err') return String((value as { message?: unknown }).message);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * A signal for `work`, aborted when the process is asked to end, so that a batch is finished and a lease released. @throws
 * StoppedBySignal where the work then ends in an error.
 */
export async function withSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  let stoppedBy: NodeJS.Signals | undefined;
  const stop = (name: NodeJS.Signals) => {
    stoppedBy ??= name;
    stopping.abort(new Error(`stopped by ${name}`));
  };
  for (const signal of END_SIGNALS) process.on(signal, stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    if (stoppedBy && error instanceof Error) throw new StoppedBySignal(stoppedBy, error.message);
    throw error;
  } finally {
    for (const signal of END_SIGNALS) process.off(signal, stop);
  }
}

/** Records for the metrics that something just succeeded, or reports that it could not be recorded. */
export async function note(cli: Cli, proof: Proof): Promise<void> {
  const settings = cli.settings();
  if (await noteProof(settings, proof, makeClocks().wallNow())) return;
  const folder = join(settings.DATA_DIR, 'proofs');
  cli.out(`the metrics will not show it, as nothing can be written to ${folder}: let this user write there`);
}
