import type { Database } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { LAST_CHARACTER, parseCompanyNumber } from '../../../schema/text/ids.ts';
import type { Register } from './companies.ts';
import { type Rows, rowsBeginning, rowsOfNumbers, rowsWithout } from './rows.ts';

/** Companies that a query may mean, by level as in `entries`: each at its first level. */
interface Named {
  levels: Rows[];
  /** Whether there may be more with this beginning. */
  isCut: boolean;
}

/** Most names that one question reads among those that begin with the query: index entries, without their rows. */
const NAMES_MAX = 5_000;
/** Shorter texts begin too many names to be useful. */
const LETTERS_MIN = 2;
const beginningSql = (table: string) => `SELECT group_concat(company_number) AS numbers, count(*) AS count FROM
  (SELECT company_number FROM ${table} WHERE name_key >= ?1 AND name_key < ?2 ORDER BY name_key LIMIT ${NAMES_MAX})`;
const NOW = beginningSql('registered_company');
const FORMERLY = beginningSql('previous_name');
const NO_ROWS: Rows = new Uint32Array();
const NUMBER = /^[A-Z]{0,2}\d{3,8}[A-Z]?$/;

/** Companies of the register whose name, former name or number is the query, or begins with it. */
export async function readNamed(catalogue: Database, register: Register, query: string): Promise<Named> {
  const key = nameKey(query);
  const number = query
    .trim()
    .toUpperCase()
    .replace(/^GB-COH-/, '');
  const numbers: string[][] = [[], [], [], []];
  let begun = NO_ROWS;
  let isCut = false;
  if (NUMBER.test(number)) {
    begun = rowsBeginning(register, number, NAMES_MAX);
    numbers[0]?.push(parseCompanyNumber(number) ?? number);
    isCut = begun.length === NAMES_MAX;
  }
  if (key.length >= LETTERS_MIN) {
    const reads = [
      [NOW, key, `${key}\0`, 0],
      [FORMERLY, key, `${key}\0`, 0],
      [NOW, `${key}\0`, key + LAST_CHARACTER, 1],
      [FORMERLY, `${key}\0`, key + LAST_CHARACTER, 3],
    ] as const;
    for (const [sql, from, to, level] of reads) {
      const [row] = await catalogue.read<{ numbers: string | null; count: number }>({ sql, args: [from, to] });
      if (row?.numbers) numbers[level]?.push(row.numbers);
      isCut ||= row?.count === NAMES_MAX;
    }
  }
  const levels: Rows[] = [];
  for (const some of numbers) levels.push(rowsWithout(rowsOfNumbers(register, some.join()), levels));
  const last = levels.length - 1;
  levels[last] = mergeRows(levels[last] ?? NO_ROWS, rowsWithout(begun, levels));
  return { levels, isCut };
}

function mergeRows(some: Rows, others: Rows): Rows {
  const all = new Uint32Array(some.length + others.length);
  all.set(some);
  all.set(others, some.length);
  return all.sort();
}
