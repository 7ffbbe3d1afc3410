import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Statement } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import type {
  AnyDocument,
  AnyHit,
  CollectionName,
  FillableIndex,
  IndexBatch,
  IndexCursor,
  SearchEngine,
} from '../../../search/engine.ts';
import { makeContractDocuments } from '../../generated/contracts/documents.ts';
import { makeNotices } from '../../generated/notices/make.ts';

/** So many documents are made before they are stored, as a service has them before it indexes. */
const MADE_AT_ONCE = 40_000;
/** As the sync stores them if an engine has no preference. */
const BATCH_ROWS = 2_000;
const STORE_BARE = 'INSERT INTO bare (title, buyer, supplier, subject, description) VALUES (?, ?, ?, ?, ?)';
/** A bare table has no cursor. */
const NOWHERE: IndexCursor = { generation: '', version: '', seq: 0, id: '' };

export interface Filled {
  count: number;
  /** Without making the documents: by the clock, and of processor in all threads. */
  tookMs: number;
  processorMs: number;
  /** Bytes of the searchable text. */
  textBytes: number;
}

/** Everything of a notice that is searched as text. */
function textOf({ title, buyer, suppliers, subjects, description }: AnyDocument): string[] {
  return [title, buyer ?? '', suppliers.join(' · '), subjects.join(' · '), description];
}

/** Generated notices or contracts into an engine, as a rebuild stores them; all that makes an index of them counts. */
export async function fillEngine(engine: SearchEngine<AnyHit>, count: number): Promise<Filled> {
  const build = await engine.openBuild();
  await build.clear();
  let seq = 0;
  const cursorOf = (documents: AnyDocument[]) => {
    seq += documents.length;
    return { generation: 'bench', version: engine.version, seq, id: documents.at(-1)?.id ?? '' };
  };
  const filled = await fill(makeDocuments(engine.collection, count), build, cursorOf, engine.batchRows);
  await addTime(filled, () => build.goLive());
  await engine.tidy();
  return filled;
}

/** The same text into a plain FTS5 table by the same driver: the floor that indexing is measured against. */
export async function fillBare(folder: string, of: CollectionName, count: number): Promise<Filled> {
  const bare = await openDatabase({ url: `file:${join(folder, 'bare.db')}`, durability: 'normal' });
  await bare.read({ sql: 'PRAGMA journal_mode=WAL' });
  await bare.write([{ sql: 'CREATE VIRTUAL TABLE bare USING fts5(title, buyer, supplier, subject, description)' }]);
  const store = async ({ documents }: IndexBatch) => {
    await bare.write(documents.map((document): Statement => ({ sql: STORE_BARE, args: textOf(document) })));
  };
  const filled = await fill(makeDocuments(of, count), { store }, () => NOWHERE);
  await bare.close();
  return filled;
}

/** Generated notices or contracts, always the same. */
export function makeDocuments(of: CollectionName, count: number): Iterable<AnyDocument> {
  return of === 'contracts' ? makeContractDocuments(count) : makeNotices(count);
}

/** Time is taken while documents that are made already are stored, until the last of them is. */
async function fill(
  documents: Iterable<AnyDocument>,
  index: Pick<FillableIndex, 'store'>,
  cursorOf: (documents: AnyDocument[]) => IndexCursor,
  batchRows = BATCH_ROWS,
): Promise<Filled> {
  const filled: Filled = { count: 0, tookMs: 0, processorMs: 0, textBytes: 0 };
  let made: AnyDocument[] = [];
  const flush = async () => {
    await addTime(filled, async () => {
      for (let at = 0; at < made.length; at += batchRows) {
        const batch = made.slice(at, at + batchRows);
        await index.store({ documents: batch, gone: [], cursor: cursorOf(batch) });
      }
    });
    filled.count += made.length;
    made = [];
  };
  for (const document of documents) {
    filled.textBytes += textOf(document).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    // As rows are read: V8 puts generated texts together only when something reads them.
    made.push(JSON.parse(JSON.stringify(document)) as AnyDocument);
    if (made.length === MADE_AT_ONCE) await flush();
  }
  await flush();
  return filled;
}

async function addTime(filled: Filled, work: () => Promise<void>): Promise<void> {
  const [startMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  filled.tookMs += performance.now() - startMs;
  filled.processorMs += (user + system) / 1_000;
}

/** Bytes of an index's files in a folder, which begin alike. */
export async function indexBytes(folder: string, stem: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(stem));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
