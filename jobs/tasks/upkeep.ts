import { COUNT_QUARANTINED } from '../../ingest/runs/record.ts';
import { forgetStatements } from '../../schema/accounts/customer/erase.ts';
import { assertStore, StoreUnclaimed } from '../../schema/accounts/exports/mark.ts';
import { dropStagedStatement, rewriteStatement } from '../../schema/accounts/exports/states.ts';
import { StoreAway } from '../../schema/accounts/exports/storage.ts';
import { dropAnswers } from '../../schema/accounts/remembered-answers.ts';
import { forgetDeliveries } from '../../schema/accounts/watches/deliveries.ts';
import { dropFailedStatements } from '../../schema/accounts/watches/dropped.ts';
import { CHANGE_DAYS, removeOldChanges } from '../../schema/catalogue/changes/remove.ts';
import { QUARANTINE_DAYS } from '../../schema/catalogue/coverage.ts';
import { DAY_MS, HOUR_MS, isoInstant } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { IS_AT_WORK } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';

export interface UpkeepReport {
  exportsExpired: number;
  /** Finished exports whose file was lost, which are written again. */
  exportsRewritten: number;
  filesRemoved: number;
  answersDropped: number;
  quarantineExpired: number;
  contactsExpired: number;
  runsAbandoned: number;
  /** Expired entries of the change log. */
  changesRemoved: number;
}

const STAGED_MS = HOUR_MS;
/** Few enough that a debit hardly waits for such a batch. */
const KEYS_A_BATCH = 5_000;
/** Younger files that no export names may be of an export that is just being completed. */
const ORPHAN_MS = HOUR_MS;

/**
 * Marks runs that were killed as abandoned: they are marked as running although their job's lease is free.
 * @param of the job to look at, whose lease the caller holds; all jobs by default
 */
export function markAbandonedRuns(now: Date, of?: { job: string; source: string }): Statement {
  const set = "UPDATE run SET state = 'abandoned', ended_at = ?, error = 'the process ended before the run did'";
  const at = isoInstant(now);
  if (of) return { sql: `${set} WHERE state = 'running' AND job = ? AND source = ?`, args: [at, of.job, of.source] };
  return { sql: `${set} WHERE state = 'running' AND NOT ${IS_AT_WORK}`, args: [at] };
}

/**
 * Expires finished exports with their files, and requeues those whose file was lost. Drops expired answers and keys of free
 * calls; the keys of charges stay. Forgets people who never confirmed their address.
 */
export async function cleanAccounts(
  services: JobsServices,
  fence: Statement,
): Promise<Pick<UpkeepReport, 'exportsExpired' | 'exportsRewritten' | 'filesRemoved' | 'answersDropped'>> {
  const { clocks, accounts, settings } = services;
  const now = clocks.wallNow();
  // Preparing an export takes seconds, so one this old was abandoned.
  const abandoned = isoInstant(new Date(now.getTime() - STAGED_MS));
  const daysAgo = (days: number) => isoInstant(new Date(now.getTime() - days * DAY_MS));
  const [, expired] = await accounts.write([
    fence,
    {
      sql: "UPDATE export SET status = 'expired' WHERE status = 'completed' AND expires_at <= ?",
      args: [isoInstant(now)],
    },
    { sql: FIRST_KEYS, args: [abandoned] },
    ...forgetStatements(now),
    // Deliveries that receivers never accepted; what could never be sent is refunded.
    ...dropFailedStatements(daysAgo(settings.WATCH_BODY_DAYS), isoInstant(now)),
  ]);
  await forgetDeliveries(accounts, {
    bodies: daysAgo(settings.WATCH_BODY_DAYS),
    items: daysAgo(CHANGE_DAYS),
    fence,
  });
  const answersDropped = await dropAnswers(accounts, {
    nowMs: now.getTime(),
    megabytes: settings.REMEMBERED_ANSWERS_MB,
    fence,
  });
  const bodiesDropped = await writeInBatches(accounts, fence, formerBodies(now));
  await writeInBatches(accounts, fence, rowKeys(abandoned));
  await accounts.write([fence, dropStagedStatement(abandoned)]);
  await writeInBatches(accounts, fence, freeKeys(now));
  const files = await compareFiles(services, fence);
  return {
    exportsExpired: expired?.changes ?? 0,
    ...files,
    answersDropped: answersDropped + bodiesDropped,
  };
}

