import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { scriptArguments } from '../support/compiled.ts';
import { makeEnvironment } from '../support/environment.ts';

/** A process of the service on one of the machines, which can be killed and started again with the same settings. */
export interface MachineProcess {
  /** Everything it wrote to standard output and error since its last start. */
  said(): string;
  kill(): Promise<void>;
  /** Waits until it answers. @throws Error with what it said where it ends instead. */
  start(): Promise<void>;
  /** Waits until it ends by itself. Answers with its exit code. */
  ended(): Promise<number | null>;
}

/** What a process logs once it can be asked. */
const READY = { api: /"msg":"answering"/, jobs: /"private":"http/ };

/** One of the two processes, not yet started. */
export function makeProcess(kind: 'api' | 'jobs', settings: Record<string, string>): MachineProcess {
  let child: ChildProcess | undefined;
  let said = '';
  return {
    said: () => said,
    async start() {
      said = '';
      const started = spawn(process.execPath, scriptArguments(`${kind}/main.ts`), {
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
    async ended() {
      if (!child || child.exitCode !== null) return child?.exitCode ?? null;
      const [code] = await once(child, 'close');
      return code as number | null;
    },
  };
}
