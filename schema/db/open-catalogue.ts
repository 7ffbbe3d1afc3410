import { existsSync } from 'node:fs';
import { GenerationMissing, generationFiles, generationPath, generationUrl, readPointer } from './generations.ts';
import { type Database, type OpenOptions, readCode, type Statement } from './interface.ts';
import { openDatabase } from './open.ts';

interface CatalogueOptions extends OpenOptions {
  /** How often a reader looks whether its generation was succeeded, in milliseconds. */
  lookEveryMs?: number;
  /** Called when a successor cannot be opened; the older generation keeps answering. */
  onFault?: (error: unknown) => void;
}

/** A generation of the catalogue, open. */
interface Generation {
  number: number;
  database: Database;
}

const LOOK_EVERY_MS = 1_000;
/** A read waits for a held file for two seconds at most: after this time none is under way on the old generation. */
const CLOSE_AFTER_MS = 10_000;

const HAS_META: Statement = { sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'" };
const SUCCESSOR: Statement = { sql: "SELECT value FROM meta WHERE name = 'successor'" };

/**
 * Opens the current generation of the catalogue and follows when it is succeeded: reads begin on the new one once it is
 * open, those under way end on the old one. A batch that the old one refuses is put to the new one, where its fence
 * judges it. A server URL names one database and is opened as such.
 */
export async function openCatalogue(options: CatalogueOptions): Promise<Database> {
  if (!options.url.startsWith('file:')) return openDatabase(options);
  let current = await openCurrent(options);
  const former = makeFormer();
  const follow = once(async () => {
    const next = await openCurrent(options);
    const isNew = next.number !== current.number;
    former.add(isNew ? current.database : next.database);
    if (isNew) current = next;
    return isNew;
  });
  const look = async () => {
    try {
      if ((await readSuccessor(current.database)) !== null) await follow();
    } catch (error) {
      options.onFault?.(error);
    }
  };
  const looking = setInterval(look, options.lookEveryMs ?? LOOK_EVERY_MS).unref();
  return {
    get url() {
      return current.database.url;
    },
    read: (statement) => current.database.read(statement),
    version() {
      const version = current.database.version?.();
      return version && `${current.number}.${version}`;
    },
    isDisplaced: () => current.database.isDisplaced?.() ?? false,
    async write(statements) {
      const { number, database } = current;
      try {
        return await database.write(statements);
      } catch (error) {
        // The triggers of a succeeded generation refuse every write.
        if (readCode(error) !== 'SQLITE_CONSTRAINT_TRIGGER') throw error;
        if (current.number === number && ((await readSuccessor(database)) === null || !(await follow()))) throw error;
        return current.database.write(statements);
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

/** Databases that nobody asks any more, closed when what was asked of them has ended. */
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
  const { number, database } = await openCurrent({ url, durability: 'normal', readOnly: true });
  await database.close();
  return number;
}

/**
 * A generation under construction, with another one attached as `live` so that one statement sees both.
 * With `changing` a batch locks both; without, the other one is only read and its writers do not notice.
 */
export async function openBeside(path: string, livePath: string, options: { changing: boolean }): Promise<Database> {
  const database = await openDatabase({ url: `file:${path}`, durability: options.changing ? 'full' : 'normal' });
  const live = options.changing ? livePath : `file:${livePath}?mode=ro`;
  await database.read({ sql: 'ATTACH DATABASE ? AS live', args: [live] });
  // Durability is set for each file: what the new one holds must be on the disk before the old one says so.
  if (options.changing) await database.read({ sql: 'PRAGMA live.synchronous=FULL' });
  return database;
}

/** The generation that the pointer names, or the last of those that succeeded it. */
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
    if (successor === null) return { number, database };
    await database.close();
    number = Math.max(successor, await readPointer(files));
  }
}

async function readSuccessor(database: Database): Promise<number | null> {
  const [table] = await database.read(HAS_META);
  if (!table) return null;
  const [row] = await database.read<{ value: string }>(SUCCESSOR);
  return row ? Number(row.value) : null;
}
