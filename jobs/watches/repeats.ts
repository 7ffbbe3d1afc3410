import { PAIRS_AT_ONCE } from '../../schema/accounts/watches/delivered.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { Matched } from './compose.ts';

/** Of items of watches (`?`), how each was last delivered since its watch was changed, as JSON, where its content is still kept. */
const LAST_TOLD = `
  SELECT known.watch_id, known.item_id, t.value AS told, max(d.number)
  FROM (SELECT i.watch_id, i.item_id, w.changed_at FROM json_each(?) p CROSS JOIN watch_item i
      ON i.watch_id = p.value ->> 0 AND i.item_id = p.value ->> 1 CROSS JOIN watch w ON w.id = i.watch_id) known
    CROSS JOIN watch_delivery d
      ON d.watch_id = known.watch_id AND d.kind = 'items' AND d.body IS NOT NULL AND d.created_at >= known.changed_at
    CROSS JOIN json_each(d.body, '$.data.items') t ON t.value ->> 'id' = known.item_id
  GROUP BY known.watch_id, known.item_id`;

interface Told {
  watch_id: string;
  item_id: string;
  told: string;
}

/**
 * Leaves out what is new for a watch and the same as the watch last delivered about it. After the catalogue was restored to an
 * older state, what is fetched again is new to the catalogue, but its receiver has it and its owner has paid for it. An update
 * is always delivered: it may be of a field that a brief item does not have.
 * @param contents - brief items by id
 */
export async function withoutRepeats(
  accounts: Database,
  matched: readonly Matched[],
  contents: ReadonlyMap<string, object>,
): Promise<readonly Matched[]> {
  const fresh = matched.flatMap(({ watch, items }) =>
    items.filter(({ change }) => change === 'new').map(({ id }) => [watch.id, id]),
  );
  if (fresh.length === 0) return matched;
  const told: Told[] = [];
  for (let at = 0; at < fresh.length; at += PAIRS_AT_ONCE) {
    const args = [JSON.stringify(fresh.slice(at, at + PAIRS_AT_ONCE))];
    told.push(...(await accounts.read<Told>({ sql: LAST_TOLD, args })));
  }
  const same = told.filter((one) => isSame(one.told, contents.get(one.item_id)));
  if (same.length === 0) return matched;
  const repeats = new Set(same.map((one) => nameOf(one.watch_id, one.item_id)));
  return matched.map(({ watch, items }) => ({
    watch,
    items: items.filter(({ id, change }) => change !== 'new' || !repeats.has(nameOf(watch.id, id))),
  }));
}

const nameOf = (watchId: string, itemId: string) => `${watchId} ${itemId}`;

/** Whether an item was delivered with this content. The same code made both, with their fields in one order. */
function isSame(told: string, content: object | undefined): boolean {
  const { item } = JSON.parse(told) as { item?: object };
  return item !== undefined && JSON.stringify(item) === JSON.stringify(content);
}
