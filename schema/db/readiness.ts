import { inTime } from '../process/in-time.ts';
import { assertDurable } from './durability.ts';
import type { Database } from './interface.ts';
import { assertKnownVersion, type DatabaseName, pendingMigrations } from './migrate.ts';
import { describeMove } from './moved.ts';

/** Leaves nothing behind, but must reach the disk, so that a full or read-only one is noticed. */
const TRY_WRITE = [
  {
    sql: `INSERT INTO lease (name, token, holder, expires_at) VALUES ('readiness', '', '', 0)
      ON CONFLICT (name) DO UPDATE SET expires_at = 0`,
  },
  { sql: "DELETE FROM lease WHERE name = 'readiness'" },
];

/** A load balancer waits no longer than a few seconds for the reason. */
const ANSWER_MS = 2_000;

/** Why a database cannot be used, in a few words for an operator, or null where it can. Takes two seconds at most. */
export async function findDatabaseFault(
  database: Database,
  name: DatabaseName,
  options: { writable: boolean },
): Promise<string | null> {
  return inTime(ANSWER_MS, tryOut(database, name, options), `${name}: no answer within ${ANSWER_MS / 1_000} s`);
}

async function tryOut(
  database: Database,
  name: DatabaseName,
  { writable }: { writable: boolean },
): Promise<string | null> {
  try {
    if (database.isDisplaced?.())
      return `${name}: its file was moved, removed or replaced while this process has it open; start the process again`;
    // All at once: a loaded server may need a second for each, and three in a row would exceed the limit.
    const [pending] = await Promise.all([
      pendingMigrations(database, name),
      assertKnownVersion(database, name),
      name === 'accounts' ? assertDurable(database) : undefined,
    ]);
    if (pending.length > 0) return `${name}: ${await describePending(database, pending)}`;
    if (writable) await database.write(TRY_WRITE);
    return null;
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function describePending(database: Database, pending: string[]): Promise<string> {
  const [anything] = await database.read({ sql: 'SELECT 1 FROM sqlite_master LIMIT 1' });
  return anything
    ? `not at this version, ${pending.join(', ')} to come`
    : 'the database is empty: its server has lost its data, or is another one; put a backup in its place';
}

/** A copy this old deserves a warning even if its last sync succeeded: its process has stopped. */
const OLD_SECONDS = 60;

/** Warnings about a catalogue that answers: that it has moved, that it is an old copy. */
export function findRemarks(catalogue: Database): string[] {
  const movedTo = catalogue.movedTo?.();
  return [findCopyRemark(catalogue), movedTo ? describeMove(movedTo) : null].flatMap((one) => one ?? []);
}

/** The fault of a copy of a server's catalogue, in a few words for an operator. Null if all is well or it is not a copy. */
export function findCopyRemark(catalogue: Database): string | null {
  const age = catalogue.copyAge?.();
  if (!age) return null;
  const { answers, seconds, fault } = age;
  const why = fault ? ` (${fault})` : '';
  if (!answers) return `catalogue: the server is asked, as no copy of it is whole yet${why}`;
  if (!fault && seconds !== null && seconds < OLD_SECONDS) return null;
  return `catalogue: answers come from a copy that is ${seconds === null ? 'of unknown age' : `${describeAge(seconds)} old`}${why}`;
}

/** A time span in the largest unit that fits into it twice. */
function describeAge(seconds: number): string {
  const units = [
    [86_400, 'days'],
    [3_600, 'hours'],
    [60, 'minutes'],
  ] as const;
  const [size, unit] = units.find(([each]) => seconds >= 2 * each) ?? [1, 'seconds'];
  return `${Math.floor(seconds / size)} ${unit}`;
}
