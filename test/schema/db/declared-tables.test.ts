import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import * as auth from '../../../schema/accounts/tables/auth.ts';
import * as exportTables from '../../../schema/accounts/tables/exports.ts';
import * as installation from '../../../schema/accounts/tables/installation.ts';
import * as ledger from '../../../schema/accounts/tables/ledger.ts';
import * as payments from '../../../schema/accounts/tables/payments.ts';
import * as watches from '../../../schema/accounts/tables/watches.ts';
import * as ingestState from '../../../schema/catalogue/tables/ingest-state.ts';
import * as parties from '../../../schema/catalogue/tables/parties.ts';
import * as procurement from '../../../schema/catalogue/tables/procurement.ts';
import * as releases from '../../../schema/catalogue/tables/releases.ts';
import type { DatabaseName } from '../../../schema/db/migrate.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const DECLARED: Record<DatabaseName, object[]> = {
  accounts: [auth, exportTables, installation, ledger, payments, watches],
  catalogue: [ingestState, parties, procurement, releases],
};

const COLUMNS = `SELECT t.name AS "table", c.name, lower(c.type) AS type, c."notnull" AS required
  FROM sqlite_master t JOIN pragma_table_info(t.name) c
  WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY t.name, c.name`;

interface Column {
  table: string;
  name: string;
  type: string;
  /** 1 where it is never null. */
  required: number;
}

// Rows are typed by the declarations, and SELECT * reads what the migrations made.
it.each(Object.entries(DECLARED))(
  'the tables of %s are what the declarations say, column by column',
  async (name, modules) => {
    const folder = await makeFolder();
    const database = await makeDatabase(folder.path, name as DatabaseName);
    const declared = modules
      .flatMap((module) => Object.values(module))
      .filter((value): value is SQLiteTable => is(value, SQLiteTable))
      .flatMap((table) => {
        const { name: tableName, columns } = getTableConfig(table);
        // The auth library reads its own tables, by names of its own.
        const read = tableName.startsWith('auth_') ? [] : columns;
        expect(Object.keys(table), tableName).toEqual(expect.arrayContaining(read.map((column) => column.name)));
        return columns.map((column): Column => {
          return { table: tableName, name: column.name, type: column.getSQLType(), required: Number(column.notNull) };
        });
      });
    const made = await database.read<Column>({ sql: COLUMNS });
    await database.close();
    await folder.remove();
    const names = new Set(declared.map(({ table }) => table));
    const inOrder = (columns: Column[]) =>
      columns.map(({ table, name: column, type, required }) => `${table}.${column} ${type} ${required}`).toSorted();
    expect(inOrder(made.filter(({ table }) => names.has(table)))).toEqual(inOrder(declared));
    expect(names.size).toBeGreaterThan(10);
  },
);
