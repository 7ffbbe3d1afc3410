import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { scriptArguments } from '../support/compiled.ts';
import { makeEnvironment } from '../support/environment.ts';

/** A process of the service on one of the machines, which can be killed and started again with the same settings. */
export interface MachineProcess {
  /** Its standard output and error since its last start. */
  said(): string;
  kill(): Promise<void>;
  /** Kills the processes that it started for searches, and returns how many there were. */
  killSearchReaders(): Promise<number>;
  /** Suspends the process that keeps the machine's copy of the catalogue, where it started it, or lets it continue. */
  signalCopy(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Waits until it answers. @throws Error with its output if it ends instead. */
  start(): Promise<void>;
  /** Waits until it ends by itself. Resolves with its exit code. */
  ended(): Promise<number | null>;
}

/** The log line of a process that is ready. */
const READY = { api: /"msg":"answering"/, jobs: /"private":"http/, index: /"private":"http/ };

/** One of the processes of a machine, not yet started; `index` is of jobs and fills the machine's search index alone. */
export function makeProcess(kind: keyof typeof READY, given: Record<string, string>): MachineProcess {
  const script = kind === 'api' ? 'api/main.ts' : 'jobs/main.ts';
  const settings = kind === 'index' ? { ...given, JOBS_ROLES: 'index' } : given;
  let child: ChildProcess | undefined;
  let said = '';
  return {
    said: () => said,
    async start() {
      said = '';
      const started = spawn(process.execPath, scriptArguments(script), {
        env: makeEnvironment(settings),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      await new Promise<void>((resolve, reject) => {
        const hear = (bytes: Buffer) => {
          said += bytes;
          if (READY[kind].test(said)) resolve();
        };
        started.stdout.on('data', hear);
        started.stderr.on('data', hear);
        started.once('close', (code) => reject(new Error(`the ${kind} process ended with ${code}: ${said}`)));
      });
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    },
    async killSearchReaders() {
      const readers = await findDescendants(child?.pid ?? -1, /embedded\/reader\.[jt]s/);
      for (const pid of readers) process.kill(pid, 'SIGKILL');
      return readers.length;
    },
    async signalCopy(signal) {
      for (const pid of await findDescendants(child?.pid ?? -1, /replica\/process\.[jt]s/)) process.kill(pid, signal);
    },
    async ended() {
      if (!child || child.exitCode !== null) return child?.exitCode ?? null;
      const [code] = await once(child, 'close');
      return code as number | null;
    },
  };
}

/** Processes started by one, directly or not, whose command line matches; none where the system has no `/proc`. */
async function findDescendants(parent: number, wanted: RegExp): Promise<number[]> {
  const all = await Promise.all(
    (existsSync('/proc') ? await readdir('/proc') : []).filter((name) => /^\d+$/.test(name)).map(readProcess),
  );
  const found: number[] = [];
  for (let parents = [parent]; parents.length > 0; ) {
    const children = all.filter((one) => one && parents.includes(one.parent)).flatMap((one) => one ?? []);
    found.push(...children.filter(({ command }) => wanted.test(command)).map(({ pid }) => pid));
    parents = children.map(({ pid }) => pid);
  }
  return found;
}

/** A process by its number; null where it has ended. */
async function readProcess(pid: string): Promise<{ pid: number; parent: number; command: string } | null> {
  try {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    // The name of the program, in brackets, may contain anything.
    const parent = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { pid: Number(pid), parent, command: command ?? '' };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
