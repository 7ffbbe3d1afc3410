import { truncateSync } from 'node:fs';
import type Sqlite from 'libsql';
import { openConnection, readPlace } from './file.ts';
import { fileAddress } from './file-address.ts';
import { makePrivate } from './generations.ts';
import { isUnreadable, nameDatabaseFault, readCode } from './interface.ts';

/** Held until it is released or its process ends, in whatever way: the system keeps it. */
export interface ProcessLock {
  /** Whether its file was removed or replaced since: another process can take the lock of the path. */
  isLost(): boolean;
  release(): void;
}

/** A connection without references is closed when it is collected, and its lock with it. */
const held = new Set<Sqlite.Database>();

/**
 * Takes the lock of a path for this process; null where another process of this machine has it.
 * @throws DatabaseFault where its file cannot be made
 */
export function takeLock(path: string): ProcessLock | null {
  makePrivate(path);
  try {
    return open(path);
  } catch (error) {
    if (readCode(error).startsWith('SQLITE_BUSY')) return null;
    throw nameDatabaseFault(error, path);
  }
}

function open(path: string): ProcessLock {
  try {
    return hold(openConnection(fileAddress(path)), path);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    // The file holds nothing, and nobody has its lock: that would be found first. A damaged disk must not stop a machine here.
    truncateSync(path);
    return hold(openConnection(fileAddress(path)), path);
  }
}

function hold(lock: Sqlite.Database, path: string): ProcessLock {
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  held.add(lock);
  const taken = readPlace(path);
  return {
    isLost: () => readPlace(path) !== taken,
    release() {
      held.delete(lock);
      lock.close();
    },
  };
}
