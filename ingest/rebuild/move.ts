import { BatchRefused, type Database, DatabaseBusy, type Statement } from '../../schema/db/interface.ts';
import { HELD_BY, HELD_UNTIL } from '../../schema/db/moved.ts';
import { CAME_AGAIN, type RegisterMark } from './fill.ts';
import { reconcileChangedLogStatements } from './log.ts';
import { RULES } from './rule-editions.ts';
import { copyStatements, type ReconciledTo, readFilledTables, reconcileChangedStatements } from './tables.ts';

/** The live generation lost something that is already compiled, or its writers never paused. */
export class RebuildOvertaken extends Error {
  override name = 'RebuildOvertaken';
}

/** How often new releases are caught up with before ingest counts as too fast. */
const TRIES_MAX = 200;

/** What a new generation contains of the live one. */
export interface Reached {
  /** Id of the last release compiled. */
  lastRelease: number;
  register: RegisterMark;
  reconciled: ReconciledTo;
  /** The `seq` before the first batch of the new generation. */
  first: number;
}

/** A generation that was filled and compared with the live one. */
export interface Filled {
  /** The new generation, with the live one attached as `live`, which is only read. */
  built: Database;
  reached: Reached;
  /** Compiles what arrived meanwhile. @throws RebuildOvertaken */
  catchUp(): Promise<void>;
  /** Works with both generations attached, in batches that lock both. */
  whileChanging<T>(work: (target: Database) => Promise<T>): Promise<T>;
}

/** The lease of a rebuild: its name and token. */
export type LeaseArgs = readonly [string, string];

const FENCE = `INSERT INTO main.fence (ok) SELECT CASE WHEN EXISTS
  (SELECT 1 FROM live.lease WHERE name = ? AND token = ?) THEN 1 ELSE 0 END`;
/** The primary key refuses a second row of that name, and the batch with it. */
const REFUSE_IF = "INSERT INTO main.counter (name, value) SELECT 'seq', 0 WHERE";

/**
 * Whether the live generation lost releases that are compiled, or its active takedowns changed: catching up does not notice
 * that.
 */
const REMOVED = `((SELECT count(*) FROM live.release) - (SELECT count(*) FROM live.release WHERE id > ?)
  <> (SELECT count(*) FROM main.release)
  OR EXISTS (SELECT id, lifted_at FROM live.takedown EXCEPT SELECT id, lifted_at FROM main.takedown))`;
const CAME = `(EXISTS (SELECT 1 FROM live.release WHERE id > ?)
  OR EXISTS (SELECT 1 FROM live.registered_company WHERE (seq, company_number) > (?, ?)) OR ${CAME_AGAIN})`;

/** Whether something already compiled was removed from the live generation since, so that the rebuild must start again. */
export async function wasRemoved(target: Database, lastRelease: number): Promise<boolean> {
  const [row] = await target.read<{ removed: number }>({ sql: `SELECT ${REMOVED} AS removed`, args: [lastRelease] });
  return row?.removed === 1;
}

/**
 * Switches to a generation in the file next to the live one.
 * @throws RebuildOvertaken if a takedown happened meanwhile or ingest never paused; Error `lease lost` if another process is
 * rebuilding by now
 */
export async function moveFile(filled: Filled, generation: number, lease: LeaseArgs): Promise<void> {
  const { built, catchUp, whileChanging, reached } = filled;
  // The log is moved into the file before the last batch, so that only the batch remains to be synced.
  await built.read({ sql: 'PRAGMA main.wal_checkpoint(TRUNCATE)' });
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    await catchUp();
    if (await whileChanging((target) => moveOn(target, reached, lease, generation))) return;
  }
  throw new RebuildOvertaken(
    'ingest brings releases faster than they can be caught up; nothing was moved, stop it meanwhile',
  );
}

/**
 * Switches in ONE batch over both generations. It checks that nothing arrived meanwhile, copies what is not compiled, and
 * lets the new generation take over counters and leases. The live one then names its successor and refuses every later
 * write.
 * @returns false if something arrived meanwhile or another writer was active: catch up and try again
 */
async function moveOn(target: Database, reached: Reached, lease: LeaseArgs, generation: number): Promise<boolean> {
  try {
    await target.write([
      { sql: FENCE, args: lease },
      ...(await takeOverStatements(target, reached)),
      { sql: "INSERT INTO live.meta (name, value) VALUES ('successor', ?)", args: [String(generation)] },
      ...(await closeStatements(target)),
    ]);
    return true;
  } catch (error) {
    if (error instanceof DatabaseBusy || error instanceof BatchRefused) return false;
    throw error;
  }
}

/**
 * Statements by which a filled generation replaces the live one. It takes over what is not compiled, and continues the
 * counters and leases. The batch is refused if something arrived that is not compiled.
 */
export async function takeOverStatements(
  target: Database,
  { lastRelease, register, reconciled, first }: Reached,
): Promise<Statement[]> {
  return [
    { sql: `${REFUSE_IF} ${CAME}`, args: [lastRelease, register.seq, register.number], guard: true },
    { sql: `${REFUSE_IF} ${REMOVED}`, args: [lastRelease], guard: true },
    ...(await copyStatements(target)),
    ...(await reconcileChangedStatements(target, first, reconciled)),
    ...TAKE_OVER,
    ...reconcileChangedLogStatements(first, reconciled),
  ];
}

/** The `compile` counter rises, so a batch that was compiled from the old generation's rows is compiled again. */
const TAKE_OVER: Statement[] = [
  {
    sql: `INSERT OR REPLACE INTO main.counter (name, value)
      SELECT name, value + (name = 'compile') FROM live.counter WHERE name <> 'seq'`,
  },
  {
    sql: `INSERT OR REPLACE INTO main.meta (name, value)
      SELECT name, value FROM live.meta WHERE name NOT IN ('generation', 'ancestors', 'successor', '${HELD_BY}', '${HELD_UNTIL}')
      AND name NOT IN (SELECT value FROM json_each(?))`,
    args: [JSON.stringify(RULES)],
  },
  {
    sql: `INSERT OR REPLACE INTO main.meta (name, value) SELECT 'ancestors',
      json_insert(coalesce((SELECT value FROM live.meta WHERE name = 'ancestors'), '[]'), '$[#]', value)
      FROM live.meta WHERE name = 'generation'`,
  },
];

/** Triggers that protect a succeeded generation. The fence's own trigger checks first whether a lease was lost. */
async function closeStatements(target: Database): Promise<Statement[]> {
  const tables = await readFilledTables(target);
  return tables.flatMap((table) =>
    ['INSERT', 'UPDATE', 'DELETE'].map((event) => ({
      sql: `CREATE TRIGGER live."succeeded_${table}_${event.toLowerCase()}" BEFORE ${event} ON "${table}"
        BEGIN SELECT RAISE(ABORT, 'this generation of the catalogue was succeeded'); END`,
    })),
  );
}
