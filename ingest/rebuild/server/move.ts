import type { Database } from '../../../schema/db/interface.ts';
import { HELD_BY } from '../../../schema/db/moved.ts';
import type { RebuildProgress } from '../generation.ts';
import { type Filled, type LeaseArgs, RebuildOvertaken, takeOverStatements } from '../move.ts';
import { readFilledTables } from '../tables.ts';
import { watchChanges } from './changes.ts';
import { type Hold, holdStill } from './hold.ts';
import { findUnequal, sendAll, sendChanges } from './send.ts';
import { addTriggers, finishTarget, prepareTarget } from './target.ts';

interface ServerMove {
  /** The server that the catalogue is on, and the one that it moves to. */
  old: Database;
  next: Database;
  /** The address of the latter, as every machine may use it. */
  address: string;
  lease: LeaseArgs;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RebuildProgress) => void) | undefined;
}

/** The old server is held still only once fewer rows than this remain. */
const FEW_ROWS = 2_000;
/** Steps of a move, for progress reports: the server is held still, the rest is caught up with, sent, and the successor named. */
const MOVE_STEPS = 3;
/** How often new rows are caught up with before that. */
const TRIES_MAX = 20;
const HELD_BY_WHOM = `SELECT value FROM live.meta WHERE name = '${HELD_BY}'`;

/**
 * Moves a catalogue to another server. It sends what was built, catches up, and holds the old server still for the last
 * changes. Then one batch there names the successor. A kill before that batch leaves everything where it was.
 * @throws TargetInUse, RebuildOvertaken; Error `lease lost` if another process is rebuilding by now
 */
export async function moveServer(filled: Filled, move: ServerMove): Promise<void> {
  const { built, catchUp } = filled;
  const { old, next, signal } = move;
  await prepareTarget(next, old);
  await watchChanges(built);
  await sendAll(built, next, { signal, onRows: countSent(move, await countRows(built)) });
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    await catchUp();
    if ((await sendChanges(built, next, { signal })) < FEW_ROWS) break;
  }
  const report = (done: number) => move.onProgress?.({ stage: 'moving', done, total: MOVE_STEPS });
  report(0);
  const hold = await holdStill(old, move.lease);
  try {
    await finish(filled, move, hold, report);
  } finally {
    await hold.end();
  }
  report(MOVE_STEPS);
  await finishTarget(next);
}

/** The last changes, while nobody writes to the old server. */
async function finish(
  { built, catchUp, reached }: Filled,
  move: ServerMove,
  hold: Hold,
  report: (done: number) => void,
): Promise<void> {
  const { next, address } = move;
  const signal = move.signal ? AbortSignal.any([move.signal, hold.signal]) : hold.signal;
  // Once the copy shows that the server is held still, it has everything written before.
  for (let isHeld = false; !isHeld; ) {
    signal.throwIfAborted();
    await catchUp();
    const [by] = await built.read<{ value: string }>({ sql: HELD_BY_WHOM });
    isHeld = by?.value === hold.token;
  }
  report(1);
  await built.write(await takeOverStatements(built, reached));
  await sendChanges(built, next, { signal });
  const unequal = await findUnequal(built, next);
  if (unequal.length > 0)
    throw new RebuildOvertaken(`nothing was moved, as something else writes there: ${unequal.join(', ')}`);
  await addTriggers(built, next);
  report(2);
  signal.throwIfAborted();
  await hold.succeed(address);
}

async function countRows(built: Database): Promise<number> {
  let rows = 0;
  for (const table of await readFilledTables(built)) {
    const [row] = await built.read<{ rows: number }>({ sql: `SELECT count(*) AS rows FROM "${table}"` });
    rows += row?.rows ?? 0;
  }
  return rows;
}

function countSent({ onProgress }: ServerMove, total: number): (rows: number) => void {
  let done = 0;
  onProgress?.({ stage: 'sending', done, total });
  return (rows) => {
    done += rows;
    onProgress?.({ stage: 'sending', done, total });
  };
}
