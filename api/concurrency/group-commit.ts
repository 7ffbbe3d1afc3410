import { setTimeout as pause } from 'node:timers/promises';
import {
  type Database,
  DatabaseBusy,
  isPassing,
  type Outcome,
  OutcomeUnknown,
  type Statement,
} from '../../schema/db/interface.ts';

/** Statements of one commit: enough to share a disk sync widely, few enough that none waits long. */
const GROUP_MAX = 256;

/** Milliseconds before each retry of a commit that the database server did not confirm. */
const AGAIN_MS = [20, 100, 500];

export interface Committer {
  /** Commits statements together with those of every other waiting call. Resolves once they are durable. */
  commit(statements: readonly Statement[]): Promise<Outcome[]>;
  /** Resolves when nothing is waiting any more. */
  drain(): Promise<void>;
}

interface Waiting {
  statements: readonly Statement[];
  resolve(outcomes: Outcome[]): void;
  reject(error: unknown): void;
}

/**
 * Gathers the writes of one turn of the event loop into one durable batch. Each caller's statements must be conditional
 * on its own rows and repeatable: where a batch fails as a whole, its members are tried alone, so that one cannot harm the others.
 */
export function makeCommitter(accounts: Database, onGroup: (size: number) => void = () => undefined): Committer {
  let queue: Waiting[] = [];
  let running: Promise<void> | null = null;

  const run = async () => {
    await nextTurn();
    while (queue.length > 0) {
      const group = queue.slice(0, GROUP_MAX);
      queue = queue.slice(GROUP_MAX);
      onGroup(group.length);
      await commitGroup(accounts, group);
    }
    running = null;
  };

  return {
    commit(statements) {
      return new Promise((resolve, reject) => {
        queue.push({ statements, resolve, reject });
        running ??= run();
      });
    },
    async drain() {
      while (running) await running;
    },
  };
}

async function commitGroup(accounts: Database, group: Waiting[]): Promise<void> {
  try {
    const outcomes = await writeSurely(
      accounts,
      group.flatMap(({ statements }) => statements),
    );
    let from = 0;
    for (const { statements, resolve } of group) {
      resolve(outcomes.slice(from, from + statements.length));
      from += statements.length;
    }
  } catch (error) {
    if (isPassing(error) || group.length === 1) for (const { reject } of group) reject(error);
    else for (const member of group) await commitGroup(accounts, [member]);
  }
}

/**
 * Writes, and repeats the write where the server was away or did not confirm it: every statement here is repeatable.
 * @throws OutcomeUnknown where one of the tries may have been written; DatabaseAway or DatabaseBusy where none was.
 */
async function writeSurely(accounts: Database, statements: readonly Statement[]): Promise<Outcome[]> {
  let unsure: OutcomeUnknown | undefined;
  for (let tries = 0; ; tries++) {
    try {
      return await accounts.write(statements);
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (error instanceof OutcomeUnknown) unsure = error;
      const waitMs = AGAIN_MS[tries];
      if (waitMs === undefined || error instanceof DatabaseBusy) throw unsure ?? error;
      await pause(waitMs);
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
