import { existsSync, statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS } from '../../../schema/config/clocks.ts';
import {
  type GenerationFiles,
  GenerationMissing,
  generationFiles,
  generationPath,
  generationUrl,
  pointerPath,
  readPointer,
  removeDatabase,
  removeGenerations,
  writePointer,
} from '../../../schema/db/generations.ts';
import { type Database, isUnreadable } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import type { Collection } from '../../collections/shape.ts';
import type { IndexBatch, IndexBuild, IndexCursor } from '../../engine.ts';
import { CREATE_STATE, finishStatements, resetStatements } from '../layout/tables.ts';
import { isDamaged, notingDamage, removeMarks } from './damage.ts';
import { countDocuments, indexRows, readIndexCursor, startFilling, storeDocuments } from './statements.ts';

/** Page cache while a batch is stored, for changed pages and those of its tables that are read often. */
const CACHE_KB = 65_536;

/** Indexes in other layouts stay this long, as API processes read them until they are restarted after an upgrade. */
const KEPT_MS = HOUR_MS;
/** The files of an index in any layout, and of earlier versions that had no layout in their file names. */
const OF_AN_INDEX = /^([a-z]+)(\.[0-9a-f]{12})?(-\d+)?\.(db|generation)(-wal|-shm|\.damaged)?$/;

/**
 * The files of an index, such as that of notices: `search.<layout>.db`, then `search.<layout>-2.db` and so on, and a
 * pointer that names the live one. A new index is filled in the next file. Readers follow the pointer, as a file cannot be
 * renamed over an open one.
 */
