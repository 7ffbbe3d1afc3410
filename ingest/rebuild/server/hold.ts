import { randomUUID } from 'node:crypto';
import { BatchRefused, type Database, isPassing, SERVER_NOW, type Statement } from '../../../schema/db/interface.ts';
import { HELD_BY, HELD_UNTIL, MOVING, readSuccessor } from '../../../schema/db/moved.ts';
import { type LeaseArgs, RebuildOvertaken } from '../move.ts';
import { readFilledTables } from '../tables.ts';

/** How long a catalogue server is held still, unless renewed; after a kill it continues by itself. */
const HOLD_MS = 20_000;
const AGAIN_MS = 5_000;
/** A move that takes longer is given up. */
const MS_MAX = 300_000;
const TOO_LONG = 'the move took too long; nothing was moved, rebuild again';

const FENCE = `INSERT INTO fence (ok) SELECT CASE WHEN EXISTS
  (SELECT 1 FROM lease WHERE name = ? AND token = ?) THEN 1 ELSE 0 END`;
const OWN_ROWS = `('${HELD_BY}', '${HELD_UNTIL}', 'successor')`;
const IS_HELD = `EXISTS (SELECT 1 FROM meta WHERE name = '${HELD_UNTIL}' AND CAST(value AS INTEGER) > ${SERVER_NOW})`;
const WAS_SUCCEEDED = "EXISTS (SELECT 1 FROM meta WHERE name = 'successor')";
const WAS_MINE = `EXISTS (SELECT 1 FROM meta WHERE name = '${HELD_BY}' AND value = ?)`;
const IS_MINE = `${IS_HELD} AND ${WAS_MINE}`;
const SET = `INSERT OR REPLACE INTO meta (name, value) VALUES ('${HELD_BY}', ?), ('${HELD_UNTIL}', ${SERVER_NOW} + ${HOLD_MS})`;
const PROLONG = `UPDATE meta SET value = ${SERVER_NOW} + ${HOLD_MS} WHERE name = '${HELD_UNTIL}' AND ${IS_MINE}`;
const END = `UPDATE meta SET value = 0 WHERE name = '${HELD_UNTIL}'`;

/** A catalogue server that takes no writes for a while: writers wait. */
export interface Hold {
  /** Stored in `meta` on the server while it is held: a copy that has it has everything before it. */
  token: string;
  /** Aborted when the server may be written again. */
  signal: AbortSignal;
  /** Names the successor, which ends every write for good, in one batch. @throws RebuildOvertaken where it was no longer held */
  succeed(address: string): Promise<void>;
  /** Allows writes again, unless it has a successor or another rebuild holds it by now. */
  end(): Promise<void>;
}

/**
 * Holds a catalogue server still, under the lease of a rebuild. Ends by itself when this process does: the triggers that refuse
 * writes check the server's clock. @throws Error `lease lost` where another process is rebuilding by now.
 */
export async function holdStill(old: Database, lease: LeaseArgs): Promise<Hold> {
  const token = randomUUID();
  const tables = await readFilledTables(old);
  await old.write([{ sql: FENCE, args: lease }, ...tables.flatMap(refusals), { sql: SET, args: [token] }]);
  const lost = new AbortController();
  let isSucceeded = false;
  const startedMs = performance.now();
  const prolong = async () => {
    try {
      const [done] = await old.write([{ sql: PROLONG, args: [token] }]);
      if (!done?.changes) lost.abort(new RebuildOvertaken(TOO_LONG));
    } catch (error) {
      // The batch that names the successor checks that it is still held.
      if (!isPassing(error)) lost.abort(error);
    }
  };
  const beating = setInterval(() => {
    if (performance.now() - startedMs < MS_MAX) void prolong();
  }, AGAIN_MS);
  return {
    token,
    signal: lost.signal,
    async succeed(address) {
      clearInterval(beating);
      await nameSuccessor(old, token, address);
      isSucceeded = true;
    },
    async end() {
      clearInterval(beating);
      if (isSucceeded) return;
      const mayEnd = refuseUnless(`NOT ${WAS_SUCCEEDED} AND ${WAS_MINE}`, token);
      await old.write([mayEnd, { sql: END }, ...tables.flatMap(dropRefusals)]).catch((error: unknown) => {
        if (!(error instanceof BatchRefused)) throw error;
      });
    },
  };
}

/** Refuses its batch unless a condition about the token of a hold is met. */
function refuseUnless(condition: string, token: string): Statement {
  return { sql: `INSERT INTO fence (ok) SELECT CASE WHEN ${condition} THEN 1 ELSE 0 END`, args: [token], guard: true };
}

async function nameSuccessor(old: Database, token: string, address: string): Promise<void> {
  try {
    await old.write([
      refuseUnless(IS_MINE, token),
      { sql: "INSERT INTO meta (name, value) VALUES ('successor', ?)", args: [address] },
    ]);
  } catch (error) {
    // A batch that was not confirmed was repeated.
    if ((await readSuccessor(old)) === address) return;
    if (error instanceof BatchRefused) throw new RebuildOvertaken(TOO_LONG, { cause: error });
    throw error;
  }
}

const EVENTS = ['INSERT', 'UPDATE', 'DELETE'] as const;
const nameOf = (table: string, event: string) => `"moving_${table}_${event.toLowerCase()}"`;

/** Triggers that refuse writes while the server is held, and for good once it has a successor. */
function refusals(table: string): Statement[] {
  return EVENTS.map((event) => {
    const row = event === 'DELETE' ? 'OLD' : 'NEW';
    const held = table === 'meta' ? `${IS_HELD} AND ${row}.name NOT IN ${OWN_ROWS}` : IS_HELD;
    return {
      sql: `CREATE TRIGGER IF NOT EXISTS ${nameOf(table, event)} BEFORE ${event} ON "${table}" WHEN ${WAS_SUCCEEDED} OR ${held}
        BEGIN SELECT RAISE(ABORT, '${MOVING}'); END`,
    };
  });
}

function dropRefusals(table: string): Statement[] {
  return EVENTS.map((event) => ({ sql: `DROP TRIGGER IF EXISTS ${nameOf(table, event)}` }));
}
