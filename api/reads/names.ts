import type { Database } from '../../schema/db/interface.ts';

/** The catalogue's name for each kind of thing. A supplier is named as in the register, where it has it, as in look-ups and lists. */
const NAMES = {
  supplier: `SELECT c.id, coalesce(r.name, c.name) AS name FROM company c
    LEFT JOIN registered_company r ON r.company_number = c.company_number WHERE c.id IN (SELECT value FROM json_each(?))`,
  buyer: 'SELECT id, name FROM buyer WHERE id IN (SELECT value FROM json_each(?))',
  framework: 'SELECT id, title AS name FROM framework WHERE id IN (SELECT value FROM json_each(?))',
  source: 'SELECT id, title AS name FROM source WHERE id IN (SELECT value FROM json_each(?))',
} as const;

/** A kind of thing with a name of its own. */
type Named = keyof typeof NAMES;

/** Whether things of a kind have names of their own in the catalogue. */
export function hasNames(kind: string): kind is Named {
  return kind in NAMES;
}

/** The names of some things, by id; unknown ids are absent. */
export async function readNamesOf(
  catalogue: Database,
  kind: Named,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await catalogue.read<{ id: string; name: string }>({ sql: NAMES[kind], args: [JSON.stringify(ids)] });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Some things under the names that the catalogue has for them. */
export async function nameAgain<Thing extends { id: string; name: string }>(
  catalogue: Database,
  kind: Named,
  things: readonly Thing[],
): Promise<Thing[]> {
  if (things.length === 0) return [];
  const names = await readNamesOf(
    catalogue,
    kind,
    things.map(({ id }) => id),
  );
  return things.map((thing) => ({ ...thing, name: names.get(thing.id) ?? thing.name }));
}
