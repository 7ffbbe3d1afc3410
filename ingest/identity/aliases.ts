import type { Database, Statement } from '../../schema/db/interface.ts';
import type { IdentityKind } from '../party/sighting.ts';

/** The aliases of one kind as they will stand once the batch is written. Keys are lower case. */
export interface AliasBook {
  kind: IdentityKind;
  load(ids: readonly string[]): Promise<void>;
  /** Where an id leads now, or null where it was never seen. It must have been loaded. */
  targetOf(id: string): string | null;
  point(id: string, target: string): void;
  remove(id: string): void;
  /** Every alias that leads to one of these identities once the batch is written, with its target. */
  leadingTo(ids: readonly string[]): Promise<Map<string, string>>;
  statements(): Statement[];
}

const LEADING = 'SELECT alias, target FROM alias WHERE kind = ? AND target IN (SELECT value FROM json_each(?))';

const READ = 'SELECT alias, target FROM alias WHERE kind = ? AND alias IN (SELECT value FROM json_each(?))';
const POINT = `INSERT INTO alias (kind, alias, target) VALUES (?, ?, ?)
ON CONFLICT (kind, alias) DO UPDATE SET target = excluded.target WHERE target <> excluded.target`;
const REMOVE = 'DELETE FROM alias WHERE kind = ? AND alias = ?';

export function openAliases(catalogue: Database, kind: IdentityKind): AliasBook {
  const stored = new Map<string, string>();
  const loaded = new Set<string>();
  const changed = new Map<string, string | null>();

  const targetOf = (id: string): string | null => {
    const key = id.toLowerCase();
    const own = changed.get(key);
    return own === undefined ? (stored.get(key) ?? null) : own;
  };

  return {
    kind,
    targetOf,
    async load(ids) {
      const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => !loaded.has(id));
      if (wanted.length === 0) return;
      const rows = await catalogue.read<{ alias: string; target: string }>({
        sql: READ,
        args: [kind, JSON.stringify(wanted)],
      });
      for (const id of wanted) loaded.add(id);
      for (const { alias, target } of rows) stored.set(alias, target);
    },
    point: (id, target) => changed.set(id.toLowerCase(), target),
    remove: (id) => changed.set(id.toLowerCase(), null),
    async leadingTo(ids) {
      const wanted = new Set(ids);
      const rows = await catalogue.read<{ alias: string; target: string }>({
        sql: LEADING,
        args: [kind, JSON.stringify([...wanted])],
      });
      for (const { alias, target } of rows) if (!stored.has(alias)) stored.set(alias, target);
      const all = [...rows.map(({ alias }) => alias), ...changed.keys()];
      return new Map(
        all.flatMap((alias) => {
          const target = targetOf(alias);
          return target !== null && wanted.has(target) ? [[alias, target] as const] : [];
        }),
      );
    },
    statements() {
      return [...changed].flatMap(([alias, target]): Statement[] => {
        if (target === null) return stored.has(alias) ? [{ sql: REMOVE, args: [kind, alias] }] : [];
        return stored.get(alias) === target ? [] : [{ sql: POINT, args: [kind, alias, target] }];
      });
    },
  };
}
