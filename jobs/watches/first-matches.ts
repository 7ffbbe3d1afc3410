import type { WatchRow } from '../../schema/accounts/watches/row.ts';
import { CHANGE_DAYS } from '../../schema/catalogue/changes/remove.ts';
import { DAY_MS, isoInstant } from '../../schema/config/clocks.ts';
import type { JobsServices } from '../process/services.ts';
import type { ChangedRow, Matched } from './compose.ts';

/** Of items of watches, each with an instant (`?`), those that their watch has not delivered. */
const UNDELIVERED = `
  SELECT p.value ->> 0 AS watch, p.value ->> 1 AS item, p.value ->> 2 AS since FROM json_each(?) p
  WHERE NOT EXISTS (SELECT 1 FROM watch_item WHERE watch_id = p.value ->> 0 AND item_id = p.value ->> 1)`;

/** When the first notice of the process of each row (`?`) was fetched. */
const fetchedSql = (kind: ChangedRow['kind']) => `
  SELECT n.id, min(r.fetched_at) AS at FROM ${kind} n JOIN release r ON r.ocid = n.ocid
  WHERE n.id IN (SELECT value FROM json_each(?)) GROUP BY n.id`;

interface Matching {
  kind: ChangedRow['kind'];
  now: Date;
}

/**
 * The items that each watch wants. For a watch with words, an updated one is new if the watch never delivered it, although its
 * process came after the watch began: it did not match before. The change log does not have the former words of a row.
 */
export async function withFirstMatches(
  services: Pick<JobsServices, 'accounts' | 'catalogue'>,
  matched: readonly Matched[],
  matching: Matching,
): Promise<Matched[]> {
  const first = await findFirst(services, matched, matching);
  return matched.map(({ watch, items }) => {
    const told = items.map((item) =>
      first.has(nameOf(watch.id, item.id)) ? { ...item, change: 'new' as const } : item,
    );
    return { watch, items: told.filter(({ change }) => wants(watch, change === 'left' ? 'gone' : change)) };
  });
}

async function findFirst(
  { accounts, catalogue }: Pick<JobsServices, 'accounts' | 'catalogue'>,
  matched: readonly Matched[],
  { kind, now }: Matching,
): Promise<ReadonlySet<string>> {
  // What was delivered earlier is forgotten.
  const earliest = isoInstant(new Date(now.getTime() - CHANGE_DAYS * DAY_MS));
  const asked = matched.flatMap(({ watch, items }) => {
    if (!wants(watch, 'new') || !watch.filters.includes('"query":')) return [];
    const since = watch.changed_at > earliest ? watch.changed_at : earliest;
    return items.flatMap(({ id, change }) => (change === 'updated' ? [[watch.id, id, since]] : []));
  });
  if (asked.length === 0) return new Set();
  const args = [JSON.stringify(asked)];
  const pairs = await accounts.read<{ watch: string; item: string; since: string }>({ sql: UNDELIVERED, args });
  const ids = JSON.stringify([...new Set(pairs.map(({ item }) => item))]);
  const rows = await catalogue.read<{ id: string; at: string }>({ sql: fetchedSql(kind), args: [ids] });
  const fetched = new Map(rows.map(({ id, at }) => [id, at]));
  const late = pairs.filter(({ item, since }) => (fetched.get(item) ?? '') > since);
  return new Set(late.map(({ watch, item }) => nameOf(watch, item)));
}

const nameOf = (watchId: string, itemId: string) => `${watchId} ${itemId}`;

function wants({ changes }: WatchRow, change: ChangedRow['change']): boolean {
  return changes.includes(`"${change}"`);
}
