import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';
import type { Settings } from '../../../schema/config/settings.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { ROOT } from '../../support/source-files.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

export const PROCESSES = 2;

/** One line of the log. */
interface Line {
  pid: number;
  msg: string;
  public?: string;
  private?: string;
  status?: number;
}

interface Launched {
  child: ChildProcess;
  lines: Line[];
  /** Processes that answer calls, those that ended included. */
  workers(): number[];
}

/** Several API processes that answer. */
export interface Running extends Launched {
  url: string;
  privateUrl: string;
}

/** Kills them, and waits for the end of all. */
export async function stopRunning(running: Launched): Promise<void> {
  if (running.child.exitCode === null) running.child.kill('SIGKILL');
  await vi.waitUntil(() => !running.workers().some(isAlive), LIMITS_MS.wait);
}

/** Starts the API as in production, with several processes. @param under - a command that runs it */
export function launchApi(
  { DATA_DIR, AS_OF, BASE_URL }: Settings,
  more: Record<string, string>,
  under: readonly string[],
): Launched {
  const settings = {
    DATA_DIR,
    AS_OF: AS_OF?.toISOString() ?? '',
    BASE_URL,
    API_PROCESSES: String(PROCESSES),
    ACCESS_LOG: 'on',
    KEY_REQUESTS_PER_MINUTE: '1000000',
    PORT: '0',
    PRIVATE_PORT: '0',
    DRAIN_SECONDS: '0',
    ...more,
  };
  const env = makeEnvironment(settings);
  const [program = '', ...words] = [...under, process.execPath, ...scriptArguments('api/main.ts')];
  const child = spawn(program, words, { cwd: ROOT, env });
  const lines: Line[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line) as Line));
  const workers = () => lines.filter(({ msg }) => msg === 'databases at this version').map(({ pid }) => pid);
  return { child, lines, workers };
}

/** Resolves once they answer. */
export async function untilAnswering(launched: Launched): Promise<Running> {
  const { lines } = launched;
  await vi.waitUntil(() => lines.some(({ msg }) => msg === 'answering'), LIMITS_MS.wait);
  const { public: url = '', private: privateUrl = '' } = lines.find(({ msg }) => msg === 'answering') ?? {};
  return { ...launched, url, privateUrl };
}

/** Whether a process has not ended. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Workers of a first process, those that do not answer yet included. */
export function findWorkers(primary = 0): number[] {
  return listProcesses()
    .filter(({ parent, args }) => parent === primary && /\bapi\/main\.[jt]s/.test(args))
    .map(({ pid }) => pid);
}

/** The processes of this machine: from Linux itself, which may lack `ps`, elsewhere from `ps`. */
function listProcesses(): { pid: number; parent: number; args: string }[] {
  if (existsSync('/proc/self/stat'))
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess);
  const listed = spawnSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' }).stdout;
  return [...listed.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, args = '']) => {
    return { pid: Number(pid), parent: Number(parent), args };
  });
}

/** One that has ended meanwhile is left out. */
function readProcess(pid: string) {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const [, parent] = /^.*\) . (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return [{ pid: Number(pid), parent: Number(parent), args }];
  } catch {
    return [];
  }
}
