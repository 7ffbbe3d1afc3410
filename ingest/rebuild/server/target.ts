import { type Database, readFirst, type Statement } from '../../../schema/db/interface.ts';
import { migrate } from '../../../schema/db/migrate.ts';
import { CHANGED_ROW, readTableNames, TARGET } from '../tables.ts';

/** The database that a rebuild should fill has content of its own. */
export class TargetInUse extends Error {
  override name = 'TargetInUse';
}

const GENERATION = "SELECT value FROM meta WHERE name = 'generation'";
const HAS_TARGET = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '${TARGET}'`;
const TRIGGERS = `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name NOT LIKE '${CHANGED_ROW}%'`;

/**
 * Whether a rebuild of this catalogue was begun in a server's database; otherwise it is empty. Writes nothing. @throws
 * TargetInUse where it has any other content.
 */
export async function isBegun(next: Database, live: Database): Promise<boolean> {
  const marked = (await readFirst(next, { sql: HAS_TARGET }))
    ? await readFirst<{ generation: string }>(next, { sql: `SELECT generation FROM ${TARGET}` })
    : undefined;
  if (!marked && (await readTableNames(next)).length > 0)
    throw new TargetInUse('the database at CATALOGUE_NEXT_URL is not empty: give one that is');
  if (marked && marked.generation !== (await readGeneration(live)))
    throw new TargetInUse(
      'a rebuild of another catalogue was begun in the database at CATALOGUE_NEXT_URL: give an empty one',
    );
  return marked !== undefined;
}

async function readGeneration(live: Database): Promise<string> {
  return (await readFirst<{ value: string }>(live, { sql: GENERATION }))?.value ?? '';
}

/**
 * Prepares a server's database for filling: this program's tables, without triggers, which would change what is sent. It is
 * marked until `finishTarget`, so that an interrupted filling can be repeated. @throws TargetInUse where it has any other
 * content.
 */
export async function prepareTarget(next: Database, live: Database): Promise<void> {
  if (!(await isBegun(next, live)))
    await next.write([
      { sql: `CREATE TABLE ${TARGET} (generation TEXT NOT NULL)` },
      { sql: `INSERT INTO ${TARGET} VALUES (?)`, args: [await readGeneration(live)] },
    ]);
  await migrate(next, 'catalogue');
  const triggers = await next.read<{ name: string }>({ sql: TRIGGERS });
  await next.write(triggers.map(({ name }) => ({ sql: `DROP TRIGGER "${name}"` })));
}

/** Adds a catalogue's triggers to a filled database. */
export async function addTriggers(built: Database, next: Database): Promise<void> {
  const triggers = await built.read<{ name: string; sql: string }>({ sql: TRIGGERS });
  const statements = triggers.flatMap(({ name, sql }): Statement[] => [
    { sql: `DROP TRIGGER IF EXISTS "${name}"` },
    { sql },
  ]);
  await next.write(statements);
}

/** Removes the mark from a database after the move. */
export async function finishTarget(next: Database): Promise<void> {
  await next.write([{ sql: `DROP TABLE IF EXISTS ${TARGET}` }]);
}
