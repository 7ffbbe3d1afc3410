import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../schema/db/interface.ts';
import { openReplica } from '../../../schema/db/replica/open.ts';
import type { IngestAnswer, IngestOrder } from '../../chaos/ingest-process.ts';
import { makeFolder } from '../../support/databases.ts';
import { createNamespace, hasLibsql, startLibsql } from '../../support/libsql-process.ts';
import {
  describeHow,
  type Figures,
  type Load,
  type Measured,
  measureInTurn,
  medianOf,
  type Served,
  serve,
} from '../calls/in-turn.ts';
import { readNumbers } from '../calls/lookups.ts';
import { type Bench, run, withUpstream } from '../ingest/measure.ts';
import { makeBenchData } from '../ingest/world.ts';
import { withDemo } from '../with-demo.ts';
import { makeWorlds, type World } from './worlds.ts';

const INGEST = 'test/chaos/ingest-process.ts';
/** A machine is faster in one minute than in the next. */
const INGEST_ROUNDS = 3;
const SOURCES = ['find_a_tender', 'contracts_finder'];
const WORDS = ['road', 'software', 'cleaning', 'schools', 'legal advice', 'vehicles', 'hospital', 'waste'];

interface Kind {
  name: string;
  toPaths(numbers: readonly string[]): string[];
  connections?: number;
}

const toLookUps = (numbers: readonly string[]) => numbers.map((number) => `/v1/companies/${number}`);
const KINDS: Kind[] = [
  { name: 'look-ups', toPaths: toLookUps },
  // The debits of calls at once share a round trip to the accounts server.
  { name: 'by 128', toPaths: toLookUps, connections: 128 },
  { name: 'profiles', toPaths: (numbers) => numbers.map((number) => `/v1/companies/${number}/profile`) },
  { name: 'searches', toPaths: () => WORDS.map((word) => `/v1/notices/search?query=${encodeURIComponent(word)}`) },
];

interface MachinesBench {
  /** Generated releases of both procurement services together. */
  releases?: number | undefined;
}

/** Metered calls and ingest in one run: on files, on libSQL servers, and on servers with a copy of the catalogue next to the API. */
export async function benchMachines({ releases = 4_000 }: MachinesBench = {}): Promise<void> {
  if (!hasLibsql('the benchmark of machines')) return;
  const folder = await makeFolder();
  try {
    await withDemo(async (_demo, demoFolder) => {
      const numbers = await readNumbers(demoFolder);
      const { worlds, close } = await makeWorlds(demoFolder, folder.path);
      try {
        await showCalls(worlds, numbers);
      } finally {
        await close();
      }
    });
    await showIngest(releases);
  } finally {
    await folder.remove();
  }
}

async function showCalls(worlds: readonly World[], numbers: readonly string[]): Promise<void> {
  const served: Served[] = [];
  try {
    for (const { settings } of worlds) served.push(await serve({ serve: 'metered' }, settings));
    console.log(`\nmetered calls a second, ${describeHow()}, look-ups by 128 too; the share of what files do`);
    console.log(`  ${''.padEnd(10)}${worlds.map(({ name }) => name.padStart(18)).join('')}`);
    for (const { name, toPaths, connections } of KINDS) {
      const asked = served.map((one, index): Measured => {
        return { served: one, load: toLoad(toPaths(numbers), worlds[index]?.key ?? '') };
      });
      const figures = await measureInTurn(asked, connections);
      const cells = figures.map((each) => describe(each, figures[0]));
      console.log(`  ${name.padEnd(10)}${cells.map((cell) => cell.padStart(18)).join('')}`);
    }
  } finally {
    for (const one of served) await one.stop();
  }
}

function toLoad(paths: readonly string[], key: string): Load {
  const headers = { Authorization: `Bearer ${key}` };
  return { requests: paths.map((path) => ({ path, headers })) };
}

function describe(figures: Figures, files: Figures | undefined): string {
  if (!files) throw new Error('nothing was measured');
  const failed = figures.failed > 0 ? ` ${figures.failed} FAILED` : '';
  return `${figures.rate.toFixed(0)}/s  ${(figures.rate / files.rate).toFixed(2)}${failed}`;
}

