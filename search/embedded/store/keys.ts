import type { Database } from '../../../schema/db/interface.ts';
import type { Collection } from '../../collections/shape.ts';
import { DAY_SECONDS, dayNumber, secondsOf } from '../../documents/days.ts';
import type { AnyDocument } from '../../engine.ts';
import { printNumber } from '../../results/match-prints.ts';
import { DAY_SPAN } from '../layout/tables.ts';

/**
 * The key of a document follows from the document, and not from when it came: indexes of several machines, or one that is built
 * again, have the same order, so that a cursor of one continues in another. Keys of a day rise with the time, in steps of 84
 * seconds; documents of one step, and those without a time, are in an order of their ids that is as good as random.
 */

const STEPS_A_DAY = 1_024;
const STEP_SPAN = DAY_SPAN / STEPS_A_DAY;
/** A document whose wanted key is taken has the next free one. Up to this far from it, its key stays as it is. */
const NEAR = 64;

/** A document with its key in the index. */
export interface Placed {
  key: number;
  document: AnyDocument;
}

/** The key that a document has, unless another one has it. */
export function wantedKey(document: AnyDocument, { day: { of, at } }: Collection): number {
  const day = dayNumber(of(document));
  const print = printNumber(document.id);
  const seconds = at ? secondsOf(at(document)) - day * DAY_SECONDS : 0;
  // An instant at midnight states the day only.
  if (seconds <= 0 || seconds >= DAY_SECONDS) return day * DAY_SPAN + (print % DAY_SPAN);
  const step = Math.floor((seconds / DAY_SECONDS) * STEPS_A_DAY);
  return day * DAY_SPAN + step * STEP_SPAN + (print % STEP_SPAN);
}

/**
 * Documents with their keys, in the order of keys: FTS5 flushes its buffer whenever a key is below the previous one. Unordered
 * documents would become as many segments, and every search reads all segments: ten times as long over a thousand documents
 * (measured). @param stored - the keys that some of them have in the index, by id
 */
export async function placeDocuments(
  index: Database,
  documents: readonly AnyDocument[],
  { collection, stored }: { collection: Collection; stored?: ReadonlyMap<string, number> },
): Promise<Placed[]> {
  const placed: Placed[] = [];
  const others: Placed[] = [];
  for (const document of documents) {
    const key = wantedKey(document, collection);
    const before = stored?.get(document.id) ?? -1;
    if (before >= key && before < key + NEAR) placed.push({ key: before, document });
    else others.push({ key, document });
  }
  await moveToFree(index, others);
  return [...placed, ...others].sort((one, other) => one.key - other.key);
}

const READ_TAKEN = 'SELECT key FROM document WHERE key IN (SELECT value FROM json_each(?))';

/** Moves each document whose key is taken to the next free one. */
async function moveToFree(index: Database, documents: readonly Placed[]): Promise<void> {
  const given = new Set<number>();
  for (let open = documents; open.length > 0; ) {
    const args = [JSON.stringify(open.map(({ key }) => key))];
    const rows = await index.read<{ key: number }>({ sql: READ_TAKEN, args });
    const taken = new Set(rows.map(({ key }) => key));
    const again: Placed[] = [];
    for (const one of open) {
      if (taken.has(one.key) || given.has(one.key)) again.push(one);
      else given.add(one.key);
    }
    for (const one of again) one.key += 1;
    open = again;
  }
}
