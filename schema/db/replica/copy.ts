import { once } from 'node:events';
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Sqlite from 'libsql';
import AsyncSqlite from 'libsql/promise';
import { extension, startThread } from '../../process/child.ts';
import { fileAddress } from '../file-address.ts';
import { HAS_META, SUCCESSOR } from '../moved.ts';
import { placeOfServer, type ServerPlace } from '../server/place.ts';
import { type CopyMark, MARK, readMark } from './files.ts';
import type { LogServer } from './server-log.ts';

/** Every page of a copy up to this size is checked when it is opened (0.7 s a GB). */
const CHECKED_BYTES = 3e9;

const HOLDS = {
  catalogue: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'release'",
  meta: HAS_META.sql,
  releases: 'SELECT 1 FROM release LIMIT 1',
};

/** One copy of a server's database in a file, open to be brought up to date. */
export interface Copy {
  readonly number: number;
  readonly path: string;
  /** Its position; null where it has not begun or cannot say. */
  mark(): CopyMark | null;
  /** Applies what the server has written since. Anything applied before a failure stays. @throws Error in the package's words */
  sync(): Promise<void>;
  /** A page as it is in the copy; null where there is none. */
  readPage(page: number): Uint8Array | null;
  /** Whether it holds a catalogue at all, or one with releases. @throws Error where it cannot be read */
  holds(what: keyof typeof HOLDS): boolean;
  /** The address of the server that its catalogue has moved to; null where it has not. @throws Error where it cannot be read */
  successor(): string | null;
  /** Moves applied changes from the write-ahead log into the file, as far as readers allow. */
  checkpoint(): void;
  close(): void;
}

/** Opens a copy; the first sync creates its file. */
export function openCopy(number: number, path: string, server: LogServer): Copy {
  let syncing: Sqlite.Database | undefined;
  let plain: Sqlite.Database | undefined;
  let forwarder: Forwarder | undefined;
  const place = placeOfServer(server.url);
  const opened = () => {
    plain ??= new Sqlite(fileAddress(path));
    return plain;
  };
  const close = () => {
    syncing?.close();
    plain?.close();
    forwarder?.close();
    syncing = undefined;
    plain = undefined;
    forwarder = undefined;
    collect();
  };
  return {
    number,
    path,
    mark: () => readMark(path),
    async sync() {
      try {
        if (place.namespace) forwarder ??= await startForwarder(place);
        const syncUrl = forwarder?.url ?? place.base;
        syncing ??= new Sqlite(path, { syncUrl, authToken: server.authToken ?? '' } as object);
        // The package's asynchronous class cannot open a copy (0.5.29 passes too few arguments); its `sync` works on either.
        await AsyncSqlite.prototype.sync.call(syncing);
      } catch (error) {
        close();
        throw new Error(describeSyncFault(error as Error, readFreeBytes(path)), { cause: error });
      }
    },
    readPage(page) {
      const row = opened().prepare('SELECT data FROM sqlite_dbpage WHERE pgno = ?').get([page]) as
        | { data: ArrayBuffer }
        | undefined;
      return row ? new Uint8Array(row.data) : null;
    },
    holds: (what) => opened().prepare(HOLDS[what]).all([]).length > 0,
    successor() {
      if (opened().prepare(HOLDS.meta).all([]).length === 0) return null;
      const row = opened().prepare(SUCCESSOR.sql).get([]) as { value: string } | undefined;
      return row?.value ?? null;
    },
    checkpoint: () => void opened().prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]),
    close,
  };
}

/** The package's `close` leaves the files and connections of a copy open until its object is collected as garbage. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** With less free space than this, a sync that fails probably lacks space: the package names no full disk. */
const LITTLE_ROOM_BYTES = 50e6;

/** The server's message, extracted from the package's `Replication(Client(Status { code: …, message: "…", metadata: … }))`. */
export function describeSyncFault({ message }: Error, freeBytes: number): string {
  const why = /message: "([^"]+)"/.exec(message)?.[1] ?? message;
  const room = freeBytes < LITTLE_ROOM_BYTES ? `; its disk has ${Math.floor(freeBytes / 1e6)} MB left` : '';
  return `the sync failed: ${why}${room}`;
}

function readFreeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The fault of a copy in its present state, in words; null where there is none, or no file yet. */
export function findDamage(path: string): string | null {
  if (!existsSync(path)) return existsSync(path + MARK) ? 'its file is gone' : null;
  if (!readMark(path)) return 'nothing says how far it had come';
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(fileAddress(path));
    if (statSync(path).size > CHECKED_BYTES) return null;
    const [row] = database.prepare('PRAGMA quick_check(1)').all([]) as { quick_check: string }[];
    return row?.quick_check === 'ok' ? null : `it is damaged (${row?.quick_check})`;
  } catch (error) {
    return `it cannot be read (${(error as Error).message})`;
  } finally {
    database?.close();
  }
}

/** A server on loopback that passes requests on. */
interface Forwarder {
  url: string;
  close(): void;
}

/**
 * Serves a namespace on loopback that is named by path. The package's client looks for a namespace in the host only, so each of
 * its requests is passed on with the right one. In a separate thread, as the package blocks its own while it opens a copy.
 * @throws Error where the thread cannot start
 */
export async function startForwarder(place: ServerPlace): Promise<Forwarder> {
  const thread = startThread(new URL(`./forward-thread${extension()}`, import.meta.url));
  thread.unref();
  thread.postMessage(place);
  const [url] = (await once(thread, 'message')) as [string];
  return { url, close: () => void thread.terminate() };
}
