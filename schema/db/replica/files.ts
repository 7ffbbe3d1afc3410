import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ensureFolder } from '../../config/ensure-folder.ts';
import {
  COMPANIONS,
  type GenerationFiles,
  GenerationMissing,
  generationPath,
  pointerPath,
  readPointer,
} from '../generations.ts';
import { DatabaseFault, pathOfFile, readCode } from '../interface.ts';

/** The package's file next to a copy: the log that it belongs to, and its position. */
export const MARK = '-client_wal_index';
const MARK_BYTES = 32;
/** A frame number that says "none yet". */
const NO_FRAME = 0xffff_ffff_ffff_ffffn;

/** The folder of the copies. */
const FOLDER = 'replica';
/** The errors of reading a file that was cut, overwritten or removed. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN)/;

/** The state of a machine's copy of a catalogue server. */
export interface CopyState {
  /** When it last had everything on the server: ISO 8601 instant, UTC; null: never yet. */
  syncedAt: string | null;
  /** Why it is not newer, in words; null where the last sync succeeded. */
  fault: string | null;
  /** The server session of the copy's last sync. */
  session: string | null;
}

const UNKNOWN: CopyState = { syncedAt: null, fault: null, session: null };

/** The log that a copy belongs to, and its position. */
export interface CopyMark {
  logId: string;
  /** The newest frame in it; null: none yet. */
  frame: number | null;
}

/** The copies of a machine, in a separate folder: `replica/catalogue.db` and its later generations, with a pointer to the one in use. */
export function replicaFiles(dataDir: string): GenerationFiles {
  return { folder: join(dataDir, FOLDER), stem: 'catalogue', extension: '.db' };
}

/** Number of the copy in use; null where none is complete, or the pointer is unreadable. */
export async function readAnswering(files: GenerationFiles): Promise<number | null> {
  if (!existsSync(pointerPath(files))) return null;
  try {
    const number = await readPointer(files);
    return existsSync(generationPath(files, number)) ? number : null;
  } catch (error) {
    if (error instanceof GenerationMissing) return null;
    throw error;
  }
}

/** The last recorded state of the copy; nothing is known where none was recorded, or only in part. */
export async function readCopyState(files: GenerationFiles): Promise<CopyState> {
  const text = await readFile(statePath(files), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return { ...UNKNOWN, ...(JSON.parse(text) as Partial<CopyState>) };
  } catch (error) {
    if (error instanceof SyntaxError) return UNKNOWN;
    throw error;
  }
}

/** Records the state of the copy atomically. */
export async function writeCopyState(files: GenerationFiles, state: CopyState): Promise<void> {
  const path = statePath(files);
  await ensureFolder(files.folder);
  await writeFile(`${path}.next`, `${JSON.stringify(state)}\n`);
  await rename(`${path}.next`, path);
}

/** Whether an error says that a file cannot be read as it is. */
export const isDamage = (error: unknown) => DAMAGED.test(readCode(error));

/**
 * Reports that a copy cannot be read, to the process that keeps it and to all that read it. Never fails: a disk that failed may
 * take no report either, and the others then meet the damage themselves.
 */
export async function reportDamage(files: GenerationFiles, number: number): Promise<void> {
  await noteDamage(generationPath(files, number));
}

async function noteDamage(path: string): Promise<void> {
  await Promise.allSettled([writeFile(markOfDamage(path), '')]);
}

/**
 * Reports damage of a copy for a process that reads it by its address, among other files. Returns false where the address is
 * not that of a copy, or the error is not about its file.
 */
export async function reportIfDamaged(url: string, error: unknown): Promise<boolean> {
  const path = pathOfFile(url);
  const isOfIt = error instanceof DatabaseFault && error.file === path && isDamage(error);
  if (!isOfIt || !url.startsWith('file:') || basename(dirname(path)) !== FOLDER) return false;
  if (existsSync(path)) await noteDamage(path);
  return true;
}

/** Whether a copy was reported as unreadable. */
export function isReportedDamaged(files: GenerationFiles, number: number): boolean {
  return existsSync(markOfDamage(generationPath(files, number)));
}

/** The position of a copy; null where it cannot be read. */
export function readMark(path: string): CopyMark | null {
  if (statSync(path + MARK, { throwIfNoEntry: false })?.size !== MARK_BYTES) return null;
  const bytes = readFileSync(path + MARK);
  const frame = bytes.readBigUInt64LE(16);
  const logId = Buffer.from(bytes.subarray(0, 16)).reverse().toString('hex');
  return { logId, frame: frame === NO_FRAME ? null : Number(frame) };
}

/** Sizes and times of a copy's files, as a text that changes while it grows. */
export function readProgress(path: string): string {
  const stats = ['', '-wal', MARK].map((companion) => statSync(path + companion, { throwIfNoEntry: false }));
  return stats.map((stat) => `${stat?.size}.${stat?.mtimeMs}`).join(' ');
}

/** Removes a copy and all its side files. */
export async function removeCopy(files: GenerationFiles, number: number): Promise<void> {
  const path = generationPath(files, number);
  for (const companion of ['', ...COMPANIONS, MARK, '-info', '.damaged']) await rm(path + companion, { force: true });
}

/** The lock of the process that keeps the copies of a folder. */
export function lockPath({ folder }: GenerationFiles): string {
  return join(folder, 'lock.db');
}

const statePath = ({ folder }: GenerationFiles) => join(folder, 'state.json');
const markOfDamage = (path: string) => `${path}.damaged`;
