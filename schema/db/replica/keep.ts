import { chmod, readdir } from 'node:fs/promises';
import { ensureFolder } from '../../config/ensure-folder.ts';
import { hideCredentials } from '../../process/log.ts';
import { type GenerationFiles, generationPath, writePointer } from '../generations.ts';
import { isPassing } from '../interface.ts';
import { openCurrentServer, placeOf } from '../moved.ts';
import { type Copy, findDamage, openCopy } from './copy.ts';
import {
  type CopyState,
  isReportedDamaged,
  readAnswering,
  readCopyState,
  readProgress,
  removeCopy,
  reportDamage,
  writeCopyState,
} from './files.ts';
import { askLog, type LogServer, readFrames, type ServerLog } from './server-log.ts';

/** A syncing copy that applies nothing for this long is stuck: the package waits for a server without limit. */
const STUCK_MS = 60_000;
const LOOK_MS = 5_000;
/** How many of the last frames are compared after a restart: a single last frame may be equal in two histories. */
const COMPARED_FRAMES = 64;
/** The most answers of the log that are read for that, each of up to 1,024 frames. */
const READS_MAX = 16;
/** The error of a sync into an overwritten file, in the package's words. */
const UNREADABLE = /malformed|not a database/;

interface KeepOptions {
  files: GenerationFiles;
  server: LogServer;
  /** Receives messages for an operator. */
  say(level: 'info' | 'warn', message: string): void;
  /** Called when a sync is stuck, which cannot be ended from within. */
  onStuck(): void;
}

/** Keeps the copy of one machine up to date. */
interface Keeper {
  /**
   * Asks the server for changes and applies them. A copy that cannot be continued (a different log, a restored server, damage)
   * still answers while another is filled next to it. @throws Error where the server is away or the sync failed; what was
   * applied stays, and the next step continues there.
   */
  step(): Promise<void>;
  close(): void;
}

/** The state of the keeper. */
interface Keeping extends KeepOptions {
  /** Whether `server` is where the catalogue is now. */
  isFound: boolean;
  /** Number of the copy in use; null until one is complete. */
  answering: number | null;
  /** The copy that is being updated: the one in use, or its replacement. */
  copy: Copy | undefined;
  state: CopyState;
  /** The server session in which the last copied pages were found to match the server's. */
  compared: string | null;
}

/** Starts with the copies in the folder. Only one process at a time may keep them. */
export async function makeKeeper(options: KeepOptions): Promise<Keeper> {
  const { files, say } = options;
  await ensureFolder(files.folder);
  // The package makes files that every user of the machine may read. A folder of another user stays as it is.
  await chmod(files.folder, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });
  const [answering, state] = [await readAnswering(files), await readCopyState(files)];
  const keeping: Keeping = { ...options, isFound: false, answering, copy: undefined, state, compared: null };
  let isFailing = state.fault !== null;
  return {
    async step() {
      const askedAt = new Date().toISOString();
      try {
        await findServer(keeping);
        const log = await askLog(keeping.server);
        if (log.last === null) throw new Error('the server holds no database yet');
        await bringIn(keeping, log);
        // The next step follows the catalogue to its new place; the present copy answers until then.
        keeping.isFound = (keeping.copy?.successor() ?? null) === null;
        await settle(keeping, { syncedAt: askedAt, fault: null });
        isFailing = false;
      } catch (error) {
        const fault = hideCredentials((error as Error).message);
        // Not `state.fault`: on a full disk the state cannot be recorded either.
        if (!isFailing) say('warn', `the copy of the catalogue is not up to date: ${fault}`);
        isFailing = true;
        if (keeping.copy && UNREADABLE.test(fault)) await reportDamage(files, keeping.copy.number);
        await settle(keeping, { fault });
        throw error;
      }
    },
    close: () => keeping.copy?.close(),
  };
}

/** Finds where the catalogue is now: a machine may still be set to a server that it has moved from. */
async function findServer(keeping: Keeping): Promise<void> {
  if (keeping.isFound) return;
  const database = await openCurrentServer({ ...keeping.server, durability: 'normal', readOnly: true });
  await database.close();
  if (database.url !== keeping.server.url) keeping.say('info', `the catalogue is copied from ${database.url}`);
  keeping.server = placeOf({ ...keeping.server }, database.url);
  keeping.isFound = true;
}

async function settle({ files, state }: Keeping, change: Partial<CopyState>): Promise<void> {
  await writeCopyState(files, Object.assign(state, change));
}

/** Applies what the server has written since to the copy, or to the next one where it cannot be continued. */
async function bringIn(keeping: Keeping, log: ServerLog): Promise<void> {
  keeping.copy ??= await pickCopy(keeping);
  const why = await findBreak(keeping, keeping.copy, log);
  if (why) keeping.copy = await beginCopy(keeping, keeping.copy.number, why);
  // Recorded before the first frame: after a kill while a copy is filled, that copy is continued.
  if (keeping.state.session !== log.session) await settle(keeping, { session: log.session });
  const { copy } = keeping;
  if (copy.mark()?.frame !== log.last) {
    await watched(copy.path, keeping, copy.sync());
    copy.checkpoint();
  }
  if (copy.number !== keeping.answering) await finishCopy(keeping, copy);
}

