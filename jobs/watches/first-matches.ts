import type { WatchRow } from '../../schema/accounts/watches/row.ts';
import { CHANGE_DAYS } from '../../schema/catalogue/changes/remove.ts';
import { DAY_MS, isoInstant } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { ChangedRow, Item, Matched } from './compose.ts';

/** When the first notice of the process of each row (`?`) was fetched. */
const fetchedSql = (kind: ChangedRow['kind']) => `
  SELECT n.id, min(r.fetched_at) AS at FROM ${kind} n JOIN release r ON r.ocid = n.ocid
  WHERE n.id IN (SELECT value FROM json_each(?)) GROUP BY n.id`;

interface Matching {
  kind: ChangedRow['kind'];
  now: Date;
}

/**
 * The items that each watch wants. An updated item is new if the watch told that it matches no more. For a watch with words, so is
 * one that it never delivered and whose process came after the watch began: it did not match before. The change log does not have
 * the former words of a row.
 */
export async function withFirstMatches(
  catalogue: Database,
  matched: readonly Matched[],
  { kind, now }: Matching,
): Promise<Matched[]> {
  const asked = matched.flatMap(({ watch, items }) =>
    hasWords(watch) ? items.filter((item) => mayBeFirst(watch, item)).map(({ id }) => id) : [],
  );
  const fetched = asked.length === 0 ? new Map<string, string>() : await readFetched(catalogue, kind, asked);
  // What was delivered earlier is forgotten.
  const earliest = isoInstant(new Date(now.getTime() - CHANGE_DAYS * DAY_MS));
  return matched.map(({ watch, items, ...one }) => {
    const since = watch.changed_at > earliest ? watch.changed_at : earliest;
    const isLate = (id: string) => hasWords(watch) && (fetched.get(id) ?? '') > since;
    const isFirst = (item: Item) => mayBeFirst(watch, item) && ((item.delivered?.at ?? '') >= since || isLate(item.id));
    const told = items.map((item) => (isFirst(item) ? { ...item, change: 'new' as const } : item));
    return { watch, ...one, items: told.filter(({ change }) => wants(watch, change === 'left' ? 'gone' : change)) };
  });
}

const mayBeFirst = (watch: WatchRow, { change, delivered }: Item) =>
  change === 'updated' && delivered?.gone !== 0 && wants(watch, 'new');

const hasWords = ({ filters }: WatchRow) => filters.includes('"query":');

async function readFetched(catalogue: Database, kind: ChangedRow['kind'], ids: readonly string[]) {
  const args = [JSON.stringify([...new Set(ids)])];
  const rows = await catalogue.read<{ id: string; at: string }>({ sql: fetchedSql(kind), args });
  return new Map(rows.map(({ id, at }) => [id, at]));
}

function wants({ changes }: WatchRow, change: ChangedRow['change']): boolean {
  return changes.includes(`"${change}"`);
}
