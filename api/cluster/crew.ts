import cluster, { type Worker } from 'node:cluster';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Logger } from 'pino';
import { SMALL_HEAP } from '../../schema/process/heap.ts';
import { inTime } from '../../schema/process/in-time.ts';
import { type Answers, makePeer, type Peer, type Port } from '../concurrency/peer.ts';
import type { Metric } from '../server.ts';
import type { OfPrimary, OfWorker } from './questions.ts';

/** Milliseconds before a worker that ended is replaced, doubled each time one did not last. */
const BACK_OFF_MS = { least: 250, most: 30_000 };
/** A worker that ran for this long was healthy. */
const LASTING_MS = 60_000;

/** How often a worker is asked whether its event loop turns before it counts as hung. */
const SILENT_MAX = 3;
/** While it starts, this many times as often: on a busy machine its code may take long to load. */
const START_TIMES = 8;

/** A worker that takes longer to read its metrics hangs. Monitors wait ten seconds for the metrics of all. */
const METRICS_MS = 4_000;

/** A worker did not start. It has reported the reason itself. */
class NotStarted extends Error {
  override name = 'NotStarted';
}

interface CrewOptions {
  processes: number;
  /** How long a worker's event loop may hang before it is killed and replaced. */
  hangSeconds: number;
  log: Logger;
  /** The answers to a worker's questions. */
  answer(worker: () => Peer<OfWorker>): Omit<Answers<OfPrimary>, 'answering'>;
  /** Called when a worker has ended; `counted` holds its metrics as last read. */
  onGone(worker: Peer<OfWorker>, counted: Metric[]): void;
  onReplaced(): void;
}

/** One of the workers. */
export interface Member {
  readonly worker: Worker;
  readonly peer: Peer<OfWorker>;
  readonly startedMs: number;
  isAnswering: boolean;
  /** Questions in a row, up to the last, that it has not answered. */
  silent: number;
  metrics: Metric[];
}

/** The workers. */
export interface Crew {
  readonly processes: number;
  /** Starts the workers, and returns the address that they share. @throws NotStarted where one ends before it answers. */
  start(): Promise<string>;
  /** Those that are answering calls. */
  members(): Member[];
  /** A member's current metrics, or as last read if it has ended or hangs. */
  readMetrics(member: Member): Promise<Metric[]>;
  /** Lets them finish their calls, and waits for their end. */
  close(): Promise<void>;
}

/** How long to wait before replacing a member that started at an instant. */
function makeBackOff(): (startedMs: number) => number {
  let nextMs = BACK_OFF_MS.least;
  return (startedMs) => {
    if (Date.now() - startedMs > LASTING_MS) nextMs = BACK_OFF_MS.least;
    const waitMs = nextMs;
    nextMs = Math.min(2 * nextMs, BACK_OFF_MS.most);
    return waitMs;
  };
}

/** Keeps this many workers running, each a process with the program of this one. */
export function makeCrew({ processes, hangSeconds, log, answer, onGone, onReplaced }: CrewOptions): Crew {
  const members = new Set<Member>();
  const timers = new Set<NodeJS.Timeout>();
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  const nextWaitMs = makeBackOff();

  const replace = (startedMs: number) => {
    const waitMs = nextWaitMs(startedMs);
    const timer = setTimeout(() => {
      timers.delete(timer);
      onReplaced();
      add().catch((error: unknown) => {
        log.warn({ err: error }, 'a new API process did not start');
        // The end of a process leads to the next attempt; without memory for one, there is none to end.
        if (!(error instanceof NotStarted)) replace(Date.now());
      });
    }, waitMs);
    timers.add(timer);
    return waitMs;
  };

  const add = async () => {
    const { member, answering } = launch(answer, log);
    members.add(member);
    watch(member, hangSeconds, log);
    member.worker.once('exit', (code, signal) => {
      members.delete(member);
      onGone(member.peer, member.metrics);
      // During the start, the end of one that does not answer yet ends the start.
      if (phase === 'stopping' || (phase === 'starting' && !member.isAnswering)) return;
      const waitMs = replace(member.startedMs);
      const { pid } = member.worker.process;
      log.error({ worker: pid, code, signal }, `an API process ended; another starts in ${waitMs} ms`);
    });
    return answering;
  };

  return {
    processes,
    async start() {
      // What is written contains bytes and dates, which JSON cannot carry.
      cluster.setupPrimary({ serialization: 'advanced', execArgv: [...process.execArgv, ...SMALL_HEAP] });
      // The first one alone, so that a wrong setting is reported once.
      const url = await add();
      await addMany(add, processes - 1);
      phase = 'running';
      return url;
    },
    members: () => [...members].filter(({ isAnswering }) => isAnswering),
    async readMetrics(member) {
      const reading = member.peer.ask('metrics', null).catch(() => member.metrics);
      member.metrics = (await inTime<Metric[] | null>(METRICS_MS, reading, null)) ?? member.metrics;
      return member.metrics;
    },
    async close() {
      phase = 'stopping';
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([...members].map(stop));
    },
  };
}

