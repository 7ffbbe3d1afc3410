import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { succession } from '../../schema/catalogue/tables/successions.ts';
import type { Database, SqlValue, Statement } from '../../schema/db/interface.ts';
import type { IngestContext } from '../context.ts';
import { fenceOf } from '../runs/record.ts';
import { type FoundSuccession, findSuccessions } from './find.ts';
import { readPurchases } from './read.ts';

/** Rises with every change to the rules: all buyers are then compared again. */
const EDITION = 6;
const META_ROW = 'succession';
/** Rows read at a time to find the buyers that they name. */
const PAGE_ROWS = 5_000;

/** Procurements compared before yielding to other work: a few milliseconds. */
const STEPS_AT_ONCE = 50;

/** Tables from whose rows successions are found. */
const FOLLOWED = ['process', 'notice', 'contract', 'framework'] as const;
type Followed = (typeof FOLLOWED)[number];

/** The position in each table: `seq` and id of the last row examined. */
interface Position {
  edition: number;
  rows: Record<Followed, [seq: number, id: string]>;
}

/** The result of a run. */
export interface FollowedBuyers {
  /** Buyers whose purchases were compared. */
  buyers: number;
  /** Rows written or removed. */
  changed: number;
}

type Following = Pick<IngestContext, 'catalogue' | 'fence'>;

/**
 * Brings `succession` up to date with every row that changed since the last run. A buyer with any change is compared
 * completely, so the result follows from its rows alone, whatever came first. May be interrupted anywhere and repeated.
 */
export async function followSuccessions(context: Following, signal?: AbortSignal): Promise<FollowedBuyers> {
  const { catalogue } = context;
  const before = fenceOf(context);
  const position = await readPosition(catalogue);
  const buyers = new Set<string>();
  const next = structuredClone(position.rows);
  for (const table of FOLLOWED)
    next[table] = await collectBuyers(catalogue, table, position.rows[table], buyers, signal);
  let changed = 0;
  for (const buyerId of [...buyers].toSorted()) {
    signal?.throwIfAborted();
    const statements = await compareBuyer(catalogue, buyerId);
    if (statements.length > 0) await catalogue.write([...before, ...statements]);
    changed += statements.length;
    await yieldToEventLoop();
  }
  if (JSON.stringify(next) !== JSON.stringify(position.rows) || buyers.size > 0)
    await catalogue.write([...before, positionStatement({ edition: EDITION, rows: next })]);
  return { buyers: buyers.size, changed };
}

async function readPosition(catalogue: Database): Promise<Position> {
  const [row] = await catalogue.read<{ value: string }>({
    sql: 'SELECT value FROM meta WHERE name = ?',
    args: [META_ROW],
  });
  const position = row && (JSON.parse(row.value) as Position);
  if (position?.edition === EDITION) return position;
  return { edition: EDITION, rows: { process: [-1, ''], notice: [-1, ''], contract: [-1, ''], framework: [-1, ''] } };
}

function positionStatement(position: Position): Statement {
  return { sql: 'INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', args: [META_ROW, JSON.stringify(position)] };
}

/** Buyers with a succession that a row is part of, even if the row now names another buyer. */
const FORMER = {
  process: 'SELECT DISTINCT buyer_id FROM succession WHERE process_id IN (SELECT value FROM json_each(?))',
  contract: 'SELECT DISTINCT buyer_id FROM succession WHERE contract_id IN (SELECT value FROM json_each(?))',
} as const;

/** Adds the present and former buyers of the rows after a position; returns the new position. */
async function collectBuyers(
  catalogue: Database,
  table: Followed,
  from: [number, string],
  buyers: Set<string>,
  signal: AbortSignal | undefined,
): Promise<[number, string]> {
  const sql = `SELECT seq, id, buyer_id FROM ${table} WHERE (seq, id) > (?, ?) ORDER BY seq, id LIMIT ${PAGE_ROWS}`;
  for (let at = from; ; ) {
    signal?.throwIfAborted();
    const rows = await catalogue.read<{ seq: number; id: string; buyer_id: string | null }>({ sql, args: at });
    const last = rows.at(-1);
    if (!last) return at;
    for (const { buyer_id } of rows) if (buyer_id !== null) buyers.add(buyer_id);
    if (table === 'process' || table === 'contract') {
      const args = [JSON.stringify(rows.map(({ id }) => id))];
      const former = await catalogue.read<{ buyer_id: string }>({ sql: FORMER[table], args });
      for (const { buyer_id } of former) buyers.add(buyer_id);
    }
    at = [last.seq, last.id];
    await yieldToEventLoop();
  }
}

const STORED = 'SELECT process_id, contract_id, method, score, evidence FROM succession WHERE buyer_id = ?';
const STORE = `INSERT OR REPLACE INTO succession (process_id, contract_id, buyer_id, method, score, evidence)
  VALUES (?, ?, ?, ?, ?, ?)`;
/** A pair that now belongs to another buyer is left to that buyer. */
const DROP = 'DELETE FROM succession WHERE process_id = ? AND contract_id = ? AND buyer_id = ?';

type Stored = Omit<typeof succession.$inferSelect, 'buyer_id'>;

/** The successions of a buyer to write and to remove. */
async function compareBuyer(catalogue: Database, buyerId: string): Promise<Statement[]> {
  const found = await runYielding(findSuccessions(await readPurchases(catalogue, buyerId)));
  const stored = await catalogue.read<Stored>({ sql: STORED, args: [buyerId] });
  const storedByKey = new Map(stored.map((row) => [`${row.process_id} ${row.contract_id}`, row]));
  const statements: Statement[] = [];
  for (const one of found) {
    const key = `${one.processId} ${one.contractId}`;
    const args = valuesOf(one, buyerId);
    const row = storedByKey.get(key);
    storedByKey.delete(key);
    if (!row || row.method !== one.method || row.score !== one.score || row.evidence !== args[5])
      statements.push({ sql: STORE, args });
  }
  for (const { process_id, contract_id } of storedByKey.values())
    statements.push({ sql: DROP, args: [process_id, contract_id, buyerId] });
  return statements;
}

/** Runs a long computation to its result in steps, so that the lease's heartbeat can run. */
async function runYielding<T>(steps: Generator<undefined, T>): Promise<T> {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (count % STEPS_AT_ONCE === 0) await yieldToEventLoop();
  }
}

function valuesOf({ processId, contractId, method, score, evidence }: FoundSuccession, buyerId: string): SqlValue[] {
  return [processId, contractId, buyerId, method, score, JSON.stringify(evidence)];
}
