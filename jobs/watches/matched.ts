import { bringItemsBack } from '../../schema/accounts/watches/delivered.ts';
import { AFTER_ALL } from '../../schema/accounts/watches/outbox.ts';
import { readInstantOf, readSeqBefore } from '../../schema/catalogue/changes/read.ts';
import { type Database, readFirst, type Statement } from '../../schema/db/interface.ts';

/** A batch of the catalogue. */
interface Batch {
  seq: number;
  /** When it was committed, in seconds since 1970; null where that is not known. */
  at: number | null;
}

interface Databases {
  accounts: Database;
  catalogue: Database;
}

const NAME = 'matched';
const READ = `SELECT value FROM installation WHERE name = '${NAME}'`;
const SET = `INSERT INTO installation (name, value, set_at) VALUES ('${NAME}', ?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, set_at = excluded.set_at WHERE value <> excluded.value`;
const BRING_BACK = `UPDATE watch SET position = ?1, position_id = '${AFTER_ALL}' WHERE position > ?1`;

/**
 * Before watches are told of batches up to a `seq`: records it, and moves back those watches that are ahead because the catalogue was
 * restored to an older state. Those deliver what came since. @param now ISO 8601 instant, UTC
 */
export async function recordMatched(
  databases: Databases,
  head: number,
  { fence, now }: { fence: Statement; now: string },
): Promise<void> {
  const { accounts } = databases;
  const matched = await readMatched(accounts);
  const continued = matched ? await findContinued(databases.catalogue, matched, head) : head;
  const batch: Batch = { seq: head, at: await readInstantOf(databases.catalogue, head) };
  if (matched && continued < matched.seq) await bringItemsBack(accounts, continued, fence);
  // Last: if the process is killed before this, the next run brings all of them back.
  const record = { sql: SET, args: [JSON.stringify(batch), now] };
  await accounts.write([fence, { sql: BRING_BACK, args: [continued] }, record]);
}

/** The last batch that watches may have been told of; undefined before the first. */
async function readMatched(accounts: Database): Promise<Batch | undefined> {
  const row = await readFirst<{ value: string }>(accounts, { sql: READ });
  return row && (JSON.parse(row.value) as Batch);
}

/**
 * The last `seq` up to which the catalogue has the batches that watches were matched with: its head, unless it was restored
 * since. Then its later batches have the numbers of lost ones, and no watch was matched with them.
 */
async function findContinued(catalogue: Database, { seq, at }: Batch, head: number): Promise<number> {
  if (at === null || (seq <= head && (await readInstantOf(catalogue, seq)) === at)) return head;
  return Math.min(head, await readSeqBefore(catalogue, new Date((at + 1) * 1_000)));
}
