import processes from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCompiled } from '../compiled.ts';
import { ROOT } from '../source-files.ts';

const mark = Symbol.for('forks compiled scripts');
const { fork } = processes;

/** Runs the compiled form of a script of this project, so that no process of a test compiles TypeScript as it starts. */
function forkCompiled(script: URL | string, args: string[], options: processes.ForkOptions): processes.ChildProcess {
  const path = typeof script === 'string' ? script : fileURLToPath(script);
  const compiled = path.startsWith(ROOT + sep) ? findCompiled(relative(ROOT, path)) : undefined;
  return compiled ? fork(compiled, args, { ...options, execArgv: [] }) : fork(script, args, options);
}

// One worker runs many test files, and this file before each of them.
if (!(mark in fork)) {
  processes.fork = Object.assign(forkCompiled, { [mark]: true }) as unknown as typeof fork;
  syncBuiltinESMExports();
}
