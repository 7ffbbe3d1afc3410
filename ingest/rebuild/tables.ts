import type { Database, Statement } from '../../schema/db/interface.ts';
import { VERSIONED_TABLES } from '../rows/versioned.ts';

/** Tables that follow from the releases (and the register): a rebuild compiles them. */
export const COMPILED_TABLES = [
  'release',
  ...VERSIONED_TABLES,
  'buyer_word',
  'contract_supplier',
  'framework_reference',
  'process_reference',
  'process_mention',
  'party',
  'alias',
  'identity_fact',
  'coverage_day',
] as const;

/** Tables of the register: copied by their `seq`, first of all, as suppliers are matched with them. */
export const REGISTER_TABLES = ['registered_company', 'previous_name'] as const;

/** Tables with rows of their own in each generation; `counter` and `meta` take over what must continue. */
export const OWN_TABLES = ['fence', 'counter', 'meta', 'migration'] as const;

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  AND name NOT LIKE 'libsql\\_%' ESCAPE '\\' ORDER BY name`;
const COLUMNS = 'SELECT name FROM pragma_table_info(?) ORDER BY cid';

export async function readTableNames(catalogue: Database): Promise<string[]> {
  return (await catalogue.read<{ name: string }>({ sql: TABLES })).map(({ name }) => name);
}

/** Names of a table's columns, each in quotation marks: one of them is `from`. */
export async function readColumns(catalogue: Database, table: string): Promise<string[]> {
  const rows = await catalogue.read<{ name: string }>({ sql: COLUMNS, args: [table] });
  return rows.map(({ name }) => `"${name}"`);
}

/** Every table that is neither compiled nor a generation's own is copied whole: a new one cannot be forgotten. */
export async function readCopiedTables(catalogue: Database): Promise<string[]> {
  const others = new Set<string>([...COMPILED_TABLES, ...REGISTER_TABLES, ...OWN_TABLES]);
  return (await readTableNames(catalogue)).filter((table) => !others.has(table));
}

/** Statements that make every copied table of a new generation what it is in the one attached as `live`. */
export async function copyStatements(target: Database): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (const table of await readCopiedTables(target)) {
    const columns = (await readColumns(target, table)).join(', ');
    statements.push(
      { sql: `DELETE FROM main."${table}"` },
      { sql: `INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM live."${table}"` },
    );
  }
  return [...statements, { sql: COUNT_RELEASES }];
}

/** A register counts its companies there; who publishes releases, those that are held. */
const COUNT_RELEASES = `UPDATE main.source SET releases =
  (SELECT count(*) FROM main.release WHERE release.source = source.id)
  WHERE EXISTS (SELECT 1 FROM live.release WHERE release.source = source.id)`;
