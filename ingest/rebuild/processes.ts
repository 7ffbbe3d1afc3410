import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../schema/db/interface.ts';
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

interface Batch {
  ocids: string[];
  /** Counts all of them, including emptied ones. */
  releases: number;
}

const COUNTED = `SELECT ocid, count(*) AS releases FROM release WHERE ocid > ? GROUP BY ocid ORDER BY ocid LIMIT ${BATCH_RELEASES}`;

/** The ocids of a generation in batches. */
async function* listBatches(built: Database): AsyncGenerator<Batch> {
  for (let after = ''; ; ) {
    const counted = await built.read<{ ocid: string; releases: number }>({ sql: COUNTED, args: [after] });
    const batch: Batch = { ocids: [], releases: 0 };
    for (const { ocid, releases } of counted) {
      if (batch.ocids.length > 0 && batch.releases + releases > BATCH_RELEASES) break;
      batch.ocids.push(ocid);
      batch.releases += releases;
    }
    const last = batch.ocids.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last;
  }
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
