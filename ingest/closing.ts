import { isoInstant, londonDate, londonInstant } from '../schema/clocks.ts';
import type { Database } from '../schema/database.ts';

/** Whether a service that forbids us may be asked today. */
export interface Closing {
  /** @throws UpstreamClosed where nothing more is asked for now. */
  refuseIfClosed(): Promise<void>;
  /** Asks nothing more of it until the next London midnight, in any process. @throws UpstreamClosed always. */
  closeForToday(): Promise<never>;
}

/** A service that answered 403 again and again: going on would only make it worse. */
export class UpstreamClosed extends Error {
  override name = 'UpstreamClosed';
}

const HOUR_MS = 3_600_000;
const READ = 'SELECT next_at FROM limiter WHERE name = ? AND set_at <= ? AND next_at > ?';
const CLOSE = `INSERT INTO limiter (name, set_at, next_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET set_at = excluded.set_at, next_at = excluded.next_at`;

/** The closing of one source: a row beside the limiters', so that every process and every later run obeys it. */
export function makeClosing(catalogue: Database, wallNow: () => Date, source: { id: string; title: string }): Closing {
  const name = `closed:${source.id}`;
  const refuse = (untilMs: number): never => {
    const until = isoInstant(new Date(untilMs));
    throw new UpstreamClosed(`${source.title} forbade it again and again (403): nothing more is asked before ${until}`);
  };
  return {
    async refuseIfClosed() {
      const nowMs = wallNow().getTime();
      const [row] = await catalogue.read<{ next_at: number }>({ sql: READ, args: [name, nowMs, nowMs] });
      if (row) refuse(row.next_at);
    },
    async closeForToday() {
      const now = wallNow();
      const untilMs = nextLondonMidnight(now).getTime();
      await catalogue.write([{ sql: CLOSE, args: [name, now.getTime(), untilMs] }]);
      return refuse(untilMs);
    },
  };
}

function nextLondonMidnight(now: Date): Date {
  const noon = londonInstant(`${londonDate(now)}T12:00:00`);
  return londonInstant(`${londonDate(new Date(noon.getTime() + 24 * HOUR_MS))}T00:00:00`);
}
