import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { makeEmbeddedEngine } from '../../../search/embedded/engine.ts';
import type { AnyDocument, AnyHit, CollectionName, SearchEngine } from '../../../search/engine.ts';
import { readShown } from '../../../search/index/changed-rows.ts';
import { makeMeilisearchEngine } from '../../../search/meilisearch/engine.ts';
import { openIndex } from '../../../search/open.ts';
import { WORLD_NOW } from '../../generated/notices/make.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { fillFolder } from '../kept-folder.ts';
import { benchCompanySearch } from '../names/measure.ts';
import { makeSpeedGauge, processorMs, showBoth, showLoad, type Times } from '../show-times.ts';
import { dropIndexes, type MeiliServer } from './drop-indexes.ts';
import { type Filled, fillBare, fillEngine, indexBytes, makeDocuments } from './fill.ts';
import { makeQueries, timeQuery } from './queries.ts';
import { storeRows } from './rows.ts';

interface NoticesBench {
  notices?: number;
  /** What is searched; of contracts so many too. */
  of?: CollectionName;
  /** Queries of each kind. */
  each?: number;
  /** A Meilisearch server that the same is asked of. */
  meili?: MeiliServer | undefined;
}

/** Five names a notice: about as many as there are companies to a million notices. */
const COMPANIES_PER_NOTICE = 5;
/** Nobody waits here: a slow answer is to be measured, not refused. */
const PATIENT_MS = 30_000;
/** A service is up for longer than its readers take to count the most frequent words, which they do while nobody asks. */
const SETTLING_MS = 5_000;
const STORED_AT_ONCE = 2_000;
/** A bare table of more documents says nothing else, and takes as long to fill as the index. */
const BARE_MAX = 200_000;

/** Search over notices, over contracts, then over company names. */
export async function benchMillion({ notices = 1_000_000, ...rest }: NoticesBench & { companies?: number } = {}) {
  for (const of of ['notices', 'contracts'] as const) await benchNotices({ notices, of, ...rest });
  await benchCompanySearch({ companies: rest.companies ?? notices * COMPANIES_PER_NOTICE });
}

/** Search over generated notices, or contracts, whose lengths, document frequencies and CPV mix are those measured on recordings: each engine a column. */
export async function benchNotices({ notices = 1_000_000, of = 'notices', each = 40, meili }: NoticesBench) {
  console.log(`\nsearch over ${notices} generated ${of}, ${each} queries of each kind`);
  const columns = [await benchEmbedded(of, notices, each)];
  if (meili) columns.push(await benchServer(meili, of, notices, each));
  else console.log('  Meilisearch: skipped, needs MEILI_URL');
  showColumns(columns);
}

/** What an engine took, by kind of query. */
interface Column {
  engine: string;
  times: Map<string, Times[]>;
  /** Of the queries, how many were asked while the machine was at its usual speed. */
  steadyShare: number;
  /** Delay of this process's event loop meanwhile. */
  loopMs: number;
}

async function benchEmbedded(of: CollectionName, count: number, each: number): Promise<Column> {
  const collection = COLLECTIONS[of];
  const { path, known, remove } = await fillFolder(`search-${of}-${count}`, (folder) => fillIndex(folder, of, count));
  showFilled(known);
  const catalogue = await makeDatabase(path, 'catalogue');
  const { index, url } = await openIndex(path, collection);
  const engine = makeEmbeddedEngine<AnyHit>(index, {
    url,
    collection,
    warm: true,
    deadlineMs: PATIENT_MS,
    readShown: (ids) => readShown({ catalogue, collection }, ids),
  });
  try {
    console.log(
      `  first query after it went live: ${(await timeFirst(engine)).toFixed(1)} ms; all others ${SETTLING_MS / 1_000} s later`,
    );
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    return await askAll(engine, each, engine.readers.pids);
  } finally {
    await engine.close();
    await catalogue.close();
    await remove();
  }
}

/** What it takes to fill an index, and a bare table with the same texts where that is not most of the time. */
async function fillIndex(folder: string, of: CollectionName, count: number) {
  const bare = count > BARE_MAX ? undefined : await fillBare(folder, of, count);
  await fillCatalogue(folder, of, count);
  const { index, url } = await openIndex(folder, COLLECTIONS[of]);
  const nothingShown = async () => [];
  const engine = makeEmbeddedEngine<AnyHit>(index, { url, collection: COLLECTIONS[of], readShown: nothingShown });
  const filled = await fillEngine(engine, count);
  await engine.close();
  return { bare, filled, bytes: await indexBytes(folder, COLLECTIONS[of].stem) };
}

