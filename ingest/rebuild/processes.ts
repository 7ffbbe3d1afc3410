import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { bumpSeq, writeOptimistically } from '../rows/versioned.ts';
import { compileChanges } from '../store/changes.ts';
import { isCompileFault } from '../store/page.ts';
import {
  coverStatements,
  packBody,
  RELEASE_COLUMNS,
  type ReleaseRow,
  readStored,
  sightingsIn,
} from '../store/releases.ts';
import { isTombstone, makeTreatment, readTakedowns } from '../takedown/treatment.ts';
import { readColumns } from './tables.ts';

/** Releases copied in one batch. */
const COPIED_ROWS = 5_000;
/** Releases that one batch compiles at most; a process of more is a batch of its own. */
const BATCH_RELEASES = 400;

/** A process that was compiled once and cannot be any more: nothing was moved. */
export class ProcessUncompilable extends Error {
  override name = 'ProcessUncompilable';
}

/** Copies the releases of the attached live generation, bodies and ids as they are; returns the id of the last one, 0 if there is none. */
export async function copyReleases(target: Database, signal?: AbortSignal): Promise<number> {
  const columns = (await readColumns(target, 'release')).join(', ');
  const sql = `SELECT max(id) AS last FROM (SELECT id FROM live.release WHERE id > ? ORDER BY id LIMIT ${COPIED_ROWS})`;
  const copy = `INSERT INTO main.release (${columns}) SELECT ${columns} FROM live.release WHERE id > ? AND id <= ?`;
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const [row] = await target.read<{ last: number | null }>({ sql, args: [after] });
    if (!row?.last) return after;
    await target.write([{ sql: copy, args: [after, row.last] }]);
    after = row.last;
    // Local reads and writes are synchronous: the lease's heartbeat gets its turn between chunks.
    await nextTurn();
  }
}

/**
 * Compiles every process of a generation whose releases were copied, each once with all of its releases. Rows of buyers
 * and companies are left to `storeOrganisations`.
 * @throws ProcessUncompilable
 */
export async function compileProcesses(
  built: Database,
  options: { signal?: AbortSignal | undefined; onReleases?: (releases: number) => void } = {},
): Promise<void> {
  for await (const ocids of listBatches(built)) {
    options.signal?.throwIfAborted();
    options.onReleases?.(await compileNamed(built, ocids));
    await nextTurn();
  }
}

const COUNTED = `SELECT ocid, count(*) AS releases FROM release WHERE ocid > ? GROUP BY ocid ORDER BY ocid LIMIT ${BATCH_RELEASES}`;

/** The ocids of a generation in batches. */
async function* listBatches(built: Database): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const counted = await built.read<{ ocid: string; releases: number }>({ sql: COUNTED, args: [after] });
    const batch: string[] = [];
    let sum = 0;
    for (const { ocid, releases } of counted) {
      sum += releases;
      if (batch.length > 0 && sum > BATCH_RELEASES) break;
      batch.push(ocid);
    }
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last;
  }
}

/** @throws ProcessUncompilable, which names the process that the fault lies in. */
async function compileNamed(built: Database, ocids: readonly string[]): Promise<number> {
  try {
    return await compileBatch(built, ocids);
  } catch (error) {
    if (!isCompileFault(error)) throw error;
    const [only, ...others] = ocids;
    if (others.length === 0)
      throw new ProcessUncompilable(`${only} cannot be compiled, nothing was moved: ${error.message}`, {
        cause: error,
      });
    for (const ocid of ocids) await compileNamed(built, [ocid]);
    throw error;
  }
}

const OF_OCIDS = `SELECT ${RELEASE_COLUMNS} FROM release WHERE ocid IN (SELECT value FROM json_each(?)) ORDER BY id`;
const REPLACE = 'UPDATE release SET body = ? WHERE id = ?';

/** One batch; returns how many releases its processes have. */
async function compileBatch(built: Database, ocids: readonly string[]): Promise<number> {
  const rows = await built.read<ReleaseRow>({ sql: OF_OCIDS, args: [JSON.stringify(ocids)] });
  const treatment = makeTreatment(await readTakedowns(built));
  const bodies: Statement[] = [];
  const kept = rows.flatMap((row) => {
    const stored = readStored(row);
    const treated = treatment.release(stored);
    // What stands was carried out when it was ordered; a program that recognises more removes more.
    if (treated !== stored && treated.body !== stored.body)
      bodies.push({ sql: REPLACE, args: [packBody(treated.body), row.id] });
    return isTombstone(treated) ? [] : [treated];
  });
  if (bodies.length > 0) await built.write(bodies);
  const again = kept.flatMap(sightingsIn);
  await writeOptimistically(built, async () => {
    const changes = await compileChanges(built, [], { again, also: ocids, organisationsLater: true });
    const statements = [bumpSeq, ...coverStatements(rows), ...changes.others, ...changes.versioned];
    return { before: [], statements, compiled: true, result: undefined };
  });
  return rows.length;
}
