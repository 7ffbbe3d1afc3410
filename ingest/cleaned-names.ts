import type { Database, Statement } from '../schema/database.ts';
import { CLEANING, nameKey } from '../schema/names.ts';
import { blockOf } from './match/block.ts';

const EDITION = "SELECT value FROM meta WHERE name = 'cleaning'";
const IS_EMPTY = `SELECT NOT EXISTS (SELECT 1 FROM release) AND NOT EXISTS (SELECT 1 FROM registered_company) AS empty`;

/** Says of a catalogue that its cleaned names are of this program's edition. */
export const STAMP: Statement = {
  sql: "INSERT OR REPLACE INTO meta (name, value) VALUES ('cleaning', ?)",
  args: [String(CLEANING)],
};

/** Whether a catalogue's names were cleaned by this program's edition of the rule. */
export async function isStamped(catalogue: Database): Promise<boolean> {
  const [row] = await catalogue.read<{ value: string }>({ sql: EDITION });
  return row?.value === String(CLEANING);
}

/**
 * Whether the names that a catalogue holds are cleaned as this program cleans them. One that is empty is of this edition from
 * now on; another comes to it by a rebuild.
 */
export async function namesAreCurrent(catalogue: Database): Promise<boolean> {
  if (await isStamped(catalogue)) return true;
  const [row] = await catalogue.read<{ empty: number }>({ sql: IS_EMPTY });
  if (row?.empty !== 1) return false;
  await catalogue.write([STAMP]);
  return true;
}

interface Company {
  number: string;
  name: string;
  postcode: string | null;
  name_key: string;
  block: string | null;
}
type Former = Pick<Company, 'number' | 'name' | 'name_key'>;

const RENAME = `UPDATE main.registered_company SET name_key = told.value ->> 1, block = told.value ->> 2
FROM json_each(?) AS told WHERE company_number = told.value ->> 0`;
const RENAME_FORMER = `UPDATE OR REPLACE main.previous_name SET name_key = told.value ->> 2
FROM json_each(?) AS told WHERE company_number = told.value ->> 0 AND name_key = told.value ->> 1`;

/**
 * Cleans the names of some companies of a new generation again; those whose key stays are not written.
 * @param chosen SQL that lists their numbers, and what fills it
 */
export async function cleanAgain(beside: Database, chosen: Required<Statement>): Promise<void> {
  const { sql, args } = chosen;
  const companies = await beside.read<Company>({
    sql: `SELECT company_number AS number, name, postcode, name_key, block FROM main.registered_company
      WHERE company_number IN (${sql})`,
    args,
  });
  const former = await beside.read<Former>({
    sql: `SELECT company_number AS number, name, name_key FROM main.previous_name WHERE company_number IN (${sql})`,
    args,
  });
  const renamed = companies.flatMap(({ number, name, postcode, ...held }) => {
    const key = nameKey(name);
    const block = blockOf(key, postcode);
    return key === held.name_key && block === held.block ? [] : [[number, key, block]];
  });
  const renamedFormer = former.flatMap(({ number, name, name_key: held }) => {
    const key = nameKey(name);
    return key === held ? [] : [[number, held, key]];
  });
  const statements = [
    ...(renamed.length > 0 ? [{ sql: RENAME, args: [JSON.stringify(renamed)] }] : []),
    ...(renamedFormer.length > 0 ? [{ sql: RENAME_FORMER, args: [JSON.stringify(renamedFormer)] }] : []),
  ];
  if (statements.length > 0) await beside.write(statements);
}
