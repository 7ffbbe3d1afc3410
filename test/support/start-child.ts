import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { scriptArguments } from './compiled.ts';
import { makeEnvironment } from './environment.ts';

/** What became of a child: exit code (null where it was killed), and everything it said. */
export interface Ended {
  code: number | null;
  said: string[];
  complained: string;
}

/** A process that has loaded its code and waits for one order. */
export interface Child {
  /** Sends the order, as one line of JSON. */
  begin(order: object): void;
  /** Its first line after the order, or undefined where it ended without. */
  ready: Promise<string | undefined>;
  /** Its lines so far. */
  heard: string[];
  ended: Promise<Ended>;
  kill(): void;
}

/** Starts one of the project's scripts (`jobs/main.ts`) as a Node process with these settings and no others; `under` is a command that runs it. */
export function startChild(
  script: string,
  settings: Record<string, string>,
  niceness = 0,
  under: readonly string[] = [],
): Child {
  const [command = process.execPath, ...before] = [...under, process.execPath];
  const child = spawn(command, [...before, ...scriptArguments(script)], {
    env: makeEnvironment(settings),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  if (child.pid && niceness > 0) setPriority(child.pid, niceness);
  const said: string[] = [];
  let complained = '';
  child.stderr.on('data', (bytes: Buffer) => {
    complained += bytes;
  });
  // A child that was killed while it was being told what to do has nothing to complain of.
  child.stdin.on('error', () => undefined);
  const lines = createInterface(child.stdout).on('line', (line) => said.push(line));
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    begin: (order) => void child.stdin.end(`${JSON.stringify(order)}\n`),
    ready: Promise.race([once(lines, 'line'), closed]).then(() => said[0]),
    heard: said,
    ended: closed.then(([code]) => ({ code, said, complained })),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Children of one kind, the next of which is loading its code while the one before works. */
export interface Crew {
  next(): Child;
  close(): Promise<void>;
}

export function makeCrew(start: () => Child): Crew {
  let waiting = start();
  return {
    next() {
      const child = waiting;
      waiting = start();
      return child;
    },
    async close() {
      waiting.kill();
      await waiting.ended;
    },
  };
}
