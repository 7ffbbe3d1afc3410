import type { Database, Statement } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/clean.ts';
import { blockOf } from '../party/match/block.ts';

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
