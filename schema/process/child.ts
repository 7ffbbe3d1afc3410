import { type ChildProcess, fork, type SerializationType } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A new process has to start, and under tsx to compile, before its first answer counts. */
const START_MS = 15_000;
const STOP_MS = 1_000;
const ENDED = 'lost its worker process';
const UNSTARTED = 'could not start a worker process';

/** An answer from a worker, with the number of its question. */
export interface Numbered {
  id: number;
}

/** One worker process. It answers one question at a time. */
export interface WorkerProcess<A extends Numbered> {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  current: { id: number; resolve(answer: A): void; reject(error: Error): void } | undefined;
  /** Whether it has reported that it is ready. */
  started: boolean;
  /** Whether this process ended it. */
  stopping: boolean;
  ended: boolean;
}

/** The process ended while it had a question, or before it was ready for one. Another may answer it. */
export class WorkerEnded extends Error {
  override name = 'WorkerEnded';
  /** Whether it ever ran: one that did not proves nothing about its question. */
  readonly started: boolean;

  constructor(message: string, started: boolean) {
    super(message);
    this.started = started;
  }
}

/** The deadline of a question passed; its process was killed. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed';
}

let lastId = 0;

/** How a process is started. */
export interface StartOptions {
  /** How questions and answers are sent: as JSON, or as the structured clone that also takes bytes (`advanced`). */
  serialization?: SerializationType | undefined;
  /** Further options of Node. */
  nodeArguments?: readonly string[] | undefined;
  /** Whether it has a lower priority than other processes. */
  givesWay?: boolean;
}

/** Starts a process that answers questions. It ends with this process, or on request. */
export function startWorker<A extends Numbered>(
  script: URL,
  args: readonly string[],
  { serialization = 'json', nodeArguments = [], givesWay = false }: StartOptions = {},
): WorkerProcess<A> {
  const child = fork(script, [...args], {
    execArgv: [...loaderArguments(), ...nodeArguments],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization,
  });
  if (givesWay && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const worker: WorkerProcess<A> = {
    child,
    ready: awaitReady(child),
    current: undefined,
    started: false,
    stopping: false,
    ended: false,
  };
  // A caller receives a failed start through `ready`; it is handled here in case nobody is calling.
  worker.ready.then(
    () => {
      worker.started = true;
    },
    () => end(worker),
  );
  child.on('message', (answer: A) => {
    const { current } = worker;
    if (current?.id !== answer.id) return;
    worker.current = undefined;
    current.resolve(answer);
  });
  child.on('exit', (code, signal) => {
    if (!worker.stopping) warnOfEnd(script, signal ?? `exit code ${code}`);
    end(worker);
  });
  child.on('error', () => end(worker));
  // A worker alone keeps no process alive: a front door that forgot to close it still ends.
  child.unref();
  child.channel?.unref();
  return worker;
}

/**
 * Asks a worker that has no question. @throws DeadlinePassed (the process was killed), WorkerEnded where the process died over
 * it.
 */
export async function askWorker<A extends Numbered>(
  worker: WorkerProcess<A>,
  question: object,
  deadlineMs: number,
): Promise<A> {
  await worker.ready;
  if (worker.ended) throw new WorkerEnded(ENDED, worker.started);
  const id = ++lastId;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<A>((resolve, reject) => {
      worker.current = { id, resolve, reject };
      timer = afterHearing(deadlineMs, () => {
        if (worker.current?.id !== id) return;
        kill(worker);
        reject(new DeadlinePassed(`gave no answer within ${deadlineMs} ms`));
      });
      worker.child.send({ ...question, id }, (error) => {
        if (error) end(worker);
      });
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Releases a worker and waits for its end; one that does not end is killed. */
export async function stopWorker<A extends Numbered>(worker: WorkerProcess<A>): Promise<void> {
  if (worker.child.exitCode !== null || worker.child.signalCode !== null) return;
  worker.stopping = true;
  const gone = new Promise<void>((resolve) => worker.child.once('exit', () => resolve()));
  const timer = setTimeout(() => worker.child.kill('SIGKILL'), STOP_MS);
  // One that is still starting has nothing to finish.
  if (!worker.started) worker.child.kill('SIGKILL');
  else if (worker.child.connected) worker.child.disconnect();
  worker.child.ref();
  await gone;
  clearTimeout(timer);
}

function kill<A extends Numbered>(worker: WorkerProcess<A>): void {
  worker.stopping = true;
  worker.ended = true;
  worker.current = undefined;
  worker.child.kill('SIGKILL');
}

function end<A extends Numbered>(worker: WorkerProcess<A>): void {
  worker.ended = true;
  const { current } = worker;
  worker.current = undefined;
  current?.reject(new WorkerEnded(ENDED, worker.started));
}

/** Another process takes its place, so without this line nobody would learn that one was killed for its memory, or crashed. */
function warnOfEnd(script: URL, how: string): void {
  const name = script.pathname.split('/').slice(-3).join('/');
  process.emitWarning(`the process of ${name} ended by itself: ${how}`, 'WorkerEnded');
}

/** A timer that first lets messages in: a process that was busy for so long itself has not read them yet. */
function afterHearing(ms: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), ms);
}

function awaitReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const timer = afterHearing(START_MS, () => {
      if (settled) return;
      child.kill('SIGKILL');
      reject(new WorkerEnded(UNSTARTED, false));
    });
    const settle = (finish: () => void) => () => {
      settled = true;
      clearTimeout(timer);
      finish();
    };
    child.once('message', settle(resolve));
    child.once(
      'exit',
      settle(() => reject(new WorkerEnded(UNSTARTED, false))),
    );
    child.once(
      'error',
      settle(() => reject(new WorkerEnded(UNSTARTED, false))),
    );
  });
}

/**
 * For processes that work through releases, on Node 20: a later one refuses to start with it. V8 compiles a function for speed
 * once it has run this much of its code, in bytes. At the usual 67,584 it compiles some 2,000 functions in the first 10,000
 * releases: a quarter of all processor time. At a million its own thread takes a tenth more (20,000 generated releases).
 */
export const LATE_OPTIMISING = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=300000'] : [];

/** The extension of the running files: `.ts` from the sources, `.js` once compiled. */
export function extension(): string {
  return import.meta.url.endsWith('.ts') ? '.ts' : '.js';
}

/** Compiled code needs nothing; TypeScript needs the loader of this process, or the one it may run under. */
export function loaderArguments(): string[] {
  if (extension() === '.js') return [];
  return ['--import', import.meta.resolve('tsx')];
}

/** Compiled code needs nothing; for TypeScript a thread has to load the loader itself, as it cannot get it from its arguments. */
export function startThread(url: URL): Worker {
  if (extension() === '.js') return new Worker(url);
  const loader = import.meta.resolve('tsx/esm/api');
  const code = `import('${loader}').then(({ register }) => { register(); return import('${url}'); })`;
  return new Worker(code, { eval: true });
}
