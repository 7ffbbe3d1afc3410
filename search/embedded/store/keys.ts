import type { Database } from '../../../schema/db/interface.ts';
import type { Collection } from '../../collections/shape.ts';
import { DAY_SECONDS, dayNumber, secondsOf } from '../../documents/days.ts';
import type { AnyDocument } from '../../engine.ts';
import { hashId } from '../layout/hash-id.ts';
import { DAY_SPAN } from '../layout/tables.ts';

/**
 * A document's key depends on the document alone, never on when it arrived. So the indexes of several machines have the same
 * order, as has one that is built again, and a cursor of one continues in another. Keys of a day rise with the time, in steps
 * of 22 minutes; documents of one step, and those without a time, are in an order of their ids that is as good as random.
 */

const STEPS_A_DAY = 64;
/** An eighth of what a day has room for, as keys that are wider apart take more of the index; hundreds may be published at one instant. */
const STEP_SPAN = DAY_SPAN / STEPS_A_DAY / 8;
/** Where the wanted key is taken, those after it are tried, then any of the day. */
const NEXT = 8;
const SPREAD = 0x9e3779b1;
/** A document keeps a key that it could have been given within this many tries. */
const TRIES = 16;

/** A document with its key in the index. */
export interface Placed {
  key: number;
  document: AnyDocument;
}

interface Wanted {
  key: number;
  hash: number;
}

/** The key that a document has, unless another one has it. */
function wantedKey(document: AnyDocument, { day: { of, at } }: Collection): Wanted {
  const day = dayNumber(of(document));
  const { low: hash } = hashId(document.id);
  const seconds = at ? secondsOf(at(document)) - day * DAY_SECONDS : 0;
  // An instant at midnight states the day only.
  if (seconds <= 0 || seconds >= DAY_SECONDS) {
    return { key: day * DAY_SPAN + (hash % (STEPS_A_DAY * STEP_SPAN)), hash };
  }
  const step = Math.floor((seconds / DAY_SECONDS) * STEPS_A_DAY);
  return { key: day * DAY_SPAN + step * STEP_SPAN + (hash % STEP_SPAN), hash };
}

/** The key that a document is given at a try; the first is the wanted one. */
function keyAt({ key, hash }: Wanted, attempt: number): number {
  if (attempt < NEXT) return key + attempt;
  const day = Math.floor(key / DAY_SPAN);
  return day * DAY_SPAN + (((hash % DAY_SPAN) + attempt * SPREAD) % DAY_SPAN);
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
  const others: (Placed & { wanted: Wanted })[] = [];
  for (const document of documents) {
    const wanted = wantedKey(document, collection);
    const before = stored?.get(document.id);
    if (before !== undefined && mayHave(wanted, before)) placed.push({ key: before, document });
    else others.push({ key: wanted.key, document, wanted });
  }
  await moveToFree(index, others);
  return [...placed, ...others].sort((one, other) => one.key - other.key);
}

function mayHave(wanted: Wanted, key: number): boolean {
  for (let attempt = 0; attempt < TRIES; attempt++) if (keyAt(wanted, attempt) === key) return true;
  return false;
}

const READ_TAKEN = 'SELECT key FROM document WHERE key IN (SELECT value FROM json_each(?))';

/** Moves each document whose key is taken to one that is free. */
async function moveToFree(index: Database, documents: readonly (Placed & { wanted: Wanted })[]): Promise<void> {
  const given = new Set<number>();
  for (let [open, attempt] = [documents, 0]; open.length > 0; ) {
    const args = [JSON.stringify(open.map(({ key }) => key))];
    const rows = await index.read<{ key: number }>({ sql: READ_TAKEN, args });
    const taken = new Set(rows.map(({ key }) => key));
    const again: (typeof documents)[number][] = [];
    for (const one of open) {
      if (taken.has(one.key) || given.has(one.key)) again.push(one);
      else given.add(one.key);
    }
    attempt += 1;
    for (const one of again) one.key = keyAt(one.wanted, attempt);
    open = again;
  }
}
