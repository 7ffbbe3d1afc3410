import { BatchRefused, type Database, type Statement } from '../../schema/db/interface.ts';

/** Batches that overtake one another more often than this are no accident. */
const MOST_TRIES = 50;

const READ_TURN: Statement = { sql: "SELECT value FROM counter WHERE name = 'compile'" };
const NEXT_TURN: Statement = { sql: "UPDATE counter SET value = value + 1 WHERE name = 'compile'" };
/** A second row of that name is refused by its primary key, and the batch with it. */
const REFUSE_UNLESS =
  "INSERT INTO counter (name, value) SELECT 'compile', 0 WHERE NOT EXISTS (SELECT 1 FROM counter WHERE name = 'compile' AND value = ?)";

/** A batch made from what the catalogue held. */
export interface Made<T> {
  /** First in the batch: the lease's fence. */
  before: readonly Statement[];
  statements: readonly Statement[];
  /** Whether anything was compiled; a batch of nothing new takes no turn. */
  compiled: boolean;
  result: T;
}

/**
 * Writes a batch that was compiled from rows read before it, and only if no other such batch was written in between:
 * two sources share buyers, suppliers and totals, and one would undo what the other found. If overtaken, it is compiled again.
 * @throws what `make` and `catalogue.write` throw.
 */
export async function writeOptimistically<T>(catalogue: Database, make: () => Promise<Made<T>>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const [turn] = await catalogue.read<{ value: number }>(READ_TURN);
    const { before, statements, compiled, result } = await make();
    const guard = compiled ? [{ sql: REFUSE_UNLESS, args: [turn?.value ?? 0], guard: true as const }, NEXT_TURN] : [];
    try {
      await catalogue.write([...before, ...guard, ...statements]);
      return result;
    } catch (error) {
      if (!(error instanceof BatchRefused) || tries === MOST_TRIES) throw error;
    }
  }
}
