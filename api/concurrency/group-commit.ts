import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  type Database,
  DatabaseBusy,
  isPassing,
  type Outcome,
  OutcomeUnknown,
  type Statement,
} from '../../schema/db/interface.ts';

/** The most calls in one commit: enough to share a disk sync, few enough that none waits long. */
const GROUP_MAX = 256;
/** The most bytes of their remembered answers: a libSQL server closes a WebSocket that brings it 16 MB at once. */
const GROUP_BYTES = 2_000_000;

/**
 * A commit costs as much processor time as dozens of its debits. So where a thread or a server makes it and several calls come
 * at once, the next commit waits until as many calls are waiting again, for this many milliseconds at most: callers who have
 * just had their answers are about to call again. At 1,000 calls a second it halves the commits, for a third less processor
 * time a call.
 */
const GATHERING_MS = 2;

/** Milliseconds before each retry of a commit that the database server did not confirm. */
const AGAIN_MS = [20, 100, 500];
/** A server that takes this long to confirm a commit hangs: a retry would only make its callers wait for another deadline. */
const HANGS_MS = 5_000;

/**
 * Returns the few statements that write the rows of many calls, and the function that reads each row's result, in their order,
 * from the outcomes. The statements must be repeatable for the same rows in the same order. Grouped with others, a row could be
 * written twice. So rows that may have been written are never grouped in another way.
 */
export type Grouping<Row, Result> = (rows: readonly Row[]) => {
  statements: readonly Statement[];
  results(outcomes: readonly Outcome[]): Result[];
};

export interface Committer {
  /** Commits statements together with those of every other waiting call. Resolves once they are durable. */
  commit(statements: readonly Statement[]): Promise<Outcome[]>;
  /** The same for a row that is written together with those of other calls, after their statements. @param bytes - of the answer in it */
  commitRow<Row, Result>(grouping: Grouping<Row, Result>, row: Row, bytes?: number): Promise<Result>;
  /** Resolves when nothing is waiting any more. */
  drain(): Promise<void>;
}

type Written = Pick<Database, 'write' | 'writesApart'>;
type Rows = Grouping<unknown, unknown>;

/** What one call writes: its own statements, or a row. */
export interface Write {
  statements: readonly Statement[];
  grouped?: { grouping: Rows; row: unknown; bytes: number } | undefined;
}

/** Writes what many calls wait for. Returns the result of each: the outcomes of its statements, or the result of its row. */
export type WriteGroup = (writes: readonly Write[]) => Promise<PromiseSettledResult<unknown>[]>;

interface Waiting extends Write {
  resolve(written: unknown): void;
  reject(error: unknown): void;
}

/**
 * Groups the writes of one turn of the event loop into one durable batch. Each caller's statements must be repeatable and
 * conditional on its own rows. If nothing of a batch was written, its members are tried one by one, so that none can harm the
 * others. @param writeGroup - writes a group elsewhere; by default it is a batch of `accounts`
 */
export function makeCommitter(
  accounts: Written,
  onGroup: (size: number) => void = () => undefined,
  writeGroup: WriteGroup = (writes) => writeTogether(accounts, writes),
): Committer {
  const queue: Waiting[] = [];
  let running: Promise<void> | null = null;
  let onArrival: () => void = () => undefined;

  const gather = (most: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHERING_MS);
      onArrival = () => {
        if (queue.length < Math.min(most, GROUP_MAX)) return;
        clearTimeout(timer);
        resolve();
      };
      onArrival();
    });

  const run = async () => {
    await yieldToEventLoop();
    while (queue.length > 0) {
      const group = queue.splice(0, groupSize(queue));
      onGroup(group.length);
      await settle(group, writeGroup);
      const atOnce = group.length + queue.length;
      if (accounts.writesApart && atOnce > 1) await gather(atOnce);
    }
    running = null;
  };

  const wait = <T>(statements: readonly Statement[], grouped?: Write['grouped']): Promise<T> =>
    new Promise<unknown>((resolve, reject) => {
      queue.push({ statements, grouped, resolve, reject });
      running ??= run();
      onArrival();
    }) as Promise<T>;

  return {
    commit: (statements) => wait(statements),
    commitRow: (grouping, row, bytes = 0) => wait([], { grouping: grouping as Rows, row, bytes }),
    async drain() {
      while (running) await running;
    },
  };
}

