import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameSuppliers, SUPPLIER_NAMES } from '../../../schema/catalogue/supplier-names.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

it.each([
  ['', null],
  ['A', 'A'],
  ['A B', 'A; B'],
  ['C A B', 'C; A; B'],
  ['D A B C', 'D; A; and 2 others'],
  ['A B C D E F G H I J K L', 'A; B; and 10 others'],
])('suppliers %s are named %s, in answers as in exports', async (letters, named) => {
  const suppliers = letters.split(' ').flatMap((name) => (name ? [{ name }] : []));
  const [row] = await catalogue.read<{ named: string }>({
    sql: `SELECT ${SUPPLIER_NAMES} AS named FROM (SELECT ? AS suppliers)`,
    args: [JSON.stringify(suppliers)],
  });
  expect([nameSuppliers(suppliers), row?.named]).toEqual([named, named]);
});
