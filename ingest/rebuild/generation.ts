import { availableParallelism } from 'node:os';
import { DROP_TRIGGERS } from '../../schema/catalogue/changes/triggers.ts';
import type { Database } from '../../schema/db/interface.ts';
import { migrate } from '../../schema/db/migrate.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { openBeside } from '../../schema/db/open-catalogue.ts';
import { type Compiler, openCompiler } from '../workers/compiler.ts';
import { countDifferences, digestOfAll, readDigests, readDigestsAside } from './digests.ts';
import { catchUpAgain, compileReleases, copyRegister, copyRegisterFacts, REGISTER_START } from './fill.ts';
import { setIndexesAside } from './indexes.ts';
import { reconcileLog } from './log.ts';
import { type Filled, type Reached, RebuildOvertaken, wasRemoved } from './move.ts';
import { storeBuyersAhead, storeOrganisations } from './organisations.ts';
import { compileProcesses } from './processes.ts';
import { copyReleases, resolveParties } from './releases.ts';
import { areNamesCleaned, STAMP } from './rule-editions.ts';
import { copyStatements, firstSeq, REGISTER_TABLES, readSeq, reconcileRows } from './tables.ts';

interface RebuildPlan {
  /** Paths of the live generation's file and of the next one's, which does not exist yet. */
  livePath: string;
  path: string;
  /** Number of the next generation. */
  generation: number;
  /** Switches to the new generation. If absent, it is only compiled and compared. */
  move?: (filled: Filled) => Promise<void>;
  /** Brings the live generation's file up to date if it is a copy of a server. */
  refresh?: () => Promise<void>;
  /** Compiles, and is closed at the end. If absent, this process or several compile, depending on the number of releases. */
  compiler?: Compiler;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RebuildProgress) => void) | undefined;
}

export interface RebuildProgress {
  stage: 'register' | 'parties' | 'releases' | 'reconciling' | 'comparing' | 'sending' | 'moving';
  /** Progress of the stage: rows copied or sent, releases read for their parties, or releases compiled. */
  done: number;
  total: number;
}

/** A compiled table of the new generation, and its differences from the live one. */
interface RebuiltTable {
  table: string;
  rows: number;
  digest: string;
  /** Rows that only the live generation has, and only the new one. */
  onlyLive: number;
  onlyNew: number;
}

export interface Rebuilt {
  generation: number;
  moved: boolean;
  releases: number;
  /** Releases that arrived while the others were compiled. */
  caughtUp: number;
  digest: string;
  /** Whether every table equals the live one. */
  same: boolean;
  /** Whether nothing arrived while the two were compared; otherwise they may differ by what did. */
  steady: boolean;
  tables: RebuiltTable[];
}

/** With fewer releases, other processes would start too late to help. */
const RELEASES_AHEAD = 2_000;
/** Pages of the new generation in memory. At SQLite's own 2 MB nearly every row reads again the pages that it goes to. */
const CACHE_KB = 65_536;
/** How often the comparison is repeated because releases arrived. */
const COMPARED_MAX = 3;

interface Build extends RebuildPlan {
  live: Database;
  /** The new generation, with the live one attached as `live`, which is only read. */
  built: Database;
  /** Whether a different edition of the rule cleaned the live generation's names. */
  clean: boolean;
}

/**
 * Fills the next generation from the live one's releases, compares the two, and switches to it. Until the switch the live
 * one is only read, so a kill before it changes nothing.
 * @throws RebuildOvertaken if a takedown happened meanwhile: start again
 */
export async function buildGeneration(plan: RebuildPlan): Promise<Rebuilt> {
  const live = await openDatabase({ url: `file:${plan.livePath}`, durability: 'normal', readOnly: true });
  const built = await createGeneration(plan);
  try {
    return await build({ ...plan, live, built, clean: !(await areNamesCleaned(live)) });
  } finally {
    await built.close();
    await live.close();
  }
}

/** An empty generation with this program's tables, with the live one attached. */
async function createGeneration({ path, livePath }: RebuildPlan): Promise<Database> {
  const empty = await openDatabase({ url: `file:${path}`, durability: 'normal' });
  await migrate(empty, 'catalogue').finally(() => empty.close());
  const built = await openBeside(path, livePath, { changing: false });
  await built.read({ sql: `PRAGMA main.cache_size=-${CACHE_KB}` });
  // Sorted in memory, an index of four million companies takes 240 MB more, and a fifth more processor time (measured).
  await built.read({ sql: 'PRAGMA temp_store=FILE' });
  return built;
}

