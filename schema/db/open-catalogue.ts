import { existsSync } from 'node:fs';
import { readOnlyAddress } from './file-address.ts';
import { GenerationMissing, generationFiles, generationPath, generationUrl, readPointer } from './generations.ts';
import { type Database, isPassing, type OpenOptions, type Statement } from './interface.ts';
import { awaitMove, type CataloguePlace, isMoving, openCurrentServer, placeOf, readSuccessor } from './moved.ts';
import { openDatabase } from './open.ts';

interface CatalogueOptions extends OpenOptions, CataloguePlace {
  /** How often a reader checks whether its generation has a successor, in milliseconds. */
  lookEveryMs?: number;
  /** Called with the address that a server's catalogue has moved to. */
  onMoved?: (url: string) => void;
  /** Called when a successor cannot be opened; the older generation keeps answering. */
  onFault?: (error: unknown) => void;
}

/** A generation of the catalogue, open. */
interface Generation {
  /** The number of a file's generation, or a server's address. */
  name: string;
  database: Database;
}

const LOOK_EVERY_MS = { file: 1_000, server: 5_000 };
/** A read waits two seconds at most for a busy file: after this time none is in progress on the old generation. */
const CLOSE_AFTER_MS = 10_000;

/**
 * Opens the current generation of the catalogue and switches when it has a successor. Reads begin on the new one once it is
 * open, and those in progress end on the old one. A batch that the old one refuses is tried on the new one, where its fence
 * decides. For a file, the next generation is next to it. A server names the address of its successor, which is read before
 * its first read rather than on opening.
 */
export async function openCatalogue(options: CatalogueOptions): Promise<Database> {
  const isFile = options.url.startsWith('file:');
  let current = isFile ? await openCurrent(options) : { name: options.url, database: await openDatabase(options) };
  let isSure = isFile;
  const former = makeFormer();
  const follow = once(async () => {
    const next = isFile ? await openCurrent(options) : await openServer(options, current.name);
    isSure = true;
    const isNew = next.name !== current.name;
    former.add(isNew ? current.database : next.database);
    if (!isNew) return false;
    current = next;
    if (!isFile) options.onMoved?.(next.name);
    return true;
  });
  const followNow = async () => {
    if (!isSure || (await readSuccessor(current.database)) !== null) await follow();
  };
  const look = () =>
    followNow().catch((error: unknown) => {
      // A server that is away is noticed by the first caller that uses it.
      if (isFile || !isPassing(error)) options.onFault?.(error);
    });
  const looking = setInterval(look, options.lookEveryMs ?? LOOK_EVERY_MS[isFile ? 'file' : 'server']).unref();
  return {
    get url() {
      return current.database.url;
    },
    read: <T>(statement: Statement) =>
      isSure ? current.database.read<T>(statement) : follow().then(() => current.database.read<T>(statement)),
    readNewest: <T>(statement: Statement) => followNow().then(() => current.database.read<T>(statement)),
    version() {
      const version = current.database.version?.();
      return version && `${current.name}.${version}`;
    },
    isDisplaced: () => current.database.isDisplaced?.() ?? false,
    movedTo: () => (isFile || current.name === options.url ? null : current.name),
    async write(statements) {
      if (!isSure && !options.readOnly) await follow();
      for (const sinceMs = performance.now(); ; ) {
        const { name, database } = current;
        try {
          return await database.write(statements);
        } catch (error) {
          if (!isMoving(error)) throw error;
          if (current.name !== name) continue;
          if ((await readSuccessor(database)) === null) {
            await awaitMove(error, sinceMs);
            continue;
          }
          await follow();
          // Another call may have switched meanwhile.
          if (current.name === name) throw error;
        }
      }
    },
    async close() {
      clearInterval(looking);
      await follow.settled();
      await former.close();
      await current.database.close();
    },
  };
}

async function openServer(options: CatalogueOptions, url: string): Promise<Generation> {
  const database = await openCurrentServer({ ...options, ...placeOf(options, url) });
  return { name: database.url, database };
}

/** Databases that were replaced: each is closed once the reads in progress on it have ended. */
export function makeFormer(): { add(database: Database): void; close(): Promise<void> } {
  const closing = new Map<NodeJS.Timeout, Database>();
  return {
    add(database: Database) {
      const timer = setTimeout(() => {
        closing.delete(timer);
        void database.close();
      }, CLOSE_AFTER_MS).unref();
      closing.set(timer, database);
    },
    async close() {
      for (const [timer, database] of closing) {
        clearTimeout(timer);
        await database.close();
      }
    },
  };
}

/** The same work for all who ask for it while it is under way. */
function once(work: () => Promise<boolean>) {
  let running: Promise<boolean> | undefined;
  const run = () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return Object.assign(run, { settled: () => Promise.allSettled([running]) });
}

/** The number of the current generation of a catalogue kept in files. @throws GenerationMissing */
export async function readCurrentGeneration(url: string): Promise<number> {
  const { name, database } = await openCurrent({ url, durability: 'normal', readOnly: true });
  await database.close();
  return Number(name);
}

/**
 * A generation under construction, with another one attached as `live` so that one statement sees both. With `changing` a batch
 * locks both; without, the other one is only read and its writers do not notice.
 */
export async function openBeside(path: string, livePath: string, options: { changing: boolean }): Promise<Database> {
  const database = await openDatabase({ url: `file:${path}`, durability: options.changing ? 'full' : 'normal' });
  const live = options.changing ? livePath : readOnlyAddress(livePath);
  await database.read({ sql: 'ATTACH DATABASE ? AS live', args: [live] });
  // Durability is set for each file: what the new one holds must be on the disk before the old one says so.
  if (options.changing) await database.read({ sql: 'PRAGMA live.synchronous=FULL' });
  return database;
}

/** The generation that the pointer names, or the last of its successors. */
async function openCurrent(options: OpenOptions): Promise<Generation> {
  const files = generationFiles(options.url);
  for (let number = await readPointer(files); ; ) {
    if (number > 1 && !existsSync(generationPath(files, number))) {
      const named = await readPointer(files);
      // Removed since it was named: a later rebuild has moved on, and the pointer with it.
      if (named <= number) throw new GenerationMissing(`${generationPath(files, number)} is current and not there`);
      number = named;
    }
    const database = await openDatabase({ ...options, url: generationUrl(files, number) });
    const successor = await readSuccessor(database).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    if (successor === null) return { name: String(number), database };
    await database.close();
    number = Math.max(Number(successor), await readPointer(files));
  }
}
