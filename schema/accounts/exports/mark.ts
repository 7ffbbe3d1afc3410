import { randomBytes } from 'node:crypto';
import type { Database, Statement } from '../../db/interface.ts';
import { inTime } from '../../process/in-time.ts';
import { type ExportStorage, StoreAway } from './storage.ts';

const MARK_BYTES = 9;
/** How long the result of a check of the store is kept: where it found no fault, and where it found one. */
const SEEN_MS = 30_000;
const UNSEEN_MS = 3_000;
/** The longest that a caller waits, whether a customer or a load balancer. */
const LOOK_MS = 2_000;

const KNOWN = 'SELECT mark, place, turn FROM export_store ORDER BY turn DESC';

interface Known {
  mark: string;
  place: string;
  /** The current store has the highest; 0 until the mark has been written there. */
  turn: number;
}

/** Where exports are written to; undefined before the first claim. */
const currentOf = (known: readonly Known[]) => known.find(({ turn }) => turn > 0);

/**
 * Makes a store the current one for exports, by recording its existing mark or a new one. If a process does not find that
 * mark in its store, it has a different store. Returns where exports were written before, if that was elsewhere.
 * @param options `before`: statements that must come first; `isAgain`: this process claimed the store before,
 * and repeats the claim only if the mark was lost
 * @throws StoreAway if the store does not answer, or has the mark of another installation
 */
export async function claimStore(
  accounts: Database,
  storage: ExportStorage,
  { at, before = [], isAgain = false }: { at: string; before?: readonly Statement[]; isAgain?: boolean },
): Promise<string | null> {
  const known = await accounts.read<Known>({ sql: KNOWN });
  const current = currentOf(known);
  const found = await storage.readMark();
  if (isForeign(known, storage, found)) throw new StoreAway(describeForeign(storage));
  const begun = known.find(({ turn, place }) => turn === 0 && place === storage.place)?.mark;
  if (found !== undefined && found !== begun && (isAgain || found === current?.mark)) return null;
  const record = (mark: string, turn: string) =>
    accounts.write([...before, { sql: recordSql(turn), args: [mark, storage.place, at] }]);
  const mark = found ?? begun ?? randomBytes(MARK_BYTES).toString('base64url');
  if (found === undefined) {
    // Recorded first: if this process ended in between, its own mark would pass for another installation's.
    if (!begun) await record(mark, '0');
    await storage.writeMark(mark);
  }
  await record(mark, '(SELECT coalesce(max(turn), 0) + 1 FROM export_store)');
  return current && current.place !== storage.place ? current.place : null;
}

const recordSql = (turn: string) => `INSERT INTO export_store (mark, turn, place, claimed_at) VALUES (?, ${turn}, ?, ?)
  ON CONFLICT (mark) DO UPDATE SET turn = excluded.turn, place = excluded.place, claimed_at = excluded.claimed_at`;

/** A folder lies with the databases. A bucket may belong to another installation, and upkeep would remove that one's files. */
function isForeign(known: readonly Known[], { isShared }: ExportStorage, found: string | undefined): boolean {
  return isShared && found !== undefined && !known.some(({ mark }) => mark === found);
}

function describeForeign({ place }: ExportStorage): string {
  return `${place} holds the exports of another installation: give EXPORTS_URL a prefix of its own in every process, or remove the object store-mark there if that installation is gone`;
}

/**
 * Why this process cannot see the exports that jobs write, as a sentence for an operator. Null where it can, and for a folder
 * where jobs have not yet recorded where they write.
 */
export async function findStoreFault(accounts: Database, storage: ExportStorage): Promise<string | null> {
  try {
    await assertStore(accounts, storage);
    return null;
  } catch (error) {
    return `exports: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function describeOther(current: Known, storage: ExportStorage, found: string | undefined): string {
  const isSame = current.place === storage.place;
  if (isSame && found === undefined)
    return `${storage.place} has lost what was in it, or is another store of that name; jobs that see the same use it again within a minute`;
  return `jobs write them to ${isSame ? `another ${current.place}` : current.place}, this process looks at ${storage.place}: set the same EXPORTS_URL for both, or share that folder`;
}

/** A store that jobs have not yet claimed, as before the first start of jobs: no file was written there. */
export class StoreUnclaimed extends StoreAway {}

/**
 * Checks that this is the store that exports are written to, before a missing file counts as lost.
 * @throws StoreUnclaimed for a bucket before the first claim, StoreAway for any other fault
 */
export async function assertStore(accounts: Database, storage: ExportStorage): Promise<void> {
  // The mark first: a claim makes a store the current one after it has written its mark there.
  const found = await storage.readMark();
  const known = await accounts.read<Known>({ sql: KNOWN });
  const current = currentOf(known);
  if (isForeign(known, storage, found)) {
    const isElsewhere = current !== undefined && current.place !== storage.place;
    throw new StoreAway(`${describeForeign(storage)}${isElsewhere ? ` (jobs last wrote to ${current.place})` : ''}`);
  }
  if (!current && storage.isShared) throw new StoreUnclaimed(`jobs have not claimed ${storage.place} yet`);
  if (current && found !== current.mark) throw new StoreAway(describeOther(current, storage, found));
}

/** The same check as `findStoreFault`, made at most every few seconds and answered within two: the fault in words, or null. */
export function makeStoreWatch(accounts: Database, storage: ExportStorage): () => Promise<string | null> {
  let last: { fault: string | null; untilMs: number } | undefined;
  let running: Promise<string | null> | undefined;
  const look = async () => {
    const fault = await findStoreFault(accounts, storage);
    last = { fault, untilMs: performance.now() + (fault === null ? SEEN_MS : UNSEEN_MS) };
    return fault;
  };
  return async () => {
    if (last && performance.now() < last.untilMs) return last.fault;
    running ??= look().finally(() => {
      running = undefined;
    });
    return inTime(
      LOOK_MS,
      running,
      `exports: no answer within ${LOOK_MS / 1_000} s from ${storage.place}, or from the accounts about it`,
    );
  };
}
