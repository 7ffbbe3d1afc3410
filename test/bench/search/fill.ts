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
import { BATCH_ROWS } from '../../../search/index/changed-rows.ts';
import { storeInOrder } from '../../../search/index/sync.ts';
import { makeContractDocuments } from '../../generated/contracts/documents.ts';
import { makeNotices } from '../../generated/notices/make.ts';

/** So many documents are made before they are stored, as a service has them before it indexes. */
const MADE_AT_ONCE = 20 * BATCH_ROWS;
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
  const filled = await fill(makeDocuments(engine.collection, count), build, (documents) => {
    seq += documents.length;
    return { generation: 'bench', version: engine.version, seq, id: documents.at(-1)?.id ?? '' };
  });
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

function makeDocuments(of: CollectionName, count: number): Iterable<AnyDocument> {
  return of === 'contracts' ? makeContractDocuments(count) : makeNotices(count);
}

/** Time is taken while documents that are made already are stored, until the last of them is. */
async function fill(
  documents: Iterable<AnyDocument>,
  index: Pick<FillableIndex, 'store' | 'batchesAtOnce'>,
  cursorOf: (documents: AnyDocument[]) => IndexCursor,
): Promise<Filled> {
  const filled: Filled = { count: 0, tookMs: 0, processorMs: 0, textBytes: 0 };
  let made: AnyDocument[] = [];
  const flush = async () => {
    const storing = storeInOrder(index, () => undefined);
    await addTime(filled, async () => {
      for (let at = 0; at < made.length; at += BATCH_ROWS) {
        const batch = made.slice(at, at + BATCH_ROWS);
        await storing.store({ documents: batch, gone: [], cursor: cursorOf(batch) });
      }
      await storing.finish();
    });
    filled.count += made.length;
    made = [];
  };
  for (const document of documents) {
    filled.textBytes += textOf(document).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    made.push(document);
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
