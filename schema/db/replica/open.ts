import { type GenerationFiles, generationUrl } from '../generations.ts';
import { type CopyAge, type Database, DatabaseFault, readFirst, type Statement } from '../interface.ts';
import { openDatabase } from '../open.ts';
import { makeFormer, openCatalogue } from '../open-catalogue.ts';
import {
  type CopyState,
  isDamage,
  isReportedDamaged,
  readAnswering,
  readCopyState,
  replicaFiles,
  reportDamage,
} from './files.ts';
import { type Say, type Speakers, startKeeping } from './keeping.ts';
import type { LogServer } from './server-log.ts';

interface ReplicaOptions {
  /** The folder of this machine in which the copy lies. */
  dataDir: string;
  server: LogServer;
  /** Receives messages about the copy for an operator. */
  say: Say;
  /** Called with the address that the catalogue has moved to. */
  onMoved?: (url: string) => void;
  /** Pause between two syncs, in milliseconds. */
  everyMs?: number;
  /** How often to check which copy is in use and how old it is, in milliseconds. */
  lookEveryMs?: number;
}

const EVERY_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** How often the same is said, in milliseconds. */
const REPEAT_MS = 60_000;
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
  const { onMoved, say } = options;
  const sayLasting = withoutRepeats(say);
  const onFault = (error: unknown) =>
    sayLasting('warn', `the database that the catalogue moved to cannot be opened: ${(error as Error).message}`);
  const follow = { onFault, ...(onMoved ? { onMoved } : {}) };
  const server = await openCatalogue({ ...at, durability: 'normal', readOnly: true, ...follow });
  const reader = await followCopy(files, { say, sayLasting });
  const looking = setInterval(() => void reader.look(), lookEveryMs).unref();
  const keeping = await startKeeping({ files, server: at, everyMs: options.everyMs ?? EVERY_MS }, { say, sayLasting });
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

/** Drops a message that was passed on less than a minute ago. Only for faults that recur with every try, as an event would be lost. */
function withoutRepeats(say: Say): Say {
  const said = new Map<string, number>();
  return (level, message) => {
    const now = performance.now();
    for (const [known, at] of said) if (now - at >= REPEAT_MS) said.delete(known);
    if (said.has(message)) return;
    said.set(message, now);
    say(level, message);
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

function describeDamage(error: unknown): string {
  const { message, cause } = error as Error;
  // The driver's own words: a backup, which those of a `DatabaseFault` advise, is of no use here.
  const why = cause instanceof Error ? cause.message : message;
  return `the copy of the catalogue is damaged; the server is asked instead, until there is another copy: ${why}`;
}

/** The copy in use, determined again by each `look`. */
async function followCopy(files: GenerationFiles, { say, sayLasting }: Speakers) {
  let current: Answering | undefined;
  let state = await readCopyState(files);
  let damaged: number | undefined;
  let isLooking = false;
  const former = makeFormer();
  const leave = async (number: number, error: unknown) => {
    damaged = number;
    say('warn', describeDamage(error));
    await reportDamage(files, number);
  };
  const discard = async (copy: Answering, error: unknown) => {
    if (current !== copy) return;
    current = undefined;
    former.add(copy.database);
    await leave(copy.number, error);
  };
  const examine = async (copy: Answering, isDisplaced: boolean) => {
    if (isDisplaced) await discard(copy, new Error('its file was moved, removed or replaced'));
    else if (isReportedDamaged(files, copy.number)) await discard(copy, new Error('another process could not read it'));
  };
  const follow = async () => {
    state = await readCopyState(files);
    // Before the pointer is read: a copy that another replaces is removed after the pointer was moved.
    const isDisplaced = current?.database.isDisplaced?.() ?? false;
    const number = await readAnswering(files);
    // Where none is named, the files may be gone.
    if (current && (number ?? current.number) === current.number) await examine(current, isDisplaced);
    // A disk that failed, or a folder that is gone, takes no report; without it nobody makes another copy.
    if (!current && damaged !== undefined && (number ?? damaged) === damaged && !isReportedDamaged(files, damaged))
      await reportDamage(files, damaged);
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
        .catch((error: Error) => sayLasting('warn', `the copy of the catalogue cannot be looked for: ${error.message}`))
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
