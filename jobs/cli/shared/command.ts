import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type DestinationStream, pino } from 'pino';
import type { Source } from '../../../ingest/source.ts';
import { findSource, sources } from '../../../ingest/sources/index.ts';
import { londonInstant, makeClocks } from '../../../schema/config/clocks.ts';
import type { Settings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { DatabaseName } from '../../../schema/db/migrate.ts';
import { openLog } from '../../../schema/process/log.ts';
import { noteProof, type Proof } from '../../metrics/last-proofs.ts';
import { type JobsServices, StoppedBySignal, UsageFault } from '../../process/services.ts';
import type { Making } from '../../startup/missing-databases.ts';
import { openDatabases, openJobsServices, openOne } from '../../startup/open-services.ts';
import { makePrintable } from './text.ts';

/** What a command receives. Settings are read when a command runs, so that `--help` needs none. */
export interface Cli {
  settings(): Settings;
  /** Prints one line of the answer. */
  out(line: string): void;
  /** Whether a person is watching: shows a bar instead of lines. */
  isTty: boolean;
}

/** Adds one command, or one word with its sub-commands, to the program. */
export type AddCommand = (program: Command, cli: Cli) => void;

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
      : openLog(settings, 'cli', pino.destination({ fd: 2, sync: true }));
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
 * A signal for `work`, aborted by SIGINT or SIGTERM, so that a batch is finished and a lease released. @throws StoppedBySignal
 * where the work then ends in an error.
 */
export async function withSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  let stoppedBy: NodeJS.Signals | undefined;
  const stop = (name: NodeJS.Signals) => {
    stoppedBy ??= name;
    stopping.abort(new Error(`stopped by ${name}`));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    if (stoppedBy && error instanceof Error) throw new StoppedBySignal(stoppedBy, error.message);
    throw error;
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
  }
}

/** Records for the metrics that something just succeeded, or reports that it could not be recorded. */
export async function note(cli: Cli, proof: Proof): Promise<void> {
  const settings = cli.settings();
  if (await noteProof(settings, proof, makeClocks().wallNow())) return;
  cli.out(`the metrics do not hear of it: nothing can be written to ${join(settings.DATA_DIR, 'proofs')}`);
}

/** Non-empty text from the operator. @throws InvalidArgumentError for empty text: an empty variable in a script names nothing. */
export function parseWords(text: string): string {
  if (text.trim() !== '') return text.trim();
  throw new InvalidArgumentError('Expected some text, not an empty one.');
}

/** A reader of whole numbers within bounds (inclusive). It throws InvalidArgumentError for any other text. */
export function parseWhole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Reads a count: of rows, lines, ids. @throws InvalidArgumentError */
export const parseCount = parseWhole(1, 1_000_000);

/** Reads the number of a row or a line. @throws InvalidArgumentError */
export const parseNumber = parseWhole(1, 999_999_999_999_999);

/** Reads the id of a source, or its name on the command line. @throws InvalidArgumentError */
export function parseSource(text: string): string {
  const found = findSource(text);
  if (found) return found.id;
  throw new InvalidArgumentError(`Expected ${sources.map(({ cliName }) => cliName).join(', ')}.`);
}

/** The start of a London day (`YYYY-MM-DD`), or an instant with a zone. @throws InvalidArgumentError */
export function parseSince(text: string): Date {
  return parseMoment(text, '00:00:00');
}

/** @throws UsageFault for a span that begins before the source did: years of it would be empty. */
export function assertAfterFirstDay(source: Source, since: Date | undefined): void {
  if (source.kind !== 'notices' || !since || since >= londonInstant(`${source.firstDay}T00:00:00`)) return;
  throw new UsageFault(`${source.cliName} begins on ${source.firstDay}: --since must not lie before that day`);
}

/** The end of a London day (`YYYY-MM-DD`), or an instant with a zone. @throws InvalidArgumentError */
export function parseUntil(text: string): Date {
  return parseMoment(text, '23:59:59');
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function parseMoment(text: string, time: string): Date {
  if (isDay(text)) return londonInstant(`${text}T${time}`);
  if (INSTANT.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text);
  throw new InvalidArgumentError('Expected a date (2026-11-21) or an instant with a zone (2026-11-21T09:00:00Z).');
}

/** A calendar day that exists: JavaScript reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, 10) === text;
}
