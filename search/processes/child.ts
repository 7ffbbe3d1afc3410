import { type ChildProcess, fork } from 'node:child_process';
import { SearchUnavailable } from '../engine.ts';

/** A new process has to start, and under tsx to compile, before its first answer counts. */
const START_MS = 15_000;
const STOP_MS = 1_000;

/** What comes back from a reader, by the number of its question. */
export interface Numbered {
  id: number;
}

/** One reader process. It answers one question at a time. */
export interface ReaderProcess<A extends Numbered> {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  current: { id: number; resolve(answer: A): void; reject(error: Error): void } | undefined;
  /** Whether it has said that it is ready. */
  started: boolean;
  ended: boolean;
}

/** The process ended while it had a question. Another may answer it. */
export class ReaderEnded extends Error {
  override name = 'ReaderEnded';
}

let lastId = 0;

/** Starts a process that answers questions. It ends with this process, or when told. */
export function startReader<A extends Numbered>(script: URL, args: readonly string[]): ReaderProcess<A> {
  const child = fork(script, [...args], {
    execArgv: loaderArguments(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const reader: ReaderProcess<A> = {
    child,
    ready: awaitReady(child),
    current: undefined,
    started: false,
    ended: false,
  };
  // A caller gets the failure of a start through `ready`; here it is handled for the case that nobody is calling.
  reader.ready.then(
    () => {
      reader.started = true;
    },
    () => end(reader),
  );
  child.on('message', (answer: A) => {
    const { current } = reader;
    if (current?.id !== answer.id) return;
    reader.current = undefined;
    current.resolve(answer);
  });
  child.on('exit', () => end(reader));
  child.on('error', () => end(reader));
  // A reader alone keeps nobody alive: a front door that forgot to close still ends.
  child.unref();
  child.channel?.unref();
  return reader;
}

/**
 * Asks a reader that has no question.
 * @throws SearchUnavailable past the deadline (the process is killed then), ReaderEnded where the process died over it.
 */
export async function askReader<A extends Numbered>(
  reader: ReaderProcess<A>,
  question: object,
  deadlineMs: number,
): Promise<A> {
  await reader.ready;
  if (reader.ended) throw new ReaderEnded('the search reader ended');
  const id = ++lastId;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<A>((resolve, reject) => {
      reader.current = { id, resolve, reject };
      timer = afterHearing(deadlineMs, () => {
        if (reader.current?.id !== id) return;
        kill(reader);
        reject(new SearchUnavailable(`no answer within ${deadlineMs} ms`));
      });
      reader.child.send({ ...question, id }, (error) => {
        if (error) end(reader);
      });
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Lets a reader go and waits for its end; one that does not go is killed. */
export async function stopReader<A extends Numbered>(reader: ReaderProcess<A>): Promise<void> {
  if (reader.child.exitCode !== null || reader.child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => reader.child.once('exit', () => resolve()));
  const timer = setTimeout(() => reader.child.kill('SIGKILL'), STOP_MS);
  // One that is still starting has nothing to finish.
  if (!reader.started) reader.child.kill('SIGKILL');
  else if (reader.child.connected) reader.child.disconnect();
  reader.child.ref();
  await gone;
  clearTimeout(timer);
}

function kill<A extends Numbered>(reader: ReaderProcess<A>): void {
  reader.ended = true;
  reader.current = undefined;
  reader.child.kill('SIGKILL');
}

function end<A extends Numbered>(reader: ReaderProcess<A>): void {
  reader.ended = true;
  const { current } = reader;
  reader.current = undefined;
  current?.reject(new ReaderEnded('the search reader ended'));
}

/** A timer that first hears what was said meanwhile: a process that was busy itself for so long has not read it yet. */
function afterHearing(ms: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), ms);
}

function awaitReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const timer = afterHearing(START_MS, () => {
      if (settled) return;
      child.kill('SIGKILL');
      reject(new ReaderEnded('the search reader did not start'));
    });
    const settle = (finish: () => void) => () => {
      settled = true;
      clearTimeout(timer);
      finish();
    };
    child.once('message', settle(resolve));
    child.once(
      'exit',
      settle(() => reject(new ReaderEnded('the search reader did not start'))),
    );
    child.once(
      'error',
      settle(() => reject(new ReaderEnded('the search reader did not start'))),
    );
  });
}

/** The ending of the files that run: `.ts` from the sources, `.js` once compiled. */
export function extension(): string {
  return import.meta.url.endsWith('.ts') ? '.ts' : '.js';
}

/** Compiled code needs nothing; TypeScript needs the loader that this process runs under, or may run under. */
function loaderArguments(): string[] {
  if (extension() === '.js') return [];
  return ['--import', import.meta.resolve('tsx')];
}