/** Forking takes some 40 ms each. In between, this process handles signals and probes; otherwise 64 would hold up both for seconds. */
async function addMany(add: () => Promise<unknown>, count: number): Promise<void> {
  if (count > 0) await Promise.all([add(), yieldToEventLoop().then(() => addMany(add, count - 1))]);
}

/** Kills a worker whose event loop hangs. It counts the unanswered questions of this process, so that this process's own pauses do no harm. */
function watch(member: Member, hangSeconds: number, log: Logger): void {
  const { worker, peer } = member;
  const everySeconds = hangSeconds / SILENT_MAX;
  const feel = async () => {
    member.silent += 1;
    const [reply] = await Promise.allSettled([peer.ask('alive', null)]);
    if (reply.status === 'fulfilled') member.silent = 0;
  };
  const asking = setInterval(() => {
    const most = member.isAnswering ? SILENT_MAX : START_TIMES * SILENT_MAX;
    if (member.silent < most) return void feel();
    const { pid } = worker.process;
    log.error({ worker: pid }, `an API process has hung for ${member.silent * everySeconds} s and is killed`);
    worker.process.kill('SIGKILL');
  }, everySeconds * 1_000);
  worker.once('exit', () => clearInterval(asking));
}

/** Starts one; `answering` resolves with its address, or rejects with NotStarted if it ends first. */
function launch(answer: CrewOptions['answer'], log: Logger): { member: Member; answering: Promise<string> } {
  const worker = cluster.fork();
  // Where no file or process is left for it, there is no process whose end could be announced, only an error.
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (worker.process.pid === undefined) worker.emit('exit', error.errno ?? -1, error.code ?? error.message);
  });
  if (worker.isConnected()) cutLostConnections(worker, log);
  let announce: (url: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const answering = ({ url }: { url: string }) => {
    member.isAnswering = true;
    // Questions that were sent before its code was loaded are lost.
    member.silent = 0;
    announce(url);
    return null;
  };
  const answers = { ...answer(() => peer), answering };
  const peer: Peer<OfWorker> = makePeer<OfWorker, OfPrimary>(portOf(worker), answers);
  const member: Member = { worker, peer, startedMs: Date.now(), isAnswering: false, silent: 0, metrics: [] };
  const ended = new Promise<never>((_resolve, reject) => {
    worker.once('exit', (code, signal) => {
      peer.lose();
      reject(new NotStarted(`an API process ended with ${signal ?? code}`));
    });
  });
  return { member, answering: Promise.race([announced, ended]) };
}

/** A connection on its way to a worker, as node:cluster sends it (Node 20 to 26). */
interface Sent {
  act?: string;
  seq?: number;
}

/** A worker's reply: its answer to the message, or that the message came without the connection. */
interface Said {
  cmd?: string;
  ack?: number;
}

/**
 * Closes connections that were sent to a worker and did not reach it, because it ended or had no file left. node:cluster would
 * keep them open, and their clients would wait for ever; in the second case it would also never send that worker another one.
 */
function cutLostConnections({ process: child }: Worker, log: Logger): void {
  const sent = new Map<number, { close(): void }>();
  let isSaid = false;
  const send = child.send.bind(child) as (message: Sent, handle?: { close(): void }, ...rest: unknown[]) => boolean;
  const sendNoted: typeof send = (message, handle, ...rest) => {
    if (message.act === 'newconn' && message.seq !== undefined && handle) sent.set(message.seq, handle);
    return send(message, handle, ...rest);
  };
  child.send = sendNoted as typeof child.send;
  child.on('internalMessage', ({ cmd, ack }: Said) => {
    if (ack !== undefined) sent.delete(ack);
    if (cmd === 'NODE_HANDLE_ACK') isSaid = false;
    const [lost] = sent.keys();
    if (cmd !== 'NODE_HANDLE_NACK' || lost === undefined) return;
    if (!isSaid) log.warn({ worker: child.pid }, 'an API process has no file left for connections, which are closed');
    isSaid = true;
    // As if it had been accepted: what was sent is closed, and the next may be sent.
    child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: lost, accepted: true });
  });
  child.once('exit', () => {
    for (const handle of sent.values()) handle.close();
  });
}

async function stop({ worker, peer, isAnswering }: Member): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  if (isAnswering) await peer.ask('stop', null).catch(() => worker.kill('SIGKILL'));
  else worker.kill('SIGKILL');
  await ended;
}

function portOf(worker: Worker): Port {
  return {
    send: (message, done) => void worker.send(message, done),
    listen: (hear) => void worker.on('message', hear),
  };
}