async function build(plan: Build): Promise<Rebuilt> {
  const { live, built } = plan;
  const first = firstSeq(plan.generation);
  const startAt = { sql: "UPDATE counter SET value = ? WHERE name = 'seq'", args: [first] };
  await built.write([...DROP_TRIGGERS, startAt, STAMP]);
  const indexes = await setIndexesAside(built);
  const from = { first, live: await readSeq(live) };
  await built.write([...(await copyStatements(built)), copyRegisterFacts()]);
  const register = await copyRegister(built, REGISTER_START, {
    clean: plan.clean,
    signal: plan.signal,
    onRows: count(plan, 'register', await countRows(live, 'registered_company')),
  });
  await indexes.create(REGISTER_TABLES);
  const total = await countRows(live, 'release');
  const lastRelease = await copyReleases(built, plan.signal);
  await indexes.create(['release']);
  await withCompiler(plan, total, async (compiler) => {
    const work = { compiler, signal: plan.signal };
    plan.onProgress?.({ stage: 'parties', done: 0, total });
    await resolveParties(built, { ...work, onReleases: count(plan, 'parties', total) });
    plan.onProgress?.({ stage: 'releases', done: 0, total });
    await indexes.create(['alias']);
    await storeBuyersAhead(built, plan.signal);
    await compileProcesses(built, { ...work, onReleases: count(plan, 'releases', total) });
  });
  plan.onProgress?.({ stage: 'reconciling', done: 0, total: 1 });
  // Contracts are read by their buyers and suppliers.
  await indexes.create(['contract', 'contract_supplier']);
  await storeOrganisations(built, plan.signal);
  await indexes.create();
  const reconciled = await reconcileRows(built, from, plan.signal);
  await reconcileLog(built, first, reconciled, plan.signal);
  const reached: Reached = { lastRelease, register, reconciled, first };
  const compared = await compare(plan, reached, isShared(total));
  await plan.move?.({
    built,
    reached,
    catchUp: () => catchUp(plan, reached),
    whileChanging: (work) => whileChanging(plan, work),
  });
  const releases = await countRows(built, 'release');
  return {
    generation: plan.generation,
    moved: plan.move !== undefined,
    releases,
    caughtUp: Math.max(0, releases - total),
    ...compared,
  };
}

/** Whether other processes share the work. */
function isShared(releases: number): boolean {
  return releases >= RELEASES_AHEAD && availableParallelism() > 1;
}

async function withCompiler<T>(plan: Build, releases: number, work: (compiler: Compiler) => Promise<T>): Promise<T> {
  const compiler = plan.compiler ?? openCompiler(isShared(releases) ? {} : { workers: 1 });
  try {
    return await work(compiler);
  } finally {
    await compiler.close();
  }
}

/** Digests of both generations at one moment. If releases arrived meanwhile, they are compiled and everything is read again. */
async function compare(
  plan: Build,
  reached: Reached,
  shared: boolean,
): Promise<Pick<Rebuilt, 'digest' | 'same' | 'steady' | 'tables'>> {
  const { live, built, signal } = plan;
  plan.onProgress?.({ stage: 'comparing', done: 0, total: 1 });
  for (let tries = 1; ; tries++) {
    await catchUp(plan, reached);
    const [current, rebuilt] = await Promise.all([
      shared ? readDigestsAside(plan.livePath, live, signal) : readDigests(live, signal),
      readDigests(built, signal),
    ]);
    const before = reached.lastRelease;
    await catchUp(plan, reached);
    const steady = reached.lastRelease === before;
    if (!steady && tries < COMPARED_MAX) continue;
    const tables: RebuiltTable[] = [];
    for (const [index, { table, rows, digest }] of rebuilt.entries()) {
      const differ = current[index]?.digest !== digest;
      const { live: onlyLive, built: onlyNew } = differ
        ? await countDifferences(built, table, signal)
        : { live: 0, built: 0 };
      tables.push({ table, rows, digest, onlyLive, onlyNew });
    }
    const digest = digestOfAll(rebuilt);
    return { digest, same: digest === digestOfAll(current), steady, tables };
  }
}

async function catchUp(plan: Build, reached: Reached): Promise<void> {
  const { live, built, clean, signal } = plan;
  await plan.refresh?.();
  if (await wasRemoved(built, reached.lastRelease)) {
    throw new RebuildOvertaken('a takedown was made or lifted meanwhile; nothing was moved, rebuild again');
  }
  reached.register = await copyRegister(built, reached.register, { clean, signal });
  reached.lastRelease = await compileReleases(live, built, reached.lastRelease, signal);
  await catchUpAgain(built);
}

async function whileChanging<T>(plan: Build, work: (target: Database) => Promise<T>): Promise<T> {
  const target = await openBeside(plan.path, plan.livePath, { changing: true });
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

async function countRows(catalogue: Database, table: 'release' | 'registered_company'): Promise<number> {
  const [row] = await catalogue.read<{ rows: number }>({ sql: `SELECT count(*) AS rows FROM ${table}` });
  return row?.rows ?? 0;
}

function count(plan: Build, stage: RebuildProgress['stage'], total: number): (more: number) => void {
  let done = 0;
  return (more) => {
    done += more;
    plan.onProgress?.({ stage, done, total: Math.max(total, done) });
  };
}
