import type { Database, Statement } from '../../schema/db/interface.ts';
import { CLEANING } from '../../schema/names/spelling.ts';
import { READING } from '../compile/contract.ts';
import { COUNTING } from '../store/organisations/totals.ts';

/** Rules whose edition is stored with a catalogue: if the program has a different one, a rebuild updates the catalogue. */
const EDITIONS = { cleaning: String(CLEANING), counting: String(COUNTING), reading: String(READING) } as const;
export type Rule = keyof typeof EDITIONS;
export const RULES = Object.keys(EDITIONS) as readonly Rule[];

const STAMPED = 'SELECT name, value FROM meta WHERE name IN (SELECT value FROM json_each(?))';
const IS_EMPTY = 'SELECT NOT EXISTS (SELECT 1 FROM release) AND NOT EXISTS (SELECT 1 FROM registered_company) AS empty';

/** Records in a catalogue that it was filled by this program's editions of the rules. */
export const STAMP: Statement = {
  sql: 'INSERT OR REPLACE INTO meta (name, value) SELECT key, value FROM json_each(?)',
  args: [JSON.stringify(EDITIONS)],
};

/**
 * Removes other programs' editions from a catalogue that this program writes to: it then holds rows of several, whichever program
 * reads it next. Only a rebuild makes it one edition again.
 */
export const UNSTAMP: Statement = {
  sql: 'DELETE FROM meta WHERE EXISTS (SELECT 1 FROM json_each(?) AS own WHERE own.key = meta.name AND own.value <> meta.value)',
  args: [JSON.stringify(EDITIONS)],
};

/** Whether the names of a catalogue were cleaned by this program's edition of that rule. */
export async function areNamesCleaned(catalogue: Database): Promise<boolean> {
  return !(await readOthers(catalogue)).includes('cleaning');
}

/**
 * The rules whose edition in the catalogue differs from this program's. An empty catalogue takes this program's editions;
 * any other needs a rebuild.
 */
export async function findOutdated(catalogue: Database): Promise<Rule[]> {
  const others = await readOthers(catalogue);
  if (others.length === 0) return [];
  const [row] = await catalogue.read<{ empty: number }>({ sql: IS_EMPTY });
  if (row?.empty !== 1) return others;
  await catalogue.write([STAMP]);
  return [];
}

async function readOthers(catalogue: Database): Promise<Rule[]> {
  const rows = await catalogue.read<{ name: string; value: string }>({ sql: STAMPED, args: [JSON.stringify(RULES)] });
  const stamped = new Map(rows.map(({ name, value }) => [name, value]));
  return RULES.filter((rule) => stamped.get(rule) !== EDITIONS[rule]);
}
