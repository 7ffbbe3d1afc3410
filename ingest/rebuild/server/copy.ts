import { EventEmitter } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sleepReally } from '../../../schema/config/clocks.ts';
import { type GenerationFiles, generationPath } from '../../../schema/db/generations.ts';
import { isPassing } from '../../../schema/db/interface.ts';
import type { CataloguePlace } from '../../../schema/db/moved.ts';
import { type ProcessLock, takeLock } from '../../../schema/db/process-lock.ts';
import { lockPath, readAnswering } from '../../../schema/db/replica/files.ts';
import { makeKeeper } from '../../../schema/db/replica/keep.ts';
import { RebuildOvertaken } from '../move.ts';

/** How long a server may be away, in milliseconds. */
const AWAY_MS = 600_000;
const AGAIN_MS = 1_000;

/** A copy of a catalogue server in a folder of a rebuild. */
interface LiveCopy {
  /** The file that it is in. */
  path: string;
  /** Applies what the server has written since. @throws RebuildOvertaken where it had to be started again in a different file */
  refresh(): Promise<void>;
  close(): void;
}

interface CopyOptions {
  server: CataloguePlace;
  say(level: 'info' | 'warn', message: string): void;
  signal?: AbortSignal | undefined;
}

/** Where a rebuild of a server works: `rebuild/` in DATA_DIR, with the copy of the server and what is built from it. */
export function workFiles(dataDir: string): GenerationFiles & { built: string } {
  const folder = join(dataDir, 'rebuild');
  return { folder, stem: 'live', extension: '.db', built: join(folder, 'built.db') };
}

/**
 * Copies a catalogue server into a folder, or continues the copy there. @throws DatabaseAway where the server is away for ten
 * minutes; RebuildOvertaken where another process uses the folder.
 */
export async function openLiveCopy(files: GenerationFiles, { server, say, signal }: CopyOptions): Promise<LiveCopy> {
  const stuck = new EventEmitter();
  const onStuck = () => stuck.emit('stuck');
  const keeper = await makeKeeper({ files, server, say, onStuck });
  const lock: ProcessLock | null = takeLock(lockPath(files));
  if (!lock) throw new RebuildOvertaken(`another process rebuilds in ${files.folder}`);
  const step = async () => {
    for (const sinceMs = performance.now(); ; ) {
      try {
        return await unlessStuck(stuck, keeper.step());
      } catch (error) {
        if (!isPassing(error) || performance.now() - sinceMs > AWAY_MS) throw error;
        await sleepReally(AGAIN_MS, signal);
      }
    }
  };
  await step();
  const number = (await readAnswering(files)) ?? 1;
  return {
    path: generationPath(files, number),
    async refresh() {
      await step();
      if ((await readAnswering(files)) !== number)
        throw new RebuildOvertaken('the server began another log meanwhile; nothing was moved, rebuild again');
    },
    close() {
      keeper.close();
      lock.release();
    },
  };
}

/** Waits for a step of a keeper, which would never end if a server hangs. @throws RebuildOvertaken */
function unlessStuck(stuck: EventEmitter, step: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new RebuildOvertaken('the server hangs while it is copied; rebuild again'));
    stuck.once('stuck', fail);
    step.then(resolve, reject).finally(() => stuck.off('stuck', fail));
  });
}

/** Removes what a rebuild of a server has built, and with `copy` its copy of the server as well. */
export async function sweepWork(dataDir: string, { copy }: { copy: boolean }): Promise<void> {
  const { folder, built } = workFiles(dataDir);
  if (copy) return rm(folder, { recursive: true, force: true });
  for (const companion of ['', '-wal', '-shm']) await rm(built + companion, { force: true });
}
