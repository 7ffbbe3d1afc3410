import type { Database } from '../../schema/db/interface.ts';
import { rowsOfKind } from '../filters/read.ts';

const ALIASES = (kind: 'buyer' | 'company') =>
  `SELECT alias AS id, target FROM alias WHERE kind = '${kind}' AND alias IN (SELECT lower(value) FROM json_each(?))`;

/** By the kind of thing, where its former ids lead. */
const TARGETS = {
  buyer: ALIASES('buyer'),
  company: ALIASES('company'),
  framework:
    'SELECT id, copy_of AS target FROM framework WHERE copy_of IS NOT NULL AND id IN (SELECT value FROM json_each(?))',
} as const;

type Filters = Record<string, unknown>;

/**
 * By their text, filters of watches with an id that leads elsewhere by now, and what they are with the id of today: two buyers
 * became one, or one has become known by a better identifier. The watch continues with what its id leads to.
 */
export async function readMovedFilters(catalogue: Database, stored: readonly string[]): Promise<Map<string, string>> {
  const moved = new Map<string, string>();
  const filters = new Map([...new Set(stored)].map((text) => [text, JSON.parse(text) as Filters]));
  for (const kind of ['buyer', 'company', 'framework'] as const) {
    const names = rowsOfKind(kind).map(({ name }) => name);
    const ids = [...filters.values()].flatMap((one) => names.flatMap((name) => one[name] ?? []));
    if (ids.length === 0) continue;
    const rows = await catalogue.read<{ id: string; target: string }>({
      sql: TARGETS[kind],
      args: [JSON.stringify(ids)],
    });
    const targets = new Map(rows.map(({ id, target }) => [id.toLowerCase(), target]));
    for (const [text, one] of filters) {
      const changed = names.flatMap((name) => {
        const target = targets.get(String(one[name]).toLowerCase());
        return target === undefined || target === one[name] ? [] : [[name, target] as const];
      });
      if (changed.length === 0) continue;
      Object.assign(one, Object.fromEntries(changed));
      moved.set(text, JSON.stringify(one));
    }
  }
  return moved;
}
