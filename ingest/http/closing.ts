import { isoInstant, londonDate, londonInstant } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';

/** Whether a service that forbids us may be asked today. */
export interface Closing {
  /** Whether it is closed and may be tried all the same: by hand, once. @throws UpstreamClosed where it may not. */
  isOnTrial(): Promise<boolean>;
  /** Asks nothing more of it until the next London midnight, in any process. @throws UpstreamClosed always. */
  closeForToday(): Promise<never>;
  /** It answered: it is asked again. */
  open(): Promise<void>;
}

/** A service that answered 403 again and again: going on would only make it worse. */
class UpstreamClosed extends Error {
  override name = 'UpstreamClosed';
}

const HOUR_MS = 3_600_000;
const READ = 'SELECT next_at FROM limiter WHERE name = ? AND set_at <= ? AND next_at > ?';
const CLOSE = `INSERT INTO limiter (name, set_at, next_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET set_at = excluded.set_at, next_at = excluded.next_at`;
const OPEN = 'DELETE FROM limiter WHERE name = ?';

const nameOf = (sourceId: string) => `closed:${sourceId}`;

/** Until when nothing is asked of a source, or null where it is open. */
export async function readClosedUntil(catalogue: Database, sourceId: string, now: Date): Promise<Date | null> {
  const args = [nameOf(sourceId), now.getTime(), now.getTime()];
  const [row] = await catalogue.read<{ next_at: number }>({ sql: READ, args });
  return row ? new Date(row.next_at) : null;
}

/** Lets a closed source be asked again. */
export async function reopen(catalogue: Database, sourceId: string): Promise<void> {
  await catalogue.write([{ sql: OPEN, args: [nameOf(sourceId)] }]);
}

interface ClosingOptions {
  wallNow(): Date;
  /** Whether a person asks, who may try a closed source once. */
  byHand: boolean;
}

/** The closing of one source: a row in the limiters' table, which every process and every later run obeys. */
export function makeClosing(
  catalogue: Database,
  { wallNow, byHand }: ClosingOptions,
  source: { id: string; cliName: string; title: string },
): Closing {
  let isTried = false;
  const refuse = (until: Date): never => {
    throw new UpstreamClosed(
      `${source.title} forbade it again and again (403): nothing more is asked before ${isoInstant(until)}, ` +
        `unless \`cli reopen ${source.cliName}\` opens it`,
    );
  };
  const readUntil = () => readClosedUntil(catalogue, source.id, wallNow());
  return {
    async isOnTrial() {
      const until = await readUntil();
      if (!until) return false;
      if (!byHand || isTried) refuse(until);
      isTried = true;
      return true;
    },
    async closeForToday() {
      const now = wallNow();
      const until = nextLondonMidnight(now);
      await catalogue.write([{ sql: CLOSE, args: [nameOf(source.id), now.getTime(), until.getTime()] }]);
      return refuse(until);
    },
    open: () => reopen(catalogue, source.id),
  };
}

function nextLondonMidnight(now: Date): Date {
  const noon = londonInstant(`${londonDate(now)}T12:00:00`);
  return londonInstant(`${londonDate(new Date(noon.getTime() + 24 * HOUR_MS))}T00:00:00`);
}