/** The rows from which an answer shows what was found. */
async function fillCatalogue(folder: string, of: CollectionName, count: number): Promise<void> {
  const catalogue = await makeDatabase(folder, 'catalogue');
  let made: AnyDocument[] = [];
  for (const document of makeDocuments(of, count)) {
    if (made.push(document) < STORED_AT_ONCE) continue;
    await storeRows(catalogue, made);
    made = [];
  }
  await storeRows(catalogue, made);
  await catalogue.close();
}

async function timeFirst(engine: SearchEngine<AnyHit>): Promise<number> {
  const startMs = performance.now();
  await engine.find({ scope: engine.collection, text: 'contract', filters: {}, limit: 25, now: WORLD_NOW });
  return performance.now() - startMs;
}

async function benchServer(
  { url, key }: MeiliServer,
  of: CollectionName,
  count: number,
  each: number,
): Promise<Column> {
  const prefix = `bench-${randomBytes(4).toString('hex')}-`;
  const collection = COLLECTIONS[of];
  const folder = await makeFolder();
  await fillCatalogue(folder.path, of, count);
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const engine = makeMeilisearchEngine<AnyHit>({
    url,
    key,
    prefix,
    collection,
    deadlineMs: PATIENT_MS,
    readShown: (ids) => readShown({ catalogue, collection }, ids),
  });
  try {
    const filled = await fillEngine(engine, count);
    console.log(`  Meilisearch:     ${rateOf(filled)}`);
    return await askAll(engine, each);
  } finally {
    await engine.close();
    await catalogue.close();
    await folder.remove();
    await dropIndexes({ url, key }, prefix);
  }
}

/** Each kind of query one after the other, as the API asks: this process waits meanwhile and must not be kept waiting. */
async function askAll(engine: SearchEngine<AnyHit>, each: number, pids = (): number[] => []): Promise<Column> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const isUsual = makeSpeedGauge();
  const times = new Map<string, Times[]>();
  for (const [kind, queries] of makeQueries(each, engine.collection)) {
    times.set(kind, []);
    for (const asked of queries) {
      const wasUsual = isUsual();
      delay.enable();
      const before = processorMs(pids());
      // Meilisearch refuses to list more than it counts.
      const [took] = await Promise.allSettled([timeQuery(engine, kind, asked)]);
      const processor = processorMs(pids()) - before;
      delay.disable();
      if (took.status === 'fulfilled') {
        times.get(kind)?.push({ clock: took.value, processor, isSteady: isUsual() && wasUsual });
      } else if (kind !== 'all matches') throw took.reason;
    }
  }
  // A page is what a search is judged by.
  const all = [...times].flatMap(([kind, each]) => (kind === 'all matches' ? [] : each));
  times.set('all', all);
  const steady = all.filter(({ isSteady }) => isSteady);
  times.set('all, steady', steady);
  const steadyShare = steady.length / all.length;
  return { engine: engine.name, times, steadyShare, loopMs: delay.percentile(99) / 1e6 };
}

function showColumns(columns: readonly Column[]): void {
  const line = (title: string, cells: string[]) =>
    console.log(
      `    ${title.padEnd(14)} ${cells
        .map((cell) => cell.padEnd(COLUMN_WIDTH))
        .join('')
        .trimEnd()}`,
    );
  line(
    '',
    columns.map(({ engine }) => engine),
  );
  for (const kind of columns[0]?.times.keys() ?? []) {
    line(
      kind,
      columns.map(({ times }) => showBoth(times.get(kind) ?? [])),
    );
  }
  line(
    'steady',
    columns.map(({ steadyShare }) => `${Math.round(100 * steadyShare)} % of all`),
  );
  line(
    'event loop',
    columns.map(({ loopMs }) => `p99 ${loopMs.toFixed(1)} ms in the asking process`),
  );
  console.log(`    ${showLoad()}`);
}

const COLUMN_WIDTH = 74;

function showFilled({ bare, filled, bytes }: { bare?: Filled | undefined; filled: Filled; bytes: number }): void {
  const text = filled.textBytes / 1e6;
  if (bare) console.log(`  bare FTS5 table: ${rateOf(bare)}`);
  const shareOf = (one: 'tookMs' | 'processorMs') => ((bare?.[one] ?? 0) / filled[one]).toFixed(2);
  const share = bare ? `: ${shareOf('tookMs')} of the bare one by time, ${shareOf('processorMs')} by processor` : '';
  console.log(`  our index:       ${rateOf(filled)}${share}`);
  console.log(`  text ${text.toFixed(0)} MB, index ${(bytes / 1e6 / text).toFixed(2)} times that`);
}

function rateOf({ count, tookMs, processorMs }: Filled): string {
  const rate = (ms: number) => Math.round((count / ms) * 1_000);
  return `${rate(tookMs)} documents a second, ${rate(processorMs)} a second of processor`;
}
