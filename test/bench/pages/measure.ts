import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { makeEmbeddedEngine } from '../../../search/embedded/engine.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import type { NamedCompany } from '../../generated/names/make.ts';
import { WORLD_NOW } from '../../generated/notices/make.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { startPages } from '../calls/lookups.ts';
import { showTimes } from '../show-times.ts';
import { type Kind, makeKinds } from './paths.ts';
import { fillWeb } from './world.ts';

export interface WebBench {
  notices?: number | undefined;
  /** Pages of each kind. */
  each?: number;
  /** A folder to build the service in and to leave it in; one that holds a service is asked as it is. */
  folder?: string | undefined;
}

const GOAL_MS = 30;
const NAMES_FILE = 'names.json';
/** Pages of each kind that are asked before any is measured: a server that has just begun compiles its own code. */
const WARM_PAGES = 20;
/** The readers of the index count the most frequent words while nobody asks. */
const SETTLING_MS = 5_000;

/** What each kind of page takes, one after the other, over generated notices and as many registered companies. */
export async function benchWeb({ notices = 1_000_000, each = 300, folder }: WebBench = {}): Promise<void> {
  const own = folder ? null : await makeFolder();
  const path = folder ?? own?.path ?? '';
  try {
    const names = await makeServices(path, notices);
    const catalogue = await makeDatabase(path, 'catalogue');
    const kinds = await makeKinds(catalogue, names, each);
    await catalogue.close();
    console.log(`\nweb pages over ${notices} generated notices, ${each} of each kind, one after the other`);
    await askAll(path, kinds);
  } finally {
    await own?.remove();
  }
}

/** A service of generated notices in a folder, as it is where there is one. Answers names that may be asked. */
export async function makeServices(folder: string, notices: number): Promise<NamedCompany[]> {
  const kept = join(folder, NAMES_FILE);
  if (existsSync(kept)) return JSON.parse(await readFile(kept, 'utf8')) as NamedCompany[];
  await mkdir(folder, { recursive: true });
  const startMs = performance.now();
  const catalogue = await makeDatabase(folder, 'catalogue');
  await (await makeDatabase(folder, 'accounts')).close();
  const names = await fillWeb(catalogue, notices);
  const filledMs = performance.now();
  const { index, url } = await openIndex(folder);
  const engine = makeEmbeddedEngine(index, { url });
  await syncSearch(catalogue, engine);
  await engine.close();
  await catalogue.close();
  await writeFile(kept, JSON.stringify(names));
  const seconds = (ms: number) => (ms / 1_000).toFixed(0);
  console.log(`  filled in ${seconds(filledMs - startMs)} s, indexed in ${seconds(performance.now() - filledMs)} s`);
  return names;
}

async function askAll(folder: string, kinds: readonly Kind[]): Promise<void> {
  const server = await startPages({ DATA_DIR: folder, AS_OF: WORLD_NOW.toISOString() });
  const slow: string[] = [];
  try {
    for (const [, paths] of kinds) await timePages(server.url, paths.slice(0, WARM_PAGES));
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    for (const [kind, paths] of kinds) {
      const beforeMs = await server.cpuMs();
      const { times, bytes, wrong } = await timePages(server.url, paths);
      const cpuMs = ((await server.cpuMs()) - beforeMs) / paths.length;
      const size = `${(bytes / 1_000).toFixed(1).padStart(5)} kB`;
      const told = `${cpuMs.toFixed(1).padStart(5)} ms of processor  ${size}${wrong ? `  ${wrong} NOT ANSWERED` : ''}`;
      console.log(`  ${kind.padEnd(24)} ${showTimes(times)}  ${told}`);
      if (percentile99(times) > GOAL_MS) slow.push(kind);
    }
  } finally {
    await server.stop();
  }
  console.log(`  p99 above ${GOAL_MS} ms: ${slow.join(', ') || 'none'}`);
}

/** Milliseconds each, the mean size once unpacked, and how many were neither pages nor redirects. */
async function timePages(url: string, paths: readonly string[]) {
  const times: number[] = [];
  let [bytes, wrong] = [0, 0];
  for (const path of paths) {
    const startMs = performance.now();
    const response = await fetch(url + path, { redirect: 'manual', headers: { 'accept-encoding': 'br' } });
    bytes += (await response.arrayBuffer()).byteLength;
    times.push(performance.now() - startMs);
    if (response.status >= 400) wrong += 1;
  }
  return { times, bytes: bytes / paths.length, wrong };
}

function percentile99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}