/** Drops expired quarantined bytes (the row and its reason stay) and contacts, and marks abandoned runs. */
export async function cleanCatalogue(
  { clocks, catalogue, settings }: JobsServices,
  fence: Statement,
): Promise<Pick<UpkeepReport, 'quarantineExpired' | 'contactsExpired' | 'runsAbandoned' | 'changesRemoved'>> {
  const now = clocks.wallNow();
  const oldest = isoInstant(new Date(now.getTime() - QUARANTINE_DAYS * DAY_MS));
  const [, quarantine, , contacts, runs] = await catalogue.write([
    fence,
    {
      sql: "UPDATE quarantine SET bytes = NULL, state = 'expired' WHERE state = 'held' AND last_seen_at < ?",
      args: [oldest],
    },
    COUNT_QUARANTINED,
    // By the catalogue's clock, like live tenders. If the setting keeps no contacts, all are deleted.
    {
      sql: 'DELETE FROM contact WHERE ? OR expires_at <= ?',
      args: [settings.KEEP_CONTACTS === 'none' ? 1 : 0, isoInstant(clocks.catalogueNow())],
    },
    markAbandonedRuns(now),
  ]);
  return {
    quarantineExpired: quarantine?.changes ?? 0,
    contactsExpired: contacts?.changes ?? 0,
    runsAbandoned: runs?.changes ?? 0,
    changesRemoved: await removeOldChanges(catalogue, now, [fence]),
  };
}

/** An export that was staged before an instant can no longer be paid for without its first key. */
const FIRST_KEYS = `DELETE FROM export_row WHERE position = 0 AND export_id IN (
  SELECT id FROM export WHERE status = 'staged' AND created_at < ?)`;

/** The row keys of an export stay as long as its file, so that the files with a withdrawn row can be found. */
const rowKeys = (abandoned: string): Statement => ({
  sql: `DELETE FROM export_row WHERE rowid IN (SELECT r.rowid FROM export_row r JOIN export e ON e.id = r.export_id
    WHERE e.status IN ('expired', 'failed') OR (e.status = 'staged' AND e.created_at < ?) LIMIT ${KEYS_A_BATCH})`,
  args: [abandoned],
});

/** The keys of charged calls stay for ever. Those of free calls expire, or an account could fill the disk without paying. */
const freeKeys = (now: Date): Statement => ({
  sql: `DELETE FROM idempotency WHERE rowid IN (SELECT rowid FROM idempotency
    WHERE state = 'free' AND expires_at <= ? LIMIT ${KEYS_A_BATCH})`,
  args: [now.getTime()],
});

/** Answers that an earlier version stored with their keys. */
const formerBodies = (now: Date): Statement => ({
  sql: `UPDATE idempotency SET body = NULL WHERE rowid IN (SELECT rowid FROM idempotency
    WHERE body IS NOT NULL AND expires_at <= ? LIMIT ${KEYS_A_BATCH})`,
  args: [now.getTime()],
});

/** Repeats a statement that changes one batch of keys until nothing is left, with a commit for each. Returns how many it changed. */
async function writeInBatches(accounts: Database, fence: Statement, statement: Statement): Promise<number> {
  let changed = 0;
  for (let last = KEYS_A_BATCH; last === KEYS_A_BATCH; changed += last) {
    const [, outcome] = await accounts.write([fence, statement]);
    last = outcome?.changes ?? 0;
  }
  return changed;
}

/** Removes files that no export names. Exports whose file is missing or incomplete are written again. */
async function compareFiles(
  services: JobsServices,
  fence: Statement,
): Promise<Pick<UpkeepReport, 'exportsRewritten' | 'filesRemoved'>> {
  const { accounts, exports, log } = services;
  try {
    // If this were not the store of the writers, every file would count as lost.
    await assertStore(accounts, exports);
    return await compareEach(services, fence);
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    // At the very first start the writer claims it at the same moment, or logs why it cannot.
    if (!(error instanceof StoreUnclaimed))
      log.error({ err: error }, 'the files of exports are not checked, as their store does not answer');
    return { exportsRewritten: 0, filesRemoved: 0 };
  }
}

async function compareEach(
  { exports, clocks, accounts, log }: JobsServices,
  fence: Statement,
): Promise<Pick<UpkeepReport, 'exportsRewritten' | 'filesRemoved'>> {
  const kept = await accounts.read<{ id: string; file: string; bytes: number }>({
    sql: "SELECT id, file, bytes FROM export WHERE status = 'completed' AND file IS NOT NULL",
  });
  const named = new Set(kept.map(({ file }) => file));
  // Listed after reading the exports, so that one completed in between does not count as lost.
  const listed = await exports.list();
  const now = clocks.wallNow();
  const orphans = listed.filter(
    ({ file, changedAt }) => !named.has(file) && now.getTime() - changedAt.getTime() >= ORPHAN_MS,
  );
  for (const { file } of orphans) await exports.remove(file);
  const sizes = new Map(listed.map(({ file, bytes }) => [file, bytes]));
  const lost = kept.filter(({ file, bytes }) => sizes.get(file) !== bytes);
  for (const row of lost) {
    await accounts.write([fence, rewriteStatement(row, isoInstant(now))]);
    log.warn({ export: row.id, file: row.file }, 'the file of a finished export is lost; it is written again');
  }
  return { exportsRewritten: lost.length, filesRemoved: orphans.length };
}
