import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../jobs/cli/main.ts', import.meta.url));

export interface CliAnswer {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one command of the operator's command line as a process of its own. */
export async function runCli(environment: Record<string, string>, ...args: string[]): Promise<CliAnswer> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: { ...process.env, ...environment },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    said.stdout += bytes;
  });
  child.stderr.on('data', (bytes: Buffer) => {
    said.stderr += bytes;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...said };
}
