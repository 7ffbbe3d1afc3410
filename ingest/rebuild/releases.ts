import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { packText } from '../../schema/text/json-values.ts';
import { planIdentities } from '../identity/plan.ts';
import { coverStatements, RELEASE_COLUMNS, type ReleaseRow, readStored, releaseKey } from '../store/releases.ts';
import { makeTreatment, readTakedowns, type Treatment } from '../takedown/treatment.ts';
import { workAhead } from '../workers/ahead.ts';
import type { Compiler } from '../workers/compiler.ts';
import { type CompiledJob, type SentRelease, sightingsOf } from '../workers/job.ts';
import { readColumns } from './tables.ts';

/** Releases copied in one batch. */
const COPIED_ROWS = 5_000;
/** Releases whose parties are resolved in one batch. */
const READ_ROWS = 1_000;

/** A release can no longer be compiled, so nothing was switched. */
export class ReleaseUncompilable extends Error {
  override name = 'ReleaseUncompilable';
}

/** The environment of long work: the compiler, the stop signal, and the progress callback. */
export interface Work {
  compiler: Compiler;
  signal?: AbortSignal | undefined;
  onReleases?: (releases: number) => void;
}

/**
 * Copies the releases of the attached live generation with their bodies and ids; returns the id of the last one, 0 if there
 * is none.
 */
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
    // Local reads and writes are synchronous, so the lease's heartbeat runs between chunks.
    await yieldToEventLoop();
  }
}

/**
 * Resolves the identities of all parties of a generation before anything is compiled, so that no process is compiled for
 * identities that change later. Also removes what takedowns remove from the bodies, and counts releases by day.
 * @throws ReleaseUncompilable
 */
export async function resolveParties(built: Database, { compiler, signal, onReleases }: Work): Promise<void> {
  const takedowns = await readTakedowns(built);
  const treat = takedowns.length > 0 ? makeTreatment(takedowns).release : undefined;
  const read = (rows: ReleaseRow[]) => readParties(rows, treat, compiler);
  for await (const { rows, bodies, job } of workAhead(listRows(built), compiler.workers, read)) {
    signal?.throwIfAborted();
    const compiled = compiledOf(job);
    const sightings = compiled.flatMap(sightingsOf);
    const dated = dateAgain(rows, compiled);
    const statements = [...bodies, ...dated.statements, ...coverStatements(dated.rows)];
    for (const kind of ['buyer', 'company'] as const) {
      const own = sightings.filter((one) => one.kind === kind);
      statements.push(...(await planIdentities(built, kind, own)).statements);
    }
    await built.write(statements);
    onReleases?.(rows.length);
    await yieldToEventLoop();
  }
}

/** The compiled result of a job. @throws ReleaseUncompilable if it has a fault */
export function compiledOf({ compiled, faults }: CompiledJob): CompiledJob['compiled'] {
  const [fault] = faults;
  if (!fault) return compiled;
  throw new ReleaseUncompilable(`${fault.ocid} cannot be compiled, nothing was moved: ${fault.message}`);
}

const NEXT = `SELECT ${RELEASE_COLUMNS} FROM release WHERE id > ? ORDER BY id LIMIT ${READ_ROWS}`;
const REPLACE = 'UPDATE release SET body = ? WHERE id = ?';
const DATE = 'UPDATE release SET date = ? WHERE id = ?';

async function* listRows(built: Database): AsyncGenerator<ReleaseRow[]> {
  for (let after = 0; ; ) {
    const rows = await built.read<ReleaseRow>({ sql: NEXT, args: [after] });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

async function readParties(rows: ReleaseRow[], treat: Treatment['release'] | undefined, compiler: Compiler) {
  const bodies: Statement[] = [];
  const ocids = new Map<string, SentRelease[]>();
  for (const row of rows) {
    const body = treat ? treatBody(row, treat) : row.body;
    if (body !== row.body) bodies.push({ sql: REPLACE, args: [body, row.id] });
    if (body.length === 0) continue;
    const { source, ocid, release_id: releaseId, digest, date, fetched_at: fetchedAt } = row;
    const sent = { source, ocid, releaseId, digest, date, fetchedAt, body, isPacked: true };
    const own = ocids.get(ocid);
    if (own) own.push(sent);
    else ocids.set(ocid, [sent]);
  }
  const processes = [...ocids].map(([ocid, releases]) => ({ ocid, releases }));
  return { rows, bodies, job: await compiler.compile({ processes, of: 'parties' }) };
}

/** Rows with their own dates, where an older program could not read these and stored others. */
function dateAgain(rows: readonly ReleaseRow[], compiled: CompiledJob['compiled']) {
  const dates = new Map(compiled.flatMap((one) => [...one.dates]));
  const statements: Statement[] = [];
  if (dates.size === 0) return { rows, statements };
  const dated = rows.map((row) => {
    const date = dates.get(releaseKey({ ...row, releaseId: row.release_id }));
    if (date === undefined) return row;
    statements.push({ sql: DATE, args: [date, row.id] });
    return { ...row, date };
  });
  return { rows: dated, statements };
}

/** A stored body after the takedowns, or the same object. A newer version of the program may recognise more to remove. */
function treatBody(row: ReleaseRow, treat: Treatment['release']): Uint8Array {
  const release = readStored(row);
  const { body } = treat(release);
  return body === release.body ? row.body : packText(body);
}
