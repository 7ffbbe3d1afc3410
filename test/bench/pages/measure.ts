import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { readSettings } from '../../../schema/config/settings.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openSearch } from '../../../search/open.ts';
import type { NamedCompany } from '../../generated/names/make.ts';
import { WORLD_NOW } from '../../generated/notices/make.ts';
import { makeDatabase } from '../../support/databases.ts';
import { startPages } from '../calls/lookups.ts';
import { type Filled, fillFolder } from '../kept-folder.ts';
import { processorMs, showBoth, showLoad, type Times, withChildren } from '../show-times.ts';
import { type Kind, makeKinds } from './paths.ts';
import { fillWeb } from './world.ts';

interface WebBench {
  notices?: number | undefined;
  /** Pages of each kind. */
  each?: number;
}

const GOAL_MS = 30;
/** Pages of each kind that are asked before any is measured: a server that has just begun compiles its own code. */
const WARM_PAGES = 20;
/** The readers of the index count the most frequent words while nobody asks. */
const SETTLING_MS = 5_000;

/** What each kind of page takes, one after the other, over generated notices and as many registered companies. */
export async function benchWeb({ notices = 1_000_000, each = 300 }: WebBench = {}): Promise<void> {
  const { path, known: names, remove } = await fillServices(notices);
  try {
    const catalogue = await makeDatabase(path, 'catalogue');
    const kinds = await makeKinds(catalogue, names, each);
    await catalogue.close();
    console.log(`\nweb pages over ${notices} generated notices, ${each} of each kind, one after the other`);
    await askAll(path, kinds);
  } finally {
    await remove();
  }
}

/** A service of generated notices and their contracts, both indexed. Answers names that may be asked. */
export function fillServices(notices: number): Promise<Filled<NamedCompany[]>> {
  return fillFolder(`services-${notices}`, async (folder) => {
    const startMs = performance.now();
    const catalogue = await makeDatabase(folder, 'catalogue');
    await (await makeDatabase(folder, 'accounts')).close();
    const names = await fillWeb(catalogue, notices);
    const filledMs = performance.now();
    const search = await openSearch(readSettings({ DATA_DIR: folder }), catalogue, 'writer');
    await syncSearch(catalogue, search);
    await search.close();
    await catalogue.close();
    const seconds = (ms: number) => (ms / 1_000).toFixed(0);
    console.log(`  filled in ${seconds(filledMs - startMs)} s, indexed in ${seconds(performance.now() - filledMs)} s`);
    return names;
  });
}

async function askAll(folder: string, kinds: readonly Kind[]): Promise<void> {
  const server = await startPages({ DATA_DIR: folder, AS_OF: WORLD_NOW.toISOString() });
  const slow: string[] = [];
  try {
    for (const [, paths] of kinds) await timePages(server, paths.slice(0, WARM_PAGES));
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    for (const [kind, paths] of kinds) {
      const { times, bytes, wrong } = await timePages(server, paths);
      const size = `${(bytes / 1_000).toFixed(1).padStart(5)} kB${wrong ? `  ${wrong} NOT ANSWERED` : ''}`;
      console.log(`  ${kind.padEnd(24)} ${showBoth(times)}  ${size}`);
      if (percentile99(times.map(({ clock }) => clock)) > GOAL_MS) slow.push(kind);
    }
  } finally {
    await server.stop();
  }
  console.log(`  p99 above ${GOAL_MS} ms: ${slow.join(', ') || 'none'}; ${showLoad()}`);
}

/** How long each took, the mean size once unpacked, and how many were neither pages nor redirects. */
async function timePages({ url, pid }: { url: string; pid: number }, paths: readonly string[]) {
  const times: Times[] = [];
  let [bytes, wrong] = [0, 0];
  const agent = new Agent({ keepAlive: true });
  for (const path of paths) {
    const pids = withChildren(pid);
    const before = processorMs(pids);
    const startMs = performance.now();
    const { status, encoding, body } = await ask(url + path, agent);
    times.push({ clock: performance.now() - startMs, processor: processorMs(pids) - before });
    bytes += encoding === 'br' ? brotliDecompressSync(body).byteLength : body.byteLength;
    if (status >= 400) wrong += 1;
  }
  agent.destroy();
  return { times, bytes: bytes / paths.length, wrong };
}

/** The answer as sent. Node's `fetch` would unpack it within the measured time, and its garbage would be collected within it too. */
async function ask(
  url: string,
  agent: Agent,
): Promise<{ status: number; encoding?: string | undefined; body: Buffer }> {
  const sent = get(url, { agent, headers: { 'accept-encoding': 'br' } });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  return { status: response.statusCode ?? 500, encoding: response.headers['content-encoding'], body };
}

function percentile99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}
