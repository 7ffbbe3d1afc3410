import { randomUUID } from 'node:crypto';
import { abortWith, isoInstant } from '../../schema/config/clocks.ts';
import { BatchRefused, type Database, isPassing, SERVER_NOW, type Statement } from '../../schema/db/interface.ts';

/** Proof that only this process may do the named job, until it expires or is released. */
interface Lease {
  name: string;
  token: string;
}

/** Another process holds the lease; the job runs there. */
interface NotAcquired {
  acquired: false;
  holder: string;
  /** When its lease ends unless renewed, which a killed holder does not do. ISO 8601 instant, UTC; null where it has just ended. */
  until: string | null;
}

/** What a job did, or which process already runs it. */
export type Done<T> = { acquired: true; result: T } | NotAcquired;

/** Who holds a lease, and until when, in words. */
export function describeHolder({ holder, until }: Pick<NotAcquired, 'holder' | 'until'>): string {
  return until ? `${holder}, whose lease ends at ${until} unless it is renewed` : holder;
}

/** The lease went to another process while the job ran: its later batches are refused. */
class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** What a job works under: the first statement of each of its batches, and the signal to stop. */
export interface Holding {
  fence: Statement;
  signal: AbortSignal;
}

interface LeaseOptions {
  /** Who asks, for an operator to read. */
  holder: string;
  /** Milliseconds that a lease lives without a heartbeat; after that a killed holder's job may start again. */
  ttlMs?: number;
  /** Stops the job for another reason, such as the end of the process. */
  signal?: AbortSignal | undefined;
}

const TTL_MS = 30_000;
const HEARTBEATS_PER_TTL = 3;
/** A lease that ends later than any can is left from a clock that was set back since: it is free. */
const LONGEST_MS = 600_000;
/** Whether a row of `lease` is held, as SQL. By the database's own clock, so that processes on several machines agree. */
export const IS_HELD = `expires_at BETWEEN ${SERVER_NOW} + 1 AND ${SERVER_NOW} + ${LONGEST_MS}`;
/** Whether the process of a row of `run` holds the lease of its job, as SQL: a killed one leaves its row marked as running. */
export const IS_AT_WORK = `EXISTS (SELECT 1 FROM lease WHERE name IN (run.job, run.job || ':' || run.source) AND ${IS_HELD})`;

const ACQUIRE = `INSERT INTO lease (name, token, holder, expires_at) VALUES (?, ?, ?, ${SERVER_NOW} + ?)
  ON CONFLICT (name) DO UPDATE SET token = excluded.token, holder = excluded.holder, expires_at = excluded.expires_at
  WHERE NOT (lease.${IS_HELD}) RETURNING token`;
const RENEW = `UPDATE lease SET expires_at = ${SERVER_NOW} + ? WHERE name = ? AND token = ? RETURNING token`;
const RELEASE = 'DELETE FROM lease WHERE name = ? AND token = ?';
/** Only the token counts: another holder changes it. A clock that jumps forward does not end the holder's batch. */
const FENCE = `INSERT INTO fence (ok) SELECT CASE WHEN EXISTS
  (SELECT 1 FROM lease WHERE name = ? AND token = ?) THEN 1 ELSE 0 END`;

/** What it means to an operator that the fence refused a batch. */
const REFUSAL = 'lease lost: another process has taken the work over, or the database was restored';
/** Whether the fence refused a batch, in the words of its trigger. A guard is refused in the same words, for another reason. */
const isRefused = (error: unknown) =>
  error instanceof Error && /lease lost$/.test(error.message) && !(error instanceof BatchRefused);

/**
 * Takes the lease if it is free or has expired. If several processes try at once, one gets it. Null where another process
 * has it.
 */
export async function acquireLease(database: Database, name: string, options: LeaseOptions): Promise<Lease | null> {
  const token = randomUUID();
  const [outcome] = await database.write([
    { sql: ACQUIRE, args: [name, token, options.holder, options.ttlMs ?? TTL_MS] },
  ]);
  return outcome?.rows.length ? { name, token } : null;
}

/** Heartbeat. False when another process has taken the lease since; an expired lease that nobody took is renewed. */
export async function renewLease(database: Database, lease: Lease, ttlMs = TTL_MS): Promise<boolean> {
  const [outcome] = await database.write([{ sql: RENEW, args: [ttlMs, lease.name, lease.token] }]);
  return Boolean(outcome?.rows.length);
}

/** Releases the lease, if it is still ours. */
export async function releaseLease(database: Database, lease: Lease): Promise<void> {
  await database.write([{ sql: RELEASE, args: [lease.name, lease.token] }]);
}

/** The first statement of every batch of a leased job: it aborts the batch (`lease lost`) when the lease is no longer ours. */
export function fenceStatement(lease: Lease): Statement {
  return { sql: FENCE, args: [lease.name, lease.token] };
}

/** Who holds a lease now and until when, or null where it is free. */
export async function readHolder(database: Database, name: string): Promise<{ holder: string; until: string } | null> {
  const [row] = await database.read<{ holder: string; expires_at: number }>({
    sql: `SELECT holder, expires_at FROM lease WHERE name = ? AND ${IS_HELD}`,
    args: [name],
  });
  return row ? { holder: row.holder, until: isoInstant(new Date(row.expires_at)) } : null;
}

/**
 * Does `work` under a lease that heartbeats renew, or returns the process that holds the lease. The signal aborts if the
 * lease is lost, and the fence refuses any batch that `work` still writes. @throws LeaseLost then
 */
export async function withLease<T>(
  database: Database,
  name: string,
  options: LeaseOptions,
  work: (holding: Holding) => Promise<T>,
): Promise<Done<T>> {
  const lease = await acquireLease(database, name, options);
  if (!lease)
    return { acquired: false, ...((await readHolder(database, name)) ?? { holder: 'another process', until: null }) };
  const ttlMs = options.ttlMs ?? TTL_MS;
  const lost = new AbortController();
  const endAborting = abortWith(lost, options.signal);
  const heart = setInterval(() => beat(database, lease, ttlMs, lost), ttlMs / HEARTBEATS_PER_TTL);
  try {
    return { acquired: true, result: await work({ fence: fenceStatement(lease), signal: lost.signal }) };
  } catch (error) {
    throw isRefused(error) ? new LeaseLost(REFUSAL, { cause: error }) : error;
  } finally {
    endAborting();
    clearInterval(heart);
    await letGo(database, lease);
  }
}

/** Releases the lease; if the database cannot be written just now, the lease expires by itself. */
async function letGo(database: Database, lease: Lease): Promise<void> {
  try {
    await releaseLease(database, lease);
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
}

async function beat(database: Database, lease: Lease, ttlMs: number, lost: AbortController): Promise<void> {
  try {
    if (await renewLease(database, lease, ttlMs)) return;
    lost.abort(new LeaseLost(`the lease ${lease.name} went to another process`));
  } catch (error) {
    // A database that is busy or away does not prove a loss: the next heartbeat tries again, and the fence judges every batch.
    if (!isPassing(error)) lost.abort(error);
  }
}
