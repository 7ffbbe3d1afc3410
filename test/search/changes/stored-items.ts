import type { ChangeKind } from '../../../schema/catalogue/changes/kinds.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { ITEM_COLUMNS, type ItemRow } from '../../../search/changes/columns.ts';
import { makeBriefItem } from '../../../search/changes/items.ts';

/** The brief items of the rows that a catalogue holds, read from its tables, by kind and id. @param wants SQL over the row `n` */
export async function readStoredItems(
  catalogue: Database,
  { kinds, wants = 'TRUE' }: { kinds: readonly ChangeKind[]; wants?: string },
): Promise<Map<string, unknown>> {
  const items = new Map<string, unknown>();
  for (const kind of kinds) {
    const { columns, join = '' } = ITEM_COLUMNS[kind];
    const sql = `SELECT n.id, ${columns} FROM ${kind} n ${join} WHERE n.gone = 0 AND ${wants}`;
    for (const row of await catalogue.read<ItemRow>({ sql })) items.set(`${kind} ${row.id}`, makeBriefItem(kind, row));
  }
  return items;
}
