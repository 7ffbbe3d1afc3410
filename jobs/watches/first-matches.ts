import { readDelivered } from '../../schema/accounts/watches/delivered.ts';
import type { WatchRow } from '../../schema/accounts/watches/row.ts';
import { CHANGE_DAYS } from '../../schema/catalogue/changes/remove.ts';
import { DAY_MS, isoInstant } from '../../schema/config/clocks.ts';
import type { JobsServices } from '../process/services.ts';
import type { ChangedRow, Matched } from './compose.ts';

/** When the first notice of the process of each row (`?`) was fetched. */
const fetchedSql = (kind: ChangedRow['kind']) => `
  SELECT n.id, min(r.fetched_at) AS at FROM ${kind} n JOIN release r ON r.ocid = n.ocid
  WHERE n.id IN (SELECT value FROM json_each(?)) GROUP BY n.id`;

interface Matching {
  kind: ChangedRow['kind'];
  now: Date;
}

/**
 * The items that each watch wants. For a watch with words, an updated item is new if its process came after the watch began and
 * the watch never delivered it: it did not match before. The change log does not have the former words of a row.
 */
export async function withFirstMatches(
  services: Pick<JobsServices, 'accounts' | 'catalogue'>,
  matched: readonly Matched[],
  matching: Matching,
): Promise<Matched[]> {
  const first = await findFirst(services, matched, matching);
  return matched.map(({ items, ...one }) => {
    const { watch } = one;
    const own = first.get(watch.id);
    const told = items.map((item) => (own?.has(item.id) ? { ...item, change: 'new' as const } : item));
    return { ...one, items: told.filter(({ change }) => wants(watch, change === 'left' ? 'gone' : change)) };
  });
}

/** By watch, the updated items that are new for it. */
async function findFirst(
  { accounts, catalogue }: Pick<JobsServices, 'accounts' | 'catalogue'>,
  matched: readonly Matched[],
  { kind, now }: Matching,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const asked = matched.flatMap(({ watch, items }) => {
    if (!wants(watch, 'new') || !watch.filters.includes('"query":')) return [];
    return [{ watch, ids: items.filter(({ change }) => change === 'updated').map(({ id }) => id) }];
  });
  const updated = idsOf(asked);
  if (updated.length === 0) return new Map();
  const args = [JSON.stringify(updated)];
  const rows = await catalogue.read<{ id: string; at: string }>({ sql: fetchedSql(kind), args });
  const fetched = new Map(rows.map(({ id, at }) => [id, at]));
  // What was delivered earlier is forgotten.
  const earliest = isoInstant(new Date(now.getTime() - CHANGE_DAYS * DAY_MS));
  const late = asked.flatMap(({ watch, ids }) => {
    const since = watch.changed_at > earliest ? watch.changed_at : earliest;
    const own = ids.filter((id) => (fetched.get(id) ?? '') > since);
    return own.length === 0 ? [] : [{ watch, ids: own }];
  });
  const watchIds = late.map(({ watch }) => watch.id);
  const delivered = await readDelivered(accounts, watchIds, idsOf(late));
  return new Map(
    late.map(({ watch, ids }) => [watch.id, new Set(ids.filter((id) => delivered.get(watch.id)?.get(id)?.gone !== 0))]),
  );
}

const idsOf = (some: readonly { ids: readonly string[] }[]) => [...new Set(some.flatMap(({ ids }) => ids))];

function wants({ changes }: WatchRow, change: ChangedRow['change']): boolean {
  return changes.includes(`"${change}"`);
}