/** The same releases into files and into servers in turn, while a copy of those is kept; how old that copy got. */
async function showIngest(releases: number): Promise<void> {
  await withUpstream(makeBenchData(releases, 1_000), async (bench) => {
    const rounds: IngestRound[] = [];
    for (let round = 0; round < INGEST_ROUNDS; round++) {
      const inRound = { ...bench, folder: join(bench.folder, `round-${round}`) };
      await mkdir(inRound.folder);
      rounds.push({ files: await ingest(inRound, 'on-files', {}), ...(await ingestOnServers(inRound)) });
    }
    const median = (of: (round: IngestRound) => number) => medianOf(rounds.map(of));
    const [files, servers] = [median((round) => round.files), median((round) => round.servers)];
    const share = median((round) => round.servers / round.files);
    console.log(
      `\ningest of ${releases} generated releases from loopback without pacing, the median of ${INGEST_ROUNDS} times`,
    );
    console.log(`  files ${files.toFixed(0)}/s, servers ${servers.toFixed(0)}/s  ${share.toFixed(2)}`);
    const oldest = Math.max(...rounds.map((round) => round.oldest));
    const caughtUp = Math.max(...rounds.map((round) => round.caughtUp));
    console.log(
      `  a copy was kept meanwhile: ${oldest.toFixed(1)} s old at most, up to date ${caughtUp.toFixed(1)} s after the end`,
    );
  });
}

/** Releases a second, and seconds of the copy. */
interface IngestRound {
  files: number;
  servers: number;
  oldest: number;
  caughtUp: number;
}

async function ingestOnServers(bench: Bench): Promise<Omit<IngestRound, 'files'>> {
  const [catalogue, accounts] = [join(bench.folder, 'catalogue-server'), join(bench.folder, 'accounts-server')];
  const servers = await startLibsql({ folder: catalogue });
  const ledger = await startLibsql({ folder: accounts, namespaces: true });
  try {
    await createNamespace(ledger, 'accounts', { durability_mode: 'strong' });
    const settings = {
      CATALOGUE_URL: servers.socketUrl,
      ACCOUNTS_URL: `${ledger.socketUrl}/dev/accounts`,
      AUTH_SECRET: 'a'.repeat(32),
    };
    const ages = await watchCopy(join(bench.folder, 'machine'), servers.url);
    const rate = await ingest(bench, 'on-servers', settings);
    return { servers: rate, ...(await ages.end()) };
  } finally {
    await servers.kill();
    await ledger.kill();
  }
}

/** Releases a second, both sources one after the other. */
async function ingest(bench: Bench, name: string, more: Record<string, string>): Promise<number> {
  const folder = join(bench.folder, name);
  await mkdir(folder);
  let [count, tookMs] = [0, 0];
  for (const source of SOURCES) {
    const order = { folder, source } satisfies IngestOrder;
    const answer = await run<IngestAnswer>(INGEST, { settings: { ...bench.settings, ...more } }, order);
    if (answer.state !== 'succeeded') throw new Error(`${source}: ${answer.state}, ${answer.error}`);
    count += answer.releases;
    tookMs += answer.tookMs;
  }
  return (count / tookMs) * 1_000;
}

/** Keeps a copy and looks at its age ten times a second. */
async function watchCopy(dataDir: string, url: string) {
  const replica: Database = await openReplica({ dataDir, server: { url }, say: () => undefined });
  let oldest = 0;
  const looking = setInterval(() => {
    oldest = Math.max(oldest, replica.copyAge?.().seconds ?? 0);
  }, 100);
  return {
    async end() {
      const endedMs = Date.now();
      const isCurrent = () => {
        const seconds = replica.copyAge?.().seconds ?? Number.POSITIVE_INFINITY;
        return Date.now() - seconds * 1_000 > endedMs;
      };
      while (!isCurrent()) await pause(100);
      clearInterval(looking);
      await replica.close();
      return { oldest, caughtUp: (Date.now() - endedMs) / 1_000 };
    },
  };
}
