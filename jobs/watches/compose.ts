import type { Delivered, PassedRow } from '../../schema/accounts/watches/delivered.ts';
import {
  type DueWatch,
  deliveryCredits,
  deliveryStatements,
  ITEMS_PER_CHARGE,
  type NewDelivery,
  type WatchPosition,
  waitStatement,
} from '../../schema/accounts/watches/outbox.ts';
import type { WatchRow } from '../../schema/accounts/watches/row.ts';
import type { Change } from '../../schema/catalogue/changes/read.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import { makeTimedId } from '../../schema/text/tokens.ts';
import type { JobsServices } from '../process/services.ts';

/** Items of one mail; the rest come in the next. */
const MAILED_ITEMS = 250;
/** Deliveries of one commit. */
const DELIVERIES_AT_ONCE = 20;

/** An entry of the log. */
export interface ChangedEntry {
  kind: 'notice' | 'contract';
  id: string;
  seq: number;
  change: 'new' | 'updated' | 'gone';
  at: string | null;
  changed: string[];
  /** When its first entry became visible; null where that is not known. `at` is the same of the last. */
  since: string | null;
  /** What filters read of it before and after; null where it was not there. */
  before: Change['before'];
  after: Change['after'];
}

/** A changed row: how it changed since a group's position, according to all its entries in the log. */
export interface ChangedRow extends ChangedEntry {
  entries: readonly ChangedEntry[];
}

/** A watch, and its items with how each changed for it: `left` no longer matches. */
export interface Matched {
  watch: DueWatch;
  items: Item[];
  /**
   * Rows that matched between two of their changes and no longer do, or the reverse: a watch that stops between the two has
   * judged them as they are now.
   */
  passed: Passed[];
}

interface Passed {
  row: ChangedRow;
  /** The `seq` of the row when it was matched, as an item has it. */
  seq: number;
}

export interface Item {
  id: string;
  change: ChangedRow['change'] | 'left';
  row: ChangedRow;
  /** The `seq` of the row when it was matched: everything up to that is told with the item. */
  seq: number;
  /** As the watch last delivered it; undefined where it never did. */
  delivered: Delivered | undefined;
}

/** Whether an item is told with its content. */
export const isThere = ({ change }: Item) => change === 'new' || change === 'updated';

/** Watches that could not pay in this run. */
export type Refused = Set<string>;

interface Composing {
  /** The contents of the items, by id. */
  contents: ReadonlyMap<string, object>;
  /** The position of watches once everything is delivered. */
  to: WatchPosition;
  now: Date;
  refused: Refused;
}

/**
 * Deliveries of matched items, those of one watch in sequence, each composed when it is asked for: those of all watches of a page
 * would be gigabytes, and most are never stored where many watches cannot pay for all.
 */
export function* composeDeliveries(
  matched: readonly Matched[],
  { contents, to, now, refused }: Composing,
): Generator<NewDelivery> {
  const at = isoInstant(now);
  for (const { watch, items, passed } of matched) {
    let from: WatchPosition = { seq: watch.position, id: watch.position_id };
    const parts = partsOf(watch, items);
    for (const [number, part] of parts.entries()) {
      if (refused.has(watch.id)) break;
      const id = makeTimedId('wd', now.getTime());
      const last = part.at(-1)?.row;
      const next = number === parts.length - 1 || !last ? to : { seq: last.seq, id: last.id };
      const listed = part.map((item) => describeItem(item, contents.get(item.id)));
      yield {
        id,
        chargeId: makeTimedId('ch', now.getTime()),
        watch,
        from,
        to: next,
        items: part.map((item) => ({ id: item.id, seq: item.seq, gone: isThere(item) ? 0 : 1 })),
        passed: passedBy(next, passed),
        body: JSON.stringify(describeDelivery(watch, { id, at, items: listed })),
        now,
        at,
      };
      from = next;
    }
  }
}

/** Whether a row lies beyond a position. */
export const isBeyond = ({ seq, id }: WatchPosition, end: WatchPosition) =>
  seq > end.seq || (seq === end.seq && id > end.id);

/** The rows that a watch has passed at a position and that have later changes. */
export const passedBy = (end: WatchPosition, passed: readonly Passed[]): PassedRow[] =>
  passed
    .filter(({ row, seq }) => !isBeyond(row, end) && isBeyond({ seq, id: row.id }, end))
    .map(({ row, seq }) => ({ id: row.id, seq }));

/** No part costs more than the watch can then pay for: it would wait, though it could deliver a smaller one. */
function partsOf({ payable }: DueWatch, items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0, left = payable; at < items.length; ) {
    const affordable = Math.floor(left / deliveryCredits(1)) * ITEMS_PER_CHARGE;
    const size = Math.min(MAILED_ITEMS, Math.max(ITEMS_PER_CHARGE, affordable));
    parts.push(items.slice(at, at + size));
    at += size;
    left -= deliveryCredits(size);
  }
  return parts;
}

/** One change as `/v1/changes` lists it; a removed row has no content. */
function describeItem(item: Item, content?: object): object {
  const { id, change, row } = item;
  const { kind, at, changed } = row;
  return { kind, id, change, at, ...(isThere(item) ? { changed, item: content } : {}) };
}

/** The body: the same for a webhook and, laid out, for a mail. */
function describeDelivery(
  { id: watch_id, name, collection }: Pick<WatchRow, 'id' | 'name' | 'collection'>,
  { id: delivery_id, at, items }: { id: string; at: string; items: object[] },
): object {
  return { type: 'watch.delivery', timestamp: at, data: { watch_id, name, on: collection, delivery_id, items } };
}

interface Storing {
  fence: Statement;
  now: Date;
  refused: Refused;
}

/**
 * Puts deliveries into the outbox, each charged in its commit. A watch that cannot pay waits at its position, with its later
 * deliveries: it is added to `refused`.
 */
export async function storeDeliveries(
  services: Pick<JobsServices, 'accounts' | 'settings'>,
  made: Iterable<NewDelivery>,
  storing: Storing,
): Promise<{ deliveries: number; items: number }> {
  const done = { deliveries: 0, items: 0 };
  const store = async (some: readonly NewDelivery[]) => {
    for (const { items } of await storeSome(services, some, storing)) {
      done.deliveries += 1;
      done.items += items.length;
    }
  };
  const some: NewDelivery[] = [];
  for (const delivery of made) {
    some.push(delivery);
    if (some.length === DELIVERIES_AT_ONCE) await store(some.splice(0));
  }
  if (some.length > 0) await store(some);
  return done;
}

/** Stores deliveries in one commit. Returns those that were charged. */
async function storeSome(
  { accounts, settings }: Pick<JobsServices, 'accounts' | 'settings'>,
  some: readonly NewDelivery[],
  { fence, now, refused }: Storing,
): Promise<NewDelivery[]> {
  const due = { at: isoInstant(now), perHour: settings.WATCH_DELIVERIES_PER_HOUR };
  const batches = some.map((delivery) => deliveryStatements(delivery, due.perHour));
  const outcomes = await accounts.write([fence, ...batches.flat()]);
  let place = 1;
  const charged: NewDelivery[] = [];
  const short: NewDelivery[] = [];
  for (const [number, delivery] of some.entries()) {
    if (outcomes[place]?.changes === 1) charged.push(delivery);
    else if (!refused.has(delivery.watch.id)) {
      refused.add(delivery.watch.id);
      short.push(delivery);
    }
    place += batches[number]?.length ?? 0;
  }
  const waits = short.map(({ watch }) => waitStatement(watch.id, due));
  if (waits.length > 0) await accounts.write([fence, ...waits]);
  return charged;
}
