import { assertDurable } from './durability.ts';
import type { Database } from './interface.ts';
import { assertKnownVersion, type DatabaseName, pendingMigrations } from './migrate.ts';

/** Leaves nothing behind, and yet must reach the disk: a full or read-only one is found out. */
const TRY_WRITE = [
  {
    sql: `INSERT INTO lease (name, token, holder, expires_at) VALUES ('readiness', '', '', 0)
      ON CONFLICT (name) DO UPDATE SET expires_at = 0`,
  },
  { sql: "DELETE FROM lease WHERE name = 'readiness'" },
];

/** A balancer that asks waits no longer than a few seconds for the reason. */
const ANSWER_MS = 2_000;

/** What keeps a database from being used, in a few words for an operator, or null where it can be. Takes two seconds at most. */
export async function findDatabaseFault(
  database: Database,
  name: DatabaseName,
  options: { writable: boolean },
): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`${name}: no answer within ${ANSWER_MS / 1_000} s`), ANSWER_MS);
  });
  return Promise.race([tryOut(database, name, options), silent]).finally(() => clearTimeout(timer));
}

async function tryOut(
  database: Database,
  name: DatabaseName,
  { writable }: { writable: boolean },
): Promise<string | null> {
  try {
    if (database.isDisplaced?.())
      return `${name}: its file was moved, removed or replaced while this process has it open; start the process again`;
    await assertKnownVersion(database, name);
    const pending = await pendingMigrations(database, name);
    if (pending.length > 0) return `${name}: not at this version, ${pending.join(', ')} to come`;
    if (name === 'accounts') await assertDurable(database);
    if (writable) await database.write(TRY_WRITE);
    return null;
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
