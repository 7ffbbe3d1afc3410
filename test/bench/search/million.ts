import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { makeEmbeddedEngine } from '../../../search/embedded/engine.ts';
import type { SearchEngine } from '../../../search/engine.ts';
import { makeMeilisearchEngine } from '../../../search/meilisearch/engine.ts';
import { openIndex } from '../../../search/open.ts';
import { WORLD_NOW } from '../../generated/notices/make.ts';
import { makeFolder } from '../../support/databases.ts';
import { benchCompanySearch } from '../names/measure.ts';
import { showTimes } from '../show-times.ts';
import { dropIndexes, type MeiliServer } from './drop-indexes.ts';
import { type Filled, fillBare, fillEngine, indexBytes } from './fill.ts';
import { makeQueries, timeQuery } from './queries.ts';

export interface NoticesBench {
  notices?: number;
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

/** Search over notices, then over company names. */
export async function benchMillion({ notices = 1_000_000, ...rest }: NoticesBench & { companies?: number } = {}) {
  await benchNotices({ notices, ...rest });
  await benchCompanySearch({ companies: rest.companies ?? notices * COMPANIES_PER_NOTICE });
}

/** Search over generated notices whose lengths, document frequencies and CPV mix are those measured on recordings: each engine a column. */
export async function benchNotices({ notices = 1_000_000, each = 40, meili }: NoticesBench): Promise<void> {
  console.log(`\nsearch over ${notices} generated notices, ${each} queries of each kind`);
  const columns = [await benchEmbedded(notices, each)];
  if (meili) columns.push(await benchServer(meili, notices, each));
  else console.log('  Meilisearch: skipped, needs MEILI_URL');
  showColumns(columns);
}

/** What an engine took, by kind of query. */
interface Column {
  engine: string;
  times: Map<string, number[]>;
  /** Delay of this process's event loop meanwhile. */
  loopMs: number;
}

async function benchEmbedded(notices: number, each: number): Promise<Column> {
  const folder = await makeFolder();
  try {
    const bare = await fillBare(folder.path, notices);
    const { index, url } = await openIndex(folder.path);
    const engine = makeEmbeddedEngine(index, { url, warm: true });
    const filled = await fillEngine(engine, notices);
    showFilled({ bare, filled, bytes: await indexBytes(folder.path) });
    console.log(
      `  first query after it went live: ${(await timeFirst(engine)).toFixed(1)} ms; all others ${SETTLING_MS / 1_000} s later`,
    );
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    const column = await askAll(engine, each);
    await engine.close();
    return column;
  } finally {
    await folder.remove();
  }
}

async function timeFirst(engine: SearchEngine): Promise<number> {
  const startMs = performance.now();
  await engine.find({ scope: 'notices', text: 'contract', filters: {}, limit: 25, now: WORLD_NOW });
  return performance.now() - startMs;
}

async function benchServer({ url, key }: MeiliServer, notices: number, each: number): Promise<Column> {
  const prefix = `bench-${randomBytes(4).toString('hex')}-`;
  const engine = makeMeilisearchEngine({ url, key, prefix, deadlineMs: PATIENT_MS });
  try {
    const filled = await fillEngine(engine, notices);
    console.log(`  Meilisearch:     ${rateOf(filled)}`);
    return await askAll(engine, each);
  } finally {
    await engine.close();
    await dropIndexes({ url, key }, prefix);
  }
}

/** Each kind of query one after the other, as the API asks: this process waits meanwhile and must not be kept waiting. */
async function askAll(engine: SearchEngine, each: number): Promise<Column> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times = new Map<string, number[]>();
  for (const [kind, queries] of makeQueries(each)) {
    times.set(kind, []);
    for (const asked of queries) {
      delay.enable();
      times.get(kind)?.push(await timeQuery(engine, kind, asked));
      delay.disable();
    }
  }
  times.set('all', [...times.values()].flat());
  return { engine: engine.name, times, loopMs: delay.percentile(99) / 1e6 };
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
      columns.map(({ times }) => showTimes(times.get(kind) ?? [])),
    );
  }
  line(
    'event loop',
    columns.map(({ loopMs }) => `p99 ${loopMs.toFixed(1)} ms in the asking process`),
  );
}

const COLUMN_WIDTH = 50;

function showFilled({ bare, filled, bytes }: { bare: Filled; filled: Filled; bytes: number }): void {
  const text = filled.textBytes / 1e6;
  console.log(`  bare FTS5 table: ${rateOf(bare)}`);
  console.log(
    `  our index:       ${rateOf(filled)}, ${(bare.tookMs / filled.tookMs).toFixed(2)} of the rate of the bare one`,
  );
  console.log(`  text ${text.toFixed(0)} MB, index ${(bytes / 1e6 / text).toFixed(2)} times that`);
}

function rateOf({ notices, tookMs }: Pick<Filled, 'notices' | 'tookMs'>): string {
  return `${Math.round((notices / tookMs) * 1_000)} notices a second`;
}
