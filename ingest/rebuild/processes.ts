import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../schema/db/interface.ts';
import { ocidOf } from '../../schema/text/ids.ts';
import { bumpSeq, writeOptimistically } from '../rows/versioned.ts';
import { compileChanges } from '../store/changes.ts';
import { readPacked, withInstants } from '../store/releases.ts';
import { workAhead } from '../workers/ahead.ts';
import type { Compiler } from '../workers/compiler.ts';
import type { CompiledOcid, SentRelease } from '../workers/job.ts';
import { compiledOf, type Work } from './releases.ts';

/** Most releases that one batch compiles; a larger process is a batch of its own. */
const BATCH_RELEASES = 400;

/**
 * Compiles every process of a generation whose releases were copied and whose parties are resolved, each once with all of its
 * releases. A row that the attached live one has as it is keeps its number; those of buyers and companies are left to
 * `storeOrganisations`. @throws ReleaseUncompilable
 */
export async function compileProcesses(built: Database, { compiler, signal, onReleases }: Work): Promise<void> {
  const compile = (batch: Batch) => compileBatch(built, batch, compiler);
  for await (const { batch, compiled } of workAhead(listBatches(built), compiler.workers, compile)) {
    signal?.throwIfAborted();
    await storeBatch(built, batch, compiled);
    onReleases?.(batch.releases);
    await yieldToEventLoop();
  }
}

interface Counted {
  ocid: string;
  /** Counts all of them, including emptied ones. */
  releases: number;
}

/** The ocids of a batch, and how many releases they have. */
interface Batch {
  ocids: string[];
  releases: number;
}

const COUNTED = 'SELECT ocid, count(*) AS releases FROM release WHERE ocid > ? GROUP BY ocid ORDER BY ocid LIMIT ?';

/**
 * The ocids of a generation in batches. Two that are linked share one: the first one would be compiled and stored a second
 * time with the other.
 */
export async function* listBatches(built: Database, most = BATCH_RELEASES): AsyncGenerator<Batch> {
  /** Ocids in an earlier batch than that of their turn. */
  const early = new Set<string>();
  for (let after = ''; ; ) {
    const counted = await built.read<Counted>({ sql: COUNTED, args: [after, most] });
    if (counted.length === 0) return;
    const batch: Batch = { ocids: [], releases: 0 };
    for (const one of counted) {
      if (!early.delete(one.ocid) && !fill(batch, one, most)) break;
      after = one.ocid;
    }
    for (const one of await readLinked(built, { after, most }, batch.ocids))
      if (!early.has(one.ocid) && fill(batch, one, 2 * most)) early.add(one.ocid);
    if (batch.ocids.length > 0) yield batch;
  }
}

/** Adds an ocid to a batch, unless others fill it. */
function fill(batch: Batch, { ocid, releases }: Counted, most: number): boolean {
  if (batch.ocids.length > 0 && batch.releases + releases > most) return false;
  batch.ocids.push(ocid);
  batch.releases += releases;
  return true;
}

/**
 * What the processes of these ocids name in the live generation, what names them, and the frameworks that they are called off
 * from.
 */
const LINKED = `WITH own AS MATERIALIZED (SELECT id FROM live.process WHERE ocid IN (SELECT value FROM json_each(?1))),
mention AS MATERIALIZED (SELECT mention FROM live.process_mention WHERE process_id IN own),
name AS MATERIALIZED (SELECT value FROM json_each(?1)
  UNION SELECT notice_id FROM live.notice WHERE process_id IN own
  UNION SELECT name FROM live.notice_name WHERE process_id IN own)
SELECT id FROM live.process WHERE ocid IN mention
UNION SELECT process_id FROM live.notice WHERE notice_id IN mention
UNION SELECT process_id FROM live.notice_name WHERE name IN mention
UNION SELECT process_id FROM live.process_mention WHERE mention IN name
UNION SELECT framework_id FROM live.framework_reference
  WHERE reference IN (SELECT reference FROM live.process_reference WHERE process_id IN own)`;
const COUNTED_OF = `SELECT ocid, count(*) AS releases FROM release
WHERE ocid IN (SELECT value FROM json_each(?)) AND ocid > ? GROUP BY ocid ORDER BY ocid LIMIT ?`;

/** The later ocids that are linked with these. The new generation may have other links: one that is missed costs only time. */
async function readLinked(built: Database, { after, most }: { after: string; most: number }, ocids: readonly string[]) {
  const linked = await built.read<{ id: string }>({ sql: LINKED, args: [JSON.stringify(ocids)] });
  const others = new Set(linked.map(({ id }) => ocidOf(id)));
  return built.read<Counted>({ sql: COUNTED_OF, args: [JSON.stringify([...others]), after, most] });
}

async function compileBatch(built: Database, batch: Batch, compiler: Compiler) {
  const ocids = new Map(batch.ocids.map((ocid) => [ocid, [] as SentRelease[]]));
  for (const { body, ...head } of await readPacked(built, batch.ocids))
    ocids.get(head.ocid)?.push({ ...withInstants(head), body, isPacked: true });
  const processes = [...ocids].map(([ocid, releases]) => ({ ocid, releases }));
  return { batch, compiled: compiledOf(await compiler.compile({ processes, of: 'processes' })) };
}

async function storeBatch(built: Database, { ocids: also }: Batch, compiled: readonly CompiledOcid[]): Promise<void> {
  const ready = new Map(compiled.map(({ ocid, processes }) => [ocid, processes]));
  // Nobody else writes to a generation under construction: what was compiled ahead is what is stored.
  const ahead = { readReady: async () => ready, sightingsOf: () => undefined, packedOf: () => undefined };
  await writeOptimistically(built, async () => {
    const { others, versioned } = await compileChanges(built, [], { also, fills: true, ahead });
    return { before: [], statements: [bumpSeq, ...others, ...versioned], compiled: true, result: undefined };
  });
}
