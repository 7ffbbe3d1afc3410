import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { bumpSeq, writeOptimistically } from '../rows/versioned.ts';
import { compileChanges } from '../store/changes.ts';
import { coverStatements, packBody, RELEASE_COLUMNS, type ReleaseRow, readStored } from '../store/releases.ts';
import { makeTreatment, readTakedowns, type Treatment } from '../takedown/treatment.ts';
import { workAhead } from '../workers/ahead.ts';
import type { Compiler } from '../workers/compiler.ts';
import type { CompiledOcid, SentRelease } from '../workers/job.ts';
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
  options: { compiler: Compiler; signal?: AbortSignal | undefined; onReleases?: (releases: number) => void },
): Promise<void> {
  const { compiler, signal, onReleases } = options;
  const takedowns = await readTakedowns(built);
  const treat = takedowns.length > 0 ? makeTreatment(takedowns).release : undefined;
  const compile = (ocids: string[]) => compileBatch(built, { ocids, treat }, compiler);
  for await (const batch of workAhead(listBatches(built), compiler.workers, compile)) {
    signal?.throwIfAborted();
    await storeBatch(built, batch);
    onReleases?.(batch.rows.length);
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

interface CompiledBatch {
  ocids: readonly string[];
  /** Of its releases, the emptied ones among them. */
  rows: readonly Pick<ReleaseRow, 'source' | 'date'>[];
  compiled: readonly CompiledOcid[];
  /** New bodies of releases. */
  bodies: readonly Statement[];
}

const HELD = `SELECT ${RELEASE_COLUMNS}, (SELECT a.fetched_at FROM fetched_again a
  WHERE a.ocid = r.ocid AND a.release_id = r.release_id AND a.digest = r.digest) AS last_fetched_at
FROM release r WHERE ocid IN (SELECT value FROM json_each(?)) ORDER BY id`;
const REPLACE = 'UPDATE release SET body = ? WHERE id = ?';

/** Reads and compiles a batch. Takedowns were carried out when they were ordered; a program that recognises more removes more. */
async function compileBatch(
  built: Database,
  { ocids, treat }: { ocids: readonly string[]; treat: Treatment['release'] | undefined },
  compiler: Compiler,
): Promise<CompiledBatch> {
  type Row = ReleaseRow & { last_fetched_at: string | null };
  const rows = await built.read<Row>({ sql: HELD, args: [JSON.stringify(ocids)] });
  const bodies: Statement[] = [];
  const sent = new Map(ocids.map((ocid) => [ocid, [] as SentRelease[]]));
  for (const row of rows) {
    const body = treat ? treatBody(row, treat) : row.body;
    if (body !== row.body) bodies.push({ sql: REPLACE, args: [body, row.id] });
    const { source, ocid, release_id: releaseId, digest, date, fetched_at: fetchedAt, last_fetched_at: last } = row;
    const head = { source, ocid, releaseId, digest, date, fetchedAt, ...(last ? { lastFetchedAt: last } : {}) };
    if (body.length > 0) sent.get(ocid)?.push({ ...head, body, isPacked: true });
  }
  const processes = [...sent].map(([ocid, releases]) => ({ ocid, releases }));
  const { compiled, faults } = await compiler.compile({ processes, sightAll: true });
  const [fault] = faults;
  if (fault) throw new ProcessUncompilable(`${fault.ocid} cannot be compiled, nothing was moved: ${fault.message}`);
  return { ocids, rows, compiled, bodies };
}

/** A stored body as the takedowns leave it, or the very same. */
function treatBody(row: ReleaseRow, treat: Treatment['release']): Uint8Array {
  const release = readStored(row);
  const { body } = treat(release);
  return body === release.body ? row.body : packBody(body);
}

async function storeBatch(built: Database, { ocids, rows, compiled, bodies }: CompiledBatch): Promise<void> {
  const ready = new Map(compiled.map(({ ocid, processes }) => [ocid, processes]));
  const ahead = { readReady: async () => ready, sightingsOf: () => undefined, packedOf: () => undefined };
  const again = compiled.flatMap(({ sightings }) => [...sightings.values()].flat());
  await writeOptimistically(built, async () => {
    const changes = await compileChanges(built, [], { again, also: ocids, organisationsLater: true, ahead });
    const statements = [bumpSeq, ...bodies, ...coverStatements(rows), ...changes.others, ...changes.versioned];
    return { before: [], statements, compiled: true, result: undefined };
  });
}