export interface IndexFiles {
  readonly collection: Collection;
  /** The index that answers queries, open for writing. */
  live(): Promise<Database>;
  /** Its position; null while it is empty, or once it was found to be damaged: then another has to be built. */
  readCursor(): Promise<IndexCursor | null>;
  /** Stores a batch in the live index. */
  store(batch: IndexBatch): Promise<void>;
  openBuild(): Promise<IndexBuild>;
  /** Removes every file except the live one's, and later the remains of indexes in other layouts. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the live index for writing. If there is none, an empty file is used until a build goes live. */
export async function openIndexFiles(url: string, collection: Collection): Promise<IndexFiles> {
  const files = generationFiles(url);
  let live = await openLive(url, files);
  let building: Build | undefined;
  let following: Promise<Live> | undefined;
  const stopBuilding = async () => {
    const stopping = building;
    building = undefined;
    await stopping?.close();
  };
  const follow = async () => {
    // If another process rebuilt the index, or somebody removed it, the open one is no longer live.
    if (live.mark === readLiveMark(url) && existsSync(generationPath(files, live.number))) return live;
    await stopBuilding();
    await live.database.close();
    live = await openLive(url, files);
    return live;
  };
  const current = () => {
    following ??= follow().finally(() => {
      following = undefined;
    });
    return following;
  };
  const goLive = async (database: Database, number: number) => {
    // The file that the pointer names is complete and on the disk.
    await database.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
    await writePointer(files, number);
    const former = live.database;
    live = { mark: readLiveMark(url), number, database };
    building = undefined;
    await former.close();
  };
  return {
    collection,
    live: async () => (await current()).database,
    readCursor: () => notingDamage(url, async () => readLiveCursor(files, await current())),
    store: (batch) => notingDamage(url, async () => storeDocuments((await current()).database, batch, collection)),
    async openBuild() {
      const number = (await current()).number + 1;
      await stopBuilding();
      if (isDamaged(generationPath(files, number))) await removeDatabase(generationPath(files, number));
      await removeMarks(files);
      const database = await openForWriting(files, number);
      building = makeBuild(database, collection, () => goLive(database, number));
      return building;
    },
    async tidy() {
      const { number } = await current();
      await stopBuilding();
      await removeGenerations(files, [number]);
      await removeMarks(files);
      await removeFormer(files, collection);
    },
    async close() {
      await stopBuilding();
      await live.database.close();
    },
  };
}

/** The live index, open for writing, and the mark that changes when another replaces it. */
interface Live {
  mark: string;
  number: number;
  database: Database;
}

async function openLive(url: string, files: GenerationFiles): Promise<Live> {
  const mark = readLiveMark(url);
  const number = await liveNumber(files);
  return { mark, number, database: await openForWriting(files, number) };
}

async function readLiveCursor(files: GenerationFiles, { number, database }: Live): Promise<IndexCursor | null> {
  return isDamaged(generationPath(files, number)) ? null : readIndexCursor(database);
}

/** A text that changes when another index replaces the live one. Costs one `stat` of the disk. */
export function readLiveMark(url: string): string {
  const pointer = statSync(pointerPath(generationFiles(url)), { throwIfNoEntry: false });
  // The pointer is replaced, never written in place.
  return pointer ? `${pointer.ino} ${pointer.mtimeMs}` : '';
}

/** The address (`file:…`) of the live index. */
export async function readLiveUrl(url: string): Promise<string> {
  const files = generationFiles(url);
  return generationUrl(files, await liveNumber(files));
}

interface Build extends IndexBuild {
  close(): Promise<void>;
}

/** A new index. Once cleared, it is filled at full speed; one that another process began is filled like a live index. */
function makeBuild(index: Database, collection: Collection, goLive: () => Promise<void>): Build {
  let fill: IndexBuild['store'] | undefined;
  let indexed = false;
  return {
    readCursor: () => readIndexCursor(index),
    async store(batch) {
      if (fill) return fill(batch);
      if (!indexed) await indexRows(index, collection);
      indexed = true;
      return storeDocuments(index, batch, collection);
    },
    async clear() {
      await index.write(resetStatements(collection));
      fill = startFilling(index, collection);
    },
    countDocuments: () => countDocuments(index),
    async goLive() {
      await index.write(finishStatements(collection).map((sql) => ({ sql })));
      await goLive();
    },
    close: () => index.close(),
  };
}

/** The number of the live index; 1 if the pointer is lost or names a missing file, as the index is then filled again. */
async function liveNumber(files: GenerationFiles): Promise<number> {
  try {
    return await readPointer(files);
  } catch (error) {
    if (error instanceof GenerationMissing) return 1;
    throw error;
  }
}

/** Opens an index. An unreadable one is removed and filled again, as the catalogue has all of its contents. */
async function openForWriting(files: GenerationFiles, number: number): Promise<Database> {
  try {
    return await openFile(files, number);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await removeDatabase(generationPath(files, number));
    return openFile(files, number);
  }
}

async function openFile(files: GenerationFiles, number: number): Promise<Database> {
  const index = await openDatabase({ url: generationUrl(files, number), durability: 'normal' });
  // WAL lets readers continue while a batch is written. It is stored in the file, so they have it too.
  await index.read({ sql: 'PRAGMA journal_mode=WAL' });
  await index.read({ sql: `PRAGMA cache_size=-${CACHE_KB}` });
  await index.write([{ sql: CREATE_STATE }]);
  return index;
}

/** Removes the remains of indexes in other layouts, once this one is live and the others have been idle for an hour. */
async function removeFormer(files: GenerationFiles, { stem }: Collection): Promise<void> {
  const names = await readdir(files.folder);
  const others = names.filter((name) => OF_AN_INDEX.exec(name)?.[1] === stem && !isOwn(files, name));
  if (others.length === 0) return;
  const paths = [pointerPath(files), ...others.map((name) => join(files.folder, name))];
  const changedMs = await Promise.all(paths.map(readChangedMs));
  if (changedMs.some((ms) => Date.now() - ms < KEPT_MS)) return;
  for (const name of others) await rm(join(files.folder, name), { force: true });
}

function isOwn({ stem }: GenerationFiles, name: string): boolean {
  const next = name.slice(stem.length, stem.length + 2);
  return name.startsWith(stem) && (next.startsWith('-') || next === '.d' || next === '.g');
}

/** When a file was last written, in milliseconds; infinity if it is missing, so that the others stay. */
async function readChangedMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return Number.POSITIVE_INFINITY;
    throw error;
  }
}
