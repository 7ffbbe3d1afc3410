import { type ChildProcess, fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { extension, loaderArguments } from '../../process/child.ts';
import { type GenerationFiles, generationUrl } from '../generations.ts';
import { type CopyAge, type Database, DatabaseFault, readFirst, type Statement } from '../interface.ts';
import { openDatabase } from '../open.ts';
import { makeFormer, openCatalogue } from '../open-catalogue.ts';
import { takeLock } from '../process-lock.ts';
import {
  type CopyState,
  isDamage,
  isReportedDamaged,
  lockPath,
  readAnswering,
  readCopyState,
  replicaFiles,
  reportDamage,
} from './files.ts';
import type { KeepOrder, KeepWord } from './process.ts';
import type { LogServer } from './server-log.ts';

interface ReplicaOptions {
  /** The folder of this machine in which the copy lies. */
  dataDir: string;
  server: LogServer;
  /** Receives messages about the copy for an operator. */
  say(level: 'info' | 'warn', message: string): void;
  /** Called with the address that the catalogue has moved to. */
  onMoved?: (url: string) => void;
  /** Pause between two syncs, in milliseconds. */
  everyMs?: number;
  /** How often to check which copy is in use and how old it is, in milliseconds. */
  lookEveryMs?: number;
}

const EVERY_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** A keeping process that has been silent for this long is replaced. */
const SILENT_MS = 60_000;
const RESTART_MS = 1_000;
/** A table that no other database of ours has. */
const SIGN = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'release'";

/** A copy in use. */
interface Answering {
  number: number;
  database: Database;
}

/**
 * A catalogue server, read from a copy of it on this machine. Another process keeps the copy up to date; if several processes
 * here open it, one does so. Until a copy is complete, and where it turns out to be damaged, the server itself is read. @throws
 * what opening a copy's file throws
 */
export async function openReplica(options: ReplicaOptions): Promise<Database> {
  const { dataDir, server: at, lookEveryMs = LOOK_EVERY_MS } = options;
  const files = replicaFiles(dataDir);
  await mkdir(files.folder, { recursive: true });
  const { onMoved, say } = options;
  const onFault = (error: unknown) =>
    say('warn', `the database that the catalogue moved to cannot be opened: ${(error as Error).message}`);
  const follow = { onFault, ...(onMoved ? { onMoved } : {}) };
  const server = await openCatalogue({ ...at, durability: 'normal', readOnly: true, ...follow });
  const reader = await followCopy(files, say);
  const looking = setInterval(() => void reader.look(), lookEveryMs).unref();
  const keeping = startKeeping({ files, server: at, everyMs: options.everyMs ?? EVERY_MS }, say);
  return {
    get url() {
      return reader.current()?.database.url ?? server.url;
    },
    read<T>(statement: Statement) {
      const copy = reader.current();
      if (!copy) return server.read<T>(statement);
      return copy.database.read<T>(statement).catch(async (error: unknown) => {
        if (!isDamage(error)) throw error;
        await reader.discard(copy, error);
        return server.read<T>(statement);
      });
    },
    readNewest: <T>(statement: Statement) => (server.readNewest ?? server.read)<T>(statement),
    version() {
      const copy = reader.current();
      try {
        const version = copy?.database.version?.();
        return version && `${copy?.number}.${version}`;
      } catch {
        // The next read finds the fault and reports it.
        return undefined;
      }
    },
    write: (statements) => server.write(statements),
    movedTo: () => server.movedTo?.() ?? null,
    copyAge: () => ageOf(reader.state(), reader.current() !== undefined),
    async close() {
      clearInterval(looking);
      keeping.stop();
      await reader.close();
      await server.close();
    },
  };
}

function ageOf({ syncedAt, fault }: CopyState, answers: boolean): CopyAge {
  const seconds = syncedAt === null ? null : Math.max(0, (Date.now() - Date.parse(syncedAt)) / 1_000);
  return { answers, seconds, fault };
}

/** Opens a copy. @throws DatabaseFault where its file has no catalogue: one that was truncated to nothing opens as an empty database */
async function openWhole(url: string): Promise<Database> {
  const database = await openDatabase({ url, durability: 'normal', readOnly: true, mustExist: true });
  try {
    if (await readFirst(database, { sql: SIGN })) return database;
    throw new DatabaseFault(`${url} holds no catalogue`);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The copy in use, determined again by each `look`. */
async function followCopy(files: GenerationFiles, say: ReplicaOptions['say']) {
  let current: Answering | undefined;
  let state = await readCopyState(files);
  let damaged: number | undefined;
  let isLooking = false;
  const former = makeFormer();
  const leave = async (number: number, error: unknown) => {
    damaged = number;
    // The driver's own words: a backup, which those of a `DatabaseFault` advise, is of no use here.
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    say(
      'warn',
      `the copy of the catalogue is damaged; the server is asked instead, until there is another copy: ${why}`,
    );
    await reportDamage(files, number);
  };
  const discard = async (copy: Answering, error: unknown) => {
    if (current !== copy) return;
    current = undefined;
    former.add(copy.database);
    await leave(copy.number, error);
  };
  const examine = async (copy: Answering) => {
    if (copy.database.isDisplaced?.()) await discard(copy, new Error('its file was moved, removed or replaced'));
    else if (isReportedDamaged(files, copy.number)) await discard(copy, new Error('another process could not read it'));
  };
  const follow = async () => {
    state = await readCopyState(files);
    const number = await readAnswering(files);
    // A copy that another has replaced is removed.
    if (current && number === current.number) await examine(current);
    if (number === null || number === current?.number || number === damaged) return;
    try {
      const database = await openWhole(generationUrl(files, number));
      if (current) former.add(current.database);
      current = { number, database };
    } catch (error) {
      await leave(number, error);
    }
  };
  await follow();
  return {
    current: () => current,
    state: () => state,
    discard,
    /** One at a time. A copy that cannot be opened now (no memory, no file handles left) is tried again next time. */
    async look() {
      if (isLooking) return;
      isLooking = true;
      await follow()
        .catch((error: Error) => say('warn', `the copy of the catalogue cannot be looked for: ${error.message}`))
        .finally(() => {
          isLooking = false;
        });
    },
    async close() {
      await former.close();
      await current?.database.close();
    },
  };
}

/** Starts the process that keeps the copy, and another one whenever it ends or falls silent. */
function startKeeping(order: KeepOrder, say: ReplicaOptions['say']): { stop(): void } {
  let child: ChildProcess | undefined;
  let isStopped = false;
  let silence: NodeJS.Timeout | undefined;
  const again = () => void setTimeout(() => isStopped || startAgain(), RESTART_MS).unref();
  const start = () => {
    // Another process of this machine keeps the copy: until that one ends, only its lock is checked.
    const lock = takeLock(lockPath(order.files));
    if (!lock) return again();
    lock.release();
    const started = fork(new URL(`./process${extension()}`, import.meta.url), [], {
      execArgv: loaderArguments(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const hear = () => {
      clearTimeout(silence);
      silence = setTimeout(() => started.kill('SIGKILL'), SILENT_MS).unref();
    };
    hear();
    started.on('message', (word: KeepWord) => {
      hear();
      if (word) say(word.level, word.message);
    });
    const next = () => {
      clearTimeout(silence);
      again();
    };
    started.once('exit', next);
    // Where the system has no process left, none ends: there is only this error.
    started.on('error', () => started.pid === undefined && next());
    if (started.pid === undefined) return;
    // A message to one that has just ended is lost with it.
    started.send(order, () => undefined);
    started.unref();
    started.channel?.unref();
    child = started;
  };
  /** Without memory, or a file left for the lock, it throws. */
  const startAgain = () => {
    try {
      start();
    } catch (error) {
      say('warn', `the process that keeps the copy of the catalogue cannot be started: ${(error as Error).message}`);
      again();
    }
  };
  start();
  return {
    stop() {
      isStopped = true;
      clearTimeout(silence);
      child?.kill('SIGKILL');
    },
  };
}
