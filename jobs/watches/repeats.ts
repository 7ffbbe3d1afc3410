import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../schema/db/interface.ts';
import type { Matched } from './compose.ts';

/**
 * How a watch last delivered each of some items since it was changed, as JSON, where that is still kept. Begins with the
 * deliveries: beginning with the items would read every delivery once for each of them.
 */
const LAST_DELIVERED = `
  SELECT t.value ->> 'id' AS item_id, t.value AS delivered, max(d.number)
  FROM watch w CROSS JOIN watch_delivery d
      ON d.watch_id = w.id AND d.kind = 'items' AND d.body IS NOT NULL AND d.created_at >= w.changed_at
    CROSS JOIN json_each(d.body, '$.data.items') t
  WHERE w.id = ? AND t.value ->> 'id' IN (SELECT value FROM json_each(?)) GROUP BY 1`;

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
  const repeats = new Map<string, ReadonlySet<string>>();
  for (const { watch, items } of matched) {
    const known = items.filter(({ change, delivered }) => change === 'new' && delivered?.gone === 0);
    if (known.length === 0) continue;
    const args = [watch.id, JSON.stringify(known.map(({ id }) => id))];
    const last = await accounts.read<{ item_id: string; delivered: string }>({ sql: LAST_DELIVERED, args });
    const same = last.filter((one) => isSame(one.delivered, contents.get(one.item_id)));
    if (same.length > 0) repeats.set(watch.id, new Set(same.map((one) => one.item_id)));
    // Local reads are synchronous: the lease's heartbeat runs between watches.
    await yieldToEventLoop();
  }
  if (repeats.size === 0) return matched;
  return matched.map(({ items, ...one }) => ({
    ...one,
    items: items.filter(({ id, change }) => change !== 'new' || !repeats.get(one.watch.id)?.has(id)),
  }));
}

/** Whether an item was delivered with this content. The same code made both, with their fields in one order. */
function isSame(delivered: string, content: object | undefined): boolean {
  const { item } = JSON.parse(delivered) as { item?: object };
  return item !== undefined && JSON.stringify(item) === JSON.stringify(content);
}
