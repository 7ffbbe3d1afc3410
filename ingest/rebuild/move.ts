import { BatchRefused, type Database, DatabaseBusy, type Statement } from '../../schema/db/interface.ts';
import { HELD_BY, HELD_UNTIL } from '../../schema/db/moved.ts';
import { CAME_AGAIN, type RegisterMark } from './fill.ts';
import { settleChangedLogStatements } from './log.ts';
import { RULES } from './rule-editions.ts';
import { copyStatements, readTableNames, type SettleMark, settleChangedStatements } from './tables.ts';

/** The live generation lost what was compiled from it already, or never paused. */
export class RebuildOvertaken extends Error {
  override name = 'RebuildOvertaken';
}

/** What came meanwhile can be caught up this often before ingest is said to be too fast. */
const MOST_TRIES = 200;

/** What a new generation holds of the live one. */
export interface Reached {
  /** Id of the last release compiled. */
  lastRelease: number;
  register: RegisterMark;
  settled: SettleMark;
  /** The `seq` before the first batch of the new generation. */
  first: number;
}

/** A generation that is filled, and compared with the live one. */
export interface Filled {
  built: Database;
  reached: Reached;
  /** Compiles what came meanwhile. @throws RebuildOvertaken */
  catchUp(): Promise<void>;
  /** Works with both generations attached; `changing` locks both. */
  withTarget<T>(changing: boolean, work: (target: Database) => Promise<T>): Promise<T>;
}

/** The lease of a rebuild: its name and token. */
export type LeaseArgs = readonly [string, string];

const FENCE = `INSERT INTO main.fence (ok) SELECT CASE WHEN EXISTS
  (SELECT 1 FROM live.lease WHERE name = ? AND token = ?) THEN 1 ELSE 0 END`;
/** A second row of that name is refused by its primary key, and the batch with it. */
const REFUSE_IF = "INSERT INTO main.counter (name, value) SELECT 'seq', 0 WHERE";

/** Whether the live generation lost releases that are compiled, or other takedowns stand: catching up does not see that. */
const REMOVED = `((SELECT count(*) FROM live.release) - (SELECT count(*) FROM live.release WHERE id > ?)
  <> (SELECT count(*) FROM main.release)
  OR EXISTS (SELECT id, lifted_at FROM live.takedown EXCEPT SELECT id, lifted_at FROM main.takedown)
  OR EXISTS (SELECT id, lifted_at FROM main.takedown EXCEPT SELECT id, lifted_at FROM live.takedown))`;
const CAME = `(EXISTS (SELECT 1 FROM live.release WHERE id > ?)
  OR EXISTS (SELECT 1 FROM live.registered_company WHERE (seq, company_number) > (?, ?)) OR ${CAME_AGAIN})`;

/** Whether what is compiled was taken out of the live generation since: then only a new beginning is right. */
export async function wasRemoved(target: Database, lastRelease: number): Promise<boolean> {
  const [row] = await target.read<{ removed: number }>({ sql: `SELECT ${REMOVED} AS removed`, args: [lastRelease] });
  return row?.removed === 1;
}

/**
 * Moves on to a generation in the file next to the live one's.
 * @throws RebuildOvertaken where a takedown came meanwhile or ingest never paused; Error `lease lost` where another process
 * rebuilds by now.
 */
export async function moveFile(filled: Filled, generation: number, lease: LeaseArgs): Promise<void> {
  const { built, catchUp, withTarget, reached } = filled;
  // What lies in the log is in the file before the last batch, so that the batch is all that there is to sync.
  await built.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    await catchUp();
    if (await withTarget(true, (target) => moveOn(target, reached, lease, generation))) return;
  }
  throw new RebuildOvertaken(
    'ingest brings releases faster than they can be caught up; nothing was moved, stop it meanwhile',
  );
}

/**
 * The move, ONE batch over both generations: nothing came meanwhile, what is not compiled is copied, the new generation
 * takes over counters and leases, the live one names its successor and refuses every later write.
 * @returns false where something came meanwhile or a writer was at it: catch up and try again.
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
 * Statements by which a filled generation takes the place of the live one: what is not compiled is copied, and it continues
 * its counters and leases. Their batch is refused where something came that is not compiled.
 */
export async function takeOverStatements(
  target: Database,
  { lastRelease, register, settled, first }: Reached,
): Promise<Statement[]> {
  return [
    { sql: `${REFUSE_IF} ${CAME}`, args: [lastRelease, register.seq, register.number], guard: true },
    { sql: `${REFUSE_IF} ${REMOVED}`, args: [lastRelease], guard: true },
    ...(await copyStatements(target)),
    ...(await settleChangedStatements(target, settled)),
    ...TAKE_OVER,
    ...settleChangedLogStatements(first, settled),
  ];
}

/** A batch that was compiled from the old generation's rows finds another turn here, and is compiled again. */
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

/** Triggers that keep a succeeded generation as it is. The fence's own judges first whether a lease was lost. */
async function closeStatements(target: Database): Promise<Statement[]> {
  const tables = (await readTableNames(target)).filter((table) => table !== 'fence');
  return tables.flatMap((table) =>
    ['INSERT', 'UPDATE', 'DELETE'].map((event) => ({
      sql: `CREATE TRIGGER live."succeeded_${table}_${event.toLowerCase()}" BEFORE ${event} ON "${table}"
        BEGIN SELECT RAISE(ABORT, 'this generation of the catalogue was succeeded'); END`,
    })),
  );
}