/** The copy to work on: the newest that is complete or was begun. */
async function pickCopy(keeping: Keeping): Promise<Copy> {
  const { files, server } = keeping;
  const number = Math.max(1, ...(await listCopies(files)));
  const path = generationPath(files, number);
  const damage = findDamage(path);
  return damage ? beginCopy(keeping, number, damage) : openCopy(number, path, server);
}

/** The next copy. The one in use stays until this one is complete. */
async function beginCopy({ files, server, say, copy, answering }: Keeping, former: number, why: string): Promise<Copy> {
  copy?.close();
  say('warn', `the catalogue is copied again: of the former copy, ${why}`);
  if (former !== answering) await removeCopy(files, former);
  return openCopy(former + 1, generationPath(files, former + 1), server);
}

/** Switches to a complete copy. */
async function finishCopy(keeping: Keeping, copy: Copy): Promise<void> {
  const { files, say } = keeping;
  if (!copy.holds('catalogue')) throw new Error('the server holds no catalogue yet');
  if (!copy.holds('releases') && isFilled(keeping))
    throw new Error('the server came back with an empty catalogue; the copy is of before');
  copy.checkpoint();
  await writePointer(files, copy.number);
  keeping.answering = copy.number;
  say('info', 'the copy of the catalogue is whole');
  for (const number of await listCopies(files)) if (number !== copy.number) await removeCopy(files, number);
}

/** Whether the copy in use has releases. An unreadable one has none to lose. */
function isFilled({ files, server, answering }: Keeping): boolean {
  if (answering === null) return false;
  const former = openCopy(answering, generationPath(files, answering), server);
  try {
    return former.holds('releases');
  } catch {
    return false;
  } finally {
    former.close();
  }
}

/**
 * Why a copy cannot be continued, or null. The last copied pages are compared with the server's when this process begins
 * and after each restart of the server. A restored server keeps the id of its log, and may have continued since.
 */
async function findBreak(keeping: Keeping, copy: Copy, log: ServerLog): Promise<string | null> {
  const { files, state } = keeping;
  if (isReportedDamaged(files, copy.number)) return 'a page could not be read';
  const mark = copy.mark();
  if (!mark) return null;
  if (mark.logId !== log.id) return 'the server began another log since';
  if (mark.frame === null) return null;
  if (mark.frame > (log.last ?? -1)) return 'the server was restored to an older state since';
  if (keeping.compared === log.session) return null;
  const isSame = await comparePages(keeping, copy, { session: log.session, frame: mark.frame });
  if (isSame === false) return 'it has another history than the server';
  // Pages that the server's log no longer contains are believed until the server is restarted.
  if (isSame === null && state.session !== log.session)
    return 'the server was started again and its log no longer has what was copied last';
  keeping.compared = log.session;
  return null;
}

/**
 * Whether a copy has the pages of the last frames as the server's log has them; null where the log no longer does. A kill right
 * after a commit leaves pages newer than the copy's recorded position: they are looked for later in the log.
 */
async function comparePages(
  { server }: Keeping,
  copy: Copy,
  { session, frame }: { session: string; frame: number },
): Promise<boolean | null> {
  const read = (from: number) => readFrames(server, session, from);
  let frames = (await read(Math.max(0, frame - COMPARED_FRAMES))) ?? (await read(frame));
  if (!frames) return null;
  const newest = new Map(frames.flatMap(({ number, page, bytes }) => (number <= frame ? [[page, bytes]] : [])));
  try {
    const isCopied = (page: number, bytes: Uint8Array) =>
      Buffer.compare(copy.readPage(page) ?? Buffer.of(), bytes) === 0;
    const others = new Set([...newest].flatMap(([page, bytes]) => (isCopied(page, bytes) ? [] : [page])));
    for (let reads = 0; others.size > 0 && frames?.length && reads < READS_MAX; reads++) {
      for (const { number, page, bytes } of frames)
        if (number > frame && others.has(page) && isCopied(page, bytes)) others.delete(page);
      frames = await read((frames.at(-1)?.number ?? frame) + 1);
    }
    return others.size === 0;
  } catch (error) {
    if (isPassing(error)) throw error;
    // An overwritten file has no pages to compare.
    return false;
  }
}

/** Waits for a sync and reports when it applies nothing for too long. */
async function watched(path: string, { onStuck }: KeepOptions, syncing: Promise<void>): Promise<void> {
  let seen = readProgress(path);
  let movedAt = performance.now();
  const looking = setInterval(() => {
    const now = readProgress(path);
    if (now !== seen) movedAt = performance.now();
    seen = now;
    if (performance.now() - movedAt > STUCK_MS) onStuck();
  }, LOOK_MS);
  await syncing.finally(() => clearInterval(looking));
}

/** Numbers of the copies in the folder, complete or not, and of those with any files left. */
async function listCopies({ folder, stem, extension }: GenerationFiles): Promise<number[]> {
  const numbers = (await readdir(folder)).flatMap((name) => {
    const [before = '', after] = name.split(extension, 2);
    if (after === undefined || !before.startsWith(stem)) return [];
    const number = before === stem ? 1 : Number(before.slice(stem.length + 1));
    return Number.isSafeInteger(number) && number > 0 ? [number] : [];
  });
  return [...new Set(numbers)];
}
