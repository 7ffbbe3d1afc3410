import { monitorEventLoopDelay } from 'node:perf_hooks';
import { makeEmbeddedEngine } from '../../search/embedded/engine.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { makeMeilisearchEngine } from '../../search/meilisearch.ts';
import { openIndex } from '../../search/open.ts';
import { makeFolder } from '../databases.ts';
import { benchCompanySearch } from './search-companies.ts';
import { type Filled, fillBare, fillEngine, indexBytes } from './search-index.ts';
import { makeQueries, timeQuery } from './search-queries.ts';
import { showTimes } from './show-times.ts';

export interface MillionBench {
  notices?: number;
  /** Queries of each kind. */
  each?: number;
  companies?: number;
  /** A Meilisearch server that the same is asked of. */
  meiliUrl?: string | undefined;
}

/** Search over generated notices whose lengths, document frequencies and CPV mix are those measured on recordings; then over company names. */
export async function benchMillion(options: MillionBench = {}): Promise<void> {
  const { notices = 1_000_000, each = 40, companies = 5_000_000, meiliUrl } = options;
  console.log(`\nsearch over ${notices} generated notices, ${each} queries of each kind`);
  await benchEmbedded(notices, each);
  if (meiliUrl) await benchServer(meiliUrl, notices, each);
  await benchCompanySearch({ companies });
}

async function benchEmbedded(notices: number, each: number): Promise<void> {
  const folder = await makeFolder();
  try {
    const bare = await fillBare(folder.path, notices);
    const { index, url } = await openIndex(folder.path);
    const engine = makeEmbeddedEngine(index, { url, warm: true });
    const filled = await fillEngine(engine, notices);
    showFilled({ bare, filled, bytes: await indexBytes(folder.path) });
    await askAll(engine, each);
    await engine.close();
  } finally {
    await folder.remove();
  }
}

async function benchServer(url: string, notices: number, each: number): Promise<void> {
  const engine = makeMeilisearchEngine({ url, prefix: 'bench_' });
  const { tookMs } = await fillEngine(engine, notices);
  console.log(`  Meilisearch: stored ${rateOf({ notices, tookMs })}`);
  await askAll(engine, each);
  await engine.close();
}

/** Each kind of query one after the other, as the API asks: this process waits meanwhile and must not be kept waiting. */
async function askAll(engine: SearchEngine, each: number): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const all: number[] = [];
  for (const [kind, queries] of makeQueries(each)) {
    const times: number[] = [];
    for (const asked of queries) {
      delay.enable();
      times.push(await timeQuery(engine, kind, asked));
      delay.disable();
    }
    all.push(...times);
    console.log(`    ${kind.padEnd(14)} ${showTimes(times)}`);
  }
  console.log(`    ${'all'.padEnd(14)} ${showTimes(all)}`);
  console.log(`    event loop of the asking process: p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms`);
}

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
