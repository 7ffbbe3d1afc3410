import { putBackTakedowns, readRecords, type TakedownRecord } from '../../ingest/takedown/record.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import { readFirst, type Statement } from '../../schema/db/interface.ts';
import { compareText } from '../../schema/text/ids.ts';
import type { JobsServices } from '../process/services.ts';

const NAME = 'takedowns';
const READ = `SELECT value FROM installation WHERE name = '${NAME}'`;
/** Those of the accounts that a backup replaced: a catalogue of the same time holds again what they removed. */
const READ_BEFORE = "SELECT value FROM installation WHERE name = 'takedowns_before'";
const FORGET_BEFORE = "DELETE FROM installation WHERE name = 'takedowns_before'";
const KEEP = `INSERT INTO installation (name, value, set_at) VALUES ('${NAME}', ?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, set_at = excluded.set_at`;

/**
 * Gives each database the takedowns that only the other one records. That other one was restored from a backup or, if it is the
 * catalogue, filled again by ingest: it may hold what was taken down, so such takedowns are pending again. One that was lifted in
 * either stays lifted.
 * @param before first in the catalogue's batch: the lease's fence
 */
export async function keepTakedowns(
  { accounts, catalogue, clocks }: Pick<JobsServices, 'accounts' | 'catalogue' | 'clocks'>,
  before: readonly Statement[] = [],
): Promise<void> {
  const now = clocks.wallNow();
  const { all, lost, again, isKept } = await compareTakedowns({ accounts, catalogue });
  // The catalogue first: until the accounts have them too, the same are found again.
  if (lost.length + again.length > 0) await putBackTakedowns(catalogue, lost, { again, now, before });
  if (!isKept)
    await accounts.write([{ sql: KEEP, args: [JSON.stringify(all), isoInstant(now)] }, { sql: FORGET_BEFORE }]);
}

/** What both databases record together, what the catalogue lacks of it, and the ids that are to be carried out again. */
export async function compareTakedowns({ accounts, catalogue }: Pick<JobsServices, 'accounts' | 'catalogue'>) {
  const stored = await readRecords(catalogue);
  const row = await readFirst<{ value: string }>(accounts, { sql: READ });
  // Accounts of an earlier version keep no takedowns, which does not show that they were restored.
  const kept = row ? (JSON.parse(row.value) as TakedownRecord[]) : stored;
  const before = await readFirst<{ value: string }>(accounts, { sql: READ_BEFORE });
  const all = mergeRecords([...stored, ...kept, ...(JSON.parse(before?.value ?? '[]') as TakedownRecord[])]);
  const lost = all.filter((one) => !stored.some(({ id, lifted_at }) => id === one.id && lifted_at === one.lifted_at));
  const isIn = (records: readonly TakedownRecord[], id: string) => records.some((one) => one.id === id);
  const active = all.filter(({ lifted_at }) => lifted_at === null).map(({ id }) => id);
  const again = active.filter((id) => !isIn(stored, id) || !isIn(kept, id));
  return { all, lost, again, isKept: JSON.stringify(all) === row?.value && !before };
}

function mergeRecords(records: readonly TakedownRecord[]): TakedownRecord[] {
  const merged = new Map<string, TakedownRecord>();
  for (const one of records) if (one.lifted_at !== null || !merged.has(one.id)) merged.set(one.id, one);
  return [...merged.values()].sort((a, b) => compareText(`${a.taken_at} ${a.id}`, `${b.taken_at} ${b.id}`));
}
