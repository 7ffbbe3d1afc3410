import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { scriptArguments } from '../support/compiled.ts';
import { makeEnvironment } from '../support/environment.ts';
import { ROOT } from '../support/source-files.ts';

export interface RunningDemo {
  url: string;
  key: string;
  /** The printed commands, word for word. */
  commands: string[];
  output: string;
  /** Milliseconds from the start of the process to its welcome. */
  readyMs: number;
  /** Ctrl-C; returns the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Runs the demo as a separate process on any free port, and waits for its welcome: from TypeScript as a user does, or with
 * `compiled` from the test run's compiled project, which takes less time. @throws Error with what it printed.
 */
export async function startDemo(
  dataDir: string,
  more: { env?: Record<string, string>; compiled?: boolean } = {},
): Promise<RunningDemo> {
  const startedMs = performance.now();
  const script = more.compiled ? scriptArguments('test/demo.ts') : ['--import', 'tsx', 'test/demo.ts'];
  const child = spawn(process.execPath, script, {
    cwd: ROOT,
    env: makeEnvironment({ DATA_DIR: dataDir, PORT: '0', PRIVATE_PORT: '0', ...more.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = await readWelcome(child);
  const readyMs = performance.now() - startedMs;
  const url = /Ready in .*?: (http:\S+) /.exec(output)?.[1] ?? '';
  const key = /credits: (\S+)/.exec(output)?.[1] ?? '';
  const commands = output.split('\n').filter((line) => line.startsWith('curl '));
  return { url, key, commands, output, readyMs, stop: () => stopChild(child) };
}

function readWelcome(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const take = (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (output.includes('Ctrl-C stops it.')) resolve(output);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('exit', (code) => reject(new Error(`the demo ended with ${code}:\n${output}`)));
  });
}

async function stopChild(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const [code] = await ended;
  return code as number | null;
}
