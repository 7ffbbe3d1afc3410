import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readSettings } from '../schema/config/settings.ts';
import { extension } from '../schema/process/child.ts';
import { END_SIGNALS } from '../schema/process/end-signals.ts';
import { ANSWERING_HEAP } from '../schema/process/heap.ts';
import { requireContact } from './process/require-contact.ts';
import { enter } from './startup/front-door.ts';

/** The production start: jobs (which migrates) and the API as two processes that live and end together. */
await enter(process.env, async () => {
  const settings = readSettings(process.env);
  if (settings.JOBS_ENABLED && settings.JOBS_ROLES === 'all') requireContact(settings);
  process.exitCode = await runTogether({ './main': [], '../api/main': ANSWERING_HEAP });
});

/** Starts the modules as processes, each with its options of Node. When one ends, or on a signal, the others are asked to end. Returns the exit code. */
async function runTogether(modules: Readonly<Record<string, readonly string[]>>): Promise<number> {
  const children = Object.entries(modules).map(([module, options]) =>
    fork(fileURLToPath(new URL(module + extension(), import.meta.url)), {
      execArgv: [...process.execArgv, ...options],
    }),
  );
  const stopAll = (signal: NodeJS.Signals) => {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  };
  for (const signal of END_SIGNALS) process.on(signal, stopAll);
  const ends = children.map(async (child) => {
    const code = await untilEnded(child);
    stopAll('SIGTERM');
    return code;
  });
  const first = await Promise.race(ends);
  const codes = await Promise.all(ends);
  return first || codes.find((code) => code !== 0) || 0;
}

function untilEnded(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    // If a process is asked to end before it is ready to, the signal itself ends it.
    child.once('exit', (code, signal) => resolve(code ?? (END_SIGNALS.some((end) => end === signal) ? 0 : 1)));
  });
}
