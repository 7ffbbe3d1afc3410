import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Settings } from '../../schema/config/settings.ts';
import { DatabaseAway, OutcomeUnknown } from '../../schema/db/interface.ts';
import { END_SIGNALS } from '../../schema/process/end-signals.ts';
import type { Machine } from '../concurrency/machine.ts';
import { type Answers, makePeer, type Peer, type Port } from '../concurrency/peer.ts';
import { NO_SERVER } from '../private-server.ts';
import { openServices } from '../process/open.ts';
import { type RunningServer, startServer } from '../server.ts';
import { makeShares, type Shares } from './allowances.ts';
import { writeJointly } from './joint-writes.ts';
import type { OfPrimary, OfWorker } from './questions.ts';

const PARENT: Port = {
  send: (message, done) => void process.send?.(message, undefined, undefined, done),
  listen: (hear) => void process.on('message', hear),
};

/** The readers belong to the primary. */
const NO_PROCESSES = { pids: () => [], close: async () => undefined };

interface Running {
  server: RunningServer;
  close(): Promise<void>;
}

type Primary = Pick<Peer<OfPrimary>, 'ask'>;

/**
 * One of several API processes: answers calls, and asks the primary for everything they share. Runs until the primary stops it,
 * or has ended. @throws what `openServices` and `startServer` throw.
 */
export async function runWorker(settings: Settings, log: Logger): Promise<void> {
  // A signal to the whole group also reaches the primary, which stops its workers in order.
  for (const signal of END_SIGNALS) process.on(signal, () => undefined);
  let describeStarted: (running: Running) => void = () => undefined;
  const started = new Promise<Running>((resolve) => {
    describeStarted = resolve;
  });
  const answers: Answers<OfWorker> = {
    giveBack: (asked) => shares.giveBack(asked),
    alive: () => null,
    readiness: async () => (await started).server.checkReadiness(),
    metrics: async () => (await started).server.readMetrics(),
    async stop() {
      await (await started).close();
      // A mail server that has yet to answer must not hold the process.
      process.once('disconnect', () => process.exit(0));
      setImmediate(() => cluster.worker?.disconnect());
      return null;
    },
  };
  const primary: Peer<OfPrimary> = makePeer<OfPrimary, OfWorker>(PARENT, answers, describeLoss);
  const shares = makeShares(primary);
  const machine = makeSharedMachine(primary, shares);
  const services = await openServices(divide(settings), log, {
    machine,
    search: { ask: (asked) => primary.ask('search', asked), ...NO_PROCESSES },
    rows: { ask: (asked) => primary.ask('rows', asked), ...NO_PROCESSES },
    longReads: { ask: (asked) => primary.ask('longReads', asked), ...NO_PROCESSES },
    summaries: { ask: (asked) => primary.ask('summaries', asked), ...NO_PROCESSES },
    writeAccounts: (statements) => primary.ask('write', statements),
  });
  const server = await startServer(services, { log, privateServer: NO_SERVER });
  describeStarted({
    server,
    async close() {
      await server.close();
      await services.close();
    },
  });
  await primary.ask('answering', { url: server.url });
}

/** The error of a question that the primary did not answer before it ended. What it was to write may have been written. */
export function describeLoss(question: keyof OfPrimary): Error {
  const said = 'the first API process has ended';
  return question === 'write' || question === 'writeGroup' ? new OutcomeUnknown(said) : new DatabaseAway(said);
}

/** Memory settings that apply to all processes together. */
function divide(settings: Settings): Settings {
  const { KEPT_ANSWERS_MB: megabytes, API_PROCESSES: processes } = settings;
  return { ...settings, KEPT_ANSWERS_MB: megabytes && Math.max(1, Math.floor(megabytes / processes)) };
}

/** What the workers share, with the primary in between. */
export function makeSharedMachine(primary: Primary, { makeWindows }: Shares): Machine {
  return {
    makeWindows,
    writeGroup: writeJointly((writes) => primary.ask('writeGroup', writes)),
    async inTurn({ name, waitingMost, refuse }, id, work) {
      const place = `${name} ${id}`;
      if (!(await primary.ask('turn', { place, waitingMost }))) throw refuse();
      try {
        return await work();
      } finally {
        // Nothing waits for it: if the primary has ended, so does this process.
        primary.ask('endTurn', { place }).catch(() => process.exit(1));
      }
    },
  };
}
