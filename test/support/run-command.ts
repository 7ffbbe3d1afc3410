import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { makeProgram } from '../../jobs/cli/program.ts';
import type { Cli } from '../../jobs/cli/shared/command.ts';
import { describeFault, exitCodeOf } from '../../jobs/startup/front-door.ts';
import { readSettings } from '../../schema/config/settings.ts';
import { scriptArguments } from './compiled.ts';
import { makeEnvironment } from './environment.ts';

export interface CliAnswer {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one operator's command as a separate process. */
export function runCli(environment: Record<string, string>, ...args: string[]): Promise<CliAnswer> {
  return runCliWith('', environment, ...args);
}

/** The same, with a text on its standard input. */
export async function runCliWith(
  input: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<CliAnswer> {
  const child = spawn(process.execPath, [...scriptArguments('jobs/cli/main.ts'), ...args], {
    env: makeEnvironment(environment),
  });
  child.stdin.on('error', () => undefined).end(input);
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

/** The same in this process, without the cost of starting one: for commands with valid arguments. */
export async function runHere(environment: Record<string, string>, ...args: string[]): Promise<CliAnswer> {
  const answer: CliAnswer = { code: 0, stdout: '', stderr: '' };
  const cli: Cli = {
    settings: () => readSettings(environment),
    out: (line) => {
      answer.stdout += `${line}\n`;
    },
    isTty: false,
  };
  const program = await makeProgram(cli, args);
  listen(program, (text) => {
    answer.stderr += text;
  });
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    answer.code = exitCodeOf(error);
    const said = describeFault(error);
    answer.stderr += said && `${said}\n`;
  });
  return answer;
}

/** Collects the output of the command-line library. */
function listen(command: Command, writeErr: (text: string) => void): void {
  command.configureOutput({ writeErr, writeOut: () => undefined });
  for (const inner of command.commands) listen(inner, writeErr);
}
