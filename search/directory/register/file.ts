import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { HOUR_MS } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { IndexCursor } from '../../engine.ts';
import { readCatalogueState, rebuildReason } from '../../index/health.ts';
import { type Chunk, SUPPLIER } from './columns.ts';
import { makeRegister, type Register } from './companies.ts';
import { NOWHERE, type Reached } from './follow.ts';
import type { Traits } from './traits.ts';

/** Raised when columns or traits are built or named differently: a file with another layout is ignored. */
const LAYOUT = '5';

interface Stored extends Reached {
  layout: string;
  generation: string;
  head: IndexCursor['head'];
  traits: Traits[];
  chunks: [string, Chunk][];
}

/** Where the columns of the register are stored between two starts of a process. They can be rebuilt at any time. */
function pathIn(folder: string): string {
  return join(folder, 'register.columns');
}

/** The stored columns, and the position up to which they had read; empty ones where there are none for this catalogue. */
export async function loadRegister(
  catalogue: Database,
  folder: string | undefined,
): Promise<{ register: Register; reached: Reached }> {
  const stored = folder === undefined ? null : await readStored(pathIn(folder));
  if (!stored || stored.layout !== LAYOUT) return { register: makeRegister(), reached: NOWHERE };
  const { generation, seq, company_number: id, head } = stored;
  const cursor = { generation, version: LAYOUT, seq, id, head };
  const state = await readCatalogueState(catalogue, { version: LAYOUT }, cursor);
  if (rebuildReason(cursor, state)) return { register: makeRegister(), reached: NOWHERE };
  const reached = { seq: stored.seq, company_number: stored.company_number };
  const chunks = stored.chunks.map(([key, chunk]): [string, Chunk] => [key, toOwn(chunk)]);
  return { register: makeRegister(chunks, stored.traits), reached };
}

/** Columns with memory of their own: as read, some are views of the whole file, which would stay next to copies of the others. */
function toOwn({ lows, traits, days, postcodes, codes, ends, rows }: Chunk): Chunk {
  return {
    lows: lows.slice(),
    // Which companies are suppliers is read from the catalogue.
    traits: traits.map((number) => number & ~SUPPLIER),
    days: days.slice(),
    postcodes: postcodes.slice(),
    codes: codes.slice(),
    ends: ends.slice(),
    rows: rows.slice(),
  };
}

async function readStored(path: string): Promise<Stored | null> {
  try {
    return deserialize(await readFile(path)) as Stored;
  } catch {
    // No file yet, or one from another version: it is built again.
    return null;
  }
}

/** Stores the columns. Several processes may do so at once: each file is complete, and the last one stays. */
export async function saveRegister(
  catalogue: Database,
  folder: string,
  { chunks, traits }: Register,
  reached: Reached,
): Promise<void> {
  const { target } = await readCatalogueState(catalogue, { version: LAYOUT });
  const stored: Stored = {
    layout: LAYOUT,
    generation: target.generation,
    head: target.head,
    ...reached,
    traits: traits.all,
    chunks: [...chunks],
  };
  const path = join(folder, `register.${randomUUID()}.part`);
  try {
    await writeFile(path, serialize(stored));
    await rename(path, pathIn(folder));
  } finally {
    await rm(path, { force: true });
  }
  await removeLeft(folder);
}

/** Removes what processes were storing when they were killed: a file takes seconds. */
async function removeLeft(folder: string): Promise<void> {
  const parts = (await readdir(folder)).filter((name) => /^register\.[\w-]+\.part$/.test(name));
  for (const name of parts) {
    const path = join(folder, name);
    if (Date.now() - (await stat(path)).mtimeMs > HOUR_MS) await rm(path, { force: true });
  }
}