async function settle(group: readonly Waiting[], writeGroup: WriteGroup): Promise<void> {
  try {
    for (const [place, one] of (await writeGroup(group)).entries()) {
      if (one.status === 'fulfilled') group[place]?.resolve(one.value);
      else group[place]?.reject(one.reason);
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

/** How many of the first may be written together. */
function groupSize(waiting: readonly Write[]): number {
  const most = Math.min(waiting.length, GROUP_MAX);
  let bytes = 0;
  for (let size = 0; size < most; size++) {
    bytes += bytesOf(waiting[size] as Write);
    if (bytes > GROUP_BYTES) return Math.max(1, size);
  }
  return most;
}

/** Bytes of the answer that is stored with a call, in its row or in its own statements. */
function bytesOf({ statements, grouped }: Write): number {
  let bytes = grouped?.bytes ?? 0;
  for (const { args = [] } of statements) for (const arg of args) if (arg instanceof Uint8Array) bytes += arg.length;
  return bytes;
}

async function writeTogether(accounts: Written, writes: readonly Write[]): Promise<PromiseSettledResult<unknown>[]> {
  let parts: Part[];
  let outcomes: Outcome[];
  try {
    parts = toParts(writes);
    outcomes = await writeSurely(
      accounts,
      parts.flatMap(({ statements }) => statements),
    );
  } catch (error) {
    // Where they may have been written, each alone might be charged a second time.
    if (isPassing(error) || writes.length === 1) return writes.map(() => ({ status: 'rejected', reason: error }));
    const alone: PromiseSettledResult<unknown>[] = [];
    for (const write of writes) alone.push(...(await writeTogether(accounts, [write])));
    return alone;
  }
  const settled: PromiseSettledResult<unknown>[] = new Array(writes.length);
  let from = 0;
  for (const { statements, places, results } of parts) {
    const own = outcomes.slice(from, from + statements.length);
    for (const [index, one] of settleAll(places, () => results(own)).entries()) settled[places[index] as number] = one;
    from += statements.length;
  }
  return settled;
}

/** Passes on the results of the writes at some places. These are committed, so an error in reading a result concerns that write alone. */
function settleAll(places: readonly number[], read: () => readonly unknown[]): PromiseSettledResult<unknown>[] {
  try {
    const values = read();
    return places.map((_, index) => ({ status: 'fulfilled', value: values[index] }));
  } catch (reason) {
    return places.map(() => ({ status: 'rejected', reason }));
  }
}

/** Statements of a batch, and the places of the writes whose results they give. */
interface Part extends ReturnType<Rows> {
  places: number[];
}

/** The statements of each call that has its own, then those of the rows that are grouped. */
function toParts(writes: readonly Write[]): Part[] {
  const parts: Part[] = [];
  const grouped = new Map<Rows, number[]>();
  for (const [place, { statements, grouped: one }] of writes.entries()) {
    const places = one && grouped.get(one.grouping);
    if (places) places.push(place);
    else if (one) grouped.set(one.grouping, [place]);
    else parts.push({ statements, places: [place], results: (outcomes) => [outcomes] });
  }
  for (const [grouping, places] of grouped)
    parts.push({ ...grouping(places.map((place) => writes[place]?.grouped?.row)), places });
  return parts;
}

/**
 * Writes, and retries if the server was away or failed to confirm the write within `HANGS_MS`: the batch as a whole is repeatable.
 * @throws OutcomeUnknown where one of the tries may have been written, whatever became of the others; where none was, the last error
 */
async function writeSurely(accounts: Written, statements: readonly Statement[]): Promise<Outcome[]> {
  const hangsAt = performance.now() + HANGS_MS;
  let unsure: OutcomeUnknown | undefined;
  for (let tries = 0; ; tries++) {
    try {
      return await accounts.write(statements);
    } catch (error) {
      if (error instanceof OutcomeUnknown) unsure = error;
      const waitMs = performance.now() < hangsAt ? AGAIN_MS[tries] : undefined;
      if (waitMs === undefined || !isPassing(error) || error instanceof DatabaseBusy) throw unsure ?? error;
      await pause(waitMs);
    }
  }
}
