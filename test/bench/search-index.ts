import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Statement } from '../../schema/database.ts';
import { openDatabase } from '../../schema/db.ts';
import type { SearchDocument, SearchEngine } from '../../search/engine.ts';
import { makeNotices } from './search-world.ts';

/** As sync stores them. */
const BATCH_ROWS = 2_000;

export interface Filled {
  notices: number;
  /** Time inside the store, without making the notices. */
  tookMs: number;
  /** Bytes of the searchable text. */
  textBytes: number;
}

/** Everything of a notice that is searched as text. */
export function textOf({ title, buyer, suppliers, subjects, description }: SearchDocument): string[] {
  return [title, buyer ?? '', suppliers.join(' · '), subjects.join(' · '), description];
}

/** Generated notices into an engine, in batches as sync stores them. */
export async function fillEngine(engine: SearchEngine, notices: number): Promise<Filled> {
  const build = await engine.openBuild();
  await build.clear();
  let seq = 0;
  const filled = await fill(notices, (documents) => {
    seq += documents.length;
    const cursor = { generation: 'bench', version: engine.version, seq, id: documents.at(-1)?.id ?? '' };
    return build.store({ documents, gone: [], cursor });
  });
  await build.goLive();
  await engine.tidy();
  return filled;
}

/** The same text into a plain FTS5 table by the same driver: the floor that indexing is measured against. */
export async function fillBare(folder: string, notices: number): Promise<Filled> {
  const bare = await openDatabase({ url: `file:${join(folder, 'bare.db')}`, durability: 'normal' });
  await bare.read({ sql: 'PRAGMA journal_mode=WAL' });
  await bare.write([{ sql: 'CREATE VIRTUAL TABLE bare USING fts5(title, buyer, supplier, subject, description)' }]);
  const filled = await fill(notices, (documents) => storeBare(bare, documents));
  await bare.close();
  return filled;
}

async function storeBare(bare: Database, documents: SearchDocument[]): Promise<void> {
  const sql = 'INSERT INTO bare (title, buyer, supplier, subject, description) VALUES (?, ?, ?, ?, ?)';
  await bare.write(documents.map((document): Statement => ({ sql, args: textOf(document) })));
}

async function fill(notices: number, store: (documents: SearchDocument[]) => Promise<unknown>): Promise<Filled> {
  const filled: Filled = { notices, tookMs: 0, textBytes: 0 };
  let batch: SearchDocument[] = [];
  const flush = async () => {
    const startMs = performance.now();
    await store(batch);
    filled.tookMs += performance.now() - startMs;
    batch = [];
  };
  for (const document of makeNotices(notices)) {
    filled.textBytes += textOf(document).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    batch.push(document);
    if (batch.length === BATCH_ROWS) await flush();
  }
  await flush();
  return filled;
}

/** Bytes of the index's files in a folder. */
export async function indexBytes(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('search'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
